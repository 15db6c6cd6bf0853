"""The index: append-only, one line a record, whole after any crash."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from inbound import record_of

from resources.snapshot_index import SnapshotError, append_record, read_index


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "snapshots" / "index.jsonl"
    records = [record_of(b"one"), record_of(b"two", etag='"x"', files=("a", "b")), record_of(b"one")]
    for record in records:
        append_record(path, record)
    assert read_index(path)[0] == records
    assert path.read_bytes().count(b"\n") == 3


def test_there_is_no_index_yet(tmp_path: Path) -> None:
    assert read_index(tmp_path / "index.jsonl") == ([], 0)


def test_times_keep_their_microseconds_and_become_utc(tmp_path: Path) -> None:
    moment = datetime(2026, 10, 20, 1, 2, 3, 456789, tzinfo=UTC)
    append_record(tmp_path / "i", record_of(b"x", fetched_at=moment))
    assert read_index(tmp_path / "i")[0][0].fetched_at == moment


@pytest.mark.parametrize("length", [1, 20, 60])
def test_a_line_torn_by_a_crash_is_no_record_and_is_overwritten(tmp_path: Path, length: int) -> None:
    path = tmp_path / "index.jsonl"
    append_record(path, record_of(b"one"))
    with path.open("ab") as stream:
        stream.write(record_of(b"two").line()[:length])
    assert read_index(path)[0] == [record_of(b"one")]
    append_record(path, record_of(b"three"))
    assert read_index(path)[0] == [record_of(b"one"), record_of(b"three")]


def test_a_torn_first_line_is_an_empty_index(tmp_path: Path) -> None:
    path = tmp_path / "index.jsonl"
    path.write_bytes(b'{"leader')
    assert read_index(path)[0] == []
    append_record(path, record_of(b"one"))
    assert read_index(path)[0] == [record_of(b"one")]


@pytest.mark.parametrize("line", [b"garbage\n", b"{}\n", b'{"leaderboard": "x", "unknown": 1}\n', b"\n"])
def test_damage_before_the_last_line_is_told_with_its_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "index.jsonl"
    append_record(path, record_of(b"one"))
    path.write_bytes(path.read_bytes() + line + record_of(b"two").line())
    with pytest.raises(SnapshotError, match=r"index.jsonl:2"):
        read_index(path)


def test_known_time_is_when_it_was_fetched_or_what_it_asserts() -> None:
    fetched = datetime(2026, 10, 20, tzinfo=UTC)
    synced = fetched - timedelta(days=3)
    assert record_of(b"x", fetched_at=fetched, synced_at=synced, time_basis="fetched").known_at == fetched
    assert record_of(b"x", fetched_at=fetched, synced_at=synced, time_basis="asserted").known_at == synced
    assert record_of(b"x", fetched_at=fetched, synced_at=synced, time_basis="file").known_at == synced
