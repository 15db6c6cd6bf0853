"""Gates on references: what one table names must stand in another (D18: every key is text and never null)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from checks.gate_inputs import Finding, GateInputs
from checks.plain_json import json_value, short
from warehouse.catalog_model import GateSpec

EVIDENCE_TABLES: Final = ("raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion")
BOARD_TABLES: Final = ("core__evidence", "out__dimension_score", "out__category_score", "out__score_weight")


def references_evidence(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """From evidence and exclusions back to rows and snapshots: no step of an auditor's walk leads nowhere."""
    snapshot, row, result, evidence, exclusion = (inputs.frame(table) for table in EVIDENCE_TABLES)
    received = snapshot.select("leaderboard", pl.col("sha256").alias("snapshot_sha256"))
    place = ("leaderboard", "snapshot_sha256", "row_locator")
    kept = exclusion.filter(pl.col("kept_entry_id").is_not_null()).select(pl.col("kept_entry_id").alias("entry_id"))
    return _judged(
        [
            ("rows in snapshots", row, received, ("leaderboard", "snapshot_sha256")),
            ("results in rows", result, row, (*place, "entry_id")),
            ("evidence in results", evidence, result, ("entry_id",)),
            ("exclusions in rows", exclusion, row, place),
            ("winners of duplicates in results", kept, result, ("entry_id",)),
        ]
    )


def references_board(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Between evidence, dimensions, categories and weights, both ways: no score without evidence, none left out."""
    evidence, dimension, category, weight = (inputs.frame(table) for table in BOARD_TABLES)
    by_dimension = ("category", "dimension", "model_id")
    by_category = ("category", "model_id")
    own = weight.filter(pl.col("role") == "own")
    observation = (*by_dimension, "metric_id", "evidence_id")
    return _judged(
        [
            ("dimension scores in evidence", dimension, evidence, by_dimension),
            ("evidence in dimension scores", evidence, dimension, by_dimension),
            ("category scores in dimension scores", category, dimension, by_category),
            ("dimension scores in category scores", dimension, category, by_category),
            ("own weights in evidence", own, evidence, observation),
            ("evidence in own weights", evidence, own, observation),
            ("weights in dimension scores", weight, dimension, by_dimension),
            ("metrics of weights in evidence", weight, evidence, ("category", "dimension", "metric_id")),
        ]
    )


def _judged(references: Sequence[tuple[str, pl.DataFrame, pl.DataFrame, tuple[str, ...]]]) -> Finding:
    evaluated = 0
    broken: list[tuple[str, int, int, dict[str, object]]] = []
    for name, source, target, on in references:
        keys = source.select(on)
        evaluated += keys.height
        lost = keys.join(target.select(on), on=list(on), how="anti").sort(on)
        if lost.height:
            broken.append((name, lost.height, keys.height, lost.row(0, named=True)))
    failed = sum(lost for _, lost, _, _ in broken)
    told = "; ".join(
        f"{lost}/{whole} {name} not found, first {short(' '.join(str(value) for value in first.values()), 120)}"
        for name, lost, whole, first in broken
    )
    return Finding(
        "fail" if failed else "pass",
        float(failed),
        evaluated,
        failed,
        told or f"each of {evaluated} references is found",
        tuple(
            {"reference": name, "lost": lost, "of": whole, **{key: json_value(value) for key, value in first.items()}}
            for name, lost, whole, first in broken
        ),
        threshold=0.0,
    )
