"""Real results of public boards as panels: unbalanced as they are; the test skips where the files are absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from methods.harness.study import harness_tables
from resources.attempts.evidence import attempts_of
from warehouse.methodology import HarnessRules

RULES = HarnessRules(resamples=200, level=0.95, lower_quartile=0.25, search_limit=20000)


@pytest.fixture(scope="module")
def derived_dir(upstream_dir: Path) -> Path:
    return upstream_dir.parent / "derived"


def tables_of(rows: pl.DataFrame, benchmarks: list[dict[str, Any]], folder: Path) -> dict[str, pl.DataFrame]:
    """The tables of results as they were published, with the configurations that there are on each benchmark."""
    for benchmark in benchmarks:
        own = rows.filter(pl.col("benchmark") == benchmark["id"])
        pairs = own.select("model", "harness").unique().sort("model", "harness")
        benchmark["configurations"] = [list(pair) for pair in pairs.rows()]
        benchmark.setdefault("tasks", own["task"].n_unique())
        benchmark.setdefault("map", "outcome-only")
    panel = {
        "schema": "scoretrail.panel/1", "title": "As published", "benchmarks": benchmarks,
        "models": sorted(set(rows["model"])), "harnesses": sorted(set(rows["harness"])),
    }  # fmt: skip
    (folder / "panel.yaml").write_text(yaml.safe_dump(panel), encoding="utf-8")
    rows.write_csv(folder / "attempts.csv")
    return harness_tables(attempts_of([folder / "attempts.csv"], folder / "panel.yaml"), "s", RULES, 20261020)


def test_swe_bench_verified_per_instance(derived_dir: Path, tmp_path: Path) -> None:
    raw = pl.read_csv(derived_dir / "swebench_verified_per_instance.csv.gz", infer_schema=False)
    rows = raw.select("model", "harness", task="instance", score="resolved", benchmark=pl.lit("swe-bench-verified"))
    found = tables_of(rows, [{"id": "swe-bench-verified"}], tmp_path)
    [panel] = found["out__harness_panel"].rows(named=True)
    assert (panel["configurations"], panel["tasks"], panel["planned"], panel["missing"]) == (68, 500, 34000, 0)
    assert panel["reason_code"] == "unbalanced"
    assert panel["balanced_models"] == ["claude-opus-4-6", "claude-opus-4-7", "claude-sonnet-4-5"]
    assert panel["balanced_harnesses"] == ["Claude Code", "OpenHands"]
    assert len(panel["left_out_cells"]) == 68 - 6
    cells = {(row["model"], row["harness"]): row for row in found["out__harness_cell"].rows(named=True)}
    for (model, harness), own in raw.group_by("model", "harness"):
        resolved = own["resolved"].cast(pl.Int64).sum()
        assert cells[model, harness]["score"] == resolved / 500
        assert cells[model, harness]["clean"] is None
    verdicts = {row["panel"]: row for row in found["out__harness_verdict"].rows(named=True)}
    assert verdicts["declared"]["verdict"] is None
    assert verdicts["balanced"]["verdict"] in {"model", "harness", "interaction", "undecided"}
    assert "The records do not say how attempts ended." in verdicts["balanced"]["sentence"]
    same_model = found["out__harness_difference"].filter(pl.col("model_a") == pl.col("model_b"))
    met = raw.select("model", "harness").unique().group_by("model").len()["len"].to_list()
    assert same_model.height == sum(count * (count - 1) // 2 for count in met)


def test_openhands_index(upstream_dir: Path, tmp_path: Path) -> None:
    folder = upstream_dir / "openhands-index"
    if not folder.is_dir():
        pytest.skip("openhands-index is not among the upstream files")
    rows = []
    for path in sorted(folder.rglob("instance_results/*.json")):
        config = json.loads((path.parent.parent / "metadata.json").read_text(encoding="utf-8"))
        results = json.loads(path.read_text(encoding="utf-8"))
        rows += [
            (config["model"], config["agent_name"], path.stem, task, int(result["resolved"]))
            for task, result in results.items() if isinstance(result.get("resolved"), bool)
        ]  # fmt: skip
    names = ("model", "harness", "benchmark", "task", "score")
    frame = pl.DataFrame(rows, schema=dict(zip(names, (pl.String,) * 4 + (pl.Int64,), strict=True)), orient="row")
    frame = frame.unique(names[:4], keep="first", maintain_order=True)
    benchmarks = [{"id": name} for name in sorted(set(frame["benchmark"]))]
    found = tables_of(frame, benchmarks, tmp_path)
    assert found["out__harness_panel"]["recorded"].sum() == frame.height
    sub = found["out__harness_panel"].row(0, named=True)
    assert len(sub["balanced_models"]) >= 2
    assert len(sub["balanced_harnesses"]) >= 2
    own = found["out__harness_verdict"].filter(pl.col("panel") == "balanced")
    assert set(own["benchmark"]) == set(sub["balanced_benchmarks"])
    for row in found["out__harness_fault"].rows(named=True):
        assert row["fault"] in {"task_missing", "attempt_missing"}  # a board that did not report every task says so


def test_tau_bench_trials(derived_dir: Path, tmp_path: Path) -> None:
    raw = pl.read_csv(derived_dir / "tau_bench_gpt4o_airline_trials.csv", infer_schema=False)
    rows = raw.select("model", harness=pl.lit("tool calling"), task="task_id", repetition="trial", score="reward",
                      benchmark=pl.lit("airline"))  # fmt: skip
    trials = sorted(set(raw["trial"]), key=int)
    found = tables_of(rows, [{"id": "airline", "repetitions": trials}], tmp_path)
    [panel] = found["out__harness_panel"].rows(named=True)
    assert (panel["reason_code"], panel["recorded"]) == ("no_crossing", raw.height)
    [cell] = found["out__harness_cell"].rows(named=True)
    assert cell["score"] == pytest.approx(raw["reward"].cast(pl.Float64).mean())
    best = raw.group_by("task_id").agg(pl.col("reward").cast(pl.Float64).max())
    assert cell["best_of_r"] == pytest.approx(best["reward"].mean())


def test_multi_swe_bench_java(upstream_dir: Path, tmp_path: Path) -> None:
    folder = upstream_dir / "multi-swe-bench-java" / "evaluation" / "java" / "verified"
    if not folder.is_dir():
        pytest.skip("multi-swe-bench-java is not among the upstream files")
    rows = []
    for path in sorted(folder.glob("*/results/results.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        harness, _, model = path.parent.parent.name.partition("_")[2].partition("_")
        resolved = set(report["resolved"])
        applied = set(report["completed_ids"])
        tasks = sorted({*applied, *report.get("empty_patch_ids", []), *report.get("error_ids", [])})
        rows += [
            {"model": model, "harness": harness, "benchmark": "java", "task": task, "score": int(task in resolved),
             "status": "Submitted" if task in applied else "NoPatch", "patch_applied": task in applied}
            for task in tasks
        ]  # fmt: skip
    frame = pl.DataFrame(rows)
    found = tables_of(frame, [{"id": "java", "map": "swe-bench-45", "tasks": 91}], tmp_path)
    cells = found["out__harness_cell"]
    assert cells.height == 5
    for row in cells.rows(named=True):
        own = frame.filter(pl.col("model") == row["model"])
        assert row["score"] == own["score"].sum() / 91  # instances that were not submitted count
        assert row["clean"] == own["patch_applied"].sum() / 91
        assert row["recorded"] == own.height
    assert set(found["out__harness_panel"]["reason_code"]) == {"no_crossing"}  # one harness alone blames nobody
