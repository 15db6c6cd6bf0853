"""Kendall's tau-b of two rankings, many coordinates at once, in whole numbers; and whose loss is smallest (METHODS 8).

Belongs here: what two columns of losses say about each other's order. Does not belong here: what a coordinate weighs,
or a site (`shifts`). A candidate without a loss in either column takes no part in that coordinate.

Everything is counted: a pair of candidates is concordant, discordant or tied, and tau is one division at the end. So
the bits depend on no order, no thread and no processor. Two ways count the same: all coordinates at once,
candidate after candidate (few candidates, many coordinates), or all candidates at once, coordinate after coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

CHUNK: Final = 8192
"""Coordinates whose comparisons are held at a time; the counts do not depend on it."""
HELD: Final = 1 << 20
"""Comparisons of candidates held at a time; the counts do not depend on it."""
WIDE: Final = 16
MANY: Final = 200_000
"""Coordinates, and comparisons, from which going through the candidates takes less time."""
PAIRS_OF_A_BYTE: Final = 127
"""Pairs of candidates up to which a count fits eight bits: a fifth of the time of wider ones."""


@dataclass(frozen=True)
class Agreement:
    """What two rankings of the same candidates have in common, coordinate by coordinate.

    Attributes:
        balance: (coordinates) concordant minus discordant pairs of candidates.
        untied_a, untied_b: (coordinates) pairs that the first, and the second, ranking does not tie.
        candidates: (coordinates) candidates with a loss in both.
        is_swapped: (coordinates) whether the sets of best candidates share no member.
        is_tied_win: (coordinates) whether either ranking has several best candidates.
    """

    balance: Counts
    untied_a: Counts
    untied_b: Counts
    candidates: Counts
    is_swapped: Flags
    is_tied_win: Flags

    @cached_property
    def is_defined(self) -> Flags:
        """(coordinates) whether tau-b is defined: neither ranking ties every pair."""
        return (self.untied_a > 0) & (self.untied_b > 0)

    @cached_property
    def tau(self) -> Floats:
        """(coordinates) tau-b = (concordant - discordant) / sqrt(untied_a untied_b); NaN where it is undefined."""
        both = self.untied_a.astype(np.float64) * self.untied_b.astype(np.float64)
        tau = np.full(len(both), np.nan)
        np.divide(self.balance, np.sqrt(both), out=tau, where=self.is_defined)
        return tau

    @cached_property
    def is_tied(self) -> Flags:
        """(coordinates) whether either ranking ties any pair of candidates."""
        pairs = self.candidates * (self.candidates - 1) // 2
        return (self.untied_a < pairs) | (self.untied_b < pairs)


def agreement(a: Floats, b: Floats) -> Agreement:
    """How two rankings agree in every coordinate.

    Args:
        a, b: (candidates, coordinates) losses, smaller is better; NaN where there is none.

    Raises:
        ValueError: if the shapes differ.
    """
    if a.shape != b.shape or a.ndim != 2:
        raise ValueError(f"losses of shapes {a.shape} and {b.shape} are no two rankings of the same candidates")
    a, b, candidates = in_common(a, b)
    balance, untied_a, untied_b = _by_candidates(a, b) if _is_wide(a) else _by_columns(a, b)
    best_a, best_b = winners(a), winners(b)
    shared = (best_a & best_b).any(axis=0)
    tied = (best_a.sum(axis=0) > 1) | (best_b.sum(axis=0) > 1)
    return Agreement(balance, untied_a, untied_b, candidates, ~shared & (candidates > 0), tied)


def in_common(a: Floats, b: Floats) -> tuple[Floats, Floats, Counts]:
    """Both columns without the losses that the other lacks, and how many candidates remain in each coordinate."""
    missing = np.isnan(a) | np.isnan(b)
    if not missing.any():
        return a, b, np.full(a.shape[1], a.shape[0], dtype=np.int64)
    remaining = a.shape[0] - missing.sum(axis=0, dtype=np.int64)
    return np.where(missing, np.nan, a), np.where(missing, np.nan, b), remaining


def winners(losses: Floats) -> Flags:
    """(candidates, coordinates) whether a candidate's loss is the smallest of its coordinate; all that share it are."""
    if not losses.shape[0]:
        return np.zeros(losses.shape, dtype=np.bool_)
    best: Flags = losses == np.fmin.reduce(losses, axis=0)
    return best


def _is_wide(losses: Floats) -> bool:
    """Whether going through the candidates takes less time; it moves time only."""
    size, width = losses.shape
    return bool(width >= WIDE and size * size * width >= MANY)


def _by_candidates(a: Floats, b: Floats) -> tuple[Counts, Counts, Counts]:
    """Counts over all coordinates at once, one candidate after the other against those that follow."""
    size, width = a.shape
    narrow: Any = np.int8 if size * (size - 1) // 2 <= PAIRS_OF_A_BYTE else np.int32
    balance, untied_a, untied_b = (np.empty(width, dtype=np.int64) for _ in range(3))
    for start in range(0, width, CHUNK):
        here = slice(start, start + CHUNK)
        x, y = np.ascontiguousarray(a[:, here]), np.ascontiguousarray(b[:, here])
        both, first, second = (np.zeros(x.shape[1], dtype=narrow) for _ in range(3))
        for i in range(size - 1):
            # Comparisons with NaN are false either way: such a pair counts as nothing.
            step = (x[i] > x[i + 1 :]).view(np.int8)
            step -= (x[i] < x[i + 1 :]).view(np.int8)
            other = (y[i] > y[i + 1 :]).view(np.int8)
            other -= (y[i] < y[i + 1 :]).view(np.int8)
            first += (step & 1).sum(axis=0, dtype=narrow)
            second += (other & 1).sum(axis=0, dtype=narrow)
            step *= other
            both += step.sum(axis=0, dtype=narrow)
        balance[here], untied_a[here], untied_b[here] = both, first, second
    return balance, untied_a, untied_b


def _by_columns(a: Floats, b: Floats) -> tuple[Counts, Counts, Counts]:
    """Counts over all pairs of candidates at once, a few coordinates at a time.

    In the whole square of candidates every pair that a side does not tie stands once as "larger than".
    """
    size, width = a.shape
    totals = np.zeros((3, width), dtype=np.int64)
    together = max(1, HELD // (size * size))
    block = max(1, HELD // (size * together))
    for first in range(0, width, together):
        here = slice(first, first + together)
        x, y = np.ascontiguousarray(a[:, here].T), np.ascontiguousarray(b[:, here].T)
        for start in range(0, size, block):
            rows = slice(start, start + block)
            larger, smaller = _larger(x[:, rows], x), _larger(-y[:, rows], -y)
            other = _larger(y[:, rows], y)
            totals[1, here] += _counted(larger)
            totals[2, here] += _counted(other)
            totals[0, here] += _counted(larger & other) - _counted(larger & smaller)
    return totals[0], totals[1], totals[2]


def _larger(rows: Floats, columns: Floats) -> Flags:
    """(coordinates, rows, columns) whether the row's loss is larger; false where either is missing."""
    larger: Flags = rows[:, :, None] > columns[:, None, :]
    return larger


def _counted(flags: Flags) -> Counts:
    """(coordinates) how many are set."""
    counts: Counts = flags.reshape(len(flags), -1).sum(axis=1, dtype=np.int64)
    return counts
