"""`scoretrail shadow` and `scoretrail canary`: begun under a sealed contract, batches kept, the action written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rollout_worlds import csv, sealed_contract, written
from small_homes import Ran, call

from resources.rollouts import RolloutStore


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def canary(home: Path, *arguments: str | Path) -> Ran:
    return call("canary", *arguments, "--home", home)


def action(home: Path, name: str = "one") -> dict[str, object]:
    value = json.loads((home / "evidence" / "canary" / name / "action.json").read_text())
    assert isinstance(value, dict)
    return value


def test_a_canary_from_its_start_to_its_rollback(home: Path, tmp_path: Path) -> None:
    began = canary(home, "start", "one", sealed_contract(tmp_path))
    assert "10% of users, at random" in began.out
    first = canary(home, "add", "one", csv(tmp_path, 1), written(tmp_path / "b2.jsonl", 2))
    assert first.code == 0, first.said
    assert "canary one: continue: as planned" in first.out
    assert (action(home)["action"], action(home)["evidence"]) == ("continue", {
        "batches": 2, "rows": 4000, "sha256": RolloutStore(home).open("canary", "one").head,
    })  # fmt: skip
    again = canary(home, "add", "one", csv(tmp_path, 1))
    assert again.code == 0
    assert len(RolloutStore(home).open("canary", "one").batches) == 2, "the same file again is no news"
    bad = canary(home, "add", "one", written(tmp_path / "b3.parquet", 3, error=0.3))
    assert bad.code == 1
    assert "rollback: stage.errors, since batch 3" in bad.out
    assert action(home)["action"] == "rollback"
    history = (home / "evidence" / "canary" / "one" / "actions.jsonl").read_text().splitlines()
    assert [json.loads(line)["action"] for line in history] == ["continue", "rollback"]
    status = canary(home, "status", "one", "--json").json
    assert (status["action"], status["exit_code"], len(status["looks"])) == ("rollback", 1, 6)
    assert status["exposures"][-1]["batch"] == 3
    assert canary(home, "status").out.split()[-2:] == ["3", "rollback"]
    decided = canary(home, "decide", "one", "--json", "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "m.md")
    assert (decided.code, decided.json["verdict"]) == (1, "block")
    assert "stage.errors" in (tmp_path / "j.xml").read_text()
    assert "stage.errors" in (tmp_path / "m.md").read_text()
    assert "Helper 2: block" in canary(home, "decide", "one").out


def test_what_cannot_be_read_as_planned_holds(home: Path, tmp_path: Path) -> None:
    canary(home, "start", "one", sealed_contract(tmp_path))
    ran = canary(home, "add", "one", csv(tmp_path, 1, exposure=0.3))
    assert ran.code == 4
    assert "hold: stage.exposure" in ran.out
    assert action(home)["is_candidate_fed"] is True


def test_nothing_is_added_where_one_file_is_none(home: Path, tmp_path: Path) -> None:
    canary(home, "start", "one", sealed_contract(tmp_path))
    broken = tmp_path / "broken.csv"
    broken.write_text("system,task\nassistant-2,\n")
    ran = canary(home, "add", "one", csv(tmp_path, 1), broken)
    assert (ran.code, "broken.csv: row 1: task must be stated" in ran.err) == (2, True)
    unread = tmp_path / "other.csv"
    unread.write_text("system,task,user\nassistant-9,t,u\n")
    ran = canary(home, "add", "one", unread)
    assert (ran.code, "system 'assistant-9' is neither" in ran.err) == (2, True)
    named = tmp_path / "named.csv"
    named.write_text(f"system,task,user,contract_sha256\nassistant-2,t,u,{'a' * 64}\n")
    assert "names contract aaaaaaaaaaaa" in canary(home, "add", "one", named).err
    assert "no such file" in canary(home, "add", "one", tmp_path / "gone.csv").err
    assert RolloutStore(home).open("canary", "one").batches == ()
    assert "has no batch yet" in canary(home, "decide", "one").err


def test_a_contract_is_sealed_and_stays_what_it_was(home: Path, tmp_path: Path) -> None:
    contract = sealed_contract(tmp_path)
    unsealed = tmp_path / "unsealed.yaml"
    unsealed.write_text(contract.read_text().split("# Fixed before")[0])
    assert "is not sealed" in canary(home, "start", "one", unsealed).err
    changed = tmp_path / "changed.yaml"
    changed.write_text(contract.read_text().replace("at_most: 0.02", "at_most: 0.05"))
    assert "was changed after it was sealed" in canary(home, "start", "one", changed).err
    assert canary(home, "start", "one", contract).code == 0
    assert canary(home, "start", "one", contract).code == 0
    other = sealed_contract(tmp_path, canary={"exposure_frac": 0.2})
    assert "has another contract" in canary(home, "start", "one", other).err
    assert "a name is lower case" in canary(home, "start", "One!", contract).err
    assert "no canary 'two' in this home (one)" in canary(home, "status", "two").err
    kept = home / "evidence" / "canary" / "one" / "contract.yaml"
    kept.write_text(kept.read_text().replace("at_most: 0.02", "at_most: 0.05"))
    assert "was changed after it began" in canary(home, "status", "one").err


def test_batches_cannot_be_changed_taken_out_or_moved(home: Path, tmp_path: Path) -> None:
    canary(home, "start", "one", sealed_contract(tmp_path))
    canary(home, "add", "one", csv(tmp_path, 1, 200), csv(tmp_path, 2, 200), csv(tmp_path, 3, 200))
    folder = home / "evidence" / "canary" / "one"
    index = folder / "batches.jsonl"
    lines = index.read_text().splitlines(keepends=True)
    for changed in (
        lines[1:],
        [lines[0], lines[2]],
        [lines[1], lines[0], lines[2]],
        [lines[0].replace("200", "100"), *lines[1:]],
    ):
        index.write_text("".join(changed))
        assert "the list of batches was changed" in canary(home, "status", "one").err
    index.write_text("".join(lines))
    [batch] = folder.glob("*/batch-2.csv")
    batch.write_text(batch.read_text().replace("false", "true", 1))
    assert "batch 2" in canary(home, "status", "one").err


def test_shadow_is_entered_by_its_list_alone(home: Path, tmp_path: Path) -> None:
    closed = sealed_contract(tmp_path, shadow={"are_write_tools_off": False})
    ran = call("shadow", "start", "one", closed, "--home", home)
    assert ran.code == 1
    assert "no entry to shadow: not yet so that write tools are off" in ran.err
    assert not (home / "evidence").exists()
    assert call("shadow", "start", "one", closed, "--home", home, "--json").json["started"] is False
    free = sealed_contract(tmp_path, shadow=None, is_shadow_needed=False)
    assert "names no entry" in call("shadow", "start", "one", free, "--home", home).err
    opened = call("shadow", "start", "one", sealed_contract(tmp_path), "--home", home)
    assert "authorized for compare answers, to the evaluation team, kept 30 days" in opened.out
    ran = call("shadow", "add", "one", csv(tmp_path, 1, error=0.3), "--home", home)
    assert (ran.code, "shadow one: stop" in ran.out) == (1, True)
