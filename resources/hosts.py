"""Politeness: a host is asked by one at a time, with a pause in between, and left alone for as long as it asks.

Belongs here: turns at a host, shared by all sources of a run. How often one source tries is `retries`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import urlsplit

from resources.retries import Pace


@dataclass
class _Host:
    """One host: who is talking to it, and when it may be asked again (a moment of the pace's clock)."""

    talking: Lock = field(default_factory=Lock)
    next_at: float = 0.0


@dataclass
class Turn:
    """One request: whether it moved nothing, as whoever made it says."""

    was_light: bool = False


class HostTurns:
    """Turns at every host of a run.

    Args:
        pace: time.
        pause_seconds: between the end of one request and the beginning of the next.
        light_seconds: the same after a request that moved nothing, such as a 304.
    """

    def __init__(self, pace: Pace, pause_seconds: float = 0.05, light_seconds: float = 0.002) -> None:
        self.pace = pace
        self.pause_seconds = pause_seconds
        self.light_seconds = light_seconds
        self._hosts: dict[str, _Host] = {}
        self._adding = Lock()

    @contextmanager
    def turn(self, host: str) -> Iterator[Turn]:
        """Waits for the host to be free and rested; it is ours within the block."""
        place = self._place(host)
        with place.talking:
            left = place.next_at - self.pace.clock()
            if left > 0:
                self.pace.sleep(left)
            taken = Turn()
            try:
                yield taken
            finally:
                rest = self.light_seconds if taken.was_light else self.pause_seconds
                place.next_at = max(place.next_at, self.pace.clock() + rest)

    def leave_alone(self, host: str, seconds: float) -> None:
        """Nobody asks the host for some seconds from now."""
        place = self._place(host)
        place.next_at = max(place.next_at, self.pace.clock() + seconds)

    def left_alone_for(self, host: str) -> float:
        """Seconds until the host may be asked again; 0 where it may be now."""
        return max(0.0, self._place(host).next_at - self.pace.clock())

    def _place(self, host: str) -> _Host:
        with self._adding:
            return self._hosts.setdefault(host, _Host())


def host_of(url: str) -> str | None:
    """The host that an address leads to, with its port; None where it leads to a file."""
    try:
        parts = urlsplit(url)
        if parts.scheme.removeprefix("git+") not in {"http", "https"} or not parts.hostname:
            return None
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        return None
