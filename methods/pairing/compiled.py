"""Where the loops of pairing run: the same plain integer loops, interpreted for small work and compiled for large.

Belongs here: the choice, and the container each side reads from. Does not belong here: any rule (the loops stand in
`methods.pairing.loops`). Only integers are read and written, so both sides give the same pairs. The compiler (numba) is
imported only when work is large: importing and compiling cost more than a usual night's pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.compiling import compiled

COMPILE_ABOVE: Final = 60_000
"""Rows of one benchmark from which compiling pays: interpreted, that many take as long as importing and compiling do.
It moves time only: the pairs are the same on either side."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs loops on one side."""

    is_compiled: bool

    def __call__(self, loop: Callable[..., Ints], *arguments: Ints | bytes | int) -> Ints:
        """The pairs a loop finds. Arrays are handed over as this side reads them fastest."""
        if not self.is_compiled:
            return loop(*(item.tolist() if isinstance(item, np.ndarray) else item for item in arguments))
        arrays = (np.frombuffer(item, np.uint8) if isinstance(item, bytes) else item for item in arguments)
        return compiled(loop)(*arrays)


def as_ints(values: Sequence[int] | Ints) -> Ints:
    """Whole numbers as the array every loop takes."""
    return np.ascontiguousarray(values, dtype=np.int64)
