"""Small drawings made row by row: the place of an interval or a step on the axis that all rows of a table share.

Belongs here: positions in percent of the axis. Figures with axes and legends of their own are `figures`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

WANTED_STEPS: Final = 6
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100)


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of a column: from `low` to `high`, marked every `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> str:
        """A value's place in percent of the axis, short, held to its ends."""
        share = 100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{share:.1f}".removesuffix(".0")

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """(place, label) of every mark."""
        steps = round((self.high - self.low) / self.step)
        values = [self.low + self.step * n for n in range(steps + 1)]
        return [(self.at(value), f"{value:g}") for value in values]

    @property
    def gaps(self) -> int:
        """How many gaps the marks leave."""
        return max(1, round((self.high - self.low) / self.step))


def axis_over(values: Iterable[float | None]) -> Axis:
    """The axis that holds all values between round marks; 0 to 100 where there are none."""
    known = [value for value in values if value is not None]
    if not known:
        return Axis(0, 100, 20)
    low, high = min(known), max(known)
    span = max(high - low, 1e-9)
    magnitude = 10.0 ** min(0, math.floor(math.log10(span)) - 1)
    wanted = span / WANTED_STEPS
    step = next((step * magnitude for step in _STEPS if step * magnitude >= wanted), wanted)
    start = math.floor(low / step + 1e-9) * step
    end = math.ceil(high / step - 1e-9) * step
    start -= step if start - low > abs(low) * 1e-12 else 0  # more than what rounding of a mark explains
    end += step if high - end > abs(high) * 1e-12 else 0
    return Axis(start, end if end > start else start + step, step)


def running(start: float, steps: Iterable[float]) -> list[tuple[float, float]]:
    """(from, to) of each step of a waterfall that begins at `start`."""
    places = [start]
    for step in steps:
        places.append(places[-1] + step)
    return list(pairwise(places))
