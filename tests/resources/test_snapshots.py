"""The store: bytes under their own hash, which snapshot a day uses, and damage that is noticed."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from inbound import NOW, native, record_of, source_of

from resources.archives import pack
from resources.connectors import SnapshotFile
from resources.snapshot_index import SnapshotError, SnapshotRecord
from resources.snapshots import SnapshotStore, end_of, file_name, snapshot_path, snapshot_rows
from warehouse.tables import RAW_SNAPSHOT


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path)


def test_bytes_lie_under_their_hash_and_come_back(store: SnapshotStore, tmp_path: Path) -> None:
    record = store.commit(record_of(b"data"), b"data")
    assert (tmp_path / record.path).read_bytes() == b"data"
    assert record.path == f"snapshots/board/{record.sha256}.json"
    assert store.read(record) == b"data"
    assert store.files(record) == (SnapshotFile("a.json", b"data"),)


def test_equal_bytes_are_kept_once_and_known_twice(store: SnapshotStore, tmp_path: Path) -> None:
    store.commit(record_of(b"data"), b"data")
    later = store.commit(record_of(b"data", fetched_at=NOW + timedelta(days=1)), b"data")
    assert len(list((tmp_path / "snapshots" / "board").iterdir())) == 1
    assert store.records("board") == [record_of(b"data"), later]


def test_bytes_of_another_record_are_refused(store: SnapshotStore) -> None:
    with pytest.raises(ValueError, match="not those of the record"):
        store.commit(record_of(b"data"), b"other")
    assert store.records() == []


def test_size_is_limited(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at most 3"):
        SnapshotStore(tmp_path, max_bytes=3).commit(record_of(b"data"), b"data")


def test_a_day_uses_what_was_known_by_its_end(store: SnapshotStore) -> None:
    days = [NOW + timedelta(days=n) for n in range(3)]
    for day, data in zip(days, (b"a", b"b", b"a"), strict=True):
        store.commit(record_of(data, fetched_at=day), data)
    assert store.usable("board", end_of(date(2026, 10, 19))) is None
    used = [store.usable("board", end_of(day.date())) for day in days]
    assert [record and record.sha256 for record in used] == [record_of(d).sha256 for d in (b"a", b"b", b"a")]
    assert store.usable("other", end_of(date(2026, 10, 30))) is None


def test_midnight_belongs_to_the_next_day(store: SnapshotStore) -> None:
    midnight = end_of(date(2026, 10, 20))
    store.commit(record_of(b"a", fetched_at=midnight), b"a")
    assert store.usable("board", midnight) is None
    assert store.usable("board", midnight + timedelta(microseconds=1)) is not None


def test_an_older_content_that_is_learned_later_does_not_win(store: SnapshotStore) -> None:
    store.commit(record_of(b"new", synced_at=NOW, time_basis="asserted"), b"new")
    store.commit(record_of(b"old", synced_at=NOW - timedelta(days=9), time_basis="asserted"), b"old")
    used = store.usable("board", end_of(NOW.date()))
    assert used is not None
    assert used.sha256 == record_of(b"new").sha256


def test_a_changed_file_is_noticed_and_a_new_sync_mends_it(store: SnapshotStore, tmp_path: Path) -> None:
    record = store.commit(record_of(b"data"), b"data")
    (tmp_path / record.path).write_bytes(b"dat4")
    assert not store.is_intact(record)
    with pytest.raises(SnapshotError, match="differs from what was received"):
        store.read(record)
    store.commit(record, b"data")
    assert store.read(record) == b"data"


def test_a_missing_file_is_said(store: SnapshotStore, tmp_path: Path) -> None:
    record = store.commit(record_of(b"data"), b"data")
    (tmp_path / record.path).unlink()
    with pytest.raises(SnapshotError, match="missing; restore it, or sync board again"):
        store.read(record)


def test_many_files_come_back_from_their_archive(store: SnapshotStore) -> None:
    files = (SnapshotFile("a.csv", b"1"), SnapshotFile("sub/b.csv", b"2"))
    data = pack(files)
    record = record_of(data, files=("a.csv", "sub/b.csv"), path=f"snapshots/board/{record_of(data).sha256}.zip")
    assert store.files(store.commit(record, data)) == files


def test_leftovers_of_a_crash_are_swept(store: SnapshotStore, tmp_path: Path) -> None:
    folder = tmp_path / "snapshots" / "board"
    folder.mkdir(parents=True)
    (folder / ".tmp-123-x.json").write_bytes(b"half")
    store.commit(record_of(b"data"), b"data")
    assert [path.name for path in folder.iterdir()] == [f"{record_of(b'data').sha256}.json"]


@pytest.mark.parametrize(
    ("name", "extension"), [("a.JSON", "json"), ("a.yml", "yml"), ("a", "bin"), ("a.../x", "bin"), ("a.b c", "bin")]
)
def test_the_extension_is_plain(name: str, extension: str) -> None:
    assert snapshot_path("b", "0", name) == f"snapshots/b/0.{extension}"


def test_the_file_name_is_the_last_part() -> None:
    assert file_name("https://example.org/x/a.csv") == "a.csv"
    assert file_name("mirror:a.csv") == "a.csv"
    assert file_name("https://example.org/") == "example.org"


def test_the_table_has_a_row_for_every_source(store: SnapshotStore) -> None:
    data = native()
    record = store.commit(record_of(data), data)
    sources = [source_of("x"), source_of("y", "other")]
    table = snapshot_rows(sources, {"board": record}, {"board": "fresh", "other": "missing_credential"})
    assert table.schema == RAW_SNAPSHOT.polars_schema()
    assert table.rows(named=True)[0]["sha256"] == record.sha256
    assert table.rows(named=True)[1] == {
        "leaderboard": "other", "sha256": None, "path": None, "source_url": None, "fetched_at": None, "synced_at": None,
        "bytes": None, "rows": None, "etag": None, "connector": "native", "status": "missing_credential",
    }  # fmt: skip
    assert snapshot_rows([], {}, {}).height == 0


def test_the_end_of_a_day_is_utc() -> None:
    """B17: both days of a time change are plain days."""
    assert end_of(date(2026, 3, 29)) == datetime.fromisoformat("2026-03-30T00:00:00+00:00")


def test_another_process_is_seen_and_a_replaced_index_read_anew(store: SnapshotStore, tmp_path: Path) -> None:
    other = SnapshotStore(tmp_path)
    for data in (b"a", b"b"):
        other.commit(record_of(data), data)
        assert store.records() == other.records()
    assert len(store.records()) == 2
    line = record_of(b"c").line()
    store.index_path.unlink()
    store.index_path.write_bytes(line)
    assert store.records() == [record_of(b"c")]


def test_many_leaderboards_committed_at_once_leave_a_whole_index(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    moment = datetime(2026, 10, 20, tzinfo=UTC)

    def commit(number: int) -> None:
        data = f"board {number}".encode()
        sha = hashlib.sha256(data).hexdigest()
        name = f"board-{number % 7}"
        store.commit(
            SnapshotRecord(
                leaderboard=name,
                sha256=sha,
                path=snapshot_path(name, sha, "board.json"),
                source_url="https://example.org/board.json",
                fetched_at=moment,
                synced_at=moment,
                time_basis="fetched",
                bytes=len(data),
                rows=1,
                connector="native",
            ),
            data,
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(commit, range(60)))
    assert len(store.records()) == 60
    assert all(store.is_intact(record) for record in store.records())
