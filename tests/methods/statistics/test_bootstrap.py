"""The paired bootstrap: worked, against scipy, against the naive version, coverage, and the cases without interval."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from written_out import bootstrap

from methods.statistics.bootstrap import (
    BootstrapRules,
    Interval,
    in_total_order,
    paired_bootstrap,
    resampled_means,
    resampled_medians,
)
from methods.statistics.fixed_point import SCALE, fixed_point

RULES = BootstrapRules(seed=20261020, resamples=10_000, level=0.95)
FEW = BootstrapRules(seed=20261020, resamples=41, level=0.95)
ROSTER = st.lists(st.tuples(st.integers(-(10**11), 10**11), st.integers(0, 9)), min_size=2, max_size=25)


def test_worked_by_hand() -> None:
    """Two differences, 0 and 1: a mean of resamples is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4, so 95% spans 0 to 1."""
    found = paired_bootstrap(fixed_point([1.0, 0.0]), RULES)
    assert (found.n, found.clusters, found.mean, found.median) == (2, 2, 0.5, 0.5)
    assert found.mean_interval == found.median_interval == Interval(0.0, 1.0)
    assert (found.method, found.reason) == ("percentile", None)
    means = resampled_means(in_total_order(fixed_point([1.0, 0.0])), RULES)
    values, times = np.unique(means, return_counts=True)
    assert values.tolist() == [0.0, 0.5, 1.0]
    assert np.abs(times / 10_000 - [0.25, 0.5, 0.25]).max() < 0.015


def test_golden_of_the_published_seed() -> None:
    """Six pairs of five models, 10,000 resamples of seed 20261020: what an auditor's own program must find, too."""
    points, models = [4.06, 1.98, 2.26, -1.0, 0.0, 3.0], list("aabcde")
    found = paired_bootstrap(fixed_point(points), RULES, models)
    assert (found.mean_interval, found.median_interval) == (Interval(0.052, 2.9057142857142857), Interval(-1.0, 3.0))
    written = bootstrap(fixed_point(points).tolist(), models, 20261020, 10_000, Fraction(19, 20))
    assert [[float(end / SCALE) for end in ends] for ends in written] == [[0.052, 2.9057142857142857], [-1.0, 3.0]]


@given(ROSTER)
@settings(max_examples=40, deadline=None)
def test_equals_the_naive_version(roster: list[tuple[int, int]]) -> None:
    differences, clusters = zip(*roster, strict=True)
    found = paired_bootstrap(np.array(differences, dtype=np.int64), FEW, clusters)
    assert found.mean == float(Fraction(sum(differences), len(differences) * SCALE))
    if found.method != "percentile":
        assert len(set(clusters)) == 1 or len(set(differences)) == 1
        return
    expected = bootstrap(differences, clusters, FEW.seed, FEW.resamples, Fraction(19, 20))
    for interval, ends in zip((found.mean_interval, found.median_interval), expected, strict=True):
        assert interval is not None
        assert [interval.low, interval.high] == pytest.approx(
            [float(end) / SCALE for end in ends], rel=1e-14, abs=1e-14
        )


@given(ROSTER, st.randoms())
@settings(max_examples=30, deadline=None)
def test_neither_row_order_nor_cluster_names_move_a_digit(roster: list[tuple[int, int]], shuffle: object) -> None:
    other = list(roster)
    shuffle.shuffle(other)  # type: ignore[attr-defined]
    values, clusters = zip(*roster, strict=True)
    moved, names = zip(*other, strict=True)
    first = paired_bootstrap(np.array(values, dtype=np.int64), FEW, clusters)
    second = paired_bootstrap(np.array(moved, dtype=np.int64), FEW, [f"model {9 - name}" for name in names])
    assert first == second


def test_clusters_of_one_are_no_clusters() -> None:
    differences = fixed_point(np.random.default_rng(1).normal(2, 5, 37).round(3))
    assert paired_bootstrap(differences, FEW) == paired_bootstrap(differences, FEW, range(37))


@pytest.mark.parametrize("n", [12, 101])
def test_agrees_with_scipy(n: int) -> None:
    """Two independent sets of 10,000 resamples: the ends agree within Monte Carlo error, the resamples in law."""
    differences = np.random.default_rng(n).normal(3, 8, n).round(2)
    data = in_total_order(fixed_point(differences))
    found = paired_bootstrap(fixed_point(differences), RULES)
    for ours, interval, statistic in (
        (resampled_means(data, RULES), found.mean_interval, np.mean),
        (resampled_medians(data, RULES), found.median_interval, np.median),
    ):
        theirs = scipy.stats.bootstrap(
            (differences, np.zeros(n)), lambda x, y, axis, f=statistic: f(x - y, axis=axis), paired=True,
            vectorized=True, n_resamples=10_000, method="percentile", rng=np.random.default_rng(5),
        )  # fmt: skip
        assert interval is not None
        spread = theirs.standard_error
        assert interval.low == pytest.approx(theirs.confidence_interval.low, abs=0.15 * spread)
        assert interval.high == pytest.approx(theirs.confidence_interval.high, abs=0.15 * spread)
        assert scipy.stats.ks_2samp(ours.round(6), theirs.bootstrap_distribution.round(6)).pvalue > 1e-3
        assert np.quantile(ours, [0.025, 0.975]) == pytest.approx([interval.low, interval.high], rel=1e-12)


def _coverage(draw: object, runs: int, truth: float, rules: BootstrapRules) -> tuple[float, float]:
    rng = np.random.default_rng(20261020)
    hits = plain_hits = 0
    for _ in range(runs):
        values, clusters = draw(rng)  # type: ignore[operator]
        differences = fixed_point(values.round(6))
        for is_clustered in (True, False):
            interval = paired_bootstrap(differences, rules, clusters if is_clustered else None).mean_interval
            assert interval is not None
            hit = interval.low <= truth <= interval.high
            hits += hit and is_clustered
            plain_hits += hit and not is_clustered
    return hits / runs, plain_hits / runs


def test_recovers_a_known_mean_at_the_stated_level() -> None:
    """40 pairs, N(2, 5): the 95% interval holds 2 in about 94 of 100 simulated studies (percentile, n = 40)."""
    covered, _ = _coverage(lambda rng: (rng.normal(2, 5, 40), range(40)), 400, 2.0, BootstrapRules(20261020, 600, 0.95))
    assert 0.90 < covered < 0.975


def test_clusters_keep_the_level_that_pairs_alone_lose() -> None:
    """30 models of 5 pairs that share a model effect: resampling pairs would claim far too much."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, list[int]]:
        effect = np.repeat(rng.normal(1, 4, 30), 5)
        return effect + rng.normal(0, 1, 150), np.repeat(np.arange(30), 5).tolist()

    covered, plain = _coverage(draw, 150, 1.0, BootstrapRules(20261020, 400, 0.95))
    assert covered > 0.87
    assert plain < 0.75


def test_equal_differences_give_a_labelled_degenerate_interval() -> None:
    """E14, E15: ten times 1 is [1, 1], labelled, without resampling and without a warning."""
    found = paired_bootstrap(fixed_point([1.0] * 10), RULES)
    assert found.mean_interval == found.median_interval == Interval(1.0, 1.0)
    assert (found.method, found.reason) == ("degenerate", None)


def test_one_cluster_has_no_interval() -> None:
    """E16: eight pairs of one model leave nothing to resample."""
    found = paired_bootstrap(fixed_point(np.arange(8.0)), RULES, ["one"] * 8)
    assert (found.mean, found.median, found.clusters) == (3.5, 3.5, 1)
    assert (found.mean_interval, found.median_interval, found.reason) == (None, None, "one_cluster")


def test_fewer_than_two_values_have_no_interval() -> None:
    none = paired_bootstrap(fixed_point([]), RULES)
    assert (none.n, none.mean, none.median, none.mean_interval, none.reason) == (0, None, None, None, "no_values")
    one = paired_bootstrap(fixed_point([4.06]), RULES)
    assert (one.mean, one.median, one.mean_interval, one.reason) == (4.06, 4.06, None, "too_few_values")


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="3 differences, but 2 clusters"):
        paired_bootstrap(fixed_point([1, 2, 3]), RULES, ["a", "b"])
