"""Resampling as plain loops over whole numbers, for the compiler (PERFORMANCE, "Bits that stay the same").

Belongs here: loops only, over arrays made by `resampling`, which also holds the numpy version of each and the choice.
Does not belong here: the definition of the draws (`keyed_random` writes it out; the lines that make a word stand in
both loops, since a call into another function would have to be compiled ahead of them).
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

Counts = NDArray[np.int32]

BLOCK: Final = 64
"""Values passed over at a time."""


def sum_draws(values: Integers, keys: Words, sums: Integers) -> None:
    """Writes, for each key, the sum of the drawn values.

    Args:
        values: (n) in the total order.
        keys: (b).
        sums: (b) to write into.
    """
    count = values.size
    size = np.uint64(count)
    for r in range(keys.size):
        key = keys[r]
        total = np.int64(0)
        for i in range(count // 2):
            word = key + np.uint64(i + 1) * WORD_STEP
            word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
            word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
            word = word ^ (word >> THIRD_SHIFT)
            total += values[np.int64(((word & LOW_HALF) * size) >> HALF_BITS)]
            total += values[np.int64(((word >> HALF_BITS) * size) >> HALF_BITS)]
        if count % 2:
            word = key + np.uint64(count // 2 + 1) * WORD_STEP
            word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
            word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
            word = word ^ (word >> THIRD_SHIFT)
            total += values[np.int64(((word & LOW_HALF) * size) >> HALF_BITS)]
        sums[r] = total


def middle_draws(
    owners: Integers, sizes: Integers, keys: Words, times: Counts, lower: Integers, upper: Integers
) -> None:
    """Writes, for each key, the positions of the two middle values of the drawn clusters' values, taken together.

    Args:
        owners: (p) for each value, in ascending order of value, the cluster it belongs to. Where p = n, every cluster
            holds one value and they stand in that order too: 0, 1, 2, ...
        sizes: (n) values of each cluster.
        keys: (b).
        times: (n) scratch: how often each cluster was drawn.
        lower: (b) to write into: position of value number (t - 1) // 2 of the t drawn ones, from 0.
        upper: (b) to write into: position of value number t // 2.
    """
    count = sizes.size
    size = np.uint64(count)
    is_single = owners.size == count
    for r in range(keys.size):
        key = keys[r]
        for c in range(count):
            times[c] = 0
        for i in range((count + 1) // 2):
            word = key + np.uint64(i + 1) * WORD_STEP
            word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
            word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
            word = word ^ (word >> THIRD_SHIFT)
            times[np.int64(((word & LOW_HALF) * size) >> HALF_BITS)] += 1
            if 2 * i + 1 < count:
                times[np.int64(((word >> HALF_BITS) * size) >> HALF_BITS)] += 1
        seen = np.int64(0)
        position = np.int64(-1)
        drawn = np.int64(count)
        if is_single:  # whole blocks below the middle are passed over by their sum
            while position + BLOCK < count:
                block = np.int64(0)
                for c in range(position + 1, position + 1 + BLOCK):
                    block += times[c]
                if seen + block > (drawn - 1) // 2:
                    break
                seen += block
                position += BLOCK
        else:
            drawn = np.int64(0)
            for c in range(count):
                drawn += times[c] * sizes[c]
        while seen <= (drawn - 1) // 2:
            position += 1
            seen += times[owners[position]]
        lower[r] = position
        while seen <= drawn // 2:
            position += 1
            seen += times[owners[position]]
        upper[r] = position
