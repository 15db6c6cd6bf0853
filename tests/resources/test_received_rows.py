"""What a sync has read is what would be read again from its snapshot, and serves no other mapping or bytes."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest
from inbound import NOW, settings_of, source_of
from polars.testing import assert_frame_equal

from methods.catalog.received import receive
from resources.connectors import parse
from resources.received_rows import ReceivedRows
from resources.snapshot_index import SnapshotRecord
from resources.snapshots import SnapshotStore
from resources.sync import sync_source
from warehouse.catalog_model import SourceSpec

RESULT = {"benchmark": "b", "metric": "m", "unit": "percent", "value": 61.5, "model": "one"}
CONSTANTS = {name: {"const": word} for name, word in {"benchmark": "b", "metric": "m", "unit": "percent"}.items()}
FIELDS = {**CONSTANTS, "model": {"field": "model"}, "value": {"field": "score", "type": "number"}}


def board(results: list[dict[str, object]]) -> bytes:
    """A file of the native format."""
    return json.dumps({"schema": "scoretrail.leaderboard/1", "leaderboard": "board", "results": results}).encode()


def synced(spec: SourceSpec, folder: Path, received: ReceivedRows) -> SnapshotRecord:
    """The snapshot of a sync that must end well."""
    settings = settings_of(folder)
    outcome = sync_source(spec, settings, SnapshotStore(settings.home), NOW, received=received)
    assert outcome.snapshot is not None, outcome.message
    return outcome.snapshot


def read_again(spec: SourceSpec, record: SnapshotRecord, folder: Path) -> pl.DataFrame:
    files = SnapshotStore(settings_of(folder).home).files(record)
    return receive(spec.id, record.sha256, parse(spec, files).rows)


def put(folder: Path, name: str, data: bytes) -> SourceSpec:
    """A file in the catalog folder, and the source that reads it."""
    path = settings_of(folder).catalog_dir / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    moment = (NOW - timedelta(days=1)).timestamp()
    os.utime(path, (moment, moment))
    return source_of(name)


@pytest.mark.parametrize("kind", ["native", "odd rows", "csv", "tree"])
def test_what_is_kept_is_what_the_snapshot_says(tmp_path: Path, kind: str) -> None:
    received = ReceivedRows()
    if kind in {"native", "odd rows"}:
        odd = [{**RESULT, "value": None}, {**RESULT, "unit": 3}, RESULT] if kind == "odd rows" else []
        spec = put(tmp_path, "board.json", board([RESULT, *odd]))
    else:
        put(tmp_path, "board/a/one.csv", b"model,score\none,61.5\ntwo,n/a\n")
        options = {"format": "csv", "fields": FIELDS, **({"files": ["**/*.csv"]} if kind == "tree" else {})}
        spec = source_of("board" if kind == "tree" else "board/a/one.csv", connector="table", options=options)
    record = synced(spec, tmp_path, received)
    kept = received.take(spec, record)
    assert kept is not None
    assert kept.height == record.rows > 0
    assert_frame_equal(kept, read_again(spec, record, tmp_path))
    assert received.take(spec, record) is None, "given out once"


def test_another_mapping_or_other_bytes_are_read_themselves(tmp_path: Path) -> None:
    spec, received = put(tmp_path, "board.json", board([RESULT])), ReceivedRows()
    first = synced(spec, tmp_path, received)
    assert received.take(spec.model_copy(update={"tier": "verified"}), first) is None
    received = ReceivedRows()
    second = synced(put(tmp_path, "board.json", board([{**RESULT, "value": 7.0}])), tmp_path, received)
    assert second.sha256 != first.sha256
    assert received.take(spec, first) is None
    assert received.take(spec, second) is not None


def test_unchanged_content_is_not_kept(tmp_path: Path) -> None:
    spec, received = put(tmp_path, "board.json", board([RESULT])), ReceivedRows()
    record = synced(spec, tmp_path, ReceivedRows())
    assert synced(spec, tmp_path, received).sha256 == record.sha256
    assert received.take(spec, record) is None
