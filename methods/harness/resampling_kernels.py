"""Sums of drawn rows, and tails of differences, as plain loops for the compiler.

Belongs here: the loops. The numpy version of each and the choice are `resampled`; the draws are written out in
`methods.statistics.keyed_random`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import Integers
from methods.statistics.keyed_random import (
    FIRST_FACTOR,
    FIRST_SHIFT,
    HALF_BITS,
    LOW_HALF,
    SECOND_FACTOR,
    SECOND_SHIFT,
    THIRD_SHIFT,
    WORD_STEP,
    Words,
)

BINS: Final = 2048
"""Bins that values are sorted into before the few at a wanted rank are put in order."""
SMALLEST_SPAN: Final = 1e-290
"""A narrower range of values is not divided into bins."""


def sum_drawn_rows(rows: Integers, keys: Words, sums: Integers) -> None:
    """Writes, for each key, the sum of the drawn rows, column by column.

    Args:
        rows: (n, k) in the order that draws refer to.
        keys: (b).
        sums: (b, k) to write into.
    """
    count, width = rows.shape
    size = np.uint64(count)
    for r in range(keys.size):
        key = keys[r]
        for c in range(width):
            sums[r, c] = 0
        for i in range((count + 1) // 2):
            word = key + np.uint64(i + 1) * WORD_STEP
            word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
            word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
            word = word ^ (word >> THIRD_SHIFT)
            row = np.int64(((word & LOW_HALF) * size) >> HALF_BITS)
            for c in range(width):
                sums[r, c] += rows[row, c]
            if 2 * i + 1 < count:
                row = np.int64(((word >> HALF_BITS) * size) >> HALF_BITS)
                for c in range(width):
                    sums[r, c] += rows[row, c]


def ranked_differences(
    samples: NDArray[np.float64], first: Integers, second: Integers, ranks: Integers, found: NDArray[np.float64]
) -> None:
    """Writes, for each pair of rows, the values of their difference that stand at the wanted ranks.

    Values are counted by bins, which keep their order; only those of a wanted rank's bin are sorted.

    Args:
        samples: (c, b).
        first, second: (p) rows; the second is subtracted.
        ranks: (k) from 0.
        found: (p, k) to write into.
    """
    size = samples.shape[1]
    values = np.empty(size, dtype=np.float64)
    bins = np.empty(size, dtype=np.int64)
    counts = np.empty(BINS, dtype=np.int64)
    inside = np.empty(size, dtype=np.float64)
    for p in range(first.size):
        a, b = first[p], second[p]
        low = samples[a, 0] - samples[b, 0]
        high = low
        for r in range(size):
            value = samples[a, r] - samples[b, r]
            values[r] = value
            low = min(low, value)
            high = max(high, value)
        if low == high:
            for k in range(ranks.size):
                found[p, k] = low
            continue
        span = high - low
        if span < SMALLEST_SPAN:  # so little that dividing by it leaves the range of numbers: all in one bin
            span = np.inf
        for n in range(BINS):
            counts[n] = 0
        step = (BINS - 1) / span
        for r in range(size):
            bins[r] = np.int64((values[r] - low) * step)
            counts[bins[r]] += 1
        wanted, below, held = -1, 0, 0
        for k in range(ranks.size):
            place, seen = 0, 0
            while seen + counts[place] <= ranks[k]:
                seen += counts[place]
                place += 1
            if place != wanted:
                wanted, below, held = place, seen, 0
                for r in range(size):
                    if bins[r] == place:
                        inside[held] = values[r]
                        held += 1
                gap = held // 2
                while gap > 0:  # shell sort: short, and quick on the few values of a bin
                    for n in range(gap, held):
                        value = inside[n]
                        m = n
                        while m >= gap and inside[m - gap] > value:
                            inside[m] = inside[m - gap]
                            m -= gap
                        inside[m] = value
                    gap //= 2
            found[p, k] = inside[ranks[k] - below]
