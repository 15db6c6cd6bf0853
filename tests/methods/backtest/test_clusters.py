"""Shares of covered results with whole benchmark families as the unit: by hand, by simulation, against plain Wilson."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from simulated_boards import METHODOLOGY
from simulated_results import question

from methods.backtest.clusters import SCHEMA, clustered, coverage_frame
from methods.backtest.forecasts import Forecast
from methods.backtest.report import Answer
from methods.statistics.wilson import wilson_interval, wilson_of_share

Z = 1.959963984540054


def test_by_hand() -> None:
    """8 of 10, 2 of 10, 5 of 10: p = 0.5, V = 3/2 * (9 + 9 + 0) / 900 = 0.03, worth 0.25 / 0.03 = 8.33 results."""
    found = clustered(np.array([8.0, 2.0, 5.0]), np.array([10.0, 10.0, 10.0]), Z)
    assert found is not None
    worth = 0.25 / 0.03 * (Z / stats.t.ppf(0.975, 2)) ** 2
    half = Z * math.sqrt(worth / 4 + Z * Z / 4) / (worth + Z * Z)
    assert found.share == 0.5
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-12)


def test_one_family_tells_no_interval() -> None:
    assert clustered(np.array([9.0]), np.array([10.0]), Z) is None


@pytest.mark.parametrize(("successes", "end"), [([0.0, 0.0, 0.0], 0.0), ([50.0, 50.0, 50.0], 1.0)])
def test_families_that_all_hit_or_all_miss_count_once_each(successes: list[float], end: float) -> None:
    """150 results of three families that agree within each are worth three, not 150."""
    found = clustered(np.array(successes), np.full(3, 50.0), Z)
    plain = wilson_interval(int(sum(successes)), 150, Z)
    assert found is not None
    assert plain is not None
    assert found.share == end
    assert found.high - found.low > 10 * (plain.high - plain.low)


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=2, max_size=12),
)
@settings(max_examples=60, deadline=None)
def test_never_surer_than_independent_results(drawn: list[tuple[int, float]]) -> None:
    trials = np.array([n for n, _ in drawn], dtype=np.float64)
    successes = np.array([math.floor(n * p) for n, p in drawn], dtype=np.float64)
    found = clustered(successes, trials, Z)
    plain = wilson_interval(int(successes.sum()), int(trials.sum()), Z)
    assert found is not None
    assert plain is not None
    assert 0.0 <= found.low <= found.share <= found.high <= 1.0
    assert found.high - found.low >= plain.high - plain.low - 1e-12


def test_holds_the_truth_where_results_hang_together() -> None:
    """Families whose own shares lie around 80%: the interval holds 80% as often as it says, Wilson's does not."""
    rng = np.random.default_rng(20261020)
    held, plain_held, rounds = 0, 0, 600
    for _ in range(rounds):
        n = rng.integers(10, 60, 12)
        k = rng.binomial(n, rng.beta(8, 2, 12))
        found = clustered(k.astype(np.float64), n.astype(np.float64), Z)
        plain = wilson_interval(int(k.sum()), int(n.sum()), Z)
        assert found is not None
        assert plain is not None
        held += found.low <= 0.8 <= found.high
        plain_held += plain.low <= 0.8 <= plain.high
    assert 0.92 <= held / rounds <= 0.98
    assert plain_held / rounds < 0.85


def test_wilson_of_a_share_is_wilson_where_results_are_whole() -> None:
    assert wilson_of_share(0.25, 20.0, Z) == wilson_interval(5, 20, Z)
    for share, worth in ((1.2, 5.0), (0.5, 0.0), (0.5, math.inf)):
        with pytest.raises(ValueError, match=r"share|positive"):
            wilson_of_share(share, worth, Z)


def test_rows_by_method_split_and_category() -> None:
    """Two repetitions of one family are one family; methods without intervals have no row."""
    near, far = question([0.0, 1.0, -1.0]), question([0.0, 0.1, 3.0], category="coding")
    spread = Forecast(np.zeros(3), np.full(3, 0.5))
    answers = [
        Answer("linked", "cells", near, spread), Answer("linked", "cells", far, spread),
        Answer("additive", "cells", near, Forecast(np.zeros(3), None)),
    ]  # fmt: skip
    found = coverage_frame(answers, METHODOLOGY.backtest, Z)
    assert found.schema == pl.Schema(SCHEMA)
    assert found.select("method", "category", "families", "cover80").rows() == [
        ("linked", "all", 1, 0.5), ("linked", "coding", 1, 2 / 3), ("linked", "math", 1, 1 / 3),
    ]  # fmt: skip
    assert found["low"].is_null().all()
    assert coverage_frame([], METHODOLOGY.backtest, Z).height == 0
