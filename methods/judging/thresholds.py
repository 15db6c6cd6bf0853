"""Every threshold of confidence at once: what a cascade accepts there, and what that gains or loses (METHODS 10).

Belongs here: counting at all thresholds. Does not belong here: which threshold is chosen (`rules`, `fitting`).
One sort of whole numbers that hold confidence and difference together, then running sums: nothing depends on the order
of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from methods.judging.orders import WHOLE
from methods.statistics.fixed_point import Integers

_BITS: Final = 3
_SHIFT: Final = 2
"""A difference of -2 to 2 is kept as 0 to 4 in the lowest bits."""
_DIFFERENCE: Final = np.int64((1 << _BITS) - 1)


@dataclass(frozen=True, slots=True)
class Counts:
    """What is accepted at each of some thresholds.

    Attributes:
        accepted: items accepted.
        gain: twice the sum of the differences, judge minus fallback, over the accepted.
        squares: four times the sum of their squares.
        differ: accepted items where judge and fallback earn different credit.
        worse: those where the judge earns less.
    """

    accepted: Integers
    gain: Integers
    squares: Integers
    differ: Integers
    worse: Integers


@dataclass(frozen=True, slots=True)
class Sweep:
    """All thresholds of a set of items.

    Attributes:
        n: items, those that are never accepted included.
        q: distinct confidences, highest first, half-billionths: the thresholds that tell items apart.
        accepted: items accepted at each of them.
        gain: twice the sum of the differences, judge minus fallback, over the accepted.
        differences: of every item that may be accepted, twice the difference, the surest first.
    """

    n: int
    q: Integers
    accepted: Integers
    gain: Integers
    differences: NDArray[np.int8]

    def at(self, thresholds: Integers) -> Counts:
        """What is accepted at given thresholds, half-billionths: the items whose q reaches them."""
        passed = self.q.size - np.searchsorted(self.q[::-1], thresholds, side="left")
        accepted = np.concatenate([[0], self.accepted])[passed]
        return Counts(
            accepted,
            np.concatenate([[0], self.gain])[passed],
            _up_to(self.differences * self.differences, accepted),
            _up_to(self.differences != 0, accepted),
            _up_to(self.differences < 0, accepted),
        )


def sweep(q: Integers, difference: NDArray[np.int8]) -> Sweep:
    """What a cascade would accept and gain at every threshold that tells items apart.

    Args:
        q: (n) half-billionths; negative for items that always escalate.
        difference: (n) twice the credit of the judge minus twice that of the fallback, -2 to 2.

    Raises:
        ValueError: for arrays of unlike length, or a q above one.
    """
    if q.shape != difference.shape:
        raise ValueError(f"{q.shape} confidences and {difference.shape} differences do not belong together")
    packed = WHOLE - q
    if packed.size and int(packed.min()) < 0:
        raise ValueError("a confidence above one")
    packed <<= _BITS
    packed += difference
    packed += _SHIFT
    if packed.size and int(packed.max()) > (WHOLE << _BITS) + 2 * _SHIFT:
        packed = packed[q >= 0]
    packed.sort()
    differences = ((packed & _DIFFERENCE) - _SHIFT).astype(np.int8)
    packed >>= _BITS
    ends = np.ones(packed.size, dtype=np.bool_)
    np.not_equal(packed[1:], packed[:-1], out=ends[:-1])
    running = np.cumsum(differences, dtype=np.int64)
    if ends.all():
        return Sweep(q.size, WHOLE - packed, np.arange(1, packed.size + 1), running, differences)
    last = np.flatnonzero(ends)
    return Sweep(q.size, WHOLE - packed[last], last + 1, running[last], differences)


def _up_to(values: NDArray[Any], places: Integers) -> Integers:
    """The sum of the values before each place."""
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[places]
