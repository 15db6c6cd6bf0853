"""The family cap: benchmarks of one family share at most so much precision in a dimension (METHODS 7).

Belongs here: from variances to capped precisions. Does not belong here: the variances themselves (`standardize`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def capped_precision(
    groups: Sequence[tuple[str, ...]], variance: NDArray[np.float64], cap: float
) -> NDArray[np.float64]:
    """Precision of each observation after the family cap; items keep their share of it.

      precision_f = min(cap, sum 1/variance_i) ;  precision_i = (1/variance_i) * precision_f / sum 1/variance

    Args:
        groups: (n) what shares a cap: (model, category, dimension, family).
        variance: (n,) positive.
        cap: most precision a group may have.

    Returns:
        (n,) in the order of the input; independent of that order, since group sums are rounded once.
    """
    inverse = 1.0 / variance
    members: dict[tuple[str, ...], list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    values = inverse.tolist()
    total = np.empty(len(values))
    for rows in members.values():
        total[rows] = values[rows[0]] if len(rows) == 1 else math.fsum(values[row] for row in rows)
    return inverse * np.minimum(total, cap) / total
