"""One way, at least, to break each clause of each suite: what the mutation tests apply to sound tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from checks.clauses import Clause, Suite

FIRST = pl.int_range(pl.len()) == 0
EVERY = pl.lit(value=True)
HEX = "0" * 64
col = pl.col

RULE_FAULTS: dict[str, dict[str, list[tuple[pl.Expr, dict[str, Any]]]]] = {
    "raw__snapshot": {
        "sha256-form": [(FIRST, {"sha256": "XYZ"})],
        "whole-or-absent": [(FIRST, {"rows": None}), (FIRST, {"sha256": None})],
        "path-inside-home": [(FIRST, {"path": "/etc/passwd"}), (FIRST, {"path": "a/../../b"})],
        "no-secret-in-address": [
            (FIRST, {"source_url": "https://host/x?token=abc"}),
            (FIRST, {"source_url": "https://user:word@host/x"}),
        ],
        "rows-where-bytes": [(FIRST, {"bytes": 0}), (FIRST, {"rows": 0})],
        "known-leaderboard": [(FIRST, {"leaderboard": "stranger"})],
    },
    "raw__row": {
        "sha256-form": [(FIRST, {"snapshot_sha256": "abc"})],
        "entry-id-form": [(FIRST, {"entry_id": "nan"})],
        "read-or-explained": [(FIRST, {"problem": "none"}), (col("problem").is_not_null(), {"problem": None})],
        "read-has-record": [(FIRST, {"record": None})],
        "duplicate-of-something": [(col("entry_id").is_null(), {"is_duplicate": True})],
        "one-original": [(EVERY, {"is_duplicate": False}), (EVERY, {"is_duplicate": True})],
    },
    "core__result": {
        "entry-id-form": [(FIRST, {"entry_id": "0123"})],
        "sha256-form": [(FIRST, {"snapshot_sha256": ""})],
        "model-not-empty": [(FIRST, {"model": ""})],
        "benchmark-not-empty": [(FIRST, {"benchmark": ""})],
        "metric-not-empty": [(FIRST, {"metric": ""})],
        "unit-not-empty": [(FIRST, {"unit": ""})],
        "one-snapshot": [(FIRST, {"snapshot_sha256": HEX})],
        "known-leaderboard": [(FIRST, {"leaderboard": "stranger"})],
    },
    "core__evidence": {
        "evidence-id-form": [(FIRST, {"evidence_id": "nan:nan"})],
        "one-per-model": [(EVERY, {"model_id": "model-a"})],
        "fraction-range": [(FIRST, {"value": 58.4}), (FIRST, {"value": -0.001})],
        "z-clamped": [(FIRST, {"z": 3.5}), (FIRST, {"z": -3.5})],
        "z-centred": [(EVERY, {"z": col("z") + 0.5})],
        "n-models-counted": [(FIRST, {"n_models": col("n_models") + 1})],
        "enough-models": [(FIRST, {"n_models": 2})],
        "developers-of-models": [(FIRST, {"n_developers": 99})],
        "q-formula": [(FIRST, {"q": col("q") * 0.9})],
        "variance-formula": [(FIRST, {"variance": col("variance") * 1.1})],
        "precision-positive": [(FIRST, {"precision": 0.0}), (FIRST, {"precision": 1.5})],
        "family-cap": [(FIRST, {"precision": col("precision") * 0.5})],
        "scored-metric": [(FIRST, {"metric_id": "stranger"})],
        "category-of-metric": [(FIRST, {"category": "math"})],
        "dimension-of-metric": [(FIRST, {"dimension": "proof"})],
        "family-of-metric": [(FIRST, {"family": "stranger"})],
        "protocol-of-metric": [(FIRST, {"protocol": "stranger"})],
        "known-model": [(FIRST, {"model_id": "stranger"})],
    },
    "core__exclusion": {
        "stage-of-reason": [(FIRST, {"stage": "standardize"})],
        "identity-unless-unread": [
            (col("reason_code") == "row_unparseable", {"entry_id": "0" * 16}),
            (col("reason_code") == "value_missing", {"entry_id": None}),
        ],
        "winner-named": [
            (col("reason_code") == "lower_priority_duplicate", {"kept_entry_id": None}),
            (col("reason_code") == "lower_priority_duplicate", {"kept_entry_id": col("entry_id")}),
        ],
        "metric-after-eligibility": [(col("stage") == "dedup", {"metric_id": None})],
        "detail-stated": [(FIRST, {"detail": ""})],
    },
    "out__dimension_score": {
        "dimension-of-category": [(FIRST, {"dimension": "proof"})],
        "sigma-narrowed": [(FIRST, {"sigma": 0.0}), (FIRST, {"sigma": 1.01})],
        "families-observed": [(FIRST, {"families": 99})],
        "overlap-not-alone": [(col("families") >= 2, {"is_overlap_calibrated": False})],
    },
    "out__category_score": {
        "release-id-form": [(EVERY, {"release_id": "2026-10-20-latest"})],
        "one-release_id": [(FIRST, {"release_id": "2026-10-20-aaaaaaaaaaaa"})],
        "one-as_of": [(FIRST, {"as_of": pl.date(2026, 10, 21)})],
        "release-of-day": [(EVERY, {"as_of": pl.date(2026, 10, 21)})],
        "catalog-version": [(FIRST, {"catalog_version": "other"})],
        "methodology-version": [(FIRST, {"methodology_version": "2.0"})],
        "model-name": [(FIRST, {"model_name": "Other"})],
        "score-formula": [(FIRST, {"score": col("score") + 1e-6})],
        "low80-formula": [(FIRST, {"low80": col("low80") - 1e-6})],
        "high80-formula": [(FIRST, {"high80": col("high80") + 1e-6})],
        "interval-around-score": [(FIRST, {"low80": col("score") + 1}), (FIRST, {"high80": col("score") - 1})],
        "score-with-interval": [(FIRST, {"low80": None}), (FIRST, {"score": None})],
        "sigma-positive": [(FIRST, {"sigma": 0.0})],
        "coverage-of-observed": [(col("observed_dimensions") < 4, {"effective_coverage": 1.0})],
        "overlap-of-observed": [(FIRST, {"overlap_dimensions": 4})],
        "status-earned": [
            (col("status") == "unrated", {"status": "rated"}),
            (col("status") == "rated", {"status": "estimated"}),
        ],
        "unrated-without-score": [
            (col("status") == "unrated", {"score": 50.0}),
            (col("status") == "rated", {"score": None}),
        ],
        "reason-where-unrated": [
            (col("status") == "unrated", {"reason_code": None}),
            (col("status") == "unrated", {"reason_code": "too_few_families"}),
            (col("status") == "rated", {"reason_code": "too_few_families"}),
        ],
        "ranks-where-rated": [(FIRST, {"rank": None}), (col("status") == "estimated", {"rank_low": 1})],
        "ranks-without-gap": [(EVERY, {"rank": col("rank") + 1}), (EVERY, {"rank": 1})],
        "rank-in-range": [
            (FIRST, {"rank_low": col("rank") + 1}),
            (FIRST, {"rank_high": col("rank") - 1}),
            (FIRST, {"rank_high": 99}),
        ],
        "rank-by-mu": [(EVERY, {"rank": 7 - col("rank")})],
    },
    "out__score_weight": {
        "dimension-of-category": [(FIRST, {"dimension": "proof"})],
        "own-names-evidence": [
            (col("role") == "own", {"z": None}),
            (col("role") == "cohort", {"evidence_id": pl.lit("x:") + col("metric_id")}),
        ],
        "evidence-of-metric": [(col("role") == "own", {"evidence_id": "x:other"})],
        "z-clamped": [(col("role") == "own", {"z": 3.5})],
        "own-contribution": [(col("role") == "own", {"contribution": col("contribution") + 1e-6})],
    },
}


def put(frame: pl.DataFrame, where: pl.Expr, values: dict[str, Any]) -> pl.DataFrame:
    """The frame with some columns set where a condition holds; types stay."""
    return frame.with_columns(
        pl.when(where)
        .then(value if isinstance(value, pl.Expr) else pl.lit(value, dtype=frame.schema[name]))
        .otherwise(pl.col(name))
        .cast(frame.schema[name])
        .alias(name)
        for name, value in values.items()
    )


def faulty(frame: pl.DataFrame, suite: Suite, clause: Clause) -> Iterator[pl.DataFrame]:
    """The frame with one clause broken, in every way we know."""
    name = clause.columns[0] if clause.columns else ""
    if clause.kind == "row_count":
        yield frame.clear()
    elif clause.kind == "columns":
        yield frame.drop(frame.columns[-1])
        yield frame.with_columns(pl.lit(1).alias("stranger"))
        yield frame.select(reversed(frame.columns))
    elif clause.kind == "types":
        for column, kind in suite.contract.polars_schema().items():
            yield frame.with_columns(pl.lit(None, dtype=pl.Int32 if kind == pl.String else pl.String).alias(column))
    elif clause.kind == "not_null":
        yield put(frame, FIRST, {name: None})
    elif clause.kind == "some_value":
        yield put(frame, EVERY, {name: None})
    elif clause.kind == "in_set":
        yield put(frame, FIRST, {name: "stranger"})
        yield put(frame, FIRST, {name: ""})
    elif clause.kind == "between":
        if clause.low is not None:
            yield put(frame, FIRST, {name: clause.low - 1})
        if clause.high is not None:
            yield put(frame, FIRST, {name: clause.high + 1})
    elif clause.kind == "unique":
        yield pl.concat([frame, frame.tail(1)])
    elif clause.name == "numbers-finite":
        for column in clause.columns:
            yield put(frame, FIRST, {column: float("nan")})
            yield put(frame, FIRST, {column: float("inf")})
    else:
        for where, values in RULE_FAULTS[suite.contract.name][clause.name]:
            yield put(frame, where, values)
