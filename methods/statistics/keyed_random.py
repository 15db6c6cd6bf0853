"""The random draws of every resample: a function of (seed, number of the resample, position) and nothing else.

Belongs here: the generator. Does not belong here: what is done with the draws (`resampling`). The same draws come out
whatever the order of rows, the number of threads, the engine, or how the resamples are split among workers.

Written out, so that an auditor can reimplement it in any language. All arithmetic is on unsigned 64-bit integers,
modulo 2^64; `>>` shifts zeros in; `^` is exclusive or. `mix` is the finalizer of splitmix64::

    mix(z):  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
             z = (z ^ (z >> 27)) * 0x94D049BB133111EB
             return z ^ (z >> 31)

    key(seed, r)  = mix(mix(seed) + r * 0xD1342543DE82EF95 + 1)       r = 0, 1, 2, ... the number of the resample
    word(key, i)  = mix(key + (i + 1) * 0x9E3779B97F4A7C15)           i = 0, 1, 2, ...

Every word gives two draws from 0 to n - 1, its low half first, each by multiplying and shifting::

    draw(2 i)     = ((word & 0xFFFFFFFF) * n) >> 32
    draw(2 i + 1) = ((word >> 32) * n) >> 32

A resample of n items takes draws 0 to n - 1; the high half of the last word goes unused where n is odd. Items are put
in a total order first (by value; clusters by their sorted values), so that draw j means the same item everywhere. The
chance of an item differs from 1/n by less than 2^-32. First draws for seed 20261020, resample 0, n = 10:
see `tests/methods/statistics/test_keyed_random.py`, where a version in plain Python integers stands beside this one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import Integers

Words = NDArray[np.uint64]

LARGEST_COUNT: Final = 2**31
"""Items that draws may be made from: beyond, halves of a word are too coarse."""
FIRST_FACTOR: Final = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR: Final = np.uint64(0x94D049BB133111EB)
KEY_STEP: Final = np.uint64(0xD1342543DE82EF95)
WORD_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
LOW_HALF: Final = np.uint64(0xFFFFFFFF)
ONE: Final = np.uint64(1)
HALF_BITS: Final = np.uint64(32)
FIRST_SHIFT: Final = np.uint64(30)
SECOND_SHIFT: Final = np.uint64(27)
THIRD_SHIFT: Final = np.uint64(31)


def mix(words: Words) -> Words:
    """The finalizer of splitmix64, one word at a time. The array given is overwritten and returned."""
    scratch = np.empty_like(words)
    with np.errstate(over="ignore"):
        for shift, factor in ((FIRST_SHIFT, FIRST_FACTOR), (SECOND_SHIFT, SECOND_FACTOR)):
            np.right_shift(words, shift, out=scratch)
            np.bitwise_xor(words, scratch, out=words)
            np.multiply(words, factor, out=words)
        np.right_shift(words, THIRD_SHIFT, out=scratch)
        return np.bitwise_xor(words, scratch, out=words)


def resample_keys(seed: int, first: int, last: int) -> Words:
    """The keys of resamples `first` to `last` - 1.

    Args:
        seed: 0 to 2^64 - 1; the methodology's.
        first: number of the first resample, from 0.
        last: one past the last.

    Returns:
        (last - first) keys.

    Raises:
        ValueError: for a seed that is no unsigned 64-bit integer, or a range that runs backwards.
    """
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed {seed} is no unsigned 64-bit integer")
    if not 0 <= first <= last:
        raise ValueError(f"resamples {first} to {last} are no range")
    start = mix(np.array([seed], dtype=np.uint64))
    with np.errstate(over="ignore"):
        return mix(start + np.arange(first, last, dtype=np.uint64) * KEY_STEP + ONE)


def draws(keys: Words, count: int) -> Integers:
    """The draws of whole resamples, in plain numpy: for each key, `count` draws from 0 to `count` - 1.

    Args:
        keys: (b) as `resample_keys` gives them.
        count: items to draw from, and draws to make.

    Returns:
        (b, count) positions in the total order.

    Raises:
        ValueError: for no items, or more than 2^31.
    """
    check_count(count)
    pairs = (count + 1) // 2
    size = np.uint64(count)
    with np.errstate(over="ignore"):
        words = mix(keys[:, None] + np.arange(1, pairs + 1, dtype=np.uint64) * WORD_STEP)
        both = np.empty((keys.size, pairs, 2), dtype=np.uint64)
        both[:, :, 0] = ((words & LOW_HALF) * size) >> HALF_BITS
        both[:, :, 1] = ((words >> HALF_BITS) * size) >> HALF_BITS
    return both.reshape(keys.size, 2 * pairs)[:, :count].view(np.int64)


def check_count(count: int) -> None:
    """Refuses a number of items that draws cannot be made from.

    Raises:
        ValueError: for no items, or more than 2^31.
    """
    if not 1 <= count <= LARGEST_COUNT:
        raise ValueError(f"draws can be made from 1 to {LARGEST_COUNT} items, not {count}")
