"""Many files of one server as one source: whole and of one state, or not at all; an interrupted one goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from inbound import NOW, settings_of, source_of
from local_server import LocalServer, local_server, plain
from pacing import FakeTime, network_of

from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync import SyncOutcome, sync_source
from warehouse.catalog_model import SourceSpec

TABLE: dict[str, Any] = {
    "connector": "table",
    "options": {
        "format": "json",
        "fields": {
            "benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"},
            "value": {"field": "score", "type": "number"}, "model": "model",
        },
    },
}  # fmt: skip


def body(n: int, score: int = 50) -> bytes:
    return json.dumps([{"model": f"Model {n}", "score": score}]).encode()


@dataclass
class Forest:
    """A server with a tree of files, an index of it, and the requests it saw."""

    settings: Settings
    store: SnapshotStore
    server: LocalServer
    bodies: dict[str, bytes] = field(default_factory=dict)
    version: str = "v1"
    clock: FakeTime = field(default_factory=FakeTime)

    def plant(self, count: int, etags: bool = True) -> None:
        for n in range(count):
            self.bodies[f"{n:03}/r.json"] = body(n)
        for name in self.bodies:
            self.server.answers[f"/t/{name}"] = self.answer(name, etags)
            self.server.answers[f"/at/v1/{name}"] = self.answer(name, etags)
            self.server.answers[f"/at/v2/{name}"] = self.answer(name, etags)
        self.server.answers["/index"] = self.index

    def index(self, request: BaseHTTPRequestHandler) -> None:
        listing = {"sha": self.version, "tree": [{"path": f"data/{name}"} for name in self.bodies]}
        plain(json.dumps(listing).encode())(request)

    def answer(self, name: str, etags: bool) -> Any:
        def answer(request: BaseHTTPRequestHandler) -> None:
            data = self.bodies[name]
            etag = f'"{hash(data)}"'
            if etags and request.headers.get("if-none-match") == etag:
                plain(b"", 304, etag=etag)(request)
            else:
                plain(data, **({"etag": etag} if etags else {}))(request)

        return answer

    def listed(self) -> SourceSpec:
        tree = {"files": sorted(self.bodies)}
        return source_of(self.server.url("/t/"), allow_private=True, tree=tree, **TABLE)

    def indexed(self, *, pinned: bool) -> SourceSpec:
        tree = {
            "index": self.server.url("/index"),
            "names": "tree[*].path",
            "pattern": r"data/(.+\.json)",
            "version": "sha",
        }
        url = self.server.url("/at/{version}/" if pinned else "/t/")
        return source_of(url, allow_private=True, tree=tree, **TABLE)

    def sync(self, source: SourceSpec, nights: int = 0) -> SyncOutcome:
        with network_of(self.clock) as network:
            return sync_source(source, self.settings, self.store, NOW + timedelta(days=nights), network=network)

    def asked(self) -> list[str]:
        paths = [path for path, _ in self.server.seen]
        self.server.seen.clear()
        return paths


@pytest.fixture
def forest(tmp_path: Path) -> Iterator[Forest]:
    settings = settings_of(tmp_path)
    with local_server() as server:
        yield Forest(settings, SnapshotStore(settings.home), server)


def parts(forest: Forest) -> list[Path]:
    return list((forest.settings.home / "trees").rglob("*.part"))


@pytest.mark.parametrize("pinned", [True, False])
def test_an_interrupted_tree_is_no_snapshot_and_goes_on_where_it_stopped(forest: Forest, pinned: bool) -> None:
    """A51: 40 files, 429 at 31 -> no snapshot until 40 are there; the 30 are not downloaded again."""
    forest.plant(40)
    source = forest.indexed(pinned=pinned)
    stuck = f"{'/at/v1' if pinned else '/t'}/030/r.json"
    working = forest.server.answers[stuck]
    forest.server.answers[stuck] = plain(b"", 429, retry_after="9000")
    failed = forest.sync(source)
    assert (failed.status, failed.snapshot) == ("failed", None)
    assert "rate_limited" in failed.message
    assert forest.store.records() == []
    assert len(parts(forest)) == 30
    forest.asked()
    forest.server.answers[stuck] = working
    whole = forest.sync(source, 1)
    assert (whole.status, whole.message) == ("fresh", "40 rows")
    seen = forest.asked()
    if pinned:
        assert len([path for path in seen if path != "/index"]) == 10
    else:
        assert seen.count("/t/000/r.json") == 1, "asked whether it still stands"
    assert parts(forest) == []


def test_a_quiet_night_confirms_each_file_and_reads_none(forest: Forest) -> None:
    forest.plant(5)
    source = forest.listed()
    first = forest.sync(source)
    assert first.status == "fresh"
    forest.asked()
    again = forest.sync(source, 1)
    assert (again.status, again.message) == ("unchanged", "none of 5 files was modified")
    assert again.snapshot == first.snapshot
    assert len(forest.asked()) == 5


def test_a_quiet_night_of_a_pinned_tree_asks_for_its_index_only(forest: Forest) -> None:
    forest.plant(5)
    source = forest.indexed(pinned=True)
    forest.sync(source)
    forest.asked()
    assert forest.sync(source, 1).status == "unchanged"
    assert forest.asked() == ["/index"]


def test_one_changed_file_is_one_download(forest: Forest) -> None:
    forest.plant(5)
    source = forest.listed()
    forest.sync(source)
    forest.bodies["003/r.json"] = body(3, 60)
    changed = forest.sync(source, 1)
    assert changed.status == "fresh"
    assert changed.snapshot is not None
    assert [json.loads(file.data)[0]["score"] for file in forest.store.files(changed.snapshot)] == [50, 50, 50, 60, 50]


@pytest.mark.parametrize("etags", [True, False])
@pytest.mark.parametrize("kind", ["listed", "indexed", "pinned"])
def test_a_tree_that_changes_between_two_files_is_read_again(forest: Forest, kind: str, etags: bool) -> None:
    """The first file is read before the change, the last after it: never both states in one snapshot."""
    forest.plant(4, etags)
    source = forest.listed() if kind == "listed" else forest.indexed(pinned=kind == "pinned")
    where = "/at/v1" if kind == "pinned" else "/t"
    plainly = forest.server.answers[f"{where}/002/r.json"]

    def change(request: BaseHTTPRequestHandler) -> None:
        if forest.version == "v1":
            forest.version = "v2"
            for n in range(4):
                forest.bodies[f"{n:03}/r.json"] = body(n, 70)
        plainly(request)

    forest.server.answers[f"{where}/002/r.json"] = change
    outcome = forest.sync(source)
    assert outcome.status == "fresh", outcome.message
    assert outcome.snapshot is not None
    scores = {json.loads(file.data)[0]["score"] for file in forest.store.files(outcome.snapshot)}
    if kind != "pinned":
        assert scores == {70}


def test_a_tree_that_never_rests_fails_and_keeps_the_last_good(forest: Forest) -> None:
    forest.plant(3)
    source = forest.listed()
    good = forest.sync(source)
    score = [50]

    def restless(request: BaseHTTPRequestHandler) -> None:
        score[0] += 1
        plain(body(0, score[0]))(request)

    forest.server.answers["/t/000/r.json"] = restless
    bad = forest.sync(source, 1)
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert "changed while they were read" in bad.message


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (b"<html>", "another shape"),
        (b'{"sha": "v1"}', "another shape"),
        (b'{"sha": "v1", "tree": []}', "lists no file that counts"),
        (b'{"sha": "v1", "truncated": true, "tree": [{"path": "data/a.json"}]}', "not whole"),
        (b'{"sha": 3, "tree": [{"path": "data/a.json"}]}', "must lead to one text"),
        (b'{"sha": "v1", "tree": [{"path": "data/../../secret.json"}]}', "may not be read"),
        (b'{"sha": "v1", "tree": [{"path": "data//etc/x.json"}]}', "may not be read"),
        (b'{"sha": "v1", "tree": [{"path": "data/http://h/x.json"}]}', "may not be read"),
        (b"[" * 100_000, "another shape"),
    ],
)
def test_an_index_that_is_none_fails(forest: Forest, index: bytes, message: str) -> None:
    forest.plant(2)
    good = forest.sync(forest.indexed(pinned=False))
    forest.server.serve("/index", index)
    bad = forest.sync(forest.indexed(pinned=False), 1)
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert message in bad.message


def test_damaged_leftovers_cost_downloads_and_nothing_else(forest: Forest) -> None:
    forest.plant(6)
    source = forest.listed()
    forest.server.answers["/t/004/r.json"] = plain(b"", 403)
    forest.sync(source)
    for path in parts(forest)[:2]:
        path.write_bytes(b"damaged")
    forest.server.answers["/t/004/r.json"] = forest.answer("004/r.json", etags=True)
    outcome = forest.sync(source, 1)
    assert (outcome.status, outcome.message) == ("fresh", "6 rows")
    log = next((forest.settings.home / "trees").rglob("log.jsonl"))
    log.write_bytes(b"garbage\n")
    forest.bodies["000/r.json"] = body(0, 51)
    assert forest.sync(source, 2).status == "fresh"
