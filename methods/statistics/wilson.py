"""Wilson's score interval of a proportion (Wilson 1927; METHODS 6 and 12).

Belongs here: this interval. Does not belong here: exact (Clopper-Pearson) limits, comparisons of two proportions.
Two proportions are never compared by whether their intervals overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share of n with its interval, fractions of one."""

    share: float
    low: float
    high: float


def wilson_interval(successes: int, n: int, z: float) -> Proportion | None:
    """The share and its Wilson interval; None where n = 0, since nothing was observed.

    Centre (k + z^2/2) / (n + z^2), half width z sqrt(k (n - k)/n + z^2/4) / (n + z^2). The ends lie within 0 to 1 and
    on either side of the share; 0 of n begins at exactly 0, n of n ends at exactly 1.

    Args:
        successes: k, 0 to n.
        n: trials.
        z: normal quantile of the level: 1.959963984540054 for 95%.

    Raises:
        ValueError: for k outside 0 to n, or z not positive.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no proportion")
    if not 0 < z < math.inf:
        raise ValueError(f"z {z} is not positive")
    if n == 0:
        return None
    return _interval(successes / n, float(successes), float(n), z)


def wilson_of_share(share: float, worth: float, z: float) -> Proportion:
    """The interval of a share whose results are worth so many independent ones, of which no whole number need be.

    Args:
        share: 0 to 1. worth: positive. z: as above.

    Raises:
        ValueError: for a share outside 0 to 1, or worth or z not positive.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{share} is no share")
    if not (0 < worth < math.inf and 0 < z < math.inf):
        raise ValueError(f"worth {worth} and z {z} must be positive")
    return _interval(share, share * worth, worth, z)


def _interval(share: float, successes: float, n: float, z: float) -> Proportion:
    weight = n + z * z
    centre = (successes + z * z / 2) / weight
    half = z * math.sqrt(successes * (n - successes) / n + z * z / 4) / weight
    low = 0.0 if successes == 0 else min(max(centre - half, 0.0), share)
    high = 1.0 if successes == n else max(min(centre + half, 1.0), share)
    return Proportion(share, low, high)
