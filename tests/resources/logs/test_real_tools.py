"""Logs that the tools themselves write: their own figures come out of the rows again.

The tools are the extra group `logs`. Where this environment has them not, another one may: its Python is named by
SCORETRAIL_LOGS_PYTHON. Where neither is so, these tests skip, saying so.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from resources.logs.options import LogOptions
from resources.logs.reading import read_logs

RUNS = Path(__file__).with_name("tool_runs.py")
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "DO_NOT_TRACK": "1"}


def run_tool(package: str, name: str, folder: Path, runs: Path = RUNS) -> Path:
    python = os.environ.get("SCORETRAIL_LOGS_PYTHON") or sys.executable
    asked = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
    missing = (
        importlib.util.find_spec(package) is None
        if python == sys.executable
        else subprocess.run([python, "-c", asked], check=False).returncode != 0
    )
    if missing:
        pytest.skip(
            f"{package} is not installed: pip install 'scoretrail[logs]', or SCORETRAIL_LOGS_PYTHON names its Python"
        )
    home = {
        "HF_HOME": str(folder / "hf"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    ran = subprocess.run(
        [python, str(runs), name, str(folder)], cwd=folder, env={**os.environ, **OFFLINE, **home}, capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def inspect_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_tool("inspect_ai", "inspect", tmp_path_factory.mktemp("inspect"))


@pytest.fixture(scope="module")
def lm_eval_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_tool("lm_eval", "lm-eval", tmp_path_factory.mktemp("lm_eval"))


@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspects_own_accuracy(inspect_logs: Path, form: str) -> None:
    table = read_logs("inspect", inspect_logs / form, LogOptions(slices=("lang",)))
    assert not table.problems
    frame = table.frame
    assert frame.height == 3 * 2 + 1
    errored = frame.filter(score_status="errored")
    assert errored.select("task", "trial", "error").sort("trial").rows() == [
        ("bad", 1, "ValueError('sandbox down')"), ("bad", 2, "ValueError('sandbox down')"),
    ]  # fmt: skip
    assert errored["total_tokens"].null_count() == 2
    scored = frame.filter(score_status="scored")
    assert scored["total_tokens"].unique().to_list() == [13] and scored["slice_lang"].unique().to_list() == ["en"]
    assert dict(frame.group_by("benchmark").agg(pl.col("harness").first()).rows())["plain"] is None


def test_inspects_own_figures_in_its_header(inspect_logs: Path) -> None:
    for path in (inspect_logs / "json").glob("*.json"):
        log: dict[str, Any] = json.loads(path.read_text())
        stated = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
        scored = read_logs("inspect", path).frame.filter(score_status="scored")
        of_tasks = scored.group_by("task").agg(pl.col("score").mean())
        assert of_tasks["score"].mean() == pytest.approx(stated, abs=1e-12)


def test_a_limit_and_a_score_of_parts(inspect_logs: Path) -> None:
    table = read_logs("inspect", inspect_logs / "long", LogOptions(scores=("parts.b",)))
    row = table.frame.row(0, named=True)
    assert (row["status"], row["is_normal_termination"], row["score"]) == ("limit: message", False, 0.5)
    assert row["total_tokens"] == 13 * row["steps"] and row["infrastructure_status"] == "ok"


def test_lm_evals_own_figures(lm_eval_logs: Path) -> None:
    table = read_logs("lm-eval", lm_eval_logs / "logs", LogOptions(scores=("acc", "exact_match,strict")))
    assert not table.problems and table.frame.height == 6
    results = json.loads(next((lm_eval_logs / "logs").rglob("results_*.json")).read_text())["results"]
    means = dict(table.frame.group_by("benchmark").agg(pl.col("score").mean()).rows())
    assert means["mini_mc"] == pytest.approx(results["mini_mc"]["acc,none"], abs=1e-12)
    assert means["mini_gen"] == results["mini_gen"]["exact_match,strict"]
    parsed = dict(table.frame.group_by("benchmark").agg(pl.col("parse_status").first()).rows())
    assert parsed == {"mini_gen": "failed", "mini_mc": "not_tracked"}, "the mock model never answers with digits"
    assert table.frame["model"].unique().to_list() == ["dummy"]
