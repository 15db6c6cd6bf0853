"""Metric pages: how a metric is read, who stands on it, how far they spread, and which rows it refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Final

from methods.statistics.quantiles import quantile
from resources.site import figures, links
from resources.site.drawing import axis_over
from resources.site.facts import Facts
from resources.site.page import Page, Plain
from warehouse.metric_model import MetricSpec
from warehouse.vocabulary import TIERS

RESTS_ON: Final = ("raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion")
QUARTILES = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))


def metrics(facts: Facts) -> Iterator[Page | Plain]:
    """The list of metrics, and a page for each that the catalog registers."""
    yield Page(
        "metrics.html",
        "metrics.html",
        "Metrics",
        section="metrics.html",
        rests_on=RESTS_ON,
        content=partial(_all, facts),
    )
    for metric in facts.catalog.metrics:
        yield Page(
            links.metric_page(metric.id),
            "metric.html",
            metric.id,
            section="metrics.html",
            found_as="metric",
            rests_on=RESTS_ON,
            content=partial(_one, facts, metric),
        )


def _all(facts: Facts) -> dict[str, Any]:
    tiers: dict[str, dict[str, int]] = {tier: _tier_counts(facts, tier) for tier in TIERS}
    return {
        "rows": [_figures(facts, metric) for metric in facts.catalog.metrics],
        "figure": figures.tiers(tiers) if facts.evidence_by_metric else None,
    }


def _one(facts: Facts, metric: MetricSpec) -> dict[str, Any]:
    values = _figures(facts, metric)
    return {
        **values,
        "cap": facts.catalog.methodology.standardization.family_precision_cap,
        "lines": facts.lines.of_metric(values["rows"], values["axis"]),
        "refused": facts.lines.refused(values["excluded"]),
    }


def _figures(facts: Facts, metric: MetricSpec) -> dict[str, Any]:
    rows = facts.evidence_by_metric.get(metric.id, [])
    values = sorted(row.value for row in rows)
    return {
        "metric": metric,
        "rows": rows,
        "excluded": facts.excluded_by_metric.get(metric.id, []),
        "tiers": {tier: n for tier in TIERS if (n := sum(row.tier == tier for row in rows))},
        "boards": sorted(Counter(facts.results[row.entry_id].leaderboard for row in rows).items()),
        "spread": [quantile(values, at) for at in QUARTILES] if values else None,
        "axis": axis_over(values),
    }


def _tier_counts(facts: Facts, tier: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for rows in facts.evidence_by_metric.values():
        found.update(row.category for row in rows if row.tier == tier)
    return dict(found)
