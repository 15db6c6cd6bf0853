"""One sync: what ends fresh, unchanged, asserted, stale, failed, skipped, or without a credential, and what is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from inbound import NOW, native, settings_of, source_of
from local_server import LocalServer, local_server, plain
from pacing import network_of

from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync import SyncOutcome, sync_source
from warehouse.catalog_model import SourceSpec


@dataclass
class World:
    """A home, a catalog folder for file sources, and a server."""

    settings: Settings
    store: SnapshotStore
    server: LocalServer

    def file(self, data: bytes, name: str = "board.json", modified: datetime = NOW - timedelta(days=1)) -> str:
        """A file in the catalog folder; gives its relative address."""
        path = self.settings.catalog_dir / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(data)
        os.utime(path, (modified.timestamp(), modified.timestamp()))
        return name

    def net(self, data: bytes, **headers: str) -> SourceSpec:
        """A source whose server sends these bytes."""
        return source_of(self.server.serve("/board.json", data, **headers), allow_private=True)

    def sync(self, source: SourceSpec, now: datetime = NOW, **options: Any) -> SyncOutcome:
        return sync_source(source, self.settings, self.store, now, **({"network": network_of()} | options))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    settings = settings_of(tmp_path)
    with local_server() as server:
        yield World(settings, SnapshotStore(settings.home), server)


# ---- files


def test_a_file_is_fresh_then_unchanged_and_its_time_is_the_files(world: World) -> None:
    source = source_of(world.file(native()))
    first = world.sync(source)
    assert (first.status, first.message) == ("fresh", "1 rows")
    assert first.snapshot is not None
    assert first.snapshot.time_basis == "file"
    assert first.snapshot.synced_at == NOW - timedelta(days=1)
    assert first.snapshot.source_url == "board.json"
    assert world.sync(source, NOW + timedelta(hours=1)).status == "unchanged"
    assert len(world.store.records()) == 1


def test_a_file_that_states_its_time_is_asserted(world: World) -> None:
    outcome = world.sync(source_of(world.file(native(synced_at="2026-10-01T00:00:00Z"))))
    assert outcome.status == "asserted"
    assert outcome.snapshot is not None
    assert outcome.snapshot.synced_at == datetime(2026, 10, 1, tzinfo=UTC)


def test_a_file_is_read_for_a_past_day_and_serves_it_if_known_by_then(world: World) -> None:
    source = source_of(world.file(native(synced_at="2026-10-01T00:00:00Z")))
    assert world.sync(source, as_of=date(2026, 10, 5)).status == "asserted"
    too_early = world.sync(source, as_of=date(2026, 9, 30))
    assert (too_early.status, too_early.snapshot) == ("skipped", None)
    assert "known only since 2026-10-01" in too_early.message


def test_a_file_that_returns_to_an_earlier_content_is_known_again(world: World) -> None:
    one, two = native(1), native(2)
    source = source_of("board.json")
    for day, data in enumerate([one, two, one]):
        world.file(data, modified=NOW + timedelta(days=day))
        world.sync(source, NOW + timedelta(days=day, hours=1))
    rows = [record.rows for record in world.store.records("board")]
    assert rows == [1, 2, 1]
    used = world.store.usable("board", NOW + timedelta(days=9))
    assert used is not None
    assert used.rows == 1


def test_a_folder_is_one_snapshot(world: World) -> None:
    world.file(b"model,score\nA,1\n", "tree/a.csv")
    world.file(b"model,score\nB,2\n", "tree/b.csv")
    options = {
        "format": "csv",
        "fields": {"benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"},
                   "value": {"field": "score", "type": "number"}, "model": "model", "subset": {"file": "stem"}},
    }  # fmt: skip
    outcome = world.sync(source_of("tree", connector="table", options=options))
    assert outcome.status == "fresh"
    assert outcome.snapshot is not None
    assert outcome.snapshot.files == ("a.csv", "b.csv")
    assert outcome.snapshot.path.endswith(".zip")
    assert [file.name for file in world.store.files(outcome.snapshot)] == ["a.csv", "b.csv"]
    (world.settings.catalog_dir / "tree" / "b.csv").unlink()
    world.file(b"garbage", "tree/c.csv")
    kept = world.sync(source_of("tree", connector="table", options=options))
    assert kept.status == "failed"
    assert kept.snapshot == outcome.snapshot


@pytest.mark.parametrize("url", ["../outside.json", "/etc/hostname", "file:///etc/hostname"])
def test_an_escaping_address_fails_and_says_what_would_allow_it(world: World, url: str) -> None:
    (world.settings.catalog_dir.parent / "outside.json").write_bytes(native())
    outcome = world.sync(source_of(url))
    assert outcome.status == "failed"
    assert "SCORETRAIL_ALLOW_ROOTS" in outcome.message


def test_an_allowed_root_is_read(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "a.json").write_bytes(native())
    settings = settings_of(tmp_path, SCORETRAIL_ALLOW_ROOTS=str(tmp_path / "else"))
    source = source_of(f"file://{tmp_path}/else/a.json")
    assert sync_source(source, settings, SnapshotStore(settings.home), datetime.now(UTC)).status == "fresh"


# ---- mirror


def test_a_mirror_is_read_in_place_of_the_address(world: World, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "x").mkdir(parents=True)
    (mirror / "x" / "b.json").write_bytes(native(3, synced_at="2026-10-02T00:00:00Z"))
    source = source_of("https://example.org/b.json", path="x/b.json")
    outcome = world.sync(source, mirror=mirror, offline=True)
    assert outcome.status == "asserted"
    assert outcome.snapshot is not None
    assert outcome.snapshot.source_url == "mirror:x/b.json"
    assert world.sync(source_of("https://example.org/b.json"), mirror=mirror).status == "skipped"
    escaping = world.sync(source_of("https://example.org/b.json", path="../catalog"), mirror=mirror)
    assert "outside" in escaping.message
    missing = world.sync(source_of("https://example.org/b.json", "other", path="none.json"), mirror=mirror)
    assert (missing.status, missing.snapshot) == ("failed", None)


# ---- network


def test_a_download_is_fresh_and_a_304_keeps_its_original_time(world: World) -> None:
    source = world.net(native(), etag='"v1"')
    first = world.sync(source)
    assert first.status == "fresh"
    world.server.answers["/board.json"] = plain(b"", 304, etag='"v1"')
    second = world.sync(source, NOW + timedelta(days=1))
    assert second.status == "unchanged"
    assert second.snapshot == first.snapshot
    assert world.server.seen[1][1]["if-none-match"] == '"v1"'


def test_equal_bytes_under_a_new_etag_keep_their_time_and_note_the_etag(world: World) -> None:
    first = world.sync(world.net(native(), etag='"v1"'))
    second = world.sync(world.net(native(), etag='"v2"'), NOW + timedelta(days=1))
    assert second.status == "unchanged"
    assert first.snapshot is not None
    assert second.snapshot is not None
    assert second.snapshot.fetched_at == first.snapshot.fetched_at
    assert second.snapshot.etag == '"v2"'


def test_a_clock_that_went_back_is_said_and_a_later_sync_mends_it(world: World) -> None:
    """Its content would count as known before the one that serves, and stay unseen behind a green status."""
    world.sync(world.net(native(3)))
    back = world.sync(world.net(native(4)), NOW - timedelta(hours=1))
    assert back.status == "failed" and "did the clock go back?" in back.message
    assert back.snapshot is not None and back.snapshot.rows == 3
    mended = world.sync(world.net(native(4)), NOW + timedelta(minutes=1))
    assert mended.status == "fresh" and mended.snapshot is not None and mended.snapshot.rows == 4
    days = world.sync(world.net(native(5)), NOW - timedelta(days=2))
    assert days.status == "fresh" and days.snapshot is not None and days.snapshot.rows == 5, "of its own day"


def test_no_condition_is_sent_when_the_kept_file_is_damaged(world: World) -> None:
    source = world.net(native(), etag='"v1"')
    first = world.sync(source)
    assert first.snapshot is not None
    (world.settings.home / first.snapshot.path).write_bytes(b"changed")
    assert world.sync(source, NOW + timedelta(days=1)).status == "fresh"
    assert "if-none-match" not in world.server.seen[1][1]
    assert world.store.is_intact(first.snapshot)


BAD_DOWNLOADS = {
    "empty file": (b"", "empty"),
    "white space": (b" \n ", "empty"),
    "truncated JSON": (native(5)[:-40], "truncated"),
    "web page with status 200": (b"<!DOCTYPE html><html><body>Rate limited</body></html>", "a web page came"),
    "another schema": (b'{"schema": "other/2", "results": []}', "expected schema"),
    "no rows": (native(0), "0 readable rows"),
    "another board": (native(leaderboard="other"), "'other'"),
    "not text": (b"\xff\xfe\x00", "UTF-16"),
    "undecodable": (native().replace(b"Model 0", b"Model \xff"), "offset"),
}


@pytest.mark.parametrize("case", BAD_DOWNLOADS)
def test_a_bad_download_never_replaces_a_good_one(world: World, case: str) -> None:
    """A48, G16: the last good snapshot stays with its own time, and the status is not green."""
    good = world.sync(world.net(native(12)))
    data, message = BAD_DOWNLOADS[case]
    bad = world.sync(world.net(data), NOW + timedelta(days=1))
    assert bad.status == "failed"
    assert message in bad.message
    assert bad.snapshot == good.snapshot
    assert len(world.store.records()) == 1


def test_a_short_download_never_replaces_a_good_one(world: World) -> None:
    """A52, G16: two short reads are no change."""
    good = world.sync(world.net(native(12)))
    for day in (1, 2):
        bad = world.sync(world.net(native(12)[:100], content_length="1000"), NOW + timedelta(days=day))
        assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert len(world.store.records()) == 1


def test_rows_below_the_floor_fail(world: World) -> None:
    good = world.sync(world.net(native(12)))
    source = world.net(native(3)).model_copy(update={"min_rows": 10})
    bad = world.sync(source, NOW + timedelta(days=1))
    assert "3 readable rows; min_rows asks for 10" in bad.message
    assert bad.snapshot == good.snapshot


@pytest.mark.parametrize(
    "change",
    [
        lambda row: {name: value for name, value in row.items() if name != "value"} | {"result": row["value"]},
        lambda row: {name: value for name, value in row.items() if name != "model"},
        lambda row: row | {"model": ""},
        lambda row: row | {"unit": None},
        lambda row: row | {"n_samples": "12"},
        lambda row: row | {"stderr": -1},
        lambda row: row | {"protocol": {"step": 15}},
        lambda row: row | {"updated_at": "yesterday"},
    ],
)
def test_a_native_file_whose_rows_lost_their_form_never_replaces_a_good_one(
    world: World, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Changed columns, in the format of our own; one such row among good ones is counted, and hides none of them."""
    good = world.sync(world.net(native(6)))
    document = json.loads(native(6))
    rows = document["results"]
    document["results"] = [change(row) for row in rows]
    bad = world.sync(world.net(json.dumps(document).encode()), NOW + timedelta(days=1))
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert "0 readable rows; min_rows asks for 1; first problem: results[0]: " in bad.message
    document["results"] = [*rows, change(rows[0])]
    mixed = world.sync(world.net(json.dumps(document).encode()), NOW + timedelta(days=2))
    assert mixed.snapshot is not None
    assert mixed.snapshot != good.snapshot
    assert "7 rows, 1 of them unreadable" in mixed.message


def test_a_server_error_is_said(world: World) -> None:
    world.server.answers["/x"] = plain(b"", 503)
    outcome = world.sync(source_of(world.server.url("/x"), allow_private=True))
    assert outcome.status == "failed"
    assert "status 503" in outcome.message
    assert "nothing was ever received" in outcome.message


def test_a_private_address_needs_leave(world: World) -> None:
    source = source_of(world.server.serve("/a", native()).replace("http:", "https:"))
    outcome = world.sync(source)
    assert outcome.status == "failed"
    assert "allow_private" in outcome.message
    plain_http = world.sync(source_of(world.server.url("/a")))
    assert "only https" in plain_http.message


def test_offline_and_past_days_read_no_network_source(world: World) -> None:
    source = world.net(native())
    world.sync(source)
    offline = world.sync(source, NOW + timedelta(days=1), offline=True)
    assert offline.status == "skipped"
    assert offline.snapshot is not None
    past = world.sync(source, NOW + timedelta(days=2), as_of=date(2026, 10, 20))
    assert past.status == "skipped"
    assert past.snapshot is not None
    earlier = world.sync(source, NOW + timedelta(days=2), as_of=date(2026, 10, 1))
    assert earlier.snapshot is None
    assert len(world.server.seen) == 1


def test_a_missing_credential_is_red_for_its_source_only(world: World) -> None:
    """A47."""
    source = world.net(native()).model_copy(update={"secret_env": "SCORETRAIL_SECRET_BOARD"})
    outcome = world.sync(source)
    assert outcome.status == "missing_credential"
    assert "set SCORETRAIL_SECRET_BOARD" in outcome.message
    assert world.server.seen == []


def test_a_credential_is_sent(tmp_path: Path, world: World) -> None:
    settings = settings_of(tmp_path, SCORETRAIL_SECRET_BOARD="hush")
    source = world.net(native()).model_copy(update={"secret_env": "SCORETRAIL_SECRET_BOARD"})
    assert sync_source(source, settings, world.store, NOW).status == "fresh"
    assert world.server.seen[0][1]["authorization"] == "Bearer hush"
    assert b"hush" not in world.store.index_path.read_bytes()


def test_stored_addresses_hold_no_query(world: World) -> None:
    """G07."""
    source = world.net(native())
    outcome = world.sync(source.model_copy(update={"url": source.url + "?token=abc"}))
    assert outcome.snapshot is not None
    assert outcome.snapshot.source_url == source.url
    assert b"abc" not in world.store.index_path.read_bytes()


def test_content_older_than_its_limit_is_stale_at_the_end_of_its_day(world: World) -> None:
    source = source_of(world.file(native(synced_at="2026-10-01T00:00:00Z")), max_age=10)
    assert world.sync(source, as_of=date(2026, 10, 9)).status == "asserted"
    assert world.sync(source).status == "stale"
    assert "19 days old, more than 10" in world.sync(source).message


def test_stale_does_not_hide_a_failure(world: World) -> None:
    source = world.net(native()).model_copy(update={"max_age": 1})
    world.sync(source)
    world.server.answers.clear()
    assert world.sync(source, NOW + timedelta(days=30)).status == "failed"


# ---- damage and bugs


def test_a_damaged_kept_snapshot_is_no_last_good(world: World) -> None:
    source = world.net(native())
    first = world.sync(source)
    assert first.snapshot is not None
    (world.settings.home / first.snapshot.path).write_bytes(b"changed")
    world.server.answers.clear()
    outcome = world.sync(source, NOW + timedelta(days=1))
    assert (outcome.status, outcome.snapshot) == ("failed", None)
    assert "missing or was changed" in outcome.message


def test_a_damaged_index_is_said_and_does_not_raise(world: World) -> None:
    world.store.index_path.parent.mkdir(parents=True)
    world.store.index_path.write_bytes(b"garbage\n")
    outcome = world.sync(source_of(world.file(native())))
    assert (outcome.status, outcome.snapshot) == ("failed", None)
    assert "index.jsonl:1" in outcome.message


def test_an_unforeseen_error_stops_one_source_and_calls_itself_a_bug(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> object:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr("resources.sync.parse", broken)
    outcome = world.sync(source_of(world.file(native())))
    assert outcome.status == "failed"
    assert outcome.is_bug
    assert "ZeroDivisionError" in outcome.message
