"""Where the arithmetic of the board runs: the same plain loops, interpreted for small work and compiled for large.

Belongs here: the choice and the containers each side needs. Does not belong here: any formula (the kernels stand in
`latent_kernels`, `rank_kernels` and `weight_kernels`). The compiler is numba without fastmath: no reassociation, no
fused multiply-add, so both sides give the same bits (PERFORMANCE, "Bits that stay the same"; a test proves it). It is
imported only when work is large, since importing and compiling cost seconds that a small board does not need. The
cache of compiled code lies where the caller's environment says (NUMBA_CACHE_DIR).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from methods.statistics.compiling import compiled

COMPILE_ABOVE: Final = 10_000_000
"""Elementary steps from which compiling pays. It moves time only: the numbers are the same on either side."""


class Indices(Protocol):
    """A vector of row numbers, read by position."""

    def __getitem__(self, position: int, /) -> int: ...


class Vector(Protocol):
    """A vector of numbers, read and written by position: a list when interpreted, an array when compiled."""

    def __getitem__(self, position: int, /) -> float: ...
    def __setitem__(self, position: int, value: float, /) -> None: ...


class Matrix(Protocol):
    """Rows of numbers: a list of lists when interpreted, a C-ordered array when compiled."""

    def __getitem__(self, row: int, /) -> Vector: ...


@dataclass(frozen=True)
class Loops:
    """Runs kernels on one side, and makes the containers that side needs."""

    is_compiled: bool

    @classmethod
    def for_work(cls, steps: int) -> Loops:
        """The side on which this many elementary steps finish sooner."""
        return cls(is_compiled=steps > COMPILE_ABOVE)

    def load(self, array: NDArray[Any]) -> Any:
        """The array as a container of this side; kernels never write to what was loaded."""
        return np.ascontiguousarray(array) if self.is_compiled else array.tolist()

    def vector(self, length: int) -> Any:
        """Zeros to write into."""
        return np.zeros(length) if self.is_compiled else [0.0] * length

    def matrix(self, rows: int, columns: int) -> Any:
        """Zeros to write into, by rows."""
        return np.zeros((rows, columns)) if self.is_compiled else [[0.0] * columns for _ in range(rows)]

    def run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Runs a kernel on containers of this side."""
        (compiled(kernel) if self.is_compiled else kernel)(*arguments)


def as_vector(values: Any) -> NDArray[np.float64]:
    """A kernel's vector as an array."""
    return np.asarray(values, dtype=np.float64)


def as_matrix(values: Any, columns: int) -> NDArray[np.float64]:
    """A kernel's matrix as an array, also when it has no rows."""
    return np.asarray(values, dtype=np.float64).reshape(len(values), columns)
