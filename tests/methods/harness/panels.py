"""Small panels and records for tests: rows as dictionaries into batches, specifications in a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from methods.harness.grid import GridBuilder, HarnessEvidence
from methods.harness.plan import counted_environments, plan_of
from methods.harness.records import SCORE_MISSING, SCORE_OK, Batch, Column
from methods.harness.study import harness_tables
from warehouse.harness_panel import PanelSpec, StatusMap
from warehouse.methodology import HarnessRules

SEED = 20261020
RULES = HarnessRules(resamples=400, level=0.95, lower_quartile=0.25, search_limit=20000)
STATED = StatusMap.model_validate(
    {
        "schema": "scoretrail.status-map/1", "id": "stated", "title": "stated", "outcome": "continuous",
        "normal_termination": [{"normal_termination": ["true"]}], "valid_handoff": [{"valid_handoff": ["true"]}],
    }
)  # fmt: skip
HUNDRED = STATED.model_copy(update={"id": "hundred", "scale": 100})
OUTCOME = STATED.model_copy(update={"id": "outcome", "normal_termination": None, "valid_handoff": None})
MAPS = {one.id: one for one in (STATED, HUNDRED, OUTCOME)}

Row = Mapping[str, Any]


def panel(
    models: Sequence[str], harnesses: Sequence[str], benchmarks: Sequence[Mapping[str, Any]], **more: Any
) -> PanelSpec:
    return PanelSpec.model_validate(
        {
            "schema": "scoretrail.panel/1", "title": "A panel", "models": models, "harnesses": harnesses,
            "benchmarks": benchmarks, **more,
        }
    )  # fmt: skip


def attempt(
    model: str,
    harness: str,
    benchmark: str,
    task: str,
    repetition: int | str,
    score: float | None,
    clean: bool = True,
    **more: Any,
) -> dict[str, Any]:
    ended = "true" if clean else "false"
    return {
        "model": model, "harness": harness, "benchmark": benchmark, "task": task, "repetition": str(repetition),
        "score": score, "normal_termination": ended, "valid_handoff": "true", **more,
    }  # fmt: skip


def batch(rows: Sequence[Row], file: str = "attempts.csv", first: int = 1) -> Batch:
    names = {name for row in rows for name in row} - {"score", "tokens", "seconds"}
    score = np.array([row.get("score") if row.get("score") is not None else 0.0 for row in rows], dtype=np.float64)
    state = np.array([SCORE_OK if row.get("score") is not None else SCORE_MISSING for row in rows], dtype=np.int8)
    return Batch(
        file, np.arange(first, first + len(rows), dtype=np.int64), {name: encoded(rows, name) for name in names}, score,
        state, np.array([row.get("tokens") or 0 for row in rows], dtype=np.int64),
        np.array([row["seconds"] if row.get("seconds") is not None else np.nan for row in rows], dtype=np.float64),
    )  # fmt: skip


def encoded(rows: Sequence[Row], name: str) -> Column:
    places: dict[str, int] = {}
    codes = [-1 if row.get(name) is None else places.setdefault(row[name], len(places)) for row in rows]
    return Column(tuple(places), np.array(codes, dtype=np.int32))


def evidence(spec: PanelSpec, rows: Sequence[Row], maps: Mapping[str, StatusMap] = MAPS) -> HarnessEvidence:
    wanted = counted_environments(spec)
    found: dict[tuple[str, str], set[str]] = {key: set() for key in wanted}
    for row in rows:
        for (benchmark, environment), tasks_found in found.items():
            if benchmark == row["benchmark"] and row.get("environment") in {None, environment}:
                tasks_found.add(row["task"])
    builder = GridBuilder(plan_of(spec, maps, found))
    builder.add(batch(rows))
    return builder.finish()


def tables(
    spec: PanelSpec, rows: Sequence[Row], rules: HarnessRules = RULES, maps: Mapping[str, StatusMap] = MAPS
) -> dict[str, pl.DataFrame]:
    return harness_tables(evidence(spec, rows, maps), "s", rules, SEED)


def crossing_rows(scores: np.ndarray, clean: np.ndarray, names: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Attempts of (benchmarks, models, harnesses, tasks, repetitions) arrays."""
    benchmarks, models, harnesses = names
    rows = []
    for b, m, h, t, r in product(*(range(size) for size in scores.shape)):
        one = attempt(models[m], harnesses[h], benchmarks[b], f"t{t:03d}", r + 1, float(scores[b, m, h, t, r]))
        rows.append({**one, "normal_termination": "true" if clean[b, m, h, t, r] else "false"})
    return rows
