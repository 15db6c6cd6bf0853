"""Explains a score: walks a release's tables from the number down to snapshot hash and row (METHODS 7 and 14).

Belongs here: gathering what the tables already hold. Nothing is recomputed but sums, so that the explanation speaks of
the published numbers and of no others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from methods.lineage.explanation import (
    CohortEffect,
    DimensionPart,
    ExcludedRow,
    Explanation,
    Origin,
    OwnEvidence,
)
from methods.names.registry import ModelRegistry
from warehouse.catalog_model import Catalog
from warehouse.methodology import CategoryScale
from warehouse.vocabulary import CATEGORIES

Row = dict[str, Any]

NEEDED = (
    "raw__snapshot",
    "core__result",
    "core__evidence",
    "core__exclusion",
    "out__dimension_score",
    "out__category_score",
    "out__score_weight",
)
"""Tables an explanation is read from."""


class UnknownScoreError(LookupError):
    """The release holds no row for this model and category."""


def explain(model_id: str, category: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog) -> Explanation:
    """One score taken apart.

    Args:
        model_id: id of the registry.
        category: one of the eight categories.
        tables: the release's tables named in `NEEDED`.
        catalog: the release's own catalog.

    Raises:
        UnknownScoreError: if the model has no evidence in the category.
    """
    mine = (pl.col("category") == category) & (pl.col("model_id") == model_id)
    scores = tables["out__category_score"].filter(mine)
    if scores.is_empty():
        raise UnknownScoreError(f"{model_id} has no evidence in {category}")
    score = scores.row(0, named=True)
    scale = catalog.methodology.category
    prior = catalog.methodology.latent.ability_variance
    parts = _dimensions(mine, tables)
    observed = {part.dimension for part in parts}
    contributions = [own.contribution for part in parts for own in part.own]
    contributions += [effect.contribution for part in parts for effect in part.cohort]
    copied = ("release_id", "category", "model_id", "model_name", "developer", "status", "reason_code", "score")
    more = ("low80", "high80", "rank", "rank_low", "rank_high", "mu", "sigma", "effective_coverage")
    return Explanation(
        **{name: score[name] for name in (*copied, *more, "catalog_version", "methodology_version")},
        as_of=score["as_of"].isoformat(),
        centre=scale.center,
        unclamped=scale.center + scale.slope * score["mu"],
        total=math.fsum([scale.center, *contributions]),
        missing_variance=prior * (scale.dimensions - len(observed)) / scale.dimensions**2,
        missing_dimensions=tuple(name for name in CATEGORIES[category] if name not in observed),
        missing_for_rated=missing_for_rated(score, scale),
        dimensions=parts,
        excluded=_excluded(model_id, category, tables, catalog),
    )


def missing_for_rated(score: Mapping[str, Any], scale: CategoryScale) -> tuple[str, ...]:
    """What a model lacks to be rated, in words; nothing for a rated one."""
    asks = (
        ("observed_dimensions", scale.rated.dimensions, "observed dimension"),
        ("families", scale.rated.families, "benchmark family"),
        ("overlap_dimensions", scale.rated.overlap_dimensions, "overlap-calibrated dimension"),
    )
    return tuple(
        f"{asked - score[name]} more {words} ({score[name]} of {asked})"
        for name, asked, words in asks
        if score[name] < asked
    )


def _dimensions(mine: pl.Expr, tables: Mapping[str, pl.DataFrame]) -> tuple[DimensionPart, ...]:
    scored = tables["out__dimension_score"].filter(mine).sort("dimension").rows(named=True)
    weights = tables["out__score_weight"].filter(mine)
    own = weights.filter(pl.col("role") == "own").select("evidence_id", "weight", "contribution", "dimension")
    evidence = own.join(tables["core__evidence"].drop("dimension"), on="evidence_id", how="left")
    origins = _origins(evidence["entry_id"], tables)
    losers = _losers(evidence["entry_id"], tables)
    cohort = weights.filter(pl.col("role") == "cohort")
    return tuple(
        DimensionPart(
            dimension=row["dimension"],
            mu=row["mu"],
            sigma=row["sigma"],
            families=row["families"],
            observations=row["observations"],
            is_overlap_calibrated=row["is_overlap_calibrated"],
            variance_share=row["sigma"] ** 2 / len(scored) ** 2,
            own=tuple(
                _own(item, origins, losers)
                for item in evidence.filter(pl.col("dimension") == row["dimension"])
                .sort("metric_id", "evidence_id")
                .rows(named=True)
            ),
            cohort=tuple(
                CohortEffect(item["metric_id"], item["weight"], item["contribution"])
                for item in cohort.filter(pl.col("dimension") == row["dimension"]).sort("metric_id").rows(named=True)
            ),
        )
        for row in scored
    )


def _own(item: Row, origins: Mapping[str, Origin], losers: Mapping[tuple[str, str], list[ExcludedRow]]) -> OwnEvidence:
    names = (
        "evidence_id", "metric_id", "family", "protocol", "tier", "value", "x", "z", "n_models", "q", "variance",
        "precision", "weight", "contribution",
    )  # fmt: skip
    return OwnEvidence(
        **{name: item[name] for name in names},
        origin=origins[item["entry_id"]],
        duplicates=tuple(losers.get((item["entry_id"], item["metric_id"]), [])),
    )


def _origins(entries: pl.Series, tables: Mapping[str, pl.DataFrame]) -> dict[str, Origin]:
    paths = tables["raw__snapshot"].select(pl.col("sha256").alias("snapshot_sha256"), "leaderboard", "path")
    rows = (
        tables["core__result"]
        .filter(pl.col("entry_id").is_in(entries.implode()))
        .join(paths, on=["snapshot_sha256", "leaderboard"], how="left")
    )
    same = (
        "entry_id", "leaderboard", "benchmark", "subset", "metric", "model", "unit", "source_type", "setting",
        "source_url", "snapshot_sha256", "row_locator",
    )  # fmt: skip
    return {
        row["entry_id"]: Origin(**{name: row[name] for name in same}, raw_value=row["value"], snapshot_path=row["path"])
        for row in rows.rows(named=True)
    }


def _losers(entries: pl.Series, tables: Mapping[str, pl.DataFrame]) -> dict[tuple[str, str], list[ExcludedRow]]:
    rows = tables["core__exclusion"].filter(
        (pl.col("reason_code") == "lower_priority_duplicate") & pl.col("kept_entry_id").is_in(entries.implode())
    )
    found: dict[tuple[str, str], list[ExcludedRow]] = {}
    for row in rows.rows(named=True):
        found.setdefault((row["kept_entry_id"], row["metric_id"]), []).append(ExcludedRow(**row))
    return found


def _excluded(
    model_id: str, category: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog
) -> tuple[ExcludedRow, ...]:
    """Rows of this model that did not count here: of the category's metrics, or of no metric at all."""
    registry = ModelRegistry(catalog.models)
    metrics = {metric.id for metric in catalog.metrics if metric.category == category}
    names = tables["core__result"].select("entry_id", "model", "developer")
    exclusions = tables["core__exclusion"].filter(
        pl.col("metric_id").is_null() | pl.col("metric_id").is_in(sorted(metrics))
    )
    rows = exclusions.join(names, on="entry_id", how="inner")
    return tuple(
        ExcludedRow(**{name: row[name] for name in exclusions.columns})
        for row in rows.rows(named=True)
        if registry.resolve(row["model"], row["developer"]).model_id == model_id
    )
