"""Exponential weights of units as plain loops over whole numbers, for the compiler.

Belongs here: loops only. Their numpy versions stand in `bounded`, the definition of a word in
`methods.statistics.keyed_random`.
"""

from __future__ import annotations

import numpy as np

from methods.statistics.fixed_point import Integers
from methods.statistics.keyed_random import (
    FIRST_FACTOR,
    FIRST_SHIFT,
    SECOND_FACTOR,
    SECOND_SHIFT,
    THIRD_SHIFT,
    WORD_STEP,
    Words,
)


def weigh(
    sums: Integers, masses: Integers, keys: Words, table: Integers, out_sums: Integers, out_masses: Integers,
    spare: Integers,
) -> None:  # fmt: skip
    """Writes, for each key, the weighted sums and masses of all units, and one more weight.

    Args:
        sums, masses: (u).
        keys: (b).
        table: (65536) weights by draw.
        out_sums, out_masses, spare: (b) to write into.
    """
    count = sums.size
    mask = np.uint64(0xFFFF)
    step = np.uint64(16)
    for r in range(keys.size):
        key = keys[r]
        total = np.int64(0)
        mass = np.int64(0)
        word = np.uint64(0)
        weight = np.int64(0)
        for i in range(count + 1):
            if i % 4 == 0:
                word = key + np.uint64(i // 4 + 1) * WORD_STEP
                word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
                word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
                word = word ^ (word >> THIRD_SHIFT)
            weight = table[np.int64(word & mask)]
            word = word >> step
            if i < count:
                total += weight * sums[i]
                mass += weight * masses[i]
        out_sums[r] = total
        out_masses[r] = mass
        spare[r] = weight
