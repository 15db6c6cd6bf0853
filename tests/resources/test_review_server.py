"""The review server and its page: who may write, what is refused, and a sitting in headless Chromium by keys alone."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "site"))

from chromium import browser, find_chromium

from methods.pairing.fast import candidate_pairs
from methods.pairing.walk import PairWalker
from resources.candidate_pairs import ReviewedSet
from resources.catalog_files import load_catalog
from resources.decision_file import read_decisions
from resources.review import Review
from resources.review_server import WRITE_HEADER, ReviewServer
from warehouse.tables import CORE_RESULT

EVIL = "<img src=x onerror='window.broken=1'>"
NAMES = ("Alder", "Birch", f"Cedar {EVIL}")


def rows() -> pl.DataFrame:
    """Three models, each from two sources, on one benchmark."""
    base: dict[str, Any] = dict.fromkeys(CORE_RESULT.columns) | {
        "snapshot_sha256": "s" * 64, "benchmark": "Bench", "metric": "accuracy", "unit": "score", "kind": "measured",
    }  # fmt: skip
    found = [
        base | {"entry_id": f"{n}{kind[0] * 15}", "leaderboard": f"board-{kind}", "row_locator": f"results[{n}]",
                "value": 50.0 + n, "model": NAMES[n], "notes": EVIL, "source_type": kind}
        for n in range(3)
        for kind in ("official", "self_reported")
    ]  # fmt: skip
    return CORE_RESULT.conform(pl.DataFrame(found, schema=CORE_RESULT.polars_schema()))


@pytest.fixture
def server(tmp_path: Path, repository: Path) -> Iterator[ReviewServer]:
    results = rows()
    catalog = load_catalog(
        repository / "warehouse" / "catalog", repository / "warehouse" / "demo" / "sources.yaml"
    ).catalog
    walker = PairWalker(candidate_pairs(results, catalog).frame, results, catalog)
    chosen = ReviewedSet("results as of 2026-10-20", date(2026, 10, 20), walker, ())
    review = Review(tmp_path, chosen, "R1", {})
    with ReviewServer(review, 0) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join(5)


def ask(server: ReviewServer, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
    """One request with the headers our page sends, some of them changed or (None) left out."""
    parts = urlsplit(server.address)
    usual = {"Origin": f"http://{parts.netloc}", "Content-Type": "application/json", WRITE_HEADER: "1"}
    sent = (
        {name: value for name, value in (usual | headers).items() if value != "none"} if method == "POST" else headers
    )
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    connection.request(method, path, None if body is None else json.dumps(body), sent)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, json.loads(data) if "json" in (answer.getheader("Content-Type") or "") else data


def token(server: ReviewServer) -> str:
    return f"/{server.token}/"


def first(server: ReviewServer) -> str:
    status, found = ask(server, "GET", f"{token(server)}pairs.json")
    assert status == 200
    return str(found["pairs"][0]["pair_id"])


def words(pair: str, decision: str = "unsure", reason: str = "who knows") -> dict[str, str]:
    return {"pair_id": pair, "decision": decision, "reason": reason}


def test_a_decision_is_appended_and_the_pair_says_so(server: ReviewServer, tmp_path: Path) -> None:
    pair = first(server)
    status, found = ask(server, "POST", f"{token(server)}decide", words(pair))
    assert (status, found["decision"], found["history"][0]["reviewer"]) == (200, "unsure", "R1")
    (row,) = read_decisions(tmp_path)
    assert (row.decision, row.reason, row.reviewer) == ("unsure", "who knows", "R1")
    assert pair not in {one["pair_id"] for one in ask(server, "GET", f"{token(server)}pairs.json")[1]["pairs"]}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"decision": "aligned"}, "model_version"),
        ({"decision": "maybe"}, "decision"),
        ({"reason": "  "}, "reason"),
        ({"reason": "=1+1"}, "must not begin"),
        ({"pair_id": "x~y"}, "no candidate pair"),
        ({"reason": 7}, "states"),
    ],
)
def test_what_is_not_sound_is_refused_with_the_reason(
    server: ReviewServer, tmp_path: Path, values: dict[str, Any], told: str
) -> None:
    status, found = ask(server, "POST", f"{token(server)}decide", words(first(server)) | values)
    assert status == 422
    assert told in found["error"]
    assert not (tmp_path / "decisions.csv").exists()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "none"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({WRITE_HEADER: "none"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Length": "-1"}, 411),
        ({"Content-Length": "99999999"}, 413),
    ],
)
def test_no_other_page_may_write(server: ReviewServer, tmp_path: Path, headers: dict[str, str], status: int) -> None:
    """Cross-site requests lack our origin, our header or JSON; nothing is written."""
    pair = first(server)
    assert ask(server, "POST", f"{token(server)}decide", words(pair), **headers)[0] == status
    assert not (tmp_path / "decisions.csv").exists()


@pytest.mark.parametrize("path", ["/decide", "/wrong/decide", "/wrong/pairs.json", "/pairs.json"])
def test_without_the_token_there_is_nothing(server: ReviewServer, path: str) -> None:
    assert ask(server, "POST", path, words(first(server)))[0] == 403
    assert ask(server, "GET", path)[0] == 403


def test_only_the_pages_own_files_are_there(server: ReviewServer) -> None:
    for name in ("", "index.html", "assets/review.js", "assets/review.css", "assets/site.css"):
        assert ask(server, "GET", token(server) + name)[0] == 200, name
    for name in ("decisions.csv", "../decisions.csv", "assets/review.html"):
        assert ask(server, "GET", token(server) + name)[0] == 404
    assert ask(server, "POST", f"{token(server)}pairs.json", {})[0] == 404


def test_a_sitting_by_keys_alone(
    server: ReviewServer, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each pair takes a digit and Enter; a refusal stays on the pair; nothing is loaded from elsewhere."""
    if find_chromium() is None:
        pytest.skip("no Chromium on this machine (SCORETRAIL_CHROMIUM names one)")
    with browser(tmp_path_factory.mktemp("profile")) as tab:
        tab.open(server.address)
        wait(tab, "document.documentElement.dataset.ready === 'yes'")
        assert tab.run("document.querySelector('main img') === null && window.broken === undefined")
        assert "pair 1 of 3" in tab.run("document.getElementById('place').textContent")
        press(tab, "j")
        assert "pair 2 of 3" in tab.run("document.getElementById('place').textContent")
        press(tab, "k")
        press(tab, "1")
        tab.run("document.getElementById('reason').value = 'the same'")
        press(tab, "Enter")
        wait(tab, "document.getElementById('message').textContent.includes('model_version')")
        press(tab, "Escape")
        for number in range(3):
            press(tab, "6")
            tab.run(f"document.getElementById('reason').value = 'not told {number}'")
            press(tab, "Enter")
            wait(tab, f"document.getElementById('progress').value === {number + 1}")
        wait(tab, "document.getElementById('message').textContent.includes('all pairs')")
        assert all(
            request.startswith((server.address.rsplit("/", 1)[0], "data:", "about:")) for request in tab.requests
        )
        assert [error for error in tab.errors if "422" not in error] == []
    assert [row.reason for row in read_decisions(tmp_path)] == ["not told 0", "not told 1", "not told 2"]


def press(tab: Any, key: str) -> None:
    text = {"Enter": "\r", "Escape": ""}.get(key, key)
    named = {
        "key": key,
        "text": text,
        "windowsVirtualKeyCode": {"Enter": 13, "Escape": 27}.get(key, ord(key[0].upper())),
    }
    tab.call("Input.dispatchKeyEvent", type="keyDown", **named)
    tab.call("Input.dispatchKeyEvent", type="keyUp", **{**named, "text": ""})


def wait(tab: Any, condition: str) -> None:
    end = time.monotonic() + 10
    while not tab.run(condition):
        assert time.monotonic() < end, f"{condition}: {tab.run('document.body.innerText')[:800]}"
        time.sleep(0.02)
