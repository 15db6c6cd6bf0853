"""Bounds of means: Clopper-Pearson by hand, naive loops to the bit, scipy and statsmodels in the same run."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from decision_cases import methodology
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from methods.decision.bounded import FIRST_RESAMPLE, bounded_interval, exponential_weights, weight_table
from methods.decision.bounded_kernels import weigh
from methods.decision.mean_bounds import Bounds, Ends, mean_bounds
from methods.decision.quantile_bounds import needed_values, quantile_bounds
from methods.decision.two_stage import TRIALS_FROM, Trials, two_stage_means
from methods.decision.units import Units, divided, in_blocks, make_units, summed
from methods.statistics.fixed_point import SCALE
from methods.statistics.keyed_random import WORD_STEP, draws, mix, resample_keys

RULES, SEED = methodology().decision, methodology().seed


def units_of(values: list[float], clusters: list[int] | None = None) -> Units:
    whole = np.rint(np.array(values) * SCALE).astype(np.int64)
    return make_units(whole, None if clusters is None else np.array(clusters, dtype=np.int64), None)


@given(st.lists(st.tuples(st.integers(-(10**12), 10**12), st.integers(1, 10**6)), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_division_rounds_halves_to_even(pairs: list[tuple[int, int]]) -> None:
    sums, counts = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    assert divided(sums, counts).tolist() == [round(Fraction(a, b)) for a, b in pairs]


def test_bounded_is_clopper_pearson_for_right_or_wrong() -> None:
    """3 of 20: the exact one-sided 95% limits, within the error of 40,000 resamples."""
    found = bounded_interval(units_of([0.0] * 17 + [1.0] * 3), 0, 1, 0.05, seed=SEED, resamples=40_000)
    assert found is not None
    assert found.low == pytest.approx(float(special.betaincinv(3, 18, 0.05)), abs=0.002)
    assert found.high == pytest.approx(float(special.betaincinv(4, 17, 0.95)), abs=0.003)


def test_no_loss_seen_is_not_no_loss() -> None:
    """Twenty equal pairs: the percentile bootstrap sees no spread; this bound is 1 - 0.05^(1/20) below."""
    units = units_of([0.0] * 20)
    found = mean_bounds(units, Ends(-1, 1), 0.05, -0.1, seed=SEED, rules=RULES)
    assert found.bootstrap is not None and found.bootstrap.low == 0.0
    assert found.low == pytest.approx(-(1 - 0.05 ** (1 / 20)), abs=0.006)
    assert found.method == "bootstrap_bounded"


def test_bounded_is_the_naive_loop_to_the_bit() -> None:
    """Words and weights in plain Python integers, as the docstrings write them out."""
    units = units_of([0.25, -0.5, 1.0, 0.0, -1.0], [0, 0, 1, 2, 3])
    mask, table = 2**64 - 1, [round(-1024 * math.log((i + 0.5) / 65536)) for i in range(65536)]
    assert weight_table().tolist() == table
    lows = []
    for r in range(50):
        key = int(resample_keys(SEED, FIRST_RESAMPLE + r, FIRST_RESAMPLE + r + 1)[0])
        weights = []
        for i in range(units.size + 1):
            z = (key + (i // 4 + 1) * int(WORD_STEP)) & mask
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            weights.append(table[((z ^ (z >> 31)) >> (16 * (i % 4))) & 0xFFFF])
        typical = sum(units.masses.tolist()) / units.size
        above = sum(w * s for w, s in zip(weights, units.sums.tolist(), strict=False)) * (1 / SCALE)
        below = float(sum(w * m for w, m in zip(weights, units.masses.tolist(), strict=False)))
        lows.append((above + weights[-1] * typical * -1.0) / (below + weights[-1] * typical))
    found = bounded_interval(units, -1.0, 1.0, 0.05, seed=SEED, resamples=50)
    assert found is not None
    assert found.low == pytest.approx(float(np.quantile(np.array(lows), 0.05)), abs=1e-15)


def test_the_compiled_loop_weighs_as_numpy_does() -> None:
    """The loop that is compiled for large work, run here as plain Python."""
    units = units_of([0.25, -0.5, 1.0, 0.0, -1.0, 0.5, 0.75])
    keys = resample_keys(SEED, FIRST_RESAMPLE, FIRST_RESAMPLE + 20)
    found = [np.empty(20, dtype=np.int64) for _ in range(3)]
    with np.errstate(over="ignore"):
        weigh(units.sums, units.masses, keys, np.array(weight_table()), *found)
    weights = exponential_weights(keys, units.size + 1)
    assert np.array_equal(found[0], (weights[:, :-1] * units.sums).sum(axis=1))
    assert np.array_equal(found[1], (weights[:, :-1] * units.masses).sum(axis=1))
    assert np.array_equal(found[2], weights[:, -1])


def test_percentiles_agree_with_scipy() -> None:
    """Tasks with fractional differences: both ends within Monte-Carlo error of scipy's paired bootstrap."""
    rng = np.random.default_rng(1)
    values = rng.integers(-4, 5, 120) / 4
    found = mean_bounds(units_of(values.tolist()), None, 0.05, 0.0, seed=SEED, rules=RULES)
    peer = stats.bootstrap((values,), np.mean, n_resamples=10_000, confidence_level=0.9, method="percentile", rng=rng)
    error = float(np.std(values)) / math.sqrt(120)
    assert found.low == pytest.approx(float(peer.confidence_interval.low), abs=0.08 * error)
    assert found.high == pytest.approx(float(peer.confidence_interval.high), abs=0.08 * error)


def test_cluster_error_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(2)
    clusters = rng.integers(0, 12, 90)
    values = np.rint((rng.normal(size=90) + rng.normal(size=12)[clusters]) * 1e3) / 1e3
    units = units_of(values.tolist(), clusters.tolist())
    from statsmodels.regression.linear_model import OLS  # seconds to import

    peer = OLS(values, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": True})
    assert units.estimate == pytest.approx(float(peer.params[0]), abs=1e-9)
    assert math.sqrt(units.squared_error) == pytest.approx(float(peer.bse[0]), rel=1e-9)


def test_one_cluster_has_no_interval_and_no_error_of_zero() -> None:
    """Eight tasks of one cluster: nothing can be resampled, which is not certainty."""
    units = units_of([0.1, 0.2, 0.3, 0.4] * 2, [0] * 8)
    found = mean_bounds(units, Ends(-1, 1), 0.05, 0.0, seed=SEED, rules=RULES)
    assert (found.low, found.high, found.p) == (None, None, None) and found.estimate == pytest.approx(0.25)


def test_weights_are_the_weighted_mean() -> None:
    values, weights = np.array([SCALE, 0, -SCALE // 2]), np.array([3.0, 1.0, 2.0])
    units = make_units(values, None, weights)
    assert units.estimate == pytest.approx((3 - 1) / 6, abs=1e-9)


def test_neither_order_nor_names_of_clusters_move_a_bit() -> None:
    rng = np.random.default_rng(3)
    values, clusters = rng.integers(-SCALE, SCALE, 60), rng.integers(0, 9, 60)
    order, names = rng.permutation(60), rng.permutation(9)
    one = mean_bounds(make_units(values, clusters, None), Ends(-1, 1), 0.05, 0.0, seed=SEED, rules=RULES)
    other = make_units(values[order], names[clusters[order]].astype(np.int64), None)
    assert mean_bounds(other, Ends(-1, 1), 0.05, 0.0, seed=SEED, rules=RULES) == one


def test_blocks_of_many_units_keep_sum_and_spread() -> None:
    rng = np.random.default_rng(4)
    units = make_units(rng.integers(-SCALE, SCALE, 40_000), None, None)
    blocks = in_blocks(units, 2_000, SEED)
    assert blocks.size == 2_000 and blocks.tasks == 40_000
    assert int(blocks.sums.sum()) == int(units.sums.sum()) and int(blocks.masses.sum()) == 40_000
    assert set(blocks.masses.tolist()) == {20}
    assert blocks.estimate == units.estimate
    assert math.sqrt(blocks.squared_error / units.squared_error) == pytest.approx(1, abs=0.05)
    assert in_blocks(units, 50_000, SEED) is units


def test_sums_by_code() -> None:
    assert summed(np.array([5, 1, 2, 7]), np.array([2, 0, 2, 0])).tolist() == [8, 7]


def test_two_stage_is_the_naive_loop_to_the_bit() -> None:
    parts = np.array([500, 0, -1000, 250, -500, 0, 1000, -125], dtype=np.int64) * 10**6
    trials = Trials(parts, np.array([0, 3, 5]), np.array([2, 1, 2]), np.array([1, 1, 1]), np.ones(3, dtype=np.int64), 1)
    found = two_stage_means(trials, SEED, 30)
    for r in range(30):
        tasks = draws(resample_keys(SEED, r, r + 1), 3)[0]
        key = resample_keys(SEED, TRIALS_FROM + r, TRIALS_FROM + r + 1)
        total = place = 0
        for task in tasks.tolist():
            start = int(trials.starts[task])
            for count in (int(trials.candidates[task]), int(trials.baselines[task])):
                for _ in range(count):
                    with np.errstate(over="ignore"):
                        word = int(mix(key + np.uint64(place // 2 + 1) * WORD_STEP)[0])
                    half = word >> 32 if place % 2 else word & 0xFFFFFFFF
                    total += int(parts[start + ((half * count) >> 32)])
                    place += 1
                start += count
        assert found[r] == total / (3 * SCALE)


def p95(values: np.ndarray, owners: np.ndarray, resamples: int, draws_limit: int = 10**9) -> Bounds:
    return quantile_bounds(
        values, owners, Fraction(19, 20), 0.05, seed=SEED, resamples=resamples, draws_limit=draws_limit
    )


def test_very_many_rows_are_bounded_by_the_error_of_their_share() -> None:
    """The share of values below: its bounds lie where those of 2,000 resamples do."""
    rng = np.random.default_rng(8)
    values, owners = rng.gamma(2, 1, 3000), np.repeat(np.arange(1000), 3)
    drawn, told = p95(values, owners, 2000), p95(values, owners, 2000, draws_limit=1)
    assert told.method == "woodruff" and told.estimate == drawn.estimate
    assert told.low == pytest.approx(drawn.low, abs=0.05) and told.high == pytest.approx(drawn.high, abs=0.05)


def test_ranks_bound_a_quantile_exactly() -> None:
    """P95 of 299 values is bounded above by the greatest; of 58 it has no bound; coverage is as stated."""
    assert needed_values(Fraction(99, 100), 0.05) == 299 and needed_values(Fraction(19, 20), 0.05) == 59
    rng = np.random.default_rng(5)
    few = quantile_bounds(
        rng.random(58), np.arange(58), Fraction(19, 20), 0.05, seed=SEED, resamples=10, draws_limit=10**9
    )
    assert few.high is None and few.low is not None and few.method == "order_statistic"
    covered = [0, 0]
    for _ in range(600):
        found = quantile_bounds(
            rng.random(100), np.arange(100), Fraction(19, 20), 0.05, seed=SEED, resamples=10, draws_limit=10**9
        )
        assert found.low is not None and found.high is not None
        covered[0] += found.low <= 0.95
        covered[1] += found.high >= 0.95
    assert min(covered) / 600 >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 600)


def test_a_quantile_of_tasks_with_trials_is_the_naive_loop() -> None:
    rng = np.random.default_rng(6)
    values, owners = rng.gamma(2, 1, 260), np.repeat(np.arange(65), 4)
    found = p95(values, owners, 60)
    naive = []
    for r in range(60):
        drawn = draws(resample_keys(SEED, r, r + 1), 65)[0]
        naive.append(np.quantile(np.concatenate([values[owners == unit] for unit in drawn]), 0.95))
    assert found.bootstrap is not None
    assert found.bootstrap.low == pytest.approx(float(np.quantile(naive, 0.05)), abs=1e-12)
    assert found.bootstrap.high == pytest.approx(float(np.quantile(naive, 0.95)), abs=1e-12)
