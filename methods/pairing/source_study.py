"""The study of a named freeze: its pairs held against the decision table, and the differences of those that agree.

Belongs here: chaining generator, alignment, decisions and statistics on one frozen set of results (METHODS 5 and 6).
Does not belong here: any rule of these, the nightly pairs (`methods.pairing.pair_tables`), reading a freeze
(`resources`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from methods.names.registry import ModelRegistry
from methods.pairing.alignment import Alignment
from methods.pairing.decisions import DecisionReview
from methods.pairing.pair_tables import build_pair_tables
from methods.pairing.scope import pair_scope
from methods.statistics.aligned import aligned_differences
from methods.statistics.source_difference import Scope, source_differences
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.study_words import SOURCE_STUDY_KIND, StudyPairState
from warehouse.tables_study import CORE_STUDY_PAIR


def source_study(catalog: Catalog) -> StudySpec | None:
    """The catalog's study of source differences; None where it names none. A catalog holds at most one."""
    return next((study for study in catalog.studies if study.kind == SOURCE_STUDY_KIND), None)


def with_study_decisions(catalog: Catalog) -> Catalog:
    """The catalog with the decisions that the study takes: those reviewed up to its `decisions_until`, else all."""
    study = source_study(catalog)
    until = None if study is None else study.source_options.decisions_until
    if until is None:
        return catalog
    kept = tuple(row for row in catalog.decisions if row.reviewed_at <= until)
    return Catalog(**{name: getattr(catalog, name) for name in Catalog.model_fields} | {"decisions": kept})


def study_pairs(results: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    """The `core__study_pair` table: every generated or decided pair, and how the two sides stand to each other.

    Args:
        results: `core__result` as frozen.
        catalog: rules, fields, hand-registered pairs, decisions, and the study.
    """
    own = with_study_decisions(catalog)
    built = build_pair_tables(results, own)
    entries = pl.concat([built.candidates["entry_id_a"], built.candidates["entry_id_b"]]).unique()
    rows = {
        row["entry_id"]: row for row in results.filter(pl.col("entry_id").is_in(entries.implode())).rows(named=True)
    }
    found = [
        _generated(pair, rows[pair["entry_id_a"]], rows[pair["entry_id_b"]], built.alignments, built.review)
        for pair in built.candidates.rows(named=True)
    ]
    found += [_orphaned(pair_id) for pair_id in built.review.orphaned]
    return CORE_STUDY_PAIR.conform(pl.DataFrame(found, schema=CORE_STUDY_PAIR.polars_schema(), orient="row"))


def study_differences(pairs: pl.DataFrame, results: pl.DataFrame, freeze: str, catalog: Catalog) -> pl.DataFrame:
    """The `out__source_difference` table of a study.

    Args:
        pairs: `core__study_pair`; only pairs that agree enter a number.
        results: `core__result` as frozen.
        freeze: the freeze's name, for the scope sentence.
        catalog: registry, metrics, methodology.
    """
    agreed = pairs.filter(pl.col("state") == "agreed")
    aligned = aligned_differences(agreed, results, ModelRegistry(catalog.models), catalog)
    scope = Scope(freeze, results["leaderboard"].n_unique(), results.height)
    return source_differences(aligned.differences, aligned.left_out, catalog.methodology, scope)


def _generated(
    pair: Mapping[str, Any],
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    alignments: Mapping[str, Alignment],
    review: DecisionReview,
) -> dict[str, Any]:
    alignment = alignments[pair["pair_id"]]
    scope = pair_scope(a, b, alignment)
    return {
        **pair,
        "state": _state(pair["pair_id"], review),
        "to_record": None if alignment.to_record is None else list(alignment.to_record),
        "model_a": a["model"],
        "model_b": b["model"],
        "surface_difference_pp": None if scope.difference_pp is None else float(scope.difference_pp),
        "supports": scope.supports,
        "does_not_support": scope.does_not_support,
    }


def _orphaned(pair_id: str) -> dict[str, Any]:
    first, second = pair_id.split("~")
    empty: dict[str, Any] = dict.fromkeys(CORE_STUDY_PAIR.columns)
    given = {"pair_id": pair_id, "entry_id_a": first, "entry_id_b": second, "state": "orphaned"}
    return {**empty, **given, "rules": [], "blocking_fields": []}


def _state(pair_id: str, review: DecisionReview) -> StudyPairState:
    if pair_id in review.missing:
        return "missing"
    if pair_id in review.disputed:
        return "disputed"
    if pair_id in review.unconfirmed:
        return "unconfirmed"
    return "duplicated" if pair_id in review.duplicated else "agreed"
