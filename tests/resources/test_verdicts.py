"""Verdict files: exact, one a gate and day, never beside another's validation."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from small_release import CATALOG, DAY, LATER, NOON

from resources.atomic_files import read_json
from resources.verdicts import VerdictError, VerdictStore
from warehouse.verdicts import GateResult, StoredVerdict


def verdict(gate: str = "max-drop", **changes: object) -> StoredVerdict:
    result = GateResult("fail", 1 / 3, 0.2, 12, 4, "osworld lost 4 of 12 rows (0.3333 > 0.2)", {"success": False})
    stored = StoredVerdict(
        gate, "scores", "core__result", "blocking", result, "k" * 64, NOON, CATALOG, None, {"core__result": "h"}
    )
    return replace(stored, **changes)  # type: ignore[arg-type]


def test_a_verdict_comes_back_exactly(tmp_path: Path) -> None:
    store, given = VerdictStore(tmp_path), verdict()
    path = store.put(DAY, given)
    assert store.get(DAY, "max-drop") == given
    assert path == tmp_path / "verdicts" / "2026-10-20" / "max-drop.json"
    written = read_json(path)
    assert written["figure"] == 1 / 3
    assert written["decided_at"] == "2026-10-20T12:30:15.123456Z"
    assert read_json(path.with_name("max-drop.validation.json")) == {"success": False}


def test_no_verdict_is_none_and_days_are_apart(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path)
    assert store.get(DAY, "max-drop") is None
    assert store.all(DAY) == {}
    store.put(DAY, verdict())
    store.put(DAY, verdict("a-gate"))
    assert list(store.all(DAY)) == ["a-gate", "max-drop"]
    assert store.all(LATER) == {}


def test_a_later_verdict_replaces_the_former_and_its_validation(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path)
    store.put(DAY, verdict())
    bare = verdict(result=GateResult("error", None, None, 0, 0, "crashed: ZeroDivisionError"))
    store.put(DAY, bare)
    assert store.get(DAY, "max-drop") == bare
    assert list(store.folder(DAY).iterdir()) == [store.path(DAY, "max-drop")]


def test_a_figure_that_is_no_number_is_refused_and_the_former_stands(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path)
    store.put(DAY, verdict())
    with pytest.raises(ValueError, match="JSON"):
        store.put(DAY, verdict(result=GateResult("pass", float("nan"), None, 1, 0, "")))
    with pytest.raises(ValueError, match="time zone"):
        store.put(DAY, verdict(decided_at=datetime(2026, 1, 1)))  # noqa: DTZ001
    assert store.get(DAY, "max-drop") == verdict()


def test_a_validation_that_is_not_its_own_is_noticed(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path)
    beside = store.put(DAY, verdict()).with_name("max-drop.validation.json")
    beside.write_text('{"success": true}')
    with pytest.raises(VerdictError, match="not the validation"):
        store.get(DAY, "max-drop")
    beside.unlink()
    with pytest.raises(VerdictError, match="not the validation"):
        store.all(DAY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"fail"', '"passed"'),
        ('"gate": "max-drop"', '"gate": "other"'),
        ('"blocking"', '"mild"'),
        ('"decided_at": "2026', '"decided_at": "20x6'),
        ('"figure"', '"figures"'),
        ("{", ""),
    ],
)
def test_a_damaged_verdict_is_no_verdict(tmp_path: Path, old: str, new: str) -> None:
    store = VerdictStore(tmp_path)
    path = store.put(DAY, verdict())
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(VerdictError, match=r"max-drop\.json"):
        store.get(DAY, "max-drop")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "pass"),
        ("figure", 0.1),
        ("threshold", 0.9),
        ("evaluated", 13),
        ("failed", 0),
        ("detail", "all is well"),
        ("severity", "warning"),
        ("product", "other"),
        ("decided_at", "2026-10-21T00:00:00Z"),
        ("inputs", {"core__result": "g"}),
        ("catalog_sha256", "0" * 64),
        ("baseline_release_id", "2026-01-01-0123456789ab"),
        ("content_sha256", "0" * 64),
    ],
)
def test_an_edited_verdict_is_no_verdict(tmp_path: Path, field: str, value: object) -> None:
    """Well formed, every word known: still not what the gate wrote."""
    store = VerdictStore(tmp_path)
    path = store.put(DAY, verdict())
    path.write_text(json.dumps(read_json(path) | {field: value}))
    with pytest.raises(VerdictError, match="was changed after it was written"):
        store.get(DAY, "max-drop")
    path.write_text(json.dumps(read_json(store.put(DAY, verdict()))))
    assert store.get(DAY, "max-drop") == verdict()


def test_a_gate_id_never_leaves_the_folder(tmp_path: Path) -> None:
    with pytest.raises(VerdictError):
        VerdictStore(tmp_path).get(DAY, "../../releases")
