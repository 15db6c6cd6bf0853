"""Quantiles of type 7 (Hyndman and Fan 1996): linear between order statistics (METHODS, general rules).

Belongs here: the one definition of a quantile that the project uses. Does not belong here: intervals made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def quantile(ascending: Sequence[float] | NDArray[np.float64], probability: Fraction) -> float:
    """The type-7 quantile: at position h = (n - 1) p, between value floor(h) and the next, counted from 0.

    Args:
        ascending: (n >= 1) finite values in ascending order.
        probability: 0 to 1, exact, so that the position is exact too.

    Raises:
        ValueError: for no values, or a probability outside 0 to 1.
    """
    if not 0 <= probability <= 1:
        raise ValueError(f"probability {probability} lies outside 0 to 1")
    if not len(ascending):
        raise ValueError("no values have no quantile")
    position = (len(ascending) - 1) * probability
    below = position.numerator // position.denominator
    low = float(ascending[below])
    rest = position - below
    if rest == 0:
        return low
    return low + float(rest) * (float(ascending[below + 1]) - low)


def tails(level: float) -> tuple[Fraction, Fraction]:
    """The two probabilities that cut off a central interval: 0.95 gives exactly 1/40 and 39/40.

    Args:
        level: between 0 and 1, read as its shortest decimal.
    """
    inside = Fraction(repr(level))
    return (1 - inside) / 2, (1 + inside) / 2
