"""The standard error of one published value: as stated, else binomial from its number of samples (METHODS 6).

Belongs here: the error of a single value in percentage points. Does not belong here: errors of means of differences
(`power`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from warehouse.statistics_words import ErrorBasis
from warehouse.vocabulary import PERCENT_UNITS

_LEAST: Final = Decimal("1e-9")


@dataclass(frozen=True, slots=True)
class StandardError:
    """A standard error in percentage points, and what it rests on."""

    points: float
    basis: ErrorBasis


def standard_error(
    points: Decimal, unit: str, stderr: float | None, n_samples: int | None, z: float
) -> StandardError | None:
    """The standard error of a value; None where none can be stated.

    A stated error counts from a billionth of a point up: 0 states none. Otherwise n samples give sqrt(p (1 - p) / n),
    which is right for right-or-wrong samples and an upper bound for samples scored anywhere between 0 and 1. At p = 0
    and p = 1 that would claim certainty, so p and n are those of Wilson's centre there: (n p + z^2/2) / (n + z^2) and
    n + z^2.

    Args:
        points: the value in percent.
        unit: `score` or `score_fraction`, the unit of `stderr`.
        stderr: as stated, in that unit.
        n_samples: how many samples the value rests on.
        z: normal quantile of the level: 1.959963984540054 for 95%.
    """
    stated = Decimal(repr(stderr or 0.0)) * 100 / PERCENT_UNITS[unit]
    if stated >= _LEAST:
        return StandardError(float(stated), "stated")
    if not n_samples:
        return None
    share, weight = float(points / 100), float(n_samples)
    if points in (0, 100):
        weight = n_samples + z * z
        share = (n_samples * share + z * z / 2) / weight
    return StandardError(100 * math.sqrt(share * (1 - share) / weight), "binomial")
