"""Sums of drawn rows as plain loops, for the compiler (PERFORMANCE, "Bits that stay the same").

Belongs here: the loop. The numpy version and the choice are `resampled`; the draws are written out in
`methods.statistics.keyed_random`.
"""

from __future__ import annotations

import numpy as np

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
