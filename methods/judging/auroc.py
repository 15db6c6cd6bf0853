"""How well confidence orders errors: the area under the ROC curve, with ties, in whole numbers (METHODS 10).

Belongs here: AUROC. Does not belong here: which items take part (`summary`), the limit under which no cascade opens.
Both classes are sorted and merged: the sort is all the time there is. The sum of wins is an integer, divided once, so
that rows in any order give the same bits.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.compiling import compiled

COMPILE_ABOVE: Final = 500_000
"""Values from which importing the compiler pays. It moves time only: the numbers are the same on either side."""
LARGEST: Final = 2**31
"""Values up to which twice the number of pairs stays within 64 bits."""


def auroc(confidence: NDArray[Any], is_right: NDArray[np.bool_], *, is_compiled: bool | None = None) -> float | None:
    """The chance that a right verdict is held with more confidence than a wrong one, a tie counting half.

    Args:
        confidence: (n) integers or finite floats, the larger the surer.
        is_right: (n) whether the verdict is right.
        is_compiled: the side to run on; None chooses by size.

    Returns:
        0 to 1; None where all are right, or all wrong: nothing is ordered then.

    Raises:
        ValueError: for NaN, unlike lengths, or more than 2^31 values.
    """
    if confidence.shape != is_right.shape or confidence.size > LARGEST:
        raise ValueError(f"{confidence.shape} values and {is_right.shape} outcomes do not belong together")
    right, wrong = np.sort(confidence[is_right]), np.sort(confidence[~is_right])
    if not right.size or not wrong.size:
        return None
    if np.isnan(right[-1]) or np.isnan(wrong[-1]):
        raise ValueError("NaN has no place in an order")
    doubled = _doubled_wins(right, wrong, confidence.size > COMPILE_ABOVE if is_compiled is None else is_compiled)
    return doubled / (2 * right.size * wrong.size)


def _doubled_wins(right: NDArray[Any], wrong: NDArray[Any], is_compiled: bool) -> int:
    """Twice the wins of `right` over `wrong`, ties once; both ascending."""
    if is_compiled:
        from methods.judging.auroc_kernel import merge_wins

        total = np.zeros(1, dtype=np.int64)
        compiled(merge_wins)(right, wrong, total)
        return int(total[0])
    few, many = (right, wrong) if right.size <= wrong.size else (wrong, right)
    found = int(np.searchsorted(many, few, "left").sum()) + int(np.searchsorted(many, few, "right").sum())
    return found if few is right else 2 * right.size * wrong.size - found
