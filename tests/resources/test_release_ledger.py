"""The ledger as a file: what is current, what was withdrawn, what readers are pointed at."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest
from small_release import LATER, NOON, draft_of, fill_tables

from methods.release.ledger import LedgerError
from resources.atomic_files import JsonFileError, read_json_lines
from resources.manifest import ReleaseError, release_faults
from resources.releases import ReleaseStore, release_row
from resources.tables import TableStore
from warehouse.tables import OUT_RELEASE


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill_tables(tmp_path)
    return tmp_path


def three(home: Path) -> list[str]:
    """Three releases: two days, then the first day again with another catalog (a backfill)."""
    store, tables = ReleaseStore(home), TableStore(home)
    fill_tables(home, LATER, shift=1)
    first = store.create(draft_of(), tables).release_id
    second = store.create(draft_of(LATER, baseline=first), tables).release_id
    backfill = store.create(draft_of(catalog="b" * 64), tables).release_id
    return [first, second, backfill]


def statuses(store: ReleaseStore) -> dict[str, str]:
    return dict(store.release_rows().select("release_id", "status").iter_rows())


def test_a_backfill_never_becomes_current_and_the_table_shows_all(home: Path) -> None:
    first, second, backfill = three(home)
    store = ReleaseStore(home)
    assert statuses(store) == {first: "superseded", second: "current", backfill: "superseded"}
    assert store.baseline_for(LATER) == backfill, "the newest release of an earlier day"
    rows = store.release_rows()
    assert rows.schema == OUT_RELEASE.polars_schema()
    current = store.current()
    assert current is not None
    row = rows.filter(pl.col("release_id") == second).row(0, named=True)
    assert row["manifest_sha256"] == current.manifest_sha256
    assert row["created_at"] == NOON
    assert row["baseline_release_id"] == first


def test_a_withdrawn_release_stays_readable_with_its_reason(home: Path) -> None:
    """G08, G12: nothing is deleted or overwritten; the reason stands in the ledger."""
    first, second, backfill = three(home)
    store = ReleaseStore(home)
    store.withdraw(second, "unit bug", NOON)
    assert statuses(store) == {first: "superseded", second: "withdrawn", backfill: "current"}
    assert store.ledger().withdrawn == {second: "unit bug"}
    assert release_faults(store.open(second)) == []
    with pytest.raises(ReleaseError, match="withdrawn before: unit bug"):
        store.withdraw(second, "again", NOON)
    with pytest.raises(ReleaseError, match="states its reason"):
        store.withdraw(first, " ", NOON)
    with pytest.raises(ReleaseError, match="no release"):
        store.withdraw("2026-10-20-000000000000", "x", NOON)
    store.withdraw(first, "x", NOON)
    store.withdraw(backfill, "y", NOON)
    assert store.current() is None
    assert store.baseline_for(LATER) is None


def test_a_rollback_points_at_an_earlier_release(home: Path) -> None:
    first, second, backfill = three(home)
    store = ReleaseStore(home)
    assert store.roll_back(None, "score jump", NOON).release_id == backfill
    assert statuses(store)[backfill] == "current"
    assert store.roll_back(first, "that too", NOON).release_id == first
    assert statuses(store) == {first: "current", second: "superseded", backfill: "superseded"}
    with pytest.raises(ReleaseError, match="there is no earlier release"):
        store.roll_back(None, "further", NOON)
    assert store.roll_back(second, "it was right", NOON).release_id == second
    assert statuses(store)[second] == "current"
    store.withdraw(first, "x", NOON)
    with pytest.raises(ReleaseError, match="is withdrawn: x"):
        store.roll_back(first, "", NOON)
    assert read_json_lines(store.ledger_path)[3] == {
        "event": "rolled_back", "to": backfill, "reason": "score jump", "at": "2026-10-20T12:30:15.123456Z",
    }  # fmt: skip


def test_a_torn_ledger_line_is_no_event_and_damage_is_said(home: Path) -> None:
    store = ReleaseStore(home)
    release = store.create(draft_of(), TableStore(home))
    whole = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(whole + b'{"event":"withdrawn","release_id":"' + release.release_id.encode())
    assert statuses(store) == {release.release_id: "current"}
    store.ledger_path.write_bytes(b"x\n" + whole)
    with pytest.raises(JsonFileError, match="line 1"):
        store.ledger()
    store.ledger_path.write_bytes(whole + whole)
    with pytest.raises(LedgerError, match="was created before"):
        store.ledger()


def test_an_empty_home_has_no_release(tmp_path: Path) -> None:
    store = ReleaseStore(tmp_path)
    assert store.release_rows().equals(OUT_RELEASE.empty())
    assert store.current() is None
    assert store.baseline_for(date(2030, 1, 1)) is None


def test_a_release_row_is_the_ledgers_record_and_status(home: Path) -> None:
    store = ReleaseStore(home)
    store.create(draft_of(), TableStore(home))
    record = store.ledger().releases[0]
    assert set(release_row(record, "current")) == set(OUT_RELEASE.columns)
