"""Tango's score interval of a difference of two paired proportions (METHODS 12).

Belongs here: the score and its interval. Does not belong here: the exact test that stands beside it (`exact_pairs`),
when it is used (`bounds`).

Of n pairs, `wins` are those where only the candidate succeeded, `losses` those where only the baseline did. The score
of a hypothetical difference d holds the observed difference against its variance under d, with the most likely share
of losses given d (Tango, Statistics in Medicine 17 (1998) 891-908)::

    A = 2 n,  B = (2 n - wins + losses) d - wins - losses,  C = -losses d (1 - d)
    q = (sqrt(B^2 - 4 A C) - B) / (2 A)
    score = (wins - losses - n d) / sqrt(n (2 q + d (1 - d)))

The interval holds every d whose score lies within plus or minus z. Only sums, products, square roots and divisions are
used, so that every machine gives the same bits.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.bootstrap import Interval

Floats = NDArray[np.float64]
_HALVINGS: Final = 60


def scores(wins: Floats, losses: Floats, n: int, difference: float) -> Floats:
    """The score of a hypothetical difference for each pair of counts.

    Args:
        wins, losses: (k) counts, together at most n.
        n: pairs, at least 1.
        difference: -1 to 1, as a fraction.

    Returns:
        (k) scores; 0 where neither the counts nor the hypothesis leave any variance.
    """
    middle = (2 * n - wins + losses) * difference - wins - losses
    last = -losses * difference * (1 - difference)
    root = np.sqrt(np.maximum(middle * middle - 8 * n * last, 0.0))
    share = (root - middle) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    above = wins - losses - n * difference
    spread = np.sqrt(np.maximum(variance, 0.0))
    without = np.where(above == 0, 0.0, np.copysign(np.inf, above))
    found: Floats = np.where(spread > 0, above / np.where(spread > 0, spread, 1.0), without)
    return found


def tango_interval(wins: int, losses: int, n: int, z: float) -> Interval:
    """The interval of the difference candidate minus baseline, fractions; each end at the one-sided level of z.

    Args:
        wins, losses: pairs that only the candidate, only the baseline got right.
        n: all pairs.
        z: normal quantile of the one-sided level: 1.644853626951 for 5%.

    Raises:
        ValueError: for counts that are none, or z not positive.
    """
    if not (wins >= 0 and losses >= 0 and n >= 1 and wins + losses <= n):
        raise ValueError(f"{wins} wins and {losses} losses of {n} pairs are no counts")
    if not 0 < z < math.inf:
        raise ValueError(f"z {z} is not positive")
    low = -_upper_end(losses, wins, n, z)
    return Interval(low, _upper_end(wins, losses, n, z))


def _upper_end(wins: int, losses: int, n: int, z: float) -> float:
    """The greatest difference whose score is at least -z, halved to from above."""
    inside, outside = (wins - losses) / n, 1.0
    one, other = np.array([float(wins)]), np.array([float(losses)])
    if float(scores(one, other, n, outside)[0]) >= -z:
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if float(scores(one, other, n, middle)[0]) >= -z:
            inside = middle
        else:
            outside = middle
    return inside
