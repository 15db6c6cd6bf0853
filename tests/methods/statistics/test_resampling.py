"""Naive, numpy, interpreted and compiled resampling give the same whole numbers (PERFORMANCE, SCALE)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_out import resample

from methods.statistics.bootstrap import in_total_order
from methods.statistics.fixed_point import LARGEST, FixedPointError
from methods.statistics.keyed_random import resample_keys
from methods.statistics.resampling import resampled_middles, resampled_sums
from methods.statistics.resampling_kernels import middle_draws, sum_draws

SEED = 20261020
RESAMPLES = 6
clustered = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 8)), min_size=1, max_size=40)


@given(clustered)
@settings(deadline=None)
def test_numpy_equals_the_naive_version(pairs: list[tuple[int, int]]) -> None:
    values, clusters = zip(*pairs, strict=True)
    data = in_total_order(np.array(values, dtype=np.int64), clusters)
    count = data.sizes.size
    sums = resampled_sums(data.sums, SEED, 0, RESAMPLES, is_compiled=False)
    lower, upper = resampled_middles(data.owners, data.sizes, SEED, 0, RESAMPLES, is_compiled=False)
    for number in range(RESAMPLES):
        drawn = resample(SEED, number, count)
        pool = sorted(v for c in drawn for v, owner in zip(data.ascending, data.owners, strict=True) if owner == c)
        assert sums[number] == sum(pool)
        assert data.ascending[lower[number]] == pool[(len(pool) - 1) // 2]
        assert data.ascending[upper[number]] == pool[len(pool) // 2]


@given(clustered, st.booleans())
@settings(max_examples=25, deadline=None)
def test_interpreted_and_compiled_equal_numpy(pairs: list[tuple[int, int]], is_single: bool) -> None:
    values, clusters = zip(*pairs, strict=True)
    data = in_total_order(np.array(values, dtype=np.int64), None if is_single else clusters)
    sums = resampled_sums(data.sums, SEED, 3, 3 + RESAMPLES, is_compiled=False)
    middles = resampled_middles(data.owners, data.sizes, SEED, 3, 3 + RESAMPLES, is_compiled=False)
    assert np.array_equal(resampled_sums(data.sums, SEED, 3, 3 + RESAMPLES, is_compiled=True), sums)
    compiled = resampled_middles(data.owners, data.sizes, SEED, 3, 3 + RESAMPLES, is_compiled=True)
    assert np.array_equal(compiled, middles)
    keys = resample_keys(SEED, 3, 3 + RESAMPLES)
    plain, low, high = (np.zeros(RESAMPLES, dtype=np.int64) for _ in range(3))
    with np.errstate(over="ignore"):
        sum_draws(data.sums, keys, plain)
        middle_draws(data.owners, data.sizes, keys, np.zeros(data.sizes.size, dtype=np.int32), low, high)
    assert np.array_equal(plain, sums)
    assert np.array_equal([low, high], middles)


@pytest.mark.parametrize("count", [64, 65, 128, 129, 700])
def test_blocks_of_values_are_passed_over_rightly(count: int) -> None:
    owners, single = np.arange(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    expected = resampled_middles(owners, single, SEED, 0, 300, is_compiled=False)
    assert np.array_equal(resampled_middles(owners, single, SEED, 0, 300, is_compiled=True), expected)


def test_ranges_put_together_are_the_whole() -> None:
    values = np.arange(31, dtype=np.int64) ** 2
    parts = [resampled_sums(values, SEED, first, last) for first, last in ((0, 10), (10, 11), (11, 40))]
    assert np.array_equal(np.concatenate(parts), resampled_sums(values, SEED, 0, 40))


def test_sums_that_could_leave_64_bits_are_refused() -> None:
    with pytest.raises(FixedPointError, match="could leave 64 bits"):
        resampled_sums(np.array([LARGEST // 2, 1, 1], dtype=np.int64), SEED, 0, 1)


def test_single_clusters_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="order of their values"):
        resampled_middles(np.array([1, 0]), np.array([1, 1]), SEED, 0, 1)
