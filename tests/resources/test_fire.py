"""The sync under fire: one server that misbehaves on demand. Each case ends as the last good kept, the right status,
the right message, and the other source of the same run unharmed.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from inbound import NOW, native, settings_of, source_of
from local_server import Answer, LocalServer, in_order, local_server, plain
from pacing import FakeTime, network_of

from resources.connectors import SnapshotFile, parse
from resources.http import FetchError
from resources.network import Network
from resources.public_network import public_addresses
from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync import SyncOutcome, sync_source
from warehouse.catalog_model import SourceSpec

NIGHT = timedelta(days=1)
CSV = b"model,score,stderr\n" + b"".join(b"Model %d,%d,1.5\n" % (n, 40 + n) for n in range(12))
TABLE: dict[str, Any] = {
    "connector": "table",
    "min_rows": 10,
    "options": {
        "format": "csv",
        "columns": ["model", "score", "stderr"],
        "fields": {
            "benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"}, "model": "model",
            "value": {"field": "score", "type": "number"}, "stderr": {"field": "stderr", "type": "number"},
        },
    },
}  # fmt: skip


@dataclass
class Fire:
    """A home, a server and two sources of one run: the one under fire, and its neighbour."""

    settings: Settings
    store: SnapshotStore
    server: LocalServer
    clock: FakeTime = field(default_factory=FakeTime)

    def source(self, leaderboard: str = "board", **changes: Any) -> SourceSpec:
        url = self.server.url(f"/{leaderboard}")
        return source_of(url, leaderboard, **({"allow_private": True} | changes))

    def good(self, source: SourceSpec, body: bytes, **headers: str) -> SyncOutcome:
        """A first night on which all is well, for both."""
        self.server.serve(f"/{source.id}", body, **headers)
        self.server.serve("/neighbour", native(4, "neighbour"))
        outcome = self.sync(source)
        assert outcome.status == "fresh", outcome.message
        assert self.sync(self.source("neighbour")).status in {"fresh", "unchanged"}
        return outcome

    def sync(self, source: SourceSpec, nights: int = 0, network: Network | None = None) -> SyncOutcome:
        used = network or network_of(self.clock, read_seconds=0.4, total_seconds=0.4, max_bytes=3_000_000)
        with used:
            return sync_source(source, self.settings, self.store, NOW + nights * NIGHT, network=used)


@pytest.fixture
def fire(tmp_path: Path) -> Iterator[Fire]:
    settings = settings_of(tmp_path)
    with local_server() as server:
        yield Fire(settings, SnapshotStore(settings.home), server)


def reset(request: BaseHTTPRequestHandler) -> None:
    """Half a body, then a reset of the connection."""
    request.send_response(200)
    request.send_header("content-length", "100000")
    request.end_headers()
    request.wfile.write(b"[" * 500)
    request.wfile.flush()
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.connection.close()


def drip_body(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    drip(request)


def drip(request: BaseHTTPRequestHandler) -> None:
    """A byte at a time, each just before any limit between bytes; also in place of headers."""
    try:
        for _ in range(60):
            request.wfile.write(b"x")
            request.wfile.flush()
            time.sleep(0.05)
    except OSError:
        return


def redirect(location: str) -> Answer:
    return plain(b"", 302, location=location)


def bomb(request: BaseHTTPRequestHandler) -> None:
    plain(gzip.compress(b"0" * 60_000_000, 1), content_encoding="gzip")(request)


def chunk_cut(request: BaseHTTPRequestHandler) -> None:
    """A chunked body that ends without its last chunk."""
    request.protocol_version = "HTTP/1.1"
    request.send_response(200)
    request.send_header("transfer-encoding", "chunked")
    request.end_headers()
    request.wfile.write(b"400\r\n" + b"[" * 100)


MISBEHAVIOUR: dict[str, tuple[Callable[[LocalServer], Answer], str, int]] = {
    "429 with Retry-After": (lambda _: plain(b"", 429, retry_after="40"), "rate_limited: ", 4),
    "429 for hours": (lambda _: plain(b"", 429, retry_after="9000"), "the next would come 9000 s later", 1),
    "403": (lambda _: plain(b"", 403), "the server refuses us", 1),
    "404": (lambda _: plain(b"", 404), "correct `url` in sources.yaml", 1),
    "500 for good": (lambda _: plain(b"", 500), "status 500", 5),
    "slow drip of a body": (lambda _: drip_body, "not complete after", 5),
    "slow drip of headers": (lambda _: drip, "not complete after", 5),
    "reset mid-body": (lambda _: reset, "given up after 5 attempts", 5),
    "wrong length": (lambda _: plain(native(12)[:300], content_length="4000"), "given up after 5 attempts", 5),
    "a chunk cut off": (lambda _: chunk_cut, "given up after 5 attempts", 5),
    "redirect loop": (lambda s: redirect(s.url("/board")), "more than 5 redirects", 6),
    "redirect to a file": (lambda _: redirect("file:///etc/passwd"), "redirected to what may not be read", 1),
    "gzip bomb": (lambda _: bomb, "expands to more than 3000000 bytes", 1),
    "an error page as success": (lambda _: plain(b"<!doctype html><h1>busy</h1>"), "a web page came", 1),
    "nothing": (lambda _: plain(b""), "empty (0 bytes)", 1),
}  # fmt: skip


@pytest.mark.parametrize("case", MISBEHAVIOUR)
def test_misbehaviour_leaves_the_last_good_and_the_neighbour(fire: Fire, case: str) -> None:
    """A48, A50, A52: status failed, its message says what; bytes and times of the last good stay."""
    answer, message, requests = MISBEHAVIOUR[case]
    source = fire.source()
    good = fire.good(source, native(12))
    before = fire.store.index_path.read_bytes()
    fire.server.answers["/board"] = answer(fire.server)
    fire.server.seen.clear()
    bad = fire.sync(source, 1)
    assert (bad.status, bad.is_bug) == ("failed", False), bad.message
    assert message in bad.message
    assert "uses the snapshot of 2026-10-20 03:00 UTC" in bad.message
    assert bad.snapshot == good.snapshot
    assert fire.store.index_path.read_bytes() == before
    assert len(fire.server.seen) == requests
    assert sum(fire.clock.slept) <= 120 + 1
    assert fire.sync(fire.source("neighbour"), 1).status == "unchanged"
    fire.server.serve("/board", native(13))
    assert fire.sync(source, 2).status == "fresh"


def test_500_then_fine_is_fine(fire: Fire) -> None:
    source = fire.source()
    fire.good(source, native(12))
    fire.server.answers["/board"] = in_order(plain(b"", 500), plain(b"", 502), plain(native(13)))
    again = fire.sync(source, 1)
    assert (again.status, again.message) == ("fresh", "13 rows")
    assert fire.clock.slept[-2:] == [1, 2]


def test_reset_then_fine_is_fine(fire: Fire) -> None:
    fire.server.answers["/board"] = in_order(reset, plain(native(12)))
    assert fire.sync(fire.source()).status == "fresh"


def test_304_with_a_changed_etag_is_asked_again_without_condition(fire: Fire) -> None:
    """A54: sent "a", got 304 with etag "b" -> refetch."""
    source = fire.source()
    fire.good(source, native(12), etag='"a"')

    def answer(request: BaseHTTPRequestHandler) -> None:
        conditional = request.headers.get("if-none-match")
        (plain(b"", 304, etag='"b"') if conditional else plain(native(14), etag='"b"'))(request)

    fire.server.answers["/board"] = answer
    again = fire.sync(source, 1)
    assert (again.status, again.message) == ("fresh", "14 rows")
    assert again.snapshot is not None
    assert again.snapshot.etag == '"b"'


def test_304_without_end_fails_and_keeps(fire: Fire) -> None:
    source = fire.source()
    good = fire.good(source, native(12), etag='"a"')
    fire.server.answers["/board"] = plain(b"", 304, etag='"b"')
    bad = fire.sync(source, 1)
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert "status 304" in bad.message


@pytest.mark.parametrize("inward", ["127.0.0.1", "169.254.169.254", "[::1]", "localhost", "[::ffff:10.0.0.1]"])
def test_a_redirect_to_a_private_address_is_not_followed(
    fire: Fire, inward: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public server that redirects inward is tried once: the first request goes out, the second does not."""

    def addresses(host: str, port: int) -> list[str]:
        return ["127.0.0.1"] if host == "public.example" else public_addresses(host, port)

    monkeypatch.setattr("resources.public_network.public_addresses", addresses)
    fire.server.answers["/board"] = redirect(f"https://{inward}:{fire.server.port}/secret")
    with network_of(fire.clock) as network, pytest.raises(FetchError, match="no public address") as caught:
        network.fetch(fire.server.url("/board", "public.example"))
    assert not caught.value.is_transient
    assert [path for path, _ in fire.server.seen] == ["/board"]


def test_a_compressed_body_is_measured_as_sent(fire: Fire) -> None:
    """A53: the length is that of the encoded bytes."""
    fire.server.serve("/board", gzip.compress(native(12)), content_encoding="gzip")
    assert fire.sync(fire.source()).status == "fresh"


def test_a_bomb_within_the_size_is_known_by_its_ratio(fire: Fire) -> None:
    fire.server.answers["/board"] = bomb
    with network_of(fire.clock, read_seconds=5, total_seconds=5) as network:
        outcome = fire.sync(fire.source(), 0, network)
    assert (outcome.status, outcome.snapshot) == ("failed", None)
    assert "expands more than 200 times" in outcome.message


def test_renamed_columns_fail_and_say_which(fire: Fire) -> None:
    source = fire.source(**TABLE)
    good = fire.good(source, CSV)
    fire.server.serve("/board", CSV.replace(b"model,score", b"model,accuracy", 1))
    bad = fire.sync(source, 1)
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert "accuracy" in bad.message
    assert "score" in bad.message


def test_reordered_columns_are_refused_where_the_entry_lists_them_and_else_read_by_name(fire: Fire) -> None:
    turned = b"\n".join(b",".join(reversed(line.split(b","))) for line in CSV.splitlines()) + b"\n"
    by_names = {key: value for key, value in TABLE["options"].items() if key != "columns"}
    listed = fire.source(**TABLE)
    by_name = fire.source("named", **(TABLE | {"options": by_names}))
    good = fire.good(listed, CSV)
    fire.good(by_name, CSV)
    fire.server.serve("/board", turned)
    fire.server.serve("/named", turned)
    refused, read = fire.sync(listed, 1), fire.sync(by_name, 1)
    assert (refused.status, refused.snapshot) == ("failed", good.snapshot)
    assert "columns" in refused.message
    assert read.status == "fresh"
    assert read.snapshot is not None
    before, after = (parse(by_name, [SnapshotFile("named", body)]).rows for body in (CSV, turned))
    assert [row.record for row in before] == [row.record for row in after]


def test_half_the_rows_gone_fails_below_the_floor_and_else_waits_for_its_gate(fire: Fire) -> None:
    """Below min_rows the sync refuses; above it the bytes are kept, and `rows-lost` judges (test_fire_gates)."""
    source = fire.source(**TABLE)
    good = fire.good(source, CSV)
    fire.server.serve("/board", b"".join(CSV.splitlines(keepends=True)[:7]))
    bad = fire.sync(source, 1)
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)
    assert "6 readable rows; min_rows asks for 10" in bad.message


def test_a_source_frozen_for_months_is_stale_and_says_so(fire: Fire) -> None:
    source = fire.source(max_age=60)
    good = fire.good(source, native(12), etag='"a"')
    fire.server.answers["/board"] = plain(b"", 304, etag='"a"')
    assert fire.sync(source, 59).status == "unchanged"
    frozen = fire.sync(source, 120)
    assert (frozen.status, frozen.snapshot) == ("stale", good.snapshot)
    assert "120 days old, more than 60: is the source frozen?" in frozen.message


def test_a_missing_credential_is_named_and_nothing_is_sent(fire: Fire) -> None:
    """A47."""
    source = fire.source()
    good = fire.good(source, native(12))
    fire.server.seen.clear()
    bad = fire.sync(source.model_copy(update={"secret_env": "SCORETRAIL_SECRET_BOARD"}), 1)
    assert (bad.status, bad.snapshot) == ("missing_credential", good.snapshot)
    assert "set SCORETRAIL_SECRET_BOARD" in bad.message
    assert fire.server.seen == []


def test_a_secret_and_a_query_stay_out_of_every_message(fire: Fire, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, SCORETRAIL_SECRET_BOARD="hush-hush")
    source = fire.source(secret_env="SCORETRAIL_SECRET_BOARD")
    source = source.model_copy(update={"url": source.url + "?key=hush-query"})
    fire.server.answers["/board"] = plain(b"hush-hush is wrong", 401)
    outcome = sync_source(source, settings, fire.store, NOW, network=network_of(fire.clock))
    assert outcome.status == "failed"
    assert "hush" not in outcome.message
    assert "secret_env" in outcome.message


def test_no_source_learns_the_cookies_of_another(fire: Fire) -> None:
    network = network_of(fire.clock)
    fire.server.serve("/board", native(1), set_cookie="session=1; path=/")
    with network:
        for _ in range(2):
            sync_source(fire.source(), fire.settings, fire.store, NOW, network=network)
    assert all("cookie" not in headers for _, headers in fire.server.seen)


@pytest.mark.parametrize("value", [0, 5000])
def test_strange_values_are_kept_as_received_and_left_to_the_gates(fire: Fire, value: int) -> None:
    """All zero, or all times 100: a legal file. The sync keeps what came; the gates of the day say no."""
    source = fire.source()
    fire.good(source, native(12))
    fire.server.serve("/board", native(12, value=value))
    outcome = fire.sync(source, 1)
    assert outcome.status == "fresh"
    assert outcome.snapshot is not None
    assert json.loads(fire.store.read(outcome.snapshot))["results"][0]["value"] == value
