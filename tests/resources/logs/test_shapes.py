"""Rows as samples and as attempts, written as JSON lines, CSV and Parquet: what is not known stays unknown there."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from resources.logs.documents import LogFileError
from resources.logs.rows import LOG_COLUMNS, LogRow, log_frame
from resources.logs.shapes import SHAPES, as_attempts, as_samples
from resources.logs.writing import write_rows

ROWS = [
    LogRow("f", "1", "a", "b1", system="s", score=1.0, score_status="scored", parse_status="parsed",
           is_valid_handoff=True, is_normal_termination=False, infrastructure_status="ok", slices={"lang": "=en"}),
    LogRow("f", "2", "b", "b1", system="s", score_status="errored", infrastructure_status="ok", status="timeout"),
    LogRow("f", "3", "c", "b1", system="s", score_status="errored", infrastructure_status="failed"),
    LogRow("f", "4", "d", "b1", system="s", score_status="not_run", status="not run"),
    LogRow("f", "5", "e", "b1", system="s", score=0.0, score_status="scored", parse_status="no_answer"),
]  # fmt: skip
FRAME = log_frame(ROWS, ["lang"])


def test_samples() -> None:
    found = as_samples(FRAME)
    assert found["infrastructure_status"].to_list() == ["ok", "ok", "failed", "failed", None]
    assert found["parse_status"].to_list() == ["ok", None, None, None, "failed"]
    assert found["score"].to_list() == [1.0, None, None, None, 0.0]
    assert found["task"].to_list() == list("abcde")
    assert found["slice_lang"].to_list() == ["=en", None, None, None, None]


def test_an_attempt_without_a_score_is_what_the_user_says() -> None:
    laid = as_samples(FRAME, "infrastructure")
    assert laid["infrastructure_status"].to_list() == ["ok", "failed", "failed", "failed", None]
    zero = as_samples(FRAME, "zero")
    assert zero["score"].to_list() == [1.0, 0.0, None, None, 0.0]
    assert zero["infrastructure_status"].to_list() == as_samples(FRAME)["infrastructure_status"].to_list()


def test_tasks_of_several_benchmarks_keep_apart() -> None:
    two = log_frame([LogRow("f", "1", "t", "b1", system="s"), LogRow("f", "2", "t", "b2", system="s")])
    assert as_samples(two)["task"].to_list() == ["b1/t", "b2/t"]


def test_attempts() -> None:
    found = as_attempts(FRAME)
    assert found["normal_termination"].to_list() == ["false", None, None, None, None]
    assert found["valid_handoff"].to_list() == ["true", None, None, None, None]
    assert found["repetition"].to_list() == ["1"] * 5


@pytest.mark.parametrize("shape", list(SHAPES))
def test_files_hold_what_was_read(tmp_path: Path, shape: str) -> None:
    frame = SHAPES[shape](FRAME, "null")
    for suffix in ("jsonl", "csv", "parquet"):
        write_rows(frame, tmp_path / f"x.{suffix}")
    assert pl.read_parquet(tmp_path / "x.parquet").equals(frame)
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert lines == frame.rows(named=True)
    cells = pl.read_csv(tmp_path / "x.csv", infer_schema=False)
    assert cells["slice_lang"][0] == "'=en", "a spreadsheet must not run it"
    assert cells["score"].to_list() == ["1.0", None, None, None, "0.0"]
    with pytest.raises(LogFileError, match=r"\.jsonl, \.csv, \.parquet"):
        write_rows(frame, tmp_path / "x.xlsx")


def test_every_column_is_declared() -> None:
    assert list(log_frame([]).columns) == list(LOG_COLUMNS)
