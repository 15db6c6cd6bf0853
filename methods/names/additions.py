"""What a proposal for the registry would add to the board: the next alias worth reviewing (METHODS 2, 7 and 7b).

Belongs here: counting. Results that fail for want of a model alone are in `core__exclusion` with the metric they were
meant for; a proposal adds those on metrics where its model has none yet. Does not belong here: the proposals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from methods.names.proposals import Suggestion
from warehouse.catalog_model import Catalog
from warehouse.methodology import CategoryScale

_UNIDENTIFIED = "model_unidentified"
_ORDER = {"unrated": 0, "estimated": 1, "rated": 2}


@dataclass(frozen=True, slots=True)
class Addition:
    """What one proposal would add.

    Attributes:
        results: results that would count: on metrics where the model has none, each metric once.
        rated: categories in which the model would come to have the counts of a rated one.
        estimated: categories in which it would come to have those of an estimated one.
    """

    results: int
    rated: tuple[str, ...]
    estimated: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The addition in words."""
        said = f"would add {self.results:,} {'result that counts' if self.results == 1 else 'results that count'}"
        if self.rated:
            said += f"; rated in {', '.join(self.rated)}"
        if self.estimated:
            said += f"; estimated in {', '.join(self.estimated)}"
        return said


def additions(
    suggestions: Iterable[Suggestion],
    results: pl.DataFrame,
    exclusions: pl.DataFrame,
    evidence: pl.DataFrame,
    catalog: Catalog,
) -> list[Addition]:
    """What each proposal would add, in the order given.

    A dimension counts as overlap-calibrated where its evidence holds enough families at all; whether the model's own
    component does is only known once it is scored, so a status here is what the counts would allow.

    Args:
        suggestions: proposals. results, exclusions, evidence: of one day. catalog: its metrics and thresholds.
    """
    waiting = exclusions.filter((pl.col("reason_code") == _UNIDENTIFIED) & pl.col("metric_id").is_not_null())
    names = dict(results.select("entry_id", "model").rows())
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for entry_id, metric_id in waiting.select("entry_id", "metric_id").rows():
        if entry_id in names:
            by_name[names[entry_id]].add(metric_id)
    own: defaultdict[str, set[str]] = defaultdict(set)
    families: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for model_id, metric_id, category, dimension, family in evidence.select(
        "model_id", "metric_id", "category", "dimension", "family"
    ).rows():
        own[model_id].add(metric_id)
        families[category, dimension].add(family)
    scale = catalog.methodology.category
    calibrated = {place for place, found in families.items() if len(found) >= scale.overlap_families}
    found = []
    for one in suggestions:
        had = own[one.model_id] if one.model_id else set()
        new = set[str]().union(*(by_name[name] for name in one.names)) - had
        before, after = (_statuses(metrics, catalog, calibrated, scale) for metrics in (had, had | new))
        gained = {name: word for name, word in after.items() if _ORDER[word] > _ORDER[before.get(name, "unrated")]}
        found.append(
            Addition(
                len(new),
                tuple(sorted(name for name, word in gained.items() if word == "rated")),
                tuple(sorted(name for name, word in gained.items() if word == "estimated")),
            )
        )
    return found


def _statuses(
    metrics: set[str], catalog: Catalog, calibrated: set[tuple[str, str]], scale: CategoryScale
) -> dict[str, str]:
    dimensions: defaultdict[str, set[str]] = defaultdict(set)
    families: defaultdict[str, set[str]] = defaultdict(set)
    for metric_id in metrics:
        metric = catalog.metric_by_id.get(metric_id)
        if metric is not None:
            dimensions[metric.category].add(metric.dimension)
            families[metric.category].add(metric.family)
    found = {}
    for category, own in dimensions.items():
        overlap = sum((category, dimension) in calibrated for dimension in own)
        found[category] = "unrated"
        for word, asked in (("rated", scale.rated), ("estimated", scale.estimated)):
            enough = len(own) >= asked.dimensions and len(families[category]) >= asked.families
            if enough and overlap >= asked.overlap_dimensions:
                found[category] = word
                break
    return found


def ranked(pairs: Iterable[tuple[Suggestion, Addition]]) -> list[tuple[Suggestion, Addition]]:
    """Proposals by what they would add: ratings, then estimates, then results; doubtful ones after all others."""
    return sorted(
        pairs,
        key=lambda pair: (
            bool(pair[0].against),
            -len(pair[1].rated),
            -len(pair[1].estimated),
            -pair[1].results,
            -pair[0].results,
            pair[0].names,
        ),
    )
