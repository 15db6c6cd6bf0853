"""A board as rows and a catalog give it: what the steps between two releases are measured on (METHODS 7, exact change).

Belongs here: making a board again, with what publication does not keep: the kept rows of every model and each metric's
cohort. Nothing is computed that the board itself does not compute: every number comes from `methods.scoring`. Which
boards are compared is `change`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from methods.catalog.eligibility import admit
from methods.catalog.results import build_results, received_exclusions
from methods.dedup.priority import deduplicate
from methods.lineage.frozen_cohort import FrozenCohort, MetricCohort, OwnRow
from methods.scoring.dimensions import DimensionFit, score_dimensions
from methods.scoring.standardize import metric_scale, standardize, transformed
from warehouse.catalog_model import Catalog
from warehouse.tables import CORE_EXCLUSION
from warehouse.vocabulary import Tier

Place = tuple[str, str]
"""A score's place: (category, model id)."""


@dataclass(frozen=True)
class BoardState:
    """One board, made from received rows under one catalog.

    Attributes:
        catalog: with its methodology and corrections.
        results: `core__result`.
        kept: deduplicated rows (`methods.scoring.kept`), those of metrics that cannot be scored included.
        evidence: `core__evidence`. exclusions: `core__exclusion`.
        fits: every dimension's fit.
    """

    catalog: Catalog
    results: pl.DataFrame
    kept: pl.DataFrame
    evidence: pl.DataFrame
    exclusions: pl.DataFrame
    fits: list[DimensionFit]

    @cached_property
    def points(self) -> dict[Place, float]:
        """The unclamped score of every (category, model) with evidence, in the bits that the published mu gives."""
        found: dict[Place, list[float]] = {}
        for one in self.fits:
            for model_id, mean in zip(one.model_ids, one.posterior.mean.tolist(), strict=True):
                found.setdefault((one.category, model_id), []).append(mean)
        scale = self.catalog.methodology.category
        return {place: scale.center + scale.slope * (math.fsum(means) / len(means)) for place, means in found.items()}

    @cached_property
    def rows(self) -> dict[Place, dict[str, OwnRow]]:
        """Every kept row, by (category, model) and metric, metrics in order of their ids."""
        rules = self.catalog.methodology.standardization
        frame = self.kept.sort("category", "model_id", "metric_id")
        _, x, stderr_x = transformed(frame, frame["stderr"].fill_null(0.0).to_numpy(), rules)
        found: dict[Place, dict[str, OwnRow]] = {}
        for row, at, error in zip(frame.rows(named=True), x.tolist(), stderr_x.tolist(), strict=True):
            tier: Tier = row["tier"]
            found.setdefault((row["category"], row["model_id"]), {})[row["metric_id"]] = OwnRow(
                evidence_id=row["evidence_id"],
                entry_id=row["entry_id"],
                metric_id=row["metric_id"],
                dimension=row["dimension"],
                family=row["family"],
                tier=tier,
                leaderboard=row["leaderboard"],
                value=row["value"],
                unit=row["unit"],
                stderr=row["stderr"],
                snapshot_sha256=row["snapshot_sha256"],
                row_locator=row["row_locator"],
                x=at,
                stderr_x=error,
            )
        return found

    @cached_property
    def cohort(self) -> FrozenCohort:
        """What stays when this board's cohort is held: median, scale and q of every scored metric, and its offset."""
        rules = self.catalog.methodology.standardization
        offsets = {
            metric_id: offset
            for one in self.fits
            for metric_id, offset in zip(one.metric_ids, one.posterior.cohort_mean.tolist(), strict=True)
        }
        frame = self.kept.sort("metric_id", "model_id")
        _, x, _ = transformed(frame, frame["stderr"].fill_null(0.0).to_numpy(), rules)
        columns = frame.select("metric_id", "developer").with_columns(x=pl.Series(x, dtype=pl.Float64))
        metrics: dict[str, MetricCohort] = {}
        for (metric_id,), rows in columns.group_by("metric_id", maintain_order=True):
            if metric_id in offsets:
                scale = metric_scale(rows["x"].to_numpy(), rows["developer"].to_list(), rules)
                metrics[str(metric_id)] = MetricCohort(scale.center, scale.scale, scale.quality, offsets[metric_id])
        return FrozenCohort(metrics, self.catalog.methodology)

    @cached_property
    def models_on(self) -> Mapping[str, dict[str, tuple[float, str]]]:
        """Metric → model → (x, tier) of its kept row: whom a model was measured against."""
        found: dict[str, dict[str, tuple[float, str]]] = {}
        for (_, model_id), rows in self.rows.items():
            for metric_id, row in rows.items():
                found.setdefault(metric_id, {})[model_id] = (row.x, row.tier)
        return found


def board_state(raw_rows: pl.DataFrame, catalog: Catalog, results: pl.DataFrame | None = None) -> BoardState:
    """The board that rows and a catalog give, exactly as a run of the day would make it.

    Rows of leaderboards that the catalog does not have are left out: without its entry a leaderboard counts for
    nothing.

    Args:
        raw_rows: `raw__row`.
        catalog: the whole catalog.
        results: `core__result` of these rows where it is at hand, under a catalog whose sources state the same; None:
            the rows are read again, which is most of the work.

    Raises:
        CatalogConflict: if two metrics claim one result in one (category, dimension) place.
    """
    is_known = pl.col("leaderboard").is_in(sorted(catalog.source_by_id))
    known = raw_rows.filter(is_known)
    results = build_results(known, catalog) if results is None else results.filter(is_known)
    admitted = admit(known, results, catalog)
    deduplicated = deduplicate(admitted.candidates)
    standardized = standardize(deduplicated.kept, catalog)
    dropped = [
        received_exclusions(known), admitted.exclusions, deduplicated.exclusions, standardized.exclusions,
    ]  # fmt: skip
    return BoardState(
        catalog=catalog,
        results=results,
        kept=deduplicated.kept,
        evidence=standardized.evidence,
        exclusions=CORE_EXCLUSION.conform(pl.concat(dropped)),
        fits=score_dimensions(standardized.evidence, catalog.methodology),
    )
