"""Draws are what the docstring writes out, uniform, and the same however resamples are split (PERFORMANCE)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_out import resample

from methods.statistics.keyed_random import draws, mix, resample_keys

SEED = 20261020


def test_mix_gives_the_published_output_of_splitmix64() -> None:
    """Seed 1234567: the generator's state grows by its golden constant; first outputs as published for SplitMix64."""
    state = (1234567 + np.arange(1, 6, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    assert mix(state).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_first_draws_of_the_published_seed() -> None:
    assert draws(resample_keys(SEED, 0, 2), 10).tolist() == [resample(SEED, 0, 10), resample(SEED, 1, 10)]
    assert resample(SEED, 0, 10) == FIRST


FIRST = [1, 4, 8, 4, 5, 6, 6, 2, 7, 2]


@given(st.integers(0, 2**64 - 1), st.integers(0, 10**6), st.integers(1, 60))
@settings(deadline=None)
def test_equals_the_version_in_plain_integers(seed: int, number: int, count: int) -> None:
    assert draws(resample_keys(seed, number, number + 1), count).tolist() == [resample(seed, number, count)]


def test_ranges_of_resamples_put_together_are_the_whole() -> None:
    whole = draws(resample_keys(SEED, 0, 50), 7)
    parts = [draws(resample_keys(SEED, first, last), 7) for first, last in ((0, 1), (1, 33), (33, 50))]
    assert np.array_equal(np.concatenate(parts), whole)


def test_every_item_is_drawn_equally_often_and_counts_are_binomial() -> None:
    """4,000 resamples of 25: chi-square of the 25 totals, and variance of one item's count against 24/25."""
    drawn = draws(resample_keys(SEED, 0, 4000), 25)
    totals = np.bincount(drawn.ravel(), minlength=25)
    chi_square = float(((totals - 4000) ** 2 / 4000).sum())
    assert 9.9 < chi_square < 45.6  # central 99% of chi-square with 24 degrees of freedom
    counts = (drawn == 3).sum(axis=1)
    assert abs(counts.var() / (24 / 25) - 1) < 0.1


def test_positions_of_a_resample_are_independent() -> None:
    drawn = draws(resample_keys(SEED, 0, 20000), 4).astype(float)
    correlations = np.corrcoef(drawn.T)[np.triu_indices(4, 1)]
    assert np.abs(correlations).max() < 0.03


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_beyond_64_bits_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="unsigned 64-bit"):
        resample_keys(seed, 0, 1)


def test_no_items_and_too_many_are_refused() -> None:
    for count in (0, 2**31 + 1):
        with pytest.raises(ValueError, match="draws can be made from"):
            draws(resample_keys(SEED, 0, 1), count)
    with pytest.raises(ValueError, match="no range"):
        resample_keys(SEED, 3, 2)
