"""How often a download is tried again, and how long it waits in between.

Belongs here: which failures are worth another attempt, the waits, and their bounds (A50). What a failure is says
`http`; that one host is asked by one at a time is `hosts`. Clock, sleep and chance are handed in, so that tests of
hours take none.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, TypeVar

import tenacity

from resources.http import FetchError

T = TypeVar("T")

RATE_LIMITED: Final = "rate_limited"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds of one source's attempts.

    Attributes:
        attempts: at most so many.
        base_seconds, cap_seconds: the first wait without a word of the server, doubled at each further, and its most.
        total_seconds: waits in all, those that the server asks for included; 0 for a single attempt.
    """

    attempts: int = 5
    base_seconds: float = 1.0
    cap_seconds: float = 30.0
    total_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Time and chance as a download meets them.

    Attributes:
        clock: seconds, only ever forward.
        sleep: lets seconds pass.
        draw: uniform in [0, 1).
        wall: the date, to read a Retry-After that is one.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random
    wall: Callable[[], datetime] = lambda: datetime.now(UTC)


def retried(attempt: Callable[[], T], policy: RetryPolicy, pace: Pace) -> T:
    """The result of the first attempt that succeeds.

    A failure that a later attempt cannot mend (a refusal, a missing file, a private address) is not tried again. The
    wait is what the server asks for, else `base` doubled each time up to `cap`, of which a random half is left away, so
    that many do not come back at one moment.

    Raises:
        FetchError: the last failure, with what was tried; `rate_limited` where the server asked for fewer requests.
    """
    started = pace.clock()

    def wait(state: tenacity.RetryCallState) -> float:
        error = _error(state)
        asked = retry_after_seconds(error.retry_after, pace.wall()) if error is not None else None
        if asked is not None:
            return asked
        longest: float = min(policy.cap_seconds, policy.base_seconds * 2.0 ** (state.attempt_number - 1))
        return longest * (1 - pace.draw() / 2)

    def stop(state: tenacity.RetryCallState) -> bool:
        spent = pace.clock() - started + state.upcoming_sleep
        return state.attempt_number >= policy.attempts or spent > policy.total_seconds

    def end(state: tenacity.RetryCallState) -> T:
        error = _error(state)
        assert error is not None
        raise _final(error, state.attempt_number, state.upcoming_sleep, policy) from error

    return tenacity.Retrying(
        sleep=pace.sleep,
        wait=wait,
        stop=stop,
        retry=tenacity.retry_if_exception(lambda error: isinstance(error, FetchError) and error.is_transient),
        retry_error_callback=end,
    )(attempt)


def retry_after_seconds(sent: str | None, now: datetime) -> float | None:
    """The seconds a Retry-After asks for, as a number or a date; None where it is absent or cannot be read."""
    if sent is None:
        return None
    text = sent.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _error(state: tenacity.RetryCallState) -> FetchError | None:
    found = state.outcome.exception() if state.outcome is not None else None
    return found if isinstance(found, FetchError) else None


def _final(error: FetchError, attempts: int, next_wait: float, policy: RetryPolicy) -> FetchError:
    """The last failure, told with what was tried before it was given up."""
    tried = f"given up after {attempts} attempts" if attempts > 1 else "not tried again"
    if attempts < policy.attempts and policy.total_seconds:
        tried += f", as the next would come {next_wait:.0f} s later: at most {policy.total_seconds:g} s are waited"
    limited = f"{RATE_LIMITED}: " if error.status == 429 else ""
    return FetchError(
        f"{limited}{error} ({tried}; the next night tries again)",
        status=error.status,
        is_transient=True,
        retry_after=error.retry_after,
    )
