"""Sums and middles of resamples, whole numbers in and out: in numpy for small work, compiled for large, same bits.

Belongs here: the two reductions and the choice of side. Does not belong here: intervals (`bootstrap`), the generator
(`keyed_random`). A range of resamples can be reduced anywhere and put together, since every draw is keyed (SCALE).
The compiler is imported only when work is large: importing it costs more than small work does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from methods.statistics.compiling import compiled
from methods.statistics.fixed_point import Integers, assert_sums_fit
from methods.statistics.keyed_random import Words, check_count, draws, resample_keys

COMPILE_ABOVE: Final = 50_000_000
"""Draws from which compiling pays. It moves time only: the numbers are the same on either side."""
_CHUNK: Final = 1 << 16
"""Draws held at a time in numpy."""


def resampled_sums(values: Integers, seed: int, first: int, last: int, *, is_compiled: bool | None = None) -> Integers:
    """The sum of the drawn values of each resample.

    Args:
        values: (n) in the total order that the draws refer to.
        seed: the methodology's.
        first, last: the resamples, `last` not included.
        is_compiled: the side to run on; None chooses by size.

    Returns:
        (last - first) sums of n draws each.

    Raises:
        FixedPointError: where a sum could leave 64 bits.
        ValueError: for no values, more than 2^31, or a bad seed or range.
    """
    check_count(values.size)
    assert_sums_fit(values, values.size)
    keys = resample_keys(seed, first, last)
    sums = np.empty(keys.size, dtype=np.int64)
    if _is_large(values.size, keys.size, is_compiled):
        from methods.statistics.resampling_kernels import sum_draws

        compiled(sum_draws)(np.ascontiguousarray(values), keys, sums)
        return sums
    for part in _chunks(keys, values.size):
        sums[part] = values[draws(keys[part], values.size)].sum(axis=1)
    return sums


def resampled_middles(
    owners: Integers, sizes: Integers, seed: int, first: int, last: int, *, is_compiled: bool | None = None
) -> tuple[Integers, Integers]:
    """The positions of the two middle values of each resample of clusters (equal where their number is odd).

    Args:
        owners: (p) the cluster of each value, values in ascending order; 0, 1, 2, ... where p = n.
        sizes: (n) values of each cluster, at least one each; clusters in the total order that the draws refer to.
        seed, first, last, is_compiled: as `resampled_sums`.

    Returns:
        Two arrays of (last - first) positions in `owners`: value number (t - 1) // 2 and t // 2 of the t drawn.

    Raises:
        ValueError: as `resampled_sums`; also where p = n and `owners` is not 0, 1, 2, ...
    """
    check_count(sizes.size)
    if owners.size == sizes.size and not np.array_equal(owners, np.arange(owners.size)):
        raise ValueError("clusters of one value each stand in the order of their values")
    assert_sums_fit(sizes, sizes.size)
    keys = resample_keys(seed, first, last)
    lower, upper = np.empty(keys.size, dtype=np.int64), np.empty(keys.size, dtype=np.int64)
    if _is_large(sizes.size, keys.size, is_compiled):
        from methods.statistics.resampling_kernels import middle_draws

        times = np.empty(sizes.size, dtype=np.int32)
        owners, sizes = np.ascontiguousarray(owners), np.ascontiguousarray(sizes)
        compiled(middle_draws)(owners, sizes, keys, times, lower, upper)
        return lower, upper
    for part in _chunks(keys, owners.size):
        seen = np.cumsum(_times(keys[part], sizes.size)[:, owners], axis=1)
        drawn = seen[:, -1:]
        lower[part] = np.argmax(seen > (drawn - 1) // 2, axis=1)
        upper[part] = np.argmax(seen > drawn // 2, axis=1)
    return lower, upper


def _times(keys: Words, count: int) -> Integers:
    """(b, count): how often each resample draws each item."""
    rows = np.arange(keys.size, dtype=np.int64)[:, None] * count
    flat = np.bincount((draws(keys, count) + rows).ravel(), minlength=keys.size * count)
    return flat.astype(np.int64, copy=False).reshape(keys.size, count)


def _is_large(count: int, resamples: int, is_compiled: bool | None) -> bool:
    return count * resamples > COMPILE_ABOVE if is_compiled is None else is_compiled


def _chunks(keys: Words, width: int) -> Iterator[slice]:
    step = max(1, _CHUNK // width)
    for start in range(0, keys.size, step):
        yield slice(start, min(start + step, keys.size))
