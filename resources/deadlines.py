"""A moment by which a conversation must be over, whatever the server does, its headers included; or at once.

Belongs here: cutting every wait of a connection to what is left, and ending it where the run is told to stop. A server
that sends one byte just before each timeout would else hold a night for hours; the limit between bytes alone does not
stop it.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from typing import Any, Final

import httpcore

_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)
_STOPPING: ContextVar[Event | None] = ContextVar("stopping", default=None)


class StoppedError(KeyboardInterrupt):
    """The run was told to stop: nothing about a source, so that no handler of its faults may take it for one."""


NEVER: Final = Event()
"""Is never set."""


@contextmanager
def over_by(moment: float, stopping: Event = NEVER) -> Iterator[None]:
    """Within the block no wait of a `TimedBackend` of this thread outlasts a moment of `time.monotonic`.

    None begins once `stopping` is set: it raises StoppedError.
    """
    token, sign = _DEADLINE.set(moment), _STOPPING.set(stopping)
    try:
        yield
    finally:
        _DEADLINE.reset(token)
        _STOPPING.reset(sign)


class TimedBackend(httpcore.NetworkBackend):
    """A backend whose waits end at the deadline."""

    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self.inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connects as the inner backend does."""
        left = _left(timeout, httpcore.ConnectTimeout)
        return _TimedStream(self.inner.connect_tcp(host, port, left, local_address, socket_options))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Connects as the inner backend does."""
        return _TimedStream(self.inner.connect_unix_socket(path, timeout, socket_options))

    def sleep(self, seconds: float) -> None:
        """Sleeps as the inner backend does."""
        self.inner.sleep(seconds)


class _TimedStream(httpcore.NetworkStream):
    """A stream whose waits end at the deadline."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self.inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.inner.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.inner.write(buffer, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self.inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _TimedStream(self.inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self.inner.get_extra_info(info)


def _left(timeout: float | None, late: type[httpcore.TimeoutException]) -> float | None:
    """The shorter of a timeout and what is left until the deadline.

    Raises:
        httpcore.TimeoutException: of the kind `late`, where nothing is left.
        StoppedError: where the run was told to stop.
    """
    stopping = _STOPPING.get()
    if stopping is not None and stopping.is_set():
        raise StoppedError
    deadline = _DEADLINE.get()
    if deadline is None:
        return timeout
    left = deadline - time.monotonic()
    if left <= 0:
        raise late("the time for the whole download is over")
    return left if timeout is None else min(timeout, left)
