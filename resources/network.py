"""Downloads as a run makes them: in turn at each host, tried again where that helps, over connections kept open.

Belongs here: `hosts`, `retries` and `http` put together, and the clients that a run shares. One is made for a run.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from types import TracebackType
from typing import Final, Self, TypeVar

import httpx

from resources.deadlines import StoppedError
from resources.hosts import HostTurns, host_of
from resources.http import Fetched, FetchError, Limits, Validators, fetch, open_client
from resources.retries import RATE_LIMITED, Pace, RetryPolicy, retried, retry_after_seconds

T = TypeVar("T")

NOTHING_KNOWN: Final = Validators()


class Network:
    """The network of a run; may be used by several threads.

    Args:
        policy: how often and how long a source is tried.
        pace: time and chance.
        limits: bounds of one download.
    """

    def __init__(
        self, policy: RetryPolicy | None = None, pace: Pace | None = None, limits: Limits | None = None
    ) -> None:
        self.policy = policy or RetryPolicy()
        self.stopping = Event()
        self.pace = pace or Pace(sleep=self._rest)
        self.limits = limits or Limits()
        self.turns = HostTurns(self.pace)
        self._clients: dict[bool, httpx.Client] = {}
        self._opening = Lock()

    def fetch(
        self, url: str, *, allow_private: bool = False, secret: str | None = None, known: Validators = NOTHING_KNOWN
    ) -> Fetched:
        """Downloads an address, politely and persistently; arguments as `http.fetch`.

        Raises:
            FetchError: for anything but a complete answer within the bounds.
        """
        return self.persist(
            host_of(url) or "",
            lambda: fetch(
                url,
                allow_private=allow_private,
                secret=secret,
                known=known,
                limits=self.limits,
                client=self._client(allow_private),
                stopping=self.stopping,
            ),
        )

    def persist(self, host: str, ask: Callable[[], T]) -> T:
        """What asking a host gives, in turn with others and again where that helps.

        Raises:
            FetchError: the last failure of `ask`.
            StoppedError: where the run was told to stop.
        """

        def attempt() -> T:
            if self.stopping.is_set():
                raise StoppedError
            rest = self.turns.left_alone_for(host)
            if rest > max(self.policy.total_seconds, self.turns.pause_seconds):
                raise FetchError(
                    f"{RATE_LIMITED}: {host} asked to be left alone for {rest:.0f} s; the next night tries again",
                    status=429,
                )
            with self.turns.turn(host) as turn:
                try:
                    answer = ask()
                    turn.was_light = isinstance(answer, Fetched) and answer.data is None
                    return answer
                except FetchError as error:
                    asked = retry_after_seconds(error.retry_after, self.pace.wall())
                    if asked is not None and error.is_transient:
                        self.turns.leave_alone(host, asked)
                    raise

        return retried(attempt, self.policy, self.pace)

    def _client(self, allow_private: bool) -> httpx.Client:
        with self._opening:
            if allow_private not in self._clients:
                self._clients[allow_private] = open_client(allow_private=allow_private, limits=self.limits)
            return self._clients[allow_private]

    def stop(self) -> None:
        """Tells every thread to end: no wait, request or attempt begins any more."""
        self.stopping.set()

    def _rest(self, seconds: float) -> None:
        """Sleeps, not a moment longer than the run goes on.

        Raises:
            StoppedError: where it was told to stop.
        """
        if self.stopping.wait(seconds):
            raise StoppedError

    def close(self) -> None:
        """Closes the connections."""
        with self._opening:
            for client in self._clients.values():
                client.close()
            self._clients.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
