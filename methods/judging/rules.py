"""The two rules under which a threshold keeps the tolerance: `point` and `bound` (METHODS 10).

Belongs here: from counts to a bound, and whether it holds. Does not belong here: the search over the grid (`fitting`).
Both take arrays of any shape, so that the simulation of how often a rule breaks its tolerance asks the very same code.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.judging.orders import WHOLE
from methods.judging.thresholds import Counts
from methods.statistics.clopper_pearson import trials_for_limit, upper_limit
from methods.statistics.fixed_point import Integers
from warehouse.judge_words import Rule
from warehouse.methodology import Judging, exactly

Floats = NDArray[np.float64]

MOST_NEEDED: Final = 10**9
"""Items from which on "so many would decide" says no more than that these never will."""


def grid(judging: Judging) -> Integers:
    """The thresholds that may be chosen, half-billionths, the lowest first: 0.50 to 1 by 0.01, each exact."""
    low, high, step = (exactly(of) for of in (judging.tau_lowest, judging.tau_highest, judging.tau_step))
    steps = int((high - low) / step)
    return np.array([int((low + step * place) * WHOLE) for place in range(steps + 1)], dtype=np.int64)


def keeps(rule: Rule, counts: Counts, n: int, judging: Judging) -> NDArray[np.bool_]:
    """Whether each threshold keeps the tolerance on n items, and accepts any of them.

    point: cascade minus fallback is at least minus the tolerance, compared in whole numbers.
    bound: its lower bound (`lower_bound`) is.

    Args:
        rule: which.
        counts: at each threshold.
        n: items, those always escalated included; at least 1.
        judging: tolerance, level, when the exact limit stands in.
    """
    if rule == "point":
        within = point_holds(counts.gain, n, judging)
    else:
        within = lower_bound(counts, n, judging) >= -judging.tolerance
    return np.asarray(within & (counts.accepted > 0))


def point_holds(gain: Integers, n: int, judging: Judging) -> NDArray[np.bool_]:
    """Whether the accuracy of the cascade is within the tolerance of the fallback's, exactly."""
    tolerance = exactly(judging.tolerance)
    return np.asarray(gain * tolerance.denominator + 2 * n * tolerance.numerator >= 0)


def lower_bound(counts: Counts, n: int, judging: Judging) -> Floats:
    """The one-sided lower bound of cascade minus fallback, a fraction.

    mean - z s/sqrt(n), over all n items (an escalated one differs by 0). Where fewer items differ than that is good
    for, minus the exact upper limit of the chance that the cascade is worse. Where nothing is accepted, 0: everything
    is the fallback's.

    Args:
        counts, n, judging: as `keeps`.
    """
    gain, squares = counts.gain.astype(np.int64), counts.squares.astype(np.int64)
    spread = np.sqrt(np.maximum(n * squares - gain * gain, 0) / (4 * n * max(n - 1, 1)))
    bound = gain / (2 * n) - judging.bound_z * (spread / math.sqrt(n))
    few = counts.differ < judging.exact_below
    limits = np.array([-upper_limit(k, n, judging.bound_level) for k in range(min(judging.exact_below, n + 1))])
    exact = np.where(few, limits[np.where(few, counts.worse, 0)], bound)
    return np.where(counts.accepted > 0, exact, 0.0)


def items_to_decide(counts: Counts, n: int, judging: Judging) -> int | None:
    """How many items would keep the bound within the tolerance, did they behave as these n; None where none would.

    Args:
        counts: of one threshold, as arrays of one element.
        n, judging: as `keeps`.
    """
    if int(counts.differ[0]) < judging.exact_below:
        return trials_for_limit(int(counts.worse[0]), judging.tolerance, judging.bound_level)
    mean = int(counts.gain[0]) / (2 * n)
    if mean <= -judging.tolerance:
        return None
    variance = (n * int(counts.squares[0]) - int(counts.gain[0]) ** 2) / (4 * n * (n - 1))
    needed = judging.bound_z**2 * variance / (mean + judging.tolerance) ** 2
    return None if needed > MOST_NEEDED else max(n, math.ceil(needed))
