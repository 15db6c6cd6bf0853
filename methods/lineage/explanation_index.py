"""A release's tables as lookups, so that one score or every score is taken apart by the same code (METHODS 7, 14).

Belongs here: gathering what the tables already hold. Nothing is recomputed but sums, so that an explanation speaks of
the published numbers and of no others. Narrowing the tables to one score is `methods.lineage.explain`.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import polars as pl

from methods.lineage.column_reading import columns_of
from methods.lineage.explanation import (
    CohortEffect,
    DimensionPart,
    ExcludedRow,
    Explanation,
    Origin,
    OwnEvidence,
)
from methods.lineage.shared_texts import text_sharing_columns
from methods.names.registry import ModelRegistry
from warehouse.catalog_model import Catalog
from warehouse.methodology import CategoryScale, Threshold
from warehouse.plain_text import counted
from warehouse.vocabulary import CATEGORIES

Row = dict[str, Any]
_OwnWeight = tuple[str, float, float]
"""(evidence id, weight, contribution)."""
Place = tuple[str, str]
"""(category, model id)."""

_SCORE: Final = (
    "release_id", "category", "model_id", "model_name", "developer", "status", "reason_code", "score", "low80",
    "high80", "rank", "rank_low", "rank_high", "mu", "sigma", "effective_coverage", "catalog_version",
    "methodology_version",
)  # fmt: skip
_EVIDENCE: Final = (
    "evidence_id", "metric_id", "family", "protocol", "tier", "value", "x", "z", "n_models", "q", "variance",
    "precision",
)  # fmt: skip
_ORIGIN: Final = (
    "entry_id", "leaderboard", "benchmark", "subset", "metric", "model", "unit", "source_type", "setting",
    "source_url", "snapshot_sha256", "row_locator",
)  # fmt: skip
_WEIGHT: Final = ("category", "model_id", "dimension", "metric_id", "evidence_id", "weight", "contribution")
_DIMENSION: Final = ("dimension", "mu", "sigma", "families", "observations", "is_overlap_calibrated")


class UnknownScoreError(LookupError):
    """The release holds no row for this model and category."""


def missing_for_rated(score: Mapping[str, Any], scale: CategoryScale) -> tuple[str, ...]:
    """What a model lacks to be rated, in words; nothing for a rated one."""
    return _missing(score, scale.rated)


def missing_for_estimated(score: Mapping[str, Any], scale: CategoryScale) -> tuple[str, ...]:
    """What an unrated model lacks to be estimated, in words; nothing for one that has a score."""
    return _missing(score, scale.estimated)


def _missing(score: Mapping[str, Any], asked_for: Threshold) -> tuple[str, ...]:
    asks = (
        ("observed_dimensions", asked_for.dimensions, "observed dimension"),
        ("families", asked_for.families, "benchmark family"),
        ("overlap_dimensions", asked_for.overlap_dimensions, "overlap-calibrated dimension"),
    )
    return tuple(
        f"{counted(asked - score[name], f'more {words}')} ({score[name]} of {asked})"
        for name, asked, words in asks
        if score[name] < asked
    )


class ExplanationIndex:
    """Every score of the given tables, ready to be taken apart.

    Args:
        tables: the release's tables named in `methods.lineage.explain.NEEDED`, whole or narrowed to some scores.
        catalog: the release's own catalog.
    """

    def __init__(self, tables: Mapping[str, pl.DataFrame], catalog: Catalog) -> None:
        self._tables = tables
        self._catalog = catalog
        self._scale = catalog.methodology.category
        self._prior = catalog.methodology.latent.ability_variance
        rows = tables["out__category_score"].rows(named=True)
        self.scores: dict[Place, Row] = {(row["category"], row["model_id"]): row for row in rows}
        """Rows of out__category_score by (category, model id), in the table's order."""

    def all(self) -> Iterator[Explanation]:
        """Every score, in the order of the table."""
        for category, model_id in self.scores:
            yield self.explain(model_id, category)

    def explain(self, model_id: str, category: str) -> Explanation:
        """One score taken apart (UnknownScoreError if the model has no evidence in the category)."""
        score = self.scores.get((category, model_id))
        if score is None:
            raise UnknownScoreError(f"{model_id} has no evidence in {category}")
        parts = self._parts((category, model_id))
        observed = {part.dimension for part in parts}
        contributions = [own.contribution for part in parts for own in part.own]
        contributions += [effect.contribution for part in parts for effect in part.cohort]
        scale = self._scale
        return Explanation(
            **{name: score[name] for name in _SCORE},
            as_of=score["as_of"].isoformat(),
            centre=scale.center,
            slope=scale.slope,
            unclamped=scale.center + scale.slope * score["mu"],
            total=math.fsum([scale.center, *contributions]),
            missing_variance=self._prior * (scale.dimensions - len(observed)) / scale.dimensions**2,
            missing_dimensions=tuple(name for name in CATEGORIES[category] if name not in observed),
            missing_for_estimated=missing_for_estimated(score, scale),
            missing_for_rated=missing_for_rated(score, scale),
            dimensions=parts,
            excluded=self._excluded_of(model_id, category),
        )

    def _parts(self, place: Place) -> tuple[DimensionPart, ...]:
        scored = self._dimensions[place]
        return tuple(
            DimensionPart(
                **{name: row[name] for name in _DIMENSION},
                variance_share=row["sigma"] ** 2 / len(scored) ** 2,
                own=tuple(self._own(weight) for weight in self._own_weights[*place, row["dimension"]]),
                cohort=tuple(self._cohort_effects[*place, row["dimension"]]),
            )
            for row in scored
        )

    def _own(self, item: _OwnWeight) -> OwnEvidence:
        evidence_id, weight, contribution = item
        evidence = self._evidence[evidence_id]
        entry = evidence["entry_id"]
        return OwnEvidence(
            **{name: evidence[name] for name in _EVIDENCE},
            is_clamped=abs(evidence["z"]) >= self._catalog.methodology.standardization.z_limit,
            weight=weight,
            contribution=contribution,
            origin=self.origin(entry),
            duplicates=tuple(self.duplicates[entry, evidence["metric_id"]]),
        )

    def origin(self, entry_id: str) -> Origin:
        """Where a result that counts comes from (KeyError for an entry without evidence)."""
        row = self._results[entry_id]
        path = self._paths.get((row["leaderboard"], row["snapshot_sha256"]))
        return Origin(**{name: row[name] for name in _ORIGIN}, raw_value=row["value"], snapshot_path=path)

    def _excluded_of(self, model_id: str, category: str) -> tuple[ExcludedRow, ...]:
        """Rows of this model that did not count here: of the category's metrics, or of no metric at all."""
        known = self._catalog.metric_by_id
        return tuple(
            row
            for row in self._excluded_by_model[model_id]
            if row.metric_id is None or (row.metric_id in known and known[row.metric_id].category == category)
        )

    def unread_of(self, model_id: str) -> tuple[ExcludedRow, ...]:
        """Rows of a model that reached no metric: they did not count in any category."""
        return tuple(row for row in self._excluded_by_model[model_id] if row.metric_id is None)

    @cached_property
    def _dimensions(self) -> Mapping[Place, list[Row]]:
        rows = self._tables["out__dimension_score"].sort("category", "model_id", "dimension").rows(named=True)
        return _grouped(rows, ("category", "model_id"))

    @cached_property
    def _own_weights(self) -> Mapping[tuple[str, str, str], list[_OwnWeight]]:
        found: defaultdict[tuple[str, str, str], list[_OwnWeight]] = defaultdict(list)
        for place, _, evidence_id, weight, contribution in self._weights("own"):
            found[place].append((evidence_id, weight, contribution))
        return found

    @cached_property
    def _cohort_effects(self) -> Mapping[tuple[str, str, str], list[CohortEffect]]:
        found: defaultdict[tuple[str, str, str], list[CohortEffect]] = defaultdict(list)
        for place, metric_id, _, weight, contribution in self._weights("cohort"):
            found[place].append(CohortEffect(metric_id, weight, contribution))
        return found

    def _weights(self, role: str) -> Iterator[tuple[tuple[str, str, str], str, str, float, float]]:
        """((category, model id, dimension), metric id, evidence id, weight, contribution) of a role's rows in order."""
        table = columns_of(self._tables, "out__score_weight", (*_WEIGHT, "role")).filter(pl.col("role") == role)
        rows = table.sort("metric_id", "evidence_id", nulls_last=False).select(_WEIGHT)
        for category, model_id, dimension, *rest in zip(*text_sharing_columns(rows), strict=True):
            yield (category, model_id, dimension), *rest

    @cached_property
    def _evidence(self) -> dict[str, Row]:
        columns = columns_of(self._tables, "core__evidence", (*_EVIDENCE, "entry_id"))
        return {row["evidence_id"]: row for row in columns.iter_rows(named=True)}

    @cached_property
    def _results(self) -> dict[str, Row]:
        """The results that count; what pages and commands say of others, they read themselves."""
        counting = columns_of(self._tables, "core__evidence", ("entry_id",)).unique()
        results = columns_of(self._tables, "core__result", (*_ORIGIN, "value"))
        columns = results.join(counting, on="entry_id", how="semi")
        return {row["entry_id"]: row for row in columns.iter_rows(named=True)}

    @cached_property
    def _paths(self) -> dict[tuple[str, str], str | None]:
        columns = self._tables["raw__snapshot"].select("leaderboard", "sha256", "path")
        return {(leaderboard, sha256): path for leaderboard, sha256, path in columns.iter_rows()}

    @cached_property
    def exclusions(self) -> tuple[ExcludedRow, ...]:
        """Every row of core__exclusion, in the table's order."""
        fields = [field.name for field in dataclasses.fields(ExcludedRow)]
        columns = text_sharing_columns(columns_of(self._tables, "core__exclusion", fields))
        return tuple(itertools.starmap(ExcludedRow, zip(*columns, strict=True)))

    @cached_property
    def duplicates(self) -> Mapping[tuple[str, str], list[ExcludedRow]]:
        """Duplicates that lost, by (entry that won, metric id)."""
        found: defaultdict[tuple[str, str], list[ExcludedRow]] = defaultdict(list)
        for row in self.exclusions:
            if row.reason_code == "lower_priority_duplicate" and row.kept_entry_id and row.metric_id:
                found[row.kept_entry_id, row.metric_id].append(row)
        return found

    @cached_property
    def _excluded_by_model(self) -> Mapping[str, list[ExcludedRow]]:
        """Excluded rows whose name the registry knows, by model id; each spelling is looked up once."""
        registry = ModelRegistry(self._catalog.models)
        lost = columns_of(self._tables, "core__exclusion", ("entry_id",)).drop_nulls().unique()
        results = columns_of(self._tables, "core__result", ("entry_id", "model", "developer"))
        names = results.join(lost, on="entry_id", how="semi")
        spelling = {entry: (model, developer) for entry, model, developer in names.iter_rows()}
        resolved: dict[tuple[str, str | None], str | None] = {}
        found: defaultdict[str, list[ExcludedRow]] = defaultdict(list)
        for row in self.exclusions:
            said = spelling.get(row.entry_id) if row.entry_id else None
            if said is None:
                continue
            if said not in resolved:
                resolved[said] = registry.resolve(*said).model_id
            model_id = resolved[said]
            if model_id is not None:
                found[model_id].append(row)
        return found


def _grouped(rows: Iterable[Row], columns: tuple[str, ...]) -> defaultdict[Any, list[Row]]:
    found: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in columns)].append(row)
    return found
