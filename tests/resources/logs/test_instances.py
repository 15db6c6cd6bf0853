"""Instance files of every-eval-ever: one row a line, repeats numbered, what is not stated not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from resources.logs.documents import LogFileError
from resources.logs.options import LogOptions
from resources.logs.reading import read_logs

ATTRIBUTION = {
    "turn_idx": 0, "source": "output.raw", "extracted_value": "a", "extraction_method": "exact_match",
    "is_terminal": True,
}  # fmt: skip


def line(sample: str, score: float | None, **more: Any) -> dict[str, Any]:
    judged = {"score": score, "is_correct": bool(score), "num_turns": 2}
    return {
        "schema_version": "0.3.0", "evaluation_id": "e", "model_id": "org/m", "evaluation_name": "GSM8K",
        "sample_id": sample, "interaction_type": "single_turn", "input": {"raw": "q", "reference": ["a"]},
        "output": {"raw": ["a"]}, "answer_attribution": [ATTRIBUTION], "evaluation": judged, "metadata": {"lang": "en"},
        "token_usage": {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}, "performance": {"latency_ms": 1500},
    } | more  # fmt: skip


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_line_is_a_row(tmp_path: Path) -> None:
    written(tmp_path / "x.jsonl", line("a", 1), line("a", 0), line("b", 0.5, error="refused", token_usage=None))
    rows = read_logs("every-eval-ever-instances", tmp_path, LogOptions(slices=("lang",))).frame.rows(named=True)
    assert [(row["task"], row["trial"], row["score"]) for row in rows] == [("a", 1, 1.0), ("a", 2, 0.0), ("b", 1, 0.5)]
    first, last = rows[0], rows[2]
    assert (first["system"], first["benchmark"], first["seconds"], first["steps"]) == ("org/m", "GSM8K", 1.5, 2)
    assert (first["total_tokens"], first["parse_status"], first["slice_lang"]) == (10, "parsed", "en")
    assert (first["is_normal_termination"], last["is_normal_termination"], last["total_tokens"]) == (None, False, None)
    assert last["locator"] == "line 3"


def test_one_evaluation_of_several(tmp_path: Path) -> None:
    written(tmp_path / "x.jsonl", line("a", 1), line("a", 0, evaluation_name="MATH"))
    table = read_logs("every-eval-ever-instances", tmp_path)
    assert table.frame.height == 2 and "GSM8K, MATH" in table.notes[0]
    chosen = read_logs("every-eval-ever-instances", tmp_path, LogOptions(scores=("MATH",)))
    assert chosen.frame["score"].to_list() == [0.0]
    with pytest.raises(LogFileError, match="GSM8K, MATH"):
        read_logs("every-eval-ever-instances", tmp_path, LogOptions(scores=("none",)))


def test_a_broken_file_hides_no_other(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", line("a", 1))
    written(tmp_path / "b.jsonl", {"schema_version": "0.2"})
    table = read_logs("every-eval-ever-instances", tmp_path)
    assert table.frame.height == 1 and "b.jsonl, line 1" in table.problems[0]


def test_a_line_that_the_schema_refuses_hides_no_other(tmp_path: Path) -> None:
    """No number is made up for a sample that states none: it is listed and left out, and its file is read on."""
    written(tmp_path / "a.jsonl", line("a", 1), line("b", None), line("c", 0, output=None), line("d", 1))
    table = read_logs("every-eval-ever-instances", tmp_path)
    assert table.frame["task"].to_list() == ["a", "d"]
    assert table.problems == (
        "a.jsonl, line 2: evaluation.score: must be a number",
        "a.jsonl, line 3: output must be given where interaction_type is single_turn",
    )
