"""Two orders of one comparison become a probability, a verdict and a confidence (METHODS 10).

Belongs here: the arithmetic of one judge's calls. Does not belong here: where the calls come from (`judgments`), what a
verdict is worth (`credit`).

Probabilities are whole billionths, and p and q whole half-billionths, so that a q of 0.9 is 0.9: in floating point,
(0.9 + 1 - 0.1)/2 lies below it, and the item would fall out of its bin and under its threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import SCALE, Integers

Flags = NDArray[np.bool_]
Signs = NDArray[np.int8]

HALF: Final = SCALE
"""One half, in half-billionths: where p ties."""
WHOLE: Final = 2 * SCALE
"""One, in half-billionths."""
NO_CONFIDENCE: Final = -1
"""q of an item that is escalated whatever the threshold: below every one."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What the calls about n items say.

    Attributes:
        p: (n) half-billionths, that A is better; 0 where not valid.
        q: (n) half-billionths, max(p, 1 - p); `NO_CONFIDENCE` where not valid.
        sides: (n) 1 for A, -1 for B, 0 for a tie; 0 where not valid.
        valid: (n) whether every order that the mode asks for is.
        discordant: (n) whether the two orders decide differently.
        weak: (n) whether one order decides and the other ties.
    """

    p: Integers
    q: Integers
    sides: Signs
    valid: Flags
    discordant: Flags
    weak: Flags

    @property
    def acceptable(self) -> Integers:
        """(n) q where a cascade may accept; `NO_CONFIDENCE` where not valid or discordant: those always escalate."""
        return np.where(self.discordant, NO_CONFIDENCE, self.q)


def two_orders(first_ab: Integers, first_ba: Integers, valid_ab: Flags, valid_ba: Flags) -> Decided:
    """p = (p_ab + 1 - p_ba)/2; the verdict is the side with p above one half; q = max(p, 1 - p).

    Discordant: (p_ab - 1/2)(1/2 - p_ba) < 0, the two orders decide differently.

    Args:
        first_ab: (n) billionths, that the first shown is better, A shown first; read only where valid.
        first_ba: (n) the same, B shown first.
        valid_ab, valid_ba: (n) whether each order gave an answer.
    """
    valid = valid_ab & valid_ba
    p = np.where(valid, first_ab + SCALE - first_ba, 0)
    towards_ab = np.where(valid, np.sign(2 * first_ab - SCALE), 0)
    towards_ba = np.where(valid, np.sign(SCALE - 2 * first_ba), 0)
    agreement = towards_ab * towards_ba
    return _decided(p, valid, agreement < 0, (agreement == 0) & (towards_ab != towards_ba))


def one_order(first_ab: Integers, valid_ab: Flags) -> Decided:
    """The cheaper mode: A shown first alone, p = p_ab. Whether the place decided is unknown, so nothing is discordant.

    Args:
        first_ab, valid_ab: as `two_orders`.
    """
    nowhere = np.zeros(valid_ab.size, dtype=np.bool_)
    return _decided(np.where(valid_ab, 2 * first_ab, 0), valid_ab, nowhere, nowhere)


def _decided(p: Integers, valid: Flags, discordant: Flags, weak: Flags) -> Decided:
    q = np.where(valid, np.maximum(p, WHOLE - p), NO_CONFIDENCE)
    sides = np.where(valid, np.sign(p - HALF), 0).astype(np.int8)
    return Decided(p.astype(np.int64), q.astype(np.int64), sides, valid, discordant, weak)


def credit(sides: Signs, valid: Flags, gold: Signs, has_gold: Flags) -> NDArray[np.int8]:
    """Twice the credit of each verdict: 2 right, 1 where verdict or gold ties and the other does not, 0 wrong or none.

    A tie counts half, as the source counts it; without a verdict nothing was got right.

    Args:
        sides, valid: (n) as `Decided`.
        gold: (n) 1 for A, -1 for B, 0 for a tie; read only where there is one.
        has_gold: (n).

    Returns:
        (n) 0, 1 or 2; -1 without a gold label.
    """
    same, tied = sides == gold, (sides == 0) != (gold == 0)
    doubled = np.where(valid, np.where(same, 2, np.where(tied, 1, 0)), 0)
    return np.where(has_gold, doubled, -1).astype(np.int8)
