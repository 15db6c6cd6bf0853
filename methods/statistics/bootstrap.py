"""Paired percentile bootstrap of a mean and a median, over pairs or over clusters of pairs (METHODS 6).

Belongs here: the total order of what is drawn, the intervals, and the cases that have none. Does not belong here: the
draws (`keyed_random`), what the differences mean (`source_difference`).

A resample draws as many clusters as there are, with replacement. Its mean is the sum of all drawn differences over
their number, its median the middle of them (halfway between the two middle ones where their number is even). The
interval lies between type-7 quantiles of the resamples. Where nothing is clustered, every pair is its own cluster.
Clusters are drawn by their place in a total order: by their sorted differences, compared one after the other. Equal
clusters are interchangeable, so neither the order of rows nor the names of clusters move a digit.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import SCALE, Integers, assert_sums_fit, exact_sum
from methods.statistics.quantiles import quantile, tails
from methods.statistics.resampling import resampled_middles, resampled_sums
from warehouse.statistics_words import IntervalMethod

NoInterval = Literal["no_values", "too_few_values", "one_cluster"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval, low to high."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BootstrapRules:
    """How to resample: the seed (0 to 2^64 - 1), how often, and the level of the interval (0.95)."""

    seed: int
    resamples: int
    level: float


@dataclass(frozen=True, slots=True)
class PairedBootstrap:
    """Mean and median of paired differences, with intervals.

    Attributes:
        n: pairs.
        clusters: what was resampled.
        mean, median: of the differences themselves; None where there are none.
        mean_interval, median_interval: None where `reason` says why.
        method: `percentile`; `degenerate` where all differences are equal: nothing was resampled, both ends are that
            value, and the interval says nothing about spread; None where there is no interval.
        reason: `no_values` (n = 0), `too_few_values` (n = 1), `one_cluster` (nothing to resample); None otherwise.
    """

    n: int
    clusters: int
    mean: float | None
    median: float | None
    mean_interval: Interval | None
    median_interval: Interval | None
    method: IntervalMethod | None
    reason: NoInterval | None


@dataclass(frozen=True, slots=True)
class Clustered:
    """Differences in the total order that draws refer to.

    Attributes:
        ascending: (p) all differences, ascending, in billionths.
        owners: (p) the cluster of each, 0 to n - 1.
        sums: (n) sum of each cluster, clusters in the total order.
        sizes: (n) differences of each cluster.
    """

    ascending: Integers
    owners: Integers
    sums: Integers
    sizes: Integers


def in_total_order(differences: Integers, clusters: Sequence[Hashable] | None = None) -> Clustered:
    """Puts differences and clusters in the order that draws refer to.

    Args:
        differences: (p) in billionths.
        clusters: (p) what each belongs to; None where each stands alone.

    Raises:
        FixedPointError: where a cluster's sum could leave 64 bits.
        ValueError: where the lengths differ.
    """
    assert_sums_fit(differences, max(2, differences.size))
    if clusters is None:
        ascending = np.sort(differences)
        single = np.ones(ascending.size, dtype=np.int64)
        return Clustered(ascending, np.arange(ascending.size, dtype=np.int64), ascending, single)
    if len(clusters) != differences.size:
        raise ValueError(f"{differences.size} differences, but {len(clusters)} clusters")
    members: dict[Hashable, list[int]] = {}
    for value, cluster in zip(differences.tolist(), clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    ordered = sorted(sorted(values) for values in members.values())
    flat = sorted((value, place) for place, values in enumerate(ordered) for value in values)
    return Clustered(
        ascending=np.array([value for value, _ in flat], dtype=np.int64),
        owners=np.array([place for _, place in flat], dtype=np.int64),
        sums=np.array([sum(values) for values in ordered], dtype=np.int64),
        sizes=np.array([len(values) for values in ordered], dtype=np.int64),
    )


def paired_bootstrap(
    differences: Integers, rules: BootstrapRules, clusters: Sequence[Hashable] | None = None
) -> PairedBootstrap:
    """Mean and median of paired differences, with percentile intervals of keyed resamples (METHODS 6).

    Args:
        differences: (p) first minus second of each pair, in billionths (`fixed_point`), in any order.
        rules: seed, resamples, level.
        clusters: (p) what is resampled as a whole, such as the model; None where pairs are independent.

    Raises:
        FixedPointError: where a sum could leave 64 bits.
        ValueError: where the lengths differ, or the seed is no unsigned 64-bit integer.
    """
    data = in_total_order(differences, clusters)
    n, count = data.ascending.size, data.sizes.size
    if n == 0:
        return PairedBootstrap(0, 0, None, None, None, None, None, "no_values")
    mean = exact_sum(data.ascending) / (n * SCALE)
    median = (int(data.ascending[(n - 1) // 2]) + int(data.ascending[n // 2])) / (2 * SCALE)
    if n == 1 or count == 1:
        reason: NoInterval = "too_few_values" if n == 1 else "one_cluster"
        return PairedBootstrap(n, count, mean, median, None, None, None, reason)
    if data.ascending[0] == data.ascending[-1]:
        point = Interval(mean, mean)
        return PairedBootstrap(n, count, mean, median, point, point, "degenerate", None)
    means, medians = mean_interval(data, rules), median_interval(data, rules)
    return PairedBootstrap(n, count, mean, median, means, medians, "percentile", None)


def mean_interval(data: Clustered, rules: BootstrapRules) -> Interval:
    """The percentile interval of the mean of at least one difference; equal ends where nothing varies.

    Raises:
        FixedPointError: where a sum could leave 64 bits.
    """
    return _between(resampled_means(data, rules), rules.level)


def median_interval(data: Clustered, rules: BootstrapRules) -> Interval:
    """The percentile interval of the median of at least one difference; equal ends where nothing varies."""
    return _between(resampled_medians(data, rules), rules.level)


def resampled_means(data: Clustered, rules: BootstrapRules) -> NDArray[np.float64]:
    """The mean of each resample, in order of their numbers: an exact sum, divided once.

    Raises:
        FixedPointError: where a sum could leave 64 bits.
    """
    sums = resampled_sums(data.sums, rules.seed, 0, rules.resamples)
    if data.sizes.size == data.ascending.size:
        return sums / float(data.sizes.size * SCALE)
    return sums / (resampled_sums(data.sizes, rules.seed, 0, rules.resamples) * float(SCALE))


def resampled_medians(data: Clustered, rules: BootstrapRules) -> NDArray[np.float64]:
    """The median of each resample, in order of their numbers: two middle values added, divided once."""
    lower, upper = resampled_middles(data.owners, data.sizes, rules.seed, 0, rules.resamples)
    low, high = data.ascending[lower], data.ascending[upper]
    doubled = low + high
    return doubled / float(2 * SCALE)


def _between(resampled: NDArray[np.float64], level: float) -> Interval:
    ascending = np.sort(resampled)
    low, high = tails(level)
    return Interval(quantile(ascending, low), quantile(ascending, high))
