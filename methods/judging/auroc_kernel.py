"""The merge of two sorted classes as a plain loop, for the compiler. Belongs here: the loop alone (see `auroc`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import Integers


def merge_wins(right: NDArray[Any], wrong: NDArray[Any], total: Integers) -> None:
    """Adds to `total[0]`, for every value of `right`, twice the values of `wrong` below it and once those equal to it.

    Args:
        right, wrong: ascending, without NaN.
        total: (1) to add to.
    """
    below = np.int64(0)
    level = np.int64(0)
    for i in range(right.size):
        value = right[i]
        while below < wrong.size and wrong[below] < value:
            below += 1
        level = max(level, below)
        while level < wrong.size and wrong[level] == value:
            level += 1
        total[0] += below + level
