"""Time that passes only where a test lets it: hours of waiting take none, and every wait can be read afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Lock

from resources.http import Limits
from resources.network import Network
from resources.retries import Pace, RetryPolicy

START = datetime(2026, 10, 20, 3, 0, tzinfo=UTC)


@dataclass
class FakeTime:
    """A clock that a sleep moves."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def sleep(self, seconds: float) -> None:
        with self.lock:
            self.slept.append(round(seconds, 3))
            self.seconds += seconds

    def pace(self, draw: float = 0.0) -> Pace:
        """A pace of this clock, whose chance always draws one number."""
        return Pace(
            clock=lambda: self.seconds,
            sleep=self.sleep,
            draw=lambda: draw,
            wall=lambda: START + timedelta(seconds=self.seconds - 1000.0),
        )


def network_of(time: FakeTime | None = None, policy: RetryPolicy | None = None, **limits: float) -> Network:
    """A network whose waits take no time; quick to call a server silent."""
    bounds = {"read_seconds": 2.0, "total_seconds": 5.0} | limits
    return Network(policy, (time or FakeTime()).pace(), Limits(**bounds))  # type: ignore[arg-type]
