"""Explains a linked score: from the published parts down to every own result, its snapshot and row (METHODS 7b, 14).

The parts are the table's. What a single result adds is no table's: the fit is put together again from the published
slopes, variances and noise, without any search, and gives the weight of every result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from methods.lineage.explanation_index import (
    ExplanationIndex,
    UnknownScoreError,
    missing_for_estimated,
    missing_for_rated,
)
from methods.lineage.linked_explanation import LinkedExplanation, LinkedPart, LinkedResult
from methods.linked.explanation import weights
from methods.linked.published import published_fit
from warehouse.catalog_model import Catalog
from warehouse.vocabulary import CATEGORIES

NEEDED_LINKED: Final = (
    "raw__snapshot",
    "core__result",
    "core__evidence",
    "core__exclusion",
    "out__category_score",
    "out__linked_score",
    "out__linked_part",
    "out__linked_metric",
    "out__linked_parameter",
)
"""Tables an explanation of a linked score is read from."""

_HEAD: Final = (
    "release_id", "category", "model_id", "model_name", "developer", "status", "reason_code", "score", "low80",
    "high80", "rank", "rank_low", "rank_high", "mu", "sigma", "catalog_version", "methodology_version",
)  # fmt: skip
_EVIDENCE: Final = ("evidence_id", "metric_id", "dimension", "family", "tier", "value", "z", "q")
_METRIC: Final = ("slope", "offset", "noise_sd", "cohort_score")


def explain_linked(
    model_id: str, category: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog
) -> LinkedExplanation:
    """One linked score taken apart.

    Args:
        model_id: id of the registry.
        category: one of the eight categories.
        tables: the release's tables named in `NEEDED_LINKED`, whole.
        catalog: the release's own catalog.

    Raises:
        UnknownScoreError: if the release holds no linked score of the model in the category.
    """
    mine = (pl.col("category") == category) & (pl.col("model_id") == model_id)
    scored = tables["out__linked_score"].filter(mine)
    if scored.height == 0:
        raise UnknownScoreError(f"{model_id} has no linked score in {category}")
    score = scored.row(0, named=True)
    scale = catalog.methodology.category
    beside = tables["out__category_score"].filter(mine)
    points = {
        (source, role): contribution
        for source, role, contribution in tables["out__linked_part"]
        .filter(mine)
        .select("source_category", "role", "contribution")
        .rows()
    }
    own = _own_results(model_id, category, tables, catalog)
    return LinkedExplanation(
        **{name: score[name] for name in _HEAD},
        as_of=score["as_of"].isoformat(),
        board_score=beside["score"][0] if beside.height else None,
        centre=scale.center,
        slope=scale.slope,
        unclamped=scale.center + scale.slope * score["mu"],
        missing_for_estimated=missing_for_estimated(score, scale),
        missing_for_rated=missing_for_rated(score, scale),
        parts=tuple(
            LinkedPart(
                source,
                points.get((source, "own"), 0.0),
                points.get((source, "cohort"), 0.0),
                tuple(own.get(source, ())),
            )
            for source in CATEGORIES
            if (source, "own") in points or (source, "cohort") in points
        ),
    )


def _own_results(
    model_id: str, category: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog
) -> dict[str, list[LinkedResult]]:
    """The model's results by their category, those that add most first."""
    rules, scale = catalog.methodology.linked, catalog.methodology.category
    evidence, metrics = tables["core__evidence"], tables["out__linked_metric"]
    fit = published_fit(evidence, metrics, tables["out__linked_parameter"], rules)
    found = weights(fit, model_id, category)
    number = fit.cells.model_of[model_id]
    cells = range(int(fit.cells.start[number]), int(fit.cells.start[number + 1]))
    rows = evidence[[int(fit.cells.rows[cell]) for cell in cells]].rows(named=True)
    of_metric = {row["metric_id"]: row for row in metrics.rows(named=True)}
    index = _index(model_id, tables, catalog)
    made: dict[str, list[LinkedResult]] = {}
    for cell, row in zip(cells, rows, strict=True):
        weight = float(found[cell])
        one = LinkedResult(
            **{name: row[name] for name in _EVIDENCE},
            **{name: of_metric[row["metric_id"]][name] for name in _METRIC},
            is_clamped=abs(row["z"]) >= catalog.methodology.standardization.z_limit,
            weight=weight,
            contribution=scale.slope * weight * row["z"],
            origin=index.origin(row["entry_id"]),
            duplicates=tuple(index.duplicates[row["entry_id"], row["metric_id"]]),
        )
        made.setdefault(row["category"], []).append(one)
    return {source: _largest_first(results) for source, results in made.items()}


def _largest_first(results: Iterable[LinkedResult]) -> list[LinkedResult]:
    return sorted(results, key=lambda one: (-abs(one.contribution), one.metric_id))


def _index(model_id: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog) -> ExplanationIndex:
    """Origins and duplicates of the model's own results."""
    narrowed: dict[str, Any] = {
        name: tables[name].filter(pl.col("model_id") == model_id) for name in ("core__evidence", "out__category_score")
    }
    return ExplanationIndex({**tables, **narrowed}, catalog)
