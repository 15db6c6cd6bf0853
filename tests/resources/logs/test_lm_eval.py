"""Logs of lm-evaluation-harness: the chosen metric and filter, parse failures, and a refusal to guess."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tool_logs import lm_eval_line, write_lm_eval

from resources.logs.documents import LogFileError
from resources.logs.options import LogOptions
from resources.logs.reading import read_logs

GENERATED = [
    lm_eval_line(0, {"exact_match": 1.0}, "strict"),
    lm_eval_line(1, {"exact_match": 0.0}, "strict", "[invalid]"),
    lm_eval_line(0, {"exact_match": 1.0}, "flexible"),
    lm_eval_line(1, {"exact_match": 1.0}, "flexible"),
]


def test_the_chosen_filter(tmp_path: Path) -> None:
    write_lm_eval(tmp_path / "m", "gsm8k", GENERATED, higher_is_better={"gsm8k": {"exact_match": True}})
    table = read_logs("lm-eval", tmp_path, LogOptions(scores=("exact_match,strict",)))
    rows = table.frame.rows(named=True)
    assert [(row["task"], row["score"], row["parse_status"]) for row in rows] == [
        ("0", 1.0, "parsed"),
        ("1", 0.0, "failed"),
    ]
    assert {row["model"] for row in rows} == {"org/model-1b"}
    first = rows[0]
    assert (first["benchmark"], first["sample_hash"], first["is_higher_better"]) == ("gsm8k", "h0", True)
    assert (first["is_normal_termination"], first["seconds"], first["total_tokens"]) == (None, None, None)
    assert any("strict of the scores" in note for note in table.notes)


@pytest.mark.parametrize("scores", [(), ("exact_match",), ("f1",)])
def test_which_score_is_never_guessed(tmp_path: Path, scores: tuple[str, ...]) -> None:
    write_lm_eval(tmp_path, "gsm8k", GENERATED)
    with pytest.raises(LogFileError, match="name one with --score: exact_match,flexible, exact_match,strict"):
        read_logs("lm-eval", tmp_path, LogOptions(scores=scores))


def test_a_fallback_that_the_task_declares(tmp_path: Path) -> None:
    configs = {"t": {"filter_list": [{"name": "re", "filter": [{"function": "regex", "fallback": "none found"}]}]}}
    lines = [lm_eval_line(0, {"acc": 0.0}, "re", "none found"), lm_eval_line(1, {"acc": 0.0}, "re", "[invalid]")]
    write_lm_eval(tmp_path, "t", lines, configs=configs)
    assert read_logs("lm-eval", tmp_path).frame["parse_status"].to_list() == ["failed", "parsed"]


def test_likelihoods_have_no_parse_status_and_corpus_statistics_no_score(tmp_path: Path) -> None:
    write_lm_eval(tmp_path, "mc", [lm_eval_line(0, {"bleu": ["a", "b"]}, answer=["-0.1", "False"])])
    row = read_logs("lm-eval", tmp_path).frame.row(0, named=True)
    assert (row["parse_status"], row["score"], row["score_status"]) == ("not_tracked", None, "undefined")
    assert row["raw_score"] == '["a", "b"]'


def test_lines_of_older_versions(tmp_path: Path) -> None:
    old = {key: value for key, value in lm_eval_line(0, {"acc": 1.0}).items() if key not in ("filter", "metrics")}
    write_lm_eval(tmp_path, "t", [old])
    row = read_logs("lm-eval", tmp_path).frame.row(0, named=True)
    assert (row["score"], row["scorer"]) == (1.0, "acc,none")


def test_broken_lines_are_named_and_a_file_alone_has_no_model(tmp_path: Path) -> None:
    path = write_lm_eval(tmp_path, "t", [lm_eval_line(0, {"acc": 1.0})])
    path.write_text(path.read_text() + "{\n" + '{"acc": 1.0}\n')
    packed = tmp_path / "alone" / (path.name + ".gz")
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(path.read_bytes()))
    table = read_logs("lm-eval", packed.parent, LogOptions(model="mine"))
    assert table.frame["system"].to_list() == ["mine"]
    assert ["line 2" in table.problems[0], "line 3: states no doc_id" in table.problems[1]] == [True, True]
    assert any("model and filters are not known" in note for note in table.notes)
    packed.write_bytes(packed.read_bytes()[:-10])
    with pytest.raises(LogFileError, match="cut short"):
        read_logs("lm-eval", packed.parent)


def test_another_name_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(LogFileError, match=r"samples_<task>_<time>\.jsonl"):
        read_logs("lm-eval", tmp_path)
