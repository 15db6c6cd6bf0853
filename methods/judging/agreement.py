"""How often two labellings agree, and how often beyond chance: raw share and Cohen's kappa (METHODS 10).

Belongs here: agreement of two columns of labels, in whole numbers divided once. Does not belong here: which columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two labellings of the same things.

    Attributes:
        n: things that both label.
        raw: share labelled alike; None where there are none.
        kappa: (raw - chance)/(1 - chance); None where chance alone would always agree.
    """

    n: int
    raw: float | None
    kappa: float | None


def agreement(first: NDArray[Any], second: NDArray[Any]) -> Agreement:
    """Agreement of two labellings.

    Args:
        first, second: (n) labels, integers or texts, of the same things in the same order.

    Raises:
        ValueError: for unlike lengths.
    """
    if first.shape != second.shape:
        raise ValueError(f"{first.size} and {second.size} labels are not of the same things")
    n = int(first.size)
    if not n:
        return Agreement(0, None, None)
    alike = int((first == second).sum())
    chance = sum(int((first == label).sum()) * int((second == label).sum()) for label in np.unique(first))
    rest = n * n - chance
    return Agreement(n, alike / n, (n * alike - chance) / rest if rest else None)
