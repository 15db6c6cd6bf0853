"""Metrics of one (category, dimension) place whose matchers could both claim one result: found before any is received.

Belongs here: the reading of metrics.yaml alone, for `catalog check`. Does not belong here: results that are really
claimed twice (`methods.catalog.matching.ambiguous`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from warehouse.metric_model import Matcher, MetricSpec


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two metrics of one place that one and the same result could serve."""

    metric_ids: tuple[str, str]
    benchmark: str
    metric: str

    def __str__(self) -> str:
        """The overlap in words."""
        first, second = self.metric_ids
        return f"{first} and {second} can claim the same result of benchmark {self.benchmark}, metric {self.metric}"


def overlaps(metrics: Iterable[MetricSpec]) -> list[Overlap]:
    """Pairs of metrics in one place that no exact string and no `match` value keeps apart, in order of their ids.

    A catalog without overlaps has no ambiguous result, whatever is received.
    """
    rules: defaultdict[tuple[str, str, str, str], list[tuple[str, Matcher]]] = defaultdict(list)
    for metric in metrics:
        for matcher in metric.from_:
            rules[metric.category, metric.dimension, matcher.benchmark, matcher.metric].append((metric.id, matcher))
    found = {
        Overlap((min(first, second), max(first, second)), place[2], place[3])
        for place, here in rules.items()
        for (first, one), (second, other) in combinations(here, 2)
        if first != second and not _apart(one, other)
    }
    return sorted(found, key=lambda overlap: (overlap.metric_ids, overlap.benchmark, overlap.metric))


def _apart(one: Matcher, other: Matcher) -> bool:
    """Whether something keeps two matchers of one benchmark and metric from agreeing with the same row."""
    boards_differ = None not in {one.leaderboard, other.leaderboard} and one.leaderboard != other.leaderboard
    versions_differ = (
        one.constrains_version and other.constrains_version and one.benchmark_version != other.benchmark_version
    )
    subsets_differ = one.constrains_subset and other.constrains_subset and one.subset != other.subset
    shared = one.match.keys() & other.match.keys()
    return (
        boards_differ
        or versions_differ
        or subsets_differ
        or any(one.match[name] != other.match[name] for name in shared)
    )
