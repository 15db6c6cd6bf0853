"""Files of attempts: every form reads alike, and every fault is said by file, row and field."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from methods.harness.study import harness_tables
from resources.attempts.evidence import attempts_of, files_to_register, read_attempts
from resources.attempts.record_files import record_batches
from resources.evidence_store import EvidenceError
from resources.logs.rows import LogRow, log_frame
from resources.logs.writing import write_rows
from warehouse.harness_words import GATING_FAULTS
from warehouse.methodology import HarnessRules

RULES = HarnessRules(resamples=50, level=0.95, lower_quartile=0.25, search_limit=100)
PANEL = """\
schema: scoretrail.panel/1
title: Two by two
models: [a, "2024-11-20"]
harnesses: [x, y]
benchmarks:
  - {id: b, map: stated, tasks: 2, repetitions: 2}
"""
Rows = list[dict[str, Any]]


def rows() -> Rows:
    return [
        {"model": model, "harness": harness, "benchmark": "b", "task": task, "repetition": repetition, "score": 0.5,
         "normal_termination": True, "valid_handoff": task == "1.10", "tokens": 12, "seconds": 1.5}
        for model in ("a", "2024-11-20") for harness in ("x", "y") for task in ("1.10", "1.1") for repetition in (1, 2)
    ]  # fmt: skip


@pytest.fixture
def panel(tmp_path: Path) -> Path:
    path = tmp_path / "panel.yaml"
    path.write_text(PANEL, encoding="utf-8")
    return path


def csv_file(path: Path, records: Rows) -> Path:
    pl.DataFrame(records).write_csv(path)
    return path


def test_csv_json_lines_and_parquet_read_alike(tmp_path: Path, panel: Path) -> None:
    frame = pl.DataFrame(rows())
    frame.write_csv(tmp_path / "a.csv")
    frame.write_ndjson(tmp_path / "a.jsonl")
    frame.write_parquet(tmp_path / "a.parquet")
    frame.with_columns(pl.col("model", "task").cast(pl.Categorical)).write_parquet(tmp_path / "coded.parquet")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress((tmp_path / "a.jsonl").read_bytes()))
    found = [
        harness_tables(attempts_of([tmp_path / name], panel), "s", RULES, 1)
        for name in ("a.csv", "a.jsonl", "a.parquet", "coded.parquet", "b.csv.gz", "b.jsonl.gz")
    ]
    assert set(found[0]["out__harness_cell"]["model"]) == {"a", "2024-11-20"}
    assert found[0]["out__harness_cell"]["score"].to_list() == [0.5] * 4
    assert found[0]["out__harness_cell"]["clean"].to_list() == [0.5] * 4
    assert found[0]["out__harness_unique"].height == 0
    for other in found[1:]:
        assert all(frame.equals(other[name]) for name, frame in found[0].items())


def test_what_import_writes_is_read_as_it_is(tmp_path: Path, panel: Path) -> None:
    said = {"score": 0.5, "is_normal_termination": True, "is_valid_handoff": True, "total_tokens": 5}
    logged = [
        LogRow("run.json", "0", row["task"], "b", model=row["model"], harness=row["harness"], trial=row["repetition"],
               score_status="scored", **said)
        for row in rows()
    ]  # fmt: skip
    logged[0] = LogRow("run.json", "0", "1.10", "b", model="a", harness="x", trial=1, score_status="not_run")
    for name in ("log.jsonl", "log.csv", "log.parquet"):
        write_rows(log_frame(logged), tmp_path / name)
        evidence = attempts_of([tmp_path / name], panel)
        assert evidence.rows == 15
        assert evidence.faults["fault"].to_list() == ["attempt_missing"]
        assert int(evidence.grids[0].clean.sum()) == 15


def test_faults_are_named(tmp_path: Path, panel: Path) -> None:
    records = rows()
    changed = [{**row} for row in records]
    changed[3]["score"] = 1.5
    extra = {**records[0], "score": 0.25}
    stranger = {**records[0], "model": "nobody planned"}
    gone = [row for row in changed if not (row["harness"] == "y" and row["model"] == "a" and row["task"] == "1.1")]
    path = csv_file(tmp_path / "a.csv", [*gone, extra, records[5], stranger])
    evidence = attempts_of([path], panel)
    told = {row["fault"]: row for row in evidence.faults.rows(named=True)}
    assert set(told) == {"duplicate", "exact_duplicate", "unplanned", "score_out_of_range", "task_missing"}
    assert (told["duplicate"]["file"], told["duplicate"]["row"]) == ("a.csv", 15)
    assert told["unplanned"]["model"] == "nobody planned"
    assert told["score_out_of_range"]["task"] == "1.1"
    assert (told["task_missing"]["model"], told["task_missing"]["harness"], told["task_missing"]["task"]) == (
        "a",
        "y",
        "1.1",
    )
    cells = harness_tables(evidence, "s", RULES, 1)["out__harness_cell"]
    [cell] = cells.filter((pl.col("model") == "a") & (pl.col("harness") == "x")).rows(named=True)
    assert cell["score"] == (0.25 + 0.5 + 0.5 + 0) / 4  # the lower of the two records; the impossible score is 0


def test_a_cell_without_any_record_is_zero_and_named(tmp_path: Path, panel: Path) -> None:
    path = csv_file(tmp_path / "a.csv", [row for row in rows() if (row["model"], row["harness"]) != ("a", "y")])
    evidence = attempts_of([path], panel)
    [fault] = evidence.faults.rows(named=True)
    assert (fault["fault"], fault["attempts"]) == ("cell_missing", 4)
    cells = harness_tables(evidence, "s", RULES, 1)["out__harness_cell"]
    assert cells.filter((pl.col("model") == "a") & (pl.col("harness") == "y"))["score"].to_list() == [0.0]


def test_unreadable_and_missing_scores_are_told_apart(tmp_path: Path, panel: Path) -> None:
    lines = [json.dumps(row) for row in rows()]
    lines[0] = lines[0].replace('"score": 0.5', '"score": "about half"')
    lines[1] = lines[1].replace('"score": 0.5', '"score": null')
    lines[2] = lines[2].replace('"score": 0.5', '"score": NaN')
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    faults = attempts_of([path], panel).faults
    assert faults["fault"].to_list() == ["score_unreadable", "score_unreadable", "score_missing"]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_an_effort_that_cannot_be_read_is_told_and_one_that_is_missing_is_not(
    form: str, tmp_path: Path, panel: Path
) -> None:
    """Unreadable is not missing: each is a fault with its row; the record counts, its effort is not known."""
    made = [{**row, "tokens": "10", "seconds": "1.5"} for row in rows()]
    made[1] |= {"tokens": "many", "seconds": "-1"}
    made[2] |= {"tokens": "1e300", "seconds": "soon"}
    made[3] |= {"tokens": None, "seconds": None}
    frame = pl.DataFrame(
        [{name: None if value is None else str(value).lower() for name, value in row.items()} for row in made]
    )
    path = tmp_path / f"a.{form}"
    {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}[form](path)
    evidence = attempts_of([path], panel)
    told = sorted(evidence.faults.select("fault", "row").rows())
    assert told == [(f"{name}_unreadable", row) for name in ("seconds", "tokens") for row in (2, 3)]
    assert evidence.faults["detail"][0] == "tokens is no number from 0; it counts as not tracked"
    [grid] = evidence.grids
    assert (grid.tokens == 10).sum() == grid.recorded.sum() - 3
    assert not set(evidence.faults["fault"]) & set(GATING_FAULTS)


def test_efforts_that_cannot_be_are_not_stated(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "model,harness,task,score,tokens,seconds\n"
        + "".join(f"a,x,1,1,{tokens},{seconds}\n" for tokens, seconds in (("1.6", "2.5"), ("-5", "-1"), ("x", "1e308")))
    )
    [batch] = record_batches(tmp_path / "a.csv", ())
    assert batch.tokens.tolist() == [2, 0, 0]
    assert batch.seconds.tolist() == pytest.approx([2.5, float("nan"), float("nan")], nan_ok=True)


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl.gz"])
@pytest.mark.parametrize("broken", ["cut off", "changed", "no gzip"])
def test_broken_gzip_is_said(tmp_path: Path, name: str, broken: str) -> None:
    whole = gzip.compress(json.dumps({"model": "a", "harness": "x", "task": "1", "score": 1}).encode() * 50)
    data = {"cut off": whole[:-12], "changed": whole[:12] + b"\xff" * 8 + whole[20:], "no gzip": b"model"}[broken]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(EvidenceError, match=name):
        list(record_batches(tmp_path / name, ()))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "model,harness,task\na,x,1\n", "a.csv: has no column score"),
        ("a.csv", "harness,task,score\nx,1,1\n", "a.csv: has no column model"),
        ("a.csv", "model,harness,task,score,score\na,x,1,1,1\n", "column 'score' stands there more than once"),
        ("a.csv", "model,harness,task,score\na,x,1,1\n", "has no column normal_termination"),
        ("a.csv", "a;b\n1;2\n", "the heading has none of the columns"),
        ("a.jsonl", '{"model": "a"\n', "a.jsonl, row 1: not JSON"),
        ("a.jsonl", "[1]\n", "a.jsonl, row 1: is no object"),
        ("a.jsonl", '{"model": {"id": 1}, "score": 1}\n', "a.jsonl, row 1, model: holds dict"),
        ("a.jsonl", '{"trial": 1, "repetition": 1, "score": 1}\n', "columns repetition and trial mean the same"),
        ("a.parquet", "no parquet", "a.parquet: is no readable parquet file"),
        ("a.xlsx", "", "a.xlsx: records are read from files named"),
    ],
)
def test_what_cannot_be_read_is_said(name: str, text: str, said: str, tmp_path: Path, panel: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EvidenceError, match=said.replace("(", r"\(")):
        attempts_of([path], panel)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("map: stated", "map: statd", "no status map statd"),
        ("models: [a,", "models: [a, a,", "models repeat: a"),
        ("tasks: 2", "tasks: 1", "plans 1 tasks, the records name 2"),
        ("tasks: 2", "tusks: 2", "panel.yaml:6: benchmarks\\[0\\].tusks: unknown key"),
        ("repetitions: 2", "repetitions: 0", "panel.yaml:6"),
        ("tasks: 2", "tasks: 900000000", "GB of memory, and 20,000,000 is the most; make several panels"),
        ("title: Two by two", "title: &x Two", "anchors are not read"),
        ("harnesses: [x, y]", 'harnesses: [x, "*"]', "stands for all of them"),
    ],
)
def test_what_is_wrong_with_a_panel_is_said(old: str, new: str, said: str, tmp_path: Path, panel: Path) -> None:
    panel.write_text(PANEL.replace(old, new), encoding="utf-8")
    with pytest.raises(EvidenceError, match=said):
        attempts_of([csv_file(tmp_path / "a.csv", rows())], panel)


def test_tasks_that_only_were_counted_and_nobody_tried_count_too(tmp_path: Path, panel: Path) -> None:
    panel.write_text(PANEL.replace("tasks: 2", "tasks: 4"), encoding="utf-8")
    evidence = attempts_of([csv_file(tmp_path / "a.csv", rows())], panel)
    assert evidence.grids[0].block.shape == (4, 4, 2)
    assert set(evidence.faults["task"]) == {"(unseen 1)", "(unseen 2)"}


def test_evidence_is_whole_in_itself(tmp_path: Path, panel: Path) -> None:
    path = csv_file(tmp_path / "a.csv", rows())
    folder = tmp_path / "evidence"
    folder.mkdir()
    for file in files_to_register([path], panel):
        (folder / file.name).write_bytes(file.read_bytes())
    assert {file.name for file in folder.iterdir()} == {"a.csv", "panel.yaml", "stated.yaml"}
    assert read_attempts(folder).rows == 16
    (folder / "stated.yaml").rename(tmp_path / "stated.yaml")
    with pytest.raises(EvidenceError, match="the status map stated is not among the files"):
        read_attempts(folder)
    (tmp_path / "stated.yaml").rename(folder / "stated.yaml")
    (folder / "panel.yaml").unlink()
    with pytest.raises(EvidenceError, match="0 files declare a panel"):
        read_attempts(folder)


def test_a_status_that_a_complete_map_does_not_name_is_told(tmp_path: Path, panel: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "schema: scoretrail.status-map/1\nid: own\ntitle: Own\noutcome: continuous\n"
        "normal_termination:\n  - {status: [done]}\nvalid_handoff:\n  - {score: finite}\n"
        "known:\n  status: [done, timeout]\nstages: {timeout: environment}\n",
        encoding="utf-8",
    )
    panel.write_text(PANEL.replace("map: stated", "map: own"), encoding="utf-8")
    records = [{**row, "status": "done"} for row in rows()]
    records[0]["status"], records[1]["status"] = "Done", "timeout"
    evidence = attempts_of([csv_file(tmp_path / "a.csv", records)], panel, [own])
    [fault] = evidence.faults.rows(named=True)
    assert (fault["fault"], fault["row"], fault["detail"]) == (
        "status_unknown", 1, "status is none that the map own knows",
    )  # fmt: skip
    stages = harness_tables(evidence, "s", RULES, 1)["out__harness_stage"]
    assert set(stages["stage"]) == {"environment", "termination"}


def test_a_misspelt_normal_end_is_shown_where_a_map_takes_any_status(tmp_path: Path, panel: Path) -> None:
    panel.write_text(PANEL.replace("map: stated", "map: loca-bench"), encoding="utf-8")
    records = [{**row, "score": 1, "status": "success"} for row in rows()]
    records[0]["status"] = "succes"
    evidence = attempts_of([csv_file(tmp_path / "a.csv", records)], panel)
    assert evidence.other_statuses == {"b": {"succes": 1}}
