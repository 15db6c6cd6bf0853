"""Results of SWE-bench and jobs of Harbor and Terminal-Bench: what became of each instance, and what is not known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tool_logs import harbor_trial, write_json

from resources.logs.documents import LogFileError
from resources.logs.options import LogOptions
from resources.logs.reading import read_logs

REPORT = {
    "total_instances": 6, "submitted_ids": ["a", "b", "c", "d", "lost"], "completed_ids": ["a", "b"],
    "resolved_ids": ["a"], "unresolved_ids": ["b"], "empty_patch_ids": ["c"], "error_ids": ["d"],
    "incomplete_ids": ["e"], "schema_version": 2,
}  # fmt: skip


JAVA = {"unresolved": 296, "not run": 96, "empty_patch": 38, "resolved": 24, "error": 1}


def test_a_report_of_a_run(tmp_path: Path) -> None:
    write_json(tmp_path / "model.run.json", REPORT)
    table = read_logs("swebench", tmp_path, LogOptions(model="m"))
    rows = {row["task"]: row for row in table.frame.iter_rows(named=True)}
    assert {task: (row["status"], row["score"], row["is_valid_handoff"]) for task, row in rows.items()} == {
        "a": ("resolved", 1.0, True), "b": ("unresolved", 0.0, True), "c": ("empty_patch", 0.0, False),
        "d": ("error", None, False), "e": ("not run", None, False),
    }  # fmt: skip
    assert rows["a"]["is_normal_termination"] is None, "the report does not say how the agent ended"
    assert ["lost was submitted" in table.problems[0], "6 instances planned, 5 named" in table.problems[1]] == [
        True,
        True,
    ]


def test_a_newer_report_tells_the_machinerys_failures_apart(tmp_path: Path) -> None:
    report = {"resolved_ids": ["a"], "unresolved_ids": ["b", "c"], "infra_failure_ids": ["b", "d"],
              "ambiguous_failure_ids": ["c"], "submitted_ids": ["a", "b", "c", "d"]}  # fmt: skip
    write_json(tmp_path / "r.json", report)
    table = read_logs("swebench", tmp_path)
    assert not table.problems
    found = {
        row["task"]: (row["status"], row["score"], row["infrastructure_status"]) for row in table.frame.rows(named=True)
    }
    assert found == {
        "a": ("resolved", 1.0, "not_tracked"), "b": ("infra_failure", 0.0, "failed"),
        "c": ("ambiguous_failure", 0.0, "not_tracked"), "d": ("infra_failure", None, "failed"),
    }  # fmt: skip


def test_lists_that_contradict_are_said(tmp_path: Path) -> None:
    write_json(tmp_path / "r.json", {"resolved_ids": ["a"], "unresolved_ids": ["a", 3]})
    table = read_logs("swebench", tmp_path)
    assert table.frame["status"].to_list() == ["resolved"]
    assert "called resolved too" in table.problems[0] and "must be the id" in table.problems[1]


def test_maps_of_instances_and_their_metadata(tmp_path: Path) -> None:
    write_json(tmp_path / "run" / "metadata.json", {"agent_name": "AgentX", "model": "M1"})
    write_json(
        tmp_path / "run" / "instances" / "swe.json",
        {"a": {"resolved": True, "cost": 0.5, "api_calls": 3}, "b": {"resolved": None, "cost": 0.0},
         "c": {"resolved": False, "patch_exists": False}, "d": {"resolved": False, "patch_successfully_applied": True},
         "e": {"resolved": False}},
    )  # fmt: skip
    rows = read_logs("swebench", tmp_path).frame.rows(named=True)
    assert {row["system"] for row in rows} == {"AgentX / M1"}
    assert [row["score"] for row in rows] == [1.0, None, 0.0, 0.0, 0.0]
    assert [row["score_status"] for row in rows][:2] == ["scored", "undefined"]
    assert [row["is_valid_handoff"] for row in rows] == [True, None, False, True, None]
    assert (rows[0]["cost_usd"], rows[0]["steps"], rows[1]["cost_usd"]) == (0.5, 3, None)


def test_several_models_are_never_one(tmp_path: Path) -> None:
    run = tmp_path / "verified" / "2024_AgentX"
    write_json(run / "results" / "results.json", {"resolved": ["a"], "no_generation": ["b"], "applied": ["a", "c"]})
    (run / "metadata.yaml").write_text("name: AgentX + M1 + M2\n")
    frame = read_logs("swebench", tmp_path).frame
    assert frame.select("harness", "model", "benchmark").unique().rows() == [("AgentX", "M1 + M2", "verified")]
    assert dict(frame.select("task", "status").rows()) == {"a": "resolved", "c": "unresolved", "b": "empty_patch"}


def test_a_table_and_other_files(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "harness,model,instance,resolved,cost,calls\nh,m,a,1,0.2,4\nh,m,b,,0.0,\nh,m,,1,,\n"
    )
    write_json(tmp_path / "scores.json", {"mean": 1})
    table = read_logs("swebench", tmp_path)
    assert table.frame.select("score", "cost_usd", "steps").rows() == [(1.0, 0.2, 4), (None, None, None)]
    assert "line 4, instance" in table.problems[0] and "left aside" in table.notes[0]
    (tmp_path / "t.csv").unlink()
    with pytest.raises(LogFileError, match="no file holds per-instance results"):
        read_logs("swebench", tmp_path)


def test_real_boards_are_read_whole(upstream_dir: Path) -> None:
    java = read_logs("swebench", upstream_dir / "multi-swe-bench-java")
    assert java.frame.height == 455 and not java.problems
    assert Counter(java.frame["status"]) == JAVA
    hands = read_logs("swebench", upstream_dir / "openhands-index" / "results" / "Nemotron-3-Nano")
    swt = hands.frame.filter(benchmark="swt-bench")
    assert (swt.height, swt["score"].null_count()) == (432, 406), "resolved: null is not false"


def test_trials_of_harbor(tmp_path: Path) -> None:
    timeout = {"exception_type": "AgentTimeoutError", "exception_message": "timed out", "exception_traceback": "…"}
    broken = {"exception_type": "EnvironmentStartTimeoutError", "exception_message": "no container"}
    odd = {"exception_type": "SomethingNew", "exception_message": "?"}
    trials = [
        harbor_trial("t1", "t1__a", 1.0), harbor_trial("t1", "t1__b", 0.0, started_at="2026-01-02T00:00:00Z"),
        harbor_trial("t2", "t2__a", 0.0, exception_info=timeout),
        harbor_trial("t3", "t3__a", None, exception_info=broken, agent_result=None),
        harbor_trial("t4", "t4__a", None, exception_info=odd, agent_result={"n_input_tokens": 0, "cost_usd": 0.0}),
    ]  # fmt: skip
    for trial in trials:
        write_json(tmp_path / "job" / trial["trial_name"] / "result.json", trial)
    write_json(tmp_path / "job" / "result.json", {"id": "j", "n_total_trials": 7, "stats": {"n_completed_trials": 5}})
    table = read_logs("harbor", tmp_path)
    rows = {(row["task"], row["trial"]): row for row in table.frame.iter_rows(named=True)}
    assert sorted(rows) == [("t1", 1), ("t1", 2), ("t2", 1), ("t3", 1), ("t4", 1)]
    assert "7 trials planned, 5 found" in table.problems[0]
    one, late, none, new = rows["t1", 1], rows["t2", 1], rows["t3", 1], rows["t4", 1]
    assert (one["system"], one["benchmark"], one["seconds"]) == ("terminus-2 2.0.0 / org/m", "terminal-bench", 30.0)
    assert (one["total_tokens"], one["cost_usd"], one["is_normal_termination"]) == (1500, 0.25, True)
    assert (late["status"], late["score"], late["is_normal_termination"]) == ("AgentTimeoutError", 0.0, False)
    assert (late["infrastructure_status"], late["is_valid_handoff"]) == ("ok", True)
    assert (none["score_status"], none["infrastructure_status"]) == ("errored", "failed")
    assert (new["infrastructure_status"], new["cost_status"], new["input_tokens"]) == (
        "not_tracked",
        "not_tracked",
        None,
    )


def test_several_rewards_want_a_choice(tmp_path: Path) -> None:
    write_json(
        tmp_path / "a" / "result.json", harbor_trial("t", "t__a", 1.0, verifier_result={"rewards": {"x": 1, "y": 0}})
    )
    with pytest.raises(LogFileError, match="name one with --score: x, y"):
        read_logs("harbor", tmp_path)
    assert read_logs("harbor", tmp_path, LogOptions(scores=("y",))).frame["score"].to_list() == [0.0]


def test_trials_of_terminal_bench(tmp_path: Path) -> None:
    run = tmp_path / "run1"
    write_json(
        run / "run_metadata.json",
        {"agent_name": "term", "model_name": "m", "dataset_name": "core", "dataset_version": "0.1.1"},
    )
    for task, resolved, mode in (("a", True, "unset"), ("b", False, "agent_timeout"), ("c", None, "test_timeout")):
        write_json(
            run / task / "results.json",
            {"task_id": task, "trial_name": task, "is_resolved": resolved, "failure_mode": mode,
             "total_input_tokens": 0, "total_output_tokens": 0, "agent_started_at": "2025-01-01T00:00:00+00:00",
             "agent_ended_at": "2025-01-01T00:00:05+00:00"},
        )  # fmt: skip
    rows = read_logs("harbor", tmp_path).frame.sort("task").rows(named=True)
    assert [(row["score"], row["status"], row["is_valid_handoff"]) for row in rows] == [
        (1.0, "completed", True), (0.0, "agent_timeout", True), (None, "test_timeout", False),
    ]  # fmt: skip
    assert (rows[0]["benchmark"], rows[0]["harness"], rows[0]["seconds"]) == ("core 0.1.1", "term", 5.0)
    assert rows[0]["total_tokens"] is None, "zero tokens is what agents write that count none"
