"""`scoretrail regression`: files of failures, what is refused with file, row and field, all or nothing."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from small_homes import call

from resources.evidence_store import EvidenceStore
from resources.regression_files import read_set

FIELDS = {
    "id": "f1", "input": "where is my parcel", "source": "ticket 7", "selection_reason": "wrong refund",
    "consent": "granted", "licence": "internal", "owner": "support", "expires": "2027-01-01", "split": "train",
    "is_deidentified": True, "confirmed_by": "eva", "session": "s1",
}  # fmt: skip
TODAY = ("--today", "2026-03-28")


def lines(path: Path, *failures: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps({**FIELDS, **one}) + "\n" for one in failures), encoding="utf-8")
    return path


def test_check_and_add(tmp_path: Path) -> None:
    kept = lines(tmp_path / "set.jsonl", {})
    assert call("regression", "check", kept, *TODAY).code == 0
    leak = lines(tmp_path / "new.jsonl", {"id": "f2", "input": "another thing", "split": "test"})
    ran = call("regression", "add", kept, leak, *TODAY, "--json")
    assert ran.code == 1
    assert [one["rule"] for one in ran.json["findings"]] == ["session_in_two_splits"]
    assert ran.json["added"] == 0
    assert len(kept.read_text().splitlines()) == 1
    sound = lines(tmp_path / "new.jsonl", {"id": "f2", "input": "another thing", "split": "test", "session": "s2"})
    assert "Added 1 of 1 failures" in call("regression", "add", kept, sound, *TODAY).out
    assert call("regression", "add", kept, sound, *TODAY, "--json").json["added"] == 0, "again, it is no news"
    assert call("regression", "check", kept, *TODAY, "--json").json == {"failures": 2, "findings": []}
    late = call("regression", "check", kept, "--today", "2027-06-01")
    assert late.code == 1
    assert "could be kept until 2027-01-01" in late.out


def test_a_set_begins_with_its_first_failures(tmp_path: Path) -> None:
    table = tmp_path / "new.csv"
    named = FIELDS | {"is_deidentified": "true", "input": 'a "quoted", line\nand another'}
    cells = ['"' + str(value).replace('"', '""') + '"' for value in named.values()]
    table.write_text(",".join(named) + "\n" + ",".join(cells) + "\n", encoding="utf-8-sig")
    assert call("regression", "add", tmp_path / "set.jsonl", table, *TODAY).code == 0
    [kept] = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines()]
    assert kept["input"] == named["input"]


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("a.txt", "", "ends in .jsonl or .csv"),
        ("a.jsonl", '{"id": "f1"', "a.jsonl, row 1: not readable as JSON"),
        ("a.jsonl", "[1]", "a.jsonl, row 1: an object"),
        ("a.jsonl", '{"id": 7}', "a.jsonl, row 1, id: 7 is no text"),
        ("a.jsonl", '{"id": "f1"}\n{"idd": "f1"}', "a.jsonl, row 2: no such field 'idd'"),
        ("a.csv", "id,colour\n", "a.csv, first line: no such field 'colour'"),
        ("a.csv", "id,input\nf1\n", "a.csv, row 1: 1 cells, 2 fields"),
        ("a.csv", "id,id\n", "stands twice"),
        ("a.csv", "", "empty"),
        ("a.csv", 'id\n"f1', "not readable as CSV"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, body: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(body, encoding="utf-8")
    ran = call("regression", "check", path, *TODAY)
    assert ran.code == 2
    assert said in ran.err


def test_what_was_asked_wrongly(tmp_path: Path) -> None:
    kept = lines(tmp_path / "set.jsonl", {})
    assert "no such file" in call("regression", "check", tmp_path / "gone.jsonl").err
    assert "a day looks like" in call("regression", "check", kept, "--today", "soon").err
    assert "name it set.jsonl" in call("regression", "add", tmp_path / "set.csv", kept).err
    kept.write_bytes(b"\xff\xfe")
    assert call("regression", "check", kept).code == 2


def test_a_set_is_registered_whole_or_not_at_all(tmp_path: Path) -> None:
    """A kind of evidence of its own: kept under its hash, read anew, and never with a failure that may not be kept."""
    home = tmp_path / "home"
    late = {"expires": "2999-01-01"}
    kept = lines(tmp_path / "set.jsonl", late, {**late, "id": "f2", "input": "another thing", "session": "s2"})
    ran = call("register", "regression", "mine", kept, "--home", home, "--known-since", "2026-01-02")
    assert ran.code == 0, ran.said
    assert "scoretrail regression check" in ran.out and "studies.yaml" not in ran.out
    [record] = EvidenceStore(home).records()
    assert (record.kind, record.name, record.usable_from) == ("regression", "mine", date(2026, 1, 2))
    assert read_set(EvidenceStore(home).proved(record)).height == 2
    assert call("regression", "check", record.folder / "set.jsonl", *TODAY).code == 0
    leak = lines(tmp_path / "leak.jsonl", late, {**late, "id": "f3", "input": "a third", "split": "test"})
    ran = call("register", "regression", "other", leak, "--home", home)
    assert ran.code == 1 and "nothing was kept: session_in_two_splits" in ran.err
    ran = call("register", "regression", "other", leak, "--home", home, "--json")
    assert (ran.code, ran.json["exit_code"]) == (1, 1)
    assert len(EvidenceStore(home).records()) == 1
    (tmp_path / "empty.jsonl").write_text("")
    ran = call("register", "regression", "none", tmp_path / "empty.jsonl", "--home", home)
    assert ran.code == 2 and "the set holds no failure" in ran.err
