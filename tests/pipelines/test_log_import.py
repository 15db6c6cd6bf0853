"""`scoretrail import` of attempts: what it writes, what it says, and how mistakes end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest
from small_homes import call

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources" / "logs"))

from tool_logs import harbor_trial, inspect_header, inspect_sample, lm_eval_line, write_eval, write_json, write_lm_eval


@pytest.fixture
def evals(tmp_path: Path) -> Path:
    samples = [inspect_sample("one", 1, "C"), inspect_sample("two", 1, "I"), inspect_sample("bad", 1, error="broke")]
    write_eval(tmp_path / "logs" / "a.eval", inspect_header(["one", "two", "bad", "gone"]), samples)
    return tmp_path / "logs"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()


def test_samples_of_inspect(evals: Path, tmp_path: Path) -> None:
    out = tmp_path / "samples.parquet"
    ran = call("import", evals, "--format", "inspect", "--as", "samples", "--out", out, "--slice", "lang", "--json")
    assert ran.code == 0, ran.said
    assert ran.json["score_status"] == {"errored": 1, "not_run": 1, "scored": 2}
    assert ran.json["not_tracked"] == ["cost_usd"]
    frame = pl.read_parquet(out)
    assert frame.select("system", "task", "score", "infrastructure_status", "slice_lang").rows() == [
        ("mockllm/model", "one", 1.0, "ok", "en"), ("mockllm/model", "two", 0.0, "ok", "en"),
        ("mockllm/model", "bad", None, "failed", "en"), ("mockllm/model", "gone", None, "failed", None),
    ]  # fmt: skip


def test_attempts_of_harbor(tmp_path: Path) -> None:
    write_json(tmp_path / "logs" / "t__a" / "result.json", harbor_trial("t", "t__a", 1.0))
    write_json(tmp_path / "logs" / "u__a" / "result.json", "{")
    out = tmp_path / "attempts.jsonl"
    ran = call("import", tmp_path / "logs", "--format", "harbor", "--as", "attempts", "--out", out, "--model", "mine")
    assert ran.code == 0, ran.said
    assert "1 attempts" in ran.out and "Not tracked" not in ran.out
    row = json.loads(out.read_text())
    assert (row["model"], row["repetition"], row["normal_termination"], row["tokens"]) == ("mine", "1", "true", 1500)


def test_what_cannot_be_read_is_listed(evals: Path, tmp_path: Path) -> None:
    (evals / "b.eval").write_bytes(b"PK")
    ran = call("import", evals, "--format", "inspect", "--out", tmp_path / "x.csv")
    assert ran.code == 1 and "b.eval" in ran.err and "4 attempts" in ran.out


def test_mistakes(evals: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    write_lm_eval(tmp_path / "lm", "t", [lm_eval_line(0, {"acc": 1.0, "acc_norm": 0.0})])
    for arguments, said in (
        ((evals, "--format", "inspect", "--leaderboard", "x"), "--leaderboard, --unit"),
        ((evals, "--leaderboard", "x", "--score", "match"), "--score"),
        ((evals,), "--leaderboard: name"),
        ((tmp_path / "none", "--format", "inspect"), "no such file"),
        ((tmp_path / "lm", "--format", "lm-eval"), "acc,none, acc_norm,none"),
        ((tmp_path / "lm", "--format", "inspect"), "no log of Inspect"),
    ):
        ran = call("import", *arguments, "--out", out)
        assert ran.code == 2 and said in ran.err, ran.said
    assert not out.exists()
    assert call("import", evals, "--format", "inspect", "--out", tmp_path / "x.txt").code == 2


def test_a_file_that_is_no_log_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("no log\n")
    ran = call("import", str(tmp_path / "page.md"), "--format", "inspect", "--out", str(tmp_path / "x.parquet"))
    assert ran.code == 2
    assert ran.err.count("page.md") == 1
