"""Registered evidence and the decision file: kept, proved, given once; appended, never edited, whole or not at all."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest
from small_release import frame_of

from resources.catalog_problems import CatalogError
from resources.decision_file import append_decisions, read_decisions, text_fault
from resources.evidence_store import EvidenceError, EvidenceStore
from resources.freeze import FreezeError, freeze
from resources.study_evidence import evidence_rows, gather_evidence
from warehouse.catalog_model import Decision, StudySpec
from warehouse.tables import CORE_RESULT, RAW_SNAPSHOT

NOW = datetime(2026, 10, 21, tzinfo=UTC)
DAY = date(2026, 10, 20)


def frozen(folder: Path, shift: int = 0, as_of: date | None = DAY) -> Path:
    results = frame_of(CORE_RESULT, shift=shift)
    snapshots = frame_of(RAW_SNAPSHOT, rows=1)
    used = results.select("leaderboard", sha256="snapshot_sha256").unique()
    rows = [snapshots.row(0, named=True) | one for one in used.unique("leaderboard").rows(named=True)]
    fits = {row["leaderboard"]: row["sha256"] for row in rows}
    results = results.with_columns(snapshot_sha256=pl.col("leaderboard").replace_strict(fits, return_dtype=pl.String))
    freeze(results, RAW_SNAPSHOT.conform(pl.DataFrame(rows, schema=RAW_SNAPSHOT.polars_schema())), folder, as_of=as_of)
    return folder


def test_a_freeze_is_kept_under_its_hash_and_proved_when_it_is_read(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "home")
    record = store.register_freeze("oct", frozen(tmp_path / "f"), NOW)
    assert record.folder == tmp_path / "home" / "evidence" / "freeze" / "oct" / record.sha256
    assert store.register_freeze("oct", tmp_path / "f", NOW) == record
    assert len(store.records()) == 1
    assert store.read_freeze("oct")[1].results.height == 5
    with pytest.raises(EvidenceError, match="the release used"):
        store.read_freeze("oct", "0" * 64)


def test_a_name_is_given_once_and_must_be_one(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "home")
    store.register_freeze("oct", frozen(tmp_path / "f"), NOW)
    with pytest.raises(EvidenceError, match="given once"):
        store.register_freeze("oct", frozen(tmp_path / "g", shift=1), NOW)
    for name in ("../x", "Oct", "", "a/b"):
        with pytest.raises(EvidenceError, match="a name is"):
            store.register_freeze(name, tmp_path / "f", NOW)
    with pytest.raises(FreezeError):
        store.register_freeze("none", tmp_path, NOW)


@pytest.mark.parametrize("name", ["results.csv", "links.csv", "manifest.json"])
def test_a_changed_file_is_no_evidence_any_more(tmp_path: Path, name: str) -> None:
    store = EvidenceStore(tmp_path / "home")
    record = store.register_freeze("oct", frozen(tmp_path / "f"), NOW)
    (record.folder / name).write_bytes((record.folder / name).read_bytes().replace(b"1", b"2", 1))
    with pytest.raises(EvidenceError, match=r"changed|does not hold"):
        store.read_freeze("oct")


def test_what_a_study_may_use_is_found_known_by_then_and_proved(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "home")
    record = store.register_freeze("oct", frozen(tmp_path / "f"), NOW)
    ours = StudySpec(id="a", kind="source_difference", evidence="oct")
    other = StudySpec(id="b", kind="judge", evidence="oct")
    found = gather_evidence([ours, other], store, DAY)
    assert [item.sha256 for item in found] == [record.sha256, None]
    assert evidence_rows(found)["rows"].to_list() == [5, None]
    (early,) = gather_evidence([ours], store, date(2026, 10, 19))
    assert "does not know yet" in str(early.problem)
    (pinned,) = gather_evidence([ours], store, DAY, {})
    assert pinned.problem == "the release had no such evidence"
    (same,) = gather_evidence([ours], store, DAY, {("freeze", "oct"): record.sha256})
    assert same.sha256 == record.sha256


def decision(number: int, reason: str = "so") -> Decision:
    return Decision.model_validate(
        {"entry_id_a": f"{number:016x}", "entry_id_b": "f" * 16, "decision": "unsure", "reason": reason,
         "reviewer": "R1", "reviewed_at": DAY}
    )  # fmt: skip


def test_what_stands_in_the_file_stays_byte_for_byte(tmp_path: Path) -> None:
    """Also where its columns are in another order and its last line has no end."""
    path = tmp_path / "decisions.csv"
    before = 'reviewer,entry_id_a,entry_id_b,decision,reason,reviewed_at\nR0,a,b,unsure,"x, y",2026-01-01'
    path.write_text(before, encoding="utf-8")
    append_decisions(tmp_path, lambda _: [decision(1, 'quoted "so", and')])
    assert path.read_text(encoding="utf-8").startswith(before + "\nR1,")
    assert [row.reason for row in read_decisions(tmp_path)] == ["x, y", 'quoted "so", and']


def test_a_refusal_or_a_broken_file_writes_nothing(tmp_path: Path) -> None:
    def refuse(_: object) -> list[Decision]:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        append_decisions(tmp_path, refuse)
    assert not (tmp_path / "decisions.csv").exists()
    (tmp_path / "decisions.csv").write_text("not,these,columns\n", encoding="utf-8")
    with pytest.raises(CatalogError):
        append_decisions(tmp_path, lambda _: [decision(1)])
    assert (tmp_path / "decisions.csv").read_text(encoding="utf-8") == "not,these,columns\n"


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=append_decisions, args=(tmp_path, lambda _, n=n: [decision(n)])) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({row.entry_id_a for row in read_decisions(tmp_path)}) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["decisions.csv"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "＝1", "a\nb", "a\x1bb"])
def test_what_a_spreadsheet_would_run_stays_out(text: str) -> None:
    assert text_fault(text)
    assert text_fault("protocol: harness 1 = harness 2") is None
