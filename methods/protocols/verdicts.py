"""A figure with its interval against a limit: within, beyond, or not decided, and what would decide it.

Belongs here: the three values and the numbers that a person needs next. Does not belong here: which figure a gate
holds against which limit (`checks`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from methods.statistics.bootstrap import Interval
from methods.statistics.wilson import wilson_interval

Standing = Literal["within", "beyond", "undecided"]

MOST_SITES: Final = 10_000_000
"""Sites beyond which no number is named: nobody has so many."""


@dataclass(frozen=True, slots=True)
class Held:
    """A figure held against a limit.

    Attributes:
        standing: within where the whole interval lies at or below the limit, beyond where all of it lies above, else
            undecided.
        sites_to_decide: sites at which the interval would leave the limit, were the figure to stay; None where it is
            decided, where the figure equals the limit, or where that takes more than anybody has.
    """

    standing: Standing
    sites_to_decide: int | None


def held_against(figure: float, interval: Interval, limit: float, sites: int) -> Held:
    """A mean over sites against a limit; the interval's width falls with the root of the number of sites.

    Args:
        figure: the mean. interval: its interval. limit: the most that is allowed. sites: how many it is a mean of.
    """
    standing = _standing(interval, limit)
    if standing != "undecided" or figure == limit:
        return Held(standing, None)
    half = interval.high - figure if limit > figure else figure - interval.low
    needed = math.ceil(sites * (half / abs(figure - limit)) ** 2)
    return Held(standing, needed if needed <= MOST_SITES else None)


def share_held_against(swapped: int, sites: int, limit: float, z: float) -> Held:
    """A share of sites against a limit, by its Wilson interval.

    Args:
        swapped: sites that count. sites: all of them, at least one. limit: the largest share allowed. z: of the level.
    """
    share = wilson_interval(swapped, sites, z)
    if share is None:
        raise ValueError("no sites have no share")
    standing = _standing(Interval(share.low, share.high), limit)
    if standing != "undecided" or share.share == limit:
        return Held(standing, None)
    low, high = sites, sites
    while not _leaves(share.share, high, limit, z):
        if high > MOST_SITES:
            return Held(standing, None)
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _leaves(share.share, middle, limit, z) else (middle, high)
    return Held(standing, high)


def _standing(interval: Interval, limit: float) -> Standing:
    if interval.high <= limit:
        return "within"
    return "beyond" if interval.low > limit else "undecided"


def _leaves(share: float, sites: int, limit: float, z: float) -> bool:
    """Whether the interval of the nearest possible share at so many sites leaves the limit, on the same side."""
    found = wilson_interval(round(share * sites), sites, z)
    return found is not None and (found.high <= limit if share < limit else found.low > limit)
