"""What a study of this size could have seen: the smallest detectable mean difference, and the n for a given one.

Belongs here: standard errors of a mean of paired differences, and what follows from them. Does not belong here:
intervals (`bootstrap`).

The smallest detectable difference is (z_{1 - alpha/2} + z_{power}) times the standard error of the mean: Bloom,
"Minimum Detectable Effects", Evaluation Review 19 (1995) 547-556, for a two-sided test with normal quantiles (2.80
standard errors at 95% and 80%). With few clusters the normal quantiles are a little optimistic.

The standard error of the mean over pairs allows for pairs of one cluster moving together: for deviations e from the
mean, summed within each of C clusters, SE^2 = C/(C - 1) * sum over clusters of (sum of e)^2 / n^2 (the sandwich
estimator with its small-sample factor; Liang and Zeger, Biometrika 73 (1986) 13-22). Clusters of one pair give
s^2/n. The estimator of the error is that of the mean it stands beside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from methods.statistics.bootstrap import Clustered
from methods.statistics.fixed_point import SCALE, exact_sum


@dataclass(frozen=True, slots=True)
class Detectable:
    """What this many pairs, so spread and so clustered, can detect.

    Attributes:
        standard_error: of the mean, in the differences' unit.
        smallest: the mean difference that the test finds with the stated power.
        pairs: how many pairs, spread and clustered alike, would find the wanted difference; at least 2.
    """

    standard_error: float
    smallest: float
    pairs: int


def detectable_difference(data: Clustered, *, level_z: float, power_z: float, wanted: float) -> Detectable | None:
    """The smallest detectable mean difference, and the n for a wanted one; None where no spread can be estimated.

    Args:
        data: differences in billionths with their clusters (`bootstrap.in_total_order`).
        level_z: normal quantile of the two-sided level: 1.959963984540054 for 95%.
        power_z: normal quantile of the power: 0.8416212335729143 for 80%.
        wanted: the mean difference that should be found, positive, in the differences' unit.

    Returns:
        None for fewer than two clusters, or where the estimated error is 0: no spread seen is not no spread.

    Raises:
        ValueError: where `wanted` is not positive.
    """
    if not 0 < wanted < math.inf:
        raise ValueError(f"the wanted difference {wanted} is not positive")
    variance = _squared_error(data)
    if not variance:
        return None
    factor = Fraction(level_z) + Fraction(power_z)
    needed = data.ascending.size * factor * factor * variance / Fraction(wanted) ** 2
    error = math.sqrt(variance)
    return Detectable(error, (level_z + power_z) * error, max(2, math.ceil(needed)))


def _squared_error(data: Clustered) -> Fraction:
    """The squared standard error of the mean, exact; 0 where it cannot be estimated."""
    n, clusters = data.ascending.size, data.sizes.size
    if clusters < 2:
        return Fraction(0)
    total = exact_sum(data.ascending)
    # n e summed over a cluster is n times its sum less its size times the total: whole numbers throughout
    moves = (n * own - size * total for own, size in zip(data.sums.tolist(), data.sizes.tolist(), strict=True))
    squares = sum(move * move for move in moves)
    return Fraction(clusters * squares, (clusters - 1) * n**4 * SCALE**2)
