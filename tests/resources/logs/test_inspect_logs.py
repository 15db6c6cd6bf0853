"""Logs of Inspect: every sample a row, what was planned and not run a row too, nothing missing a zero."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from tool_logs import ZSTD, inspect_header, inspect_sample, write_eval, write_json, zip_bytes

from resources.logs.documents import LogFileError
from resources.logs.inspect_scores import score_of
from resources.logs.options import LogOptions
from resources.logs.reading import read_logs

SAMPLES = [
    inspect_sample("one", 1, "C"),
    inspect_sample(7, 1, "I"),
    inspect_sample("bad", 1, error="ValueError('sandbox down')", model_usage={}),
    inspect_sample("long", 1, "N", limit="message"),
]
HEADER = inspect_header(["one", 7, "bad", "long", "never"])


@pytest.mark.parametrize("method", [ZSTD, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_an_archive(tmp_path: Path, method: int) -> None:
    write_eval(tmp_path / "a.eval", HEADER, SAMPLES, method)
    table = read_logs("inspect", tmp_path, LogOptions(slices=("lang",)))
    assert not table.problems
    rows = {row["task"]: row for row in table.frame.iter_rows(named=True)}
    assert [rows[task]["score"] for task in ("one", "7", "bad", "long", "never")] == [1.0, 0.0, None, 0.0, None]
    assert {row["score_status"] for row in rows.values()} == {"scored", "errored", "not_run"}
    one = rows["one"]
    assert (one["system"], one["benchmark"], one["locator"]) == ("mockllm/model", "arith", "samples/one_epoch_1.json")
    assert (one["input_tokens"], one["output_tokens"], one["total_tokens"], one["seconds"]) == (10, 3, 13, 0.453)
    assert (one["is_normal_termination"], one["is_valid_handoff"], one["slice_lang"]) == (True, True, "en")
    bad = rows["bad"]
    assert (bad["status"], bad["infrastructure_status"], bad["total_tokens"]) == ("error", "failed", None)
    assert (rows["long"]["status"], rows["long"]["parse_status"]) == ("limit: message", "no_answer")
    assert rows["long"]["is_normal_termination"] is False
    assert rows["never"]["status"] == "not run"


def test_a_plain_log_says_the_same(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", HEADER, SAMPLES)
    full = [one | {"error": {"message": one["error"]}} if "error" in one else one for one in SAMPLES]
    full = [one | {"limit": {"type": one["limit"], "limit": 30}} if "limit" in one else one for one in full]
    write_json(tmp_path / "b.json", HEADER | {"samples": full})
    packed = read_logs("inspect", tmp_path / "a.eval").frame.drop("file", "locator")
    assert packed.equals(read_logs("inspect", tmp_path / "b.json").frame.drop("file", "locator"))


def test_a_run_that_was_cut_off_is_read_from_its_journal(tmp_path: Path) -> None:
    start = {"version": 2, "eval": HEADER["eval"], "plan": HEADER["plan"]}
    members = {
        "_journal/start.json": json.dumps(start).encode(),
        "_journal/summaries/1.json": json.dumps(SAMPLES[:1]).encode(),
        "samples/7_epoch_1.json": json.dumps(SAMPLES[1]).encode(),
    }
    (tmp_path / "a.eval").write_bytes(zip_bytes(members))
    table = read_logs("inspect", tmp_path)
    assert table.frame["score_status"].to_list() == ["scored", "scored", "not_run", "not_run", "not_run"]
    assert any("status is started" in note for note in table.notes)


def test_a_retried_log_counts_a_sample_once(tmp_path: Path) -> None:
    """The retry is another file of the same task id: it keeps what was complete, and runs the rest again."""
    for name, created, last in (("b", "2026-01-01", SAMPLES[2]), ("a", "2026-01-02", SAMPLES[1] | {"id": "bad"})):
        header = inspect_header(["one", "bad", "more"], status="error" if name == "b" else "success")
        header["eval"] |= {"task_id": "T", "created": created}
        write_eval(tmp_path / f"{name}.eval", header, [SAMPLES[0], last])
    table = read_logs("inspect", tmp_path)
    assert not table.problems
    assert table.frame.select("task", "score_status", "file").rows() == [
        ("one", "scored", "a.eval"), ("bad", "scored", "a.eval"), ("more", "not_run", "a.eval"),
    ]  # fmt: skip
    assert "b.eval: retried as a.eval, which counts in its place; 1 samples were run again" in table.notes


def test_two_runs_are_refused_or_numbered_on(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", inspect_header(["one"]), SAMPLES[:1])
    write_eval(tmp_path / "b.eval", inspect_header(["one"]), [SAMPLES[0] | {"uuid": "another"}])
    assert "--repeats" in read_logs("inspect", tmp_path).problems[0]
    table = read_logs("inspect", tmp_path, LogOptions(are_repeats=True))
    assert not table.problems and table.frame["trial"].to_list() == [1, 2]


def test_which_score(tmp_path: Path) -> None:
    several = SAMPLES[0] | {"scores": {"match": {"value": "C"}, "multi": {"value": {"a": 1, "b": 0.5}}}}
    write_eval(tmp_path / "a.eval", inspect_header(["one"]), [several])
    assert read_logs("inspect", tmp_path).frame["score"].to_list() == [1.0]
    assert read_logs("inspect", tmp_path, LogOptions(scores=("multi.b",))).frame["score"].to_list() == [0.5]
    with pytest.raises(LogFileError, match=r"no score huh; .*match, multi\.a, multi\.b"):
        read_logs("inspect", tmp_path, LogOptions(scores=("huh",)))
    unclear = inspect_header(["one"])
    unclear["eval"]["scorers"], unclear["results"] = [{"name": "multi"}], None
    write_eval(tmp_path / "a.eval", unclear, [several])
    with pytest.raises(LogFileError, match="not clear"):
        read_logs("inspect", tmp_path)


def test_what_a_grader_used_is_not_the_systems(tmp_path: Path) -> None:
    usage = {
        "org/m": {"input_tokens": 5, "input_tokens_cache_read": 100, "output_tokens": 7, "total_tokens": 112,
                  "total_cost": 0.5},
        "org/judge": {"input_tokens": 50, "output_tokens": 1, "total_tokens": 51, "total_cost": 0.25},
    }  # fmt: skip
    sample = SAMPLES[0] | {"model_usage": usage, "role_usage": {"grader": usage["org/judge"]}}
    write_eval(tmp_path / "a.eval", inspect_header(["one"]), [sample])
    row = read_logs("inspect", tmp_path).frame.row(0, named=True)
    assert (row["input_tokens"], row["output_tokens"], row["total_tokens"], row["cost_usd"]) == (105, 7, 112, 0.5)


@pytest.mark.parametrize("costs", [(0.0,), (None,), (0.5, None)])
def test_a_cost_that_was_not_tracked_is_no_cost(tmp_path: Path, costs: tuple[float | None, ...]) -> None:
    usage = {f"m{at}": {"input_tokens": 1, "output_tokens": 1, "total_cost": cost} for at, cost in enumerate(costs)}
    write_eval(tmp_path / "a.eval", inspect_header(["one"]), [SAMPLES[0] | {"model_usage": usage}])
    row = read_logs("inspect", tmp_path).frame.row(0, named=True)
    assert (row["cost_usd"], row["cost_status"]) == (None, "not_tracked")


@pytest.mark.parametrize(
    ("value", "score"),
    [("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), (True, 1.0), (0.25, 0.25), ("yes", 1.0), ("0.5", 0.5),
     ("NaN", None), ("nan", None), ("so-so", None), (None, None), ([1], None), ({"a": 1}, None)],
)  # fmt: skip
def test_a_score_is_a_number_or_nothing(value: object, score: float | None) -> None:
    assert score_of(value) == score


def test_a_broken_log_is_named_and_hides_no_other(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", inspect_header(["one"]), SAMPLES[:1])
    (tmp_path / "b.eval").write_bytes((tmp_path / "a.eval").read_bytes()[:-40])
    write_json(tmp_path / "c.json", {"some": "listing"})
    table = read_logs("inspect", tmp_path)
    assert table.frame.height == 1
    assert [problem.split(":")[0] for problem in table.problems] == ["b.eval"]
    assert "c.json: no log of Inspect" in table.notes[0]
