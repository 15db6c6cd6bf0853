"""Ctrl-C and TERM in the middle: the command ends at once, says so, ends with 2, and the next one goes on."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from dagster._utils.interrupts import capture_interrupts
from small_homes import SmallWorld

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources"))
from local_server import LocalServer, local_server, plain

from pipelines.interruption import interruptible
from resources.deadlines import StoppedError
from resources.home_lock import HomeLock
from resources.network import Network
from resources.sync_outcomes import all_outcomes
from resources.workspace import Workspace

SIGNALS = [signal.SIGINT, signal.SIGTERM]
SAID = "interrupted; nothing half-done was published"


@pytest.fixture(autouse=True)
def as_the_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The handlers of a command that was started as such."""
    former = {name: signal.getsignal(name) for name in SIGNALS}
    for name in SIGNALS:
        signal.signal(name, signal.default_int_handler)
    yield
    for name, handler in former.items():
        signal.signal(name, handler)


def served(world: SmallWorld, server: LocalServer) -> None:
    """The boards of a world behind a server that goes by two names, two boards a host."""
    for number, (board, entry) in enumerate(world.entries.items()):
        server.serve(f"/{board}.json", world.board_file(board).read_bytes(), etag=f'"{board}"')
        entry |= {"url": server.url(f"/{board}.json", ("127.0.0.1", "localhost")[number // 2]), "allow_private": True}
    world.write_sources()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_sync_ends_at_once_and_the_next_one_goes_on(
    fresh: SmallWorld, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """beta is under way: it is no failure of its own; what was not begun is not begun."""
    with local_server() as server:
        served(fresh, server)
        body = fresh.board_file("beta").read_bytes()

        stopped, stop = threading.Event(), Network.stop
        monkeypatch.setattr(Network, "stop", lambda network: (stop(network), stopped.set()))

        def interrupts(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("content-length", str(len(body)))
            request.end_headers()
            request.wfile.write(body[:100])
            os.kill(os.getpid(), number)
            stopped.wait(20)
            with suppress(ConnectionError):  # what ends the wait that is under way, and what the next would bring
                request.wfile.write(body[100:200])
                time.sleep(0.1)
                request.wfile.write(body[200:])

        server.answers["/beta.json"] = interrupts
        server.answers["/delta.json"] = plain(b"", 503, retry_after="90")
        began = time.monotonic()
        monkeypatch.setenv("SCORETRAIL_RETRY_SECONDS", "120")  # delta's host is waited for
        ran = fresh.ask("sync", "--json", "--catalog", str(fresh.catalog))
        assert time.monotonic() - began < 20, "it waited for a source that had not answered yet"
        assert (ran.code, ran.json) == (2, {"error": SAID, "exit_code": 2})
        assert {board: outcome["status"] for board, outcome in all_outcomes(fresh.home).items()} == {"alpha": "fresh"}
        assert not list(fresh.home.rglob(".tmp*"))
        served(fresh, server)
        server.seen.clear()
        again = fresh.ask("sync", "--json", "--catalog", str(fresh.catalog))
    assert again.code == 0, again.said
    conditions = {path: headers.get("if-none-match") for path, headers in server.seen}
    assert conditions["/alpha.json"] == '"alpha"' and conditions["/beta.json"] is None
    assert {outcome["status"] for outcome in all_outcomes(fresh.home).values()} == {"fresh", "unchanged"}


@pytest.mark.parametrize(
    ("words", "table", "number"),
    [
        (("verify", "current"), "raw__snapshot", signal.SIGINT),
        (("verify", "current"), "out__product", signal.SIGTERM),
        (("run", "--as-of", "2026-03-28"), "core__evidence", signal.SIGTERM),
        (("run", "--as-of", "2026-03-28"), "out__product", signal.SIGINT),
    ],
)
def test_a_day_that_is_interrupted_is_no_day(
    published: SmallWorld, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], table: str, number: signal.Signals
) -> None:
    """Neither done nor refused: Dagster alone would tell of a job that failed, or of none."""
    save = Workspace.save

    def saves(self: Workspace, name: str, *rest: Any, **more: Any) -> Any:
        if name == table:
            os.kill(os.getpid(), number)
        return save(self, name, *rest, **more)

    former = published.current()
    more = ("--catalog", str(published.catalog)) if words[0] == "run" else ()
    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "save", saves)
        ran = published.ask(*words, *more)
    assert (ran.code, ran.out) == (2, ""), ran.said
    assert ran.err.endswith(f"error: {SAID}\n") and "Traceback" not in ran.err
    assert published.current() == published.published() == former
    with HomeLock(published.home):
        """It was given back."""


@pytest.mark.parametrize("number", SIGNALS)
def test_an_interruption_that_dagster_keeps_to_itself_is_told(number: signal.Signals) -> None:
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    with pytest.raises(KeyboardInterrupt), interruptible(), capture_interrupts():
        os.kill(os.getpid(), number)
    with pytest.raises(KeyboardInterrupt), interruptible(), capture_interrupts():
        os.kill(os.getpid(), number)
        raise ValueError("what an interrupted step makes of it")
    with pytest.raises(ValueError, match="its own"), interruptible():
        raise ValueError("its own")
    with interruptible():
        pass
    assert signal.set_wakeup_fd(before) == before
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a script
    with interruptible(), capture_interrupts():
        pass
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
    thread = threading.Thread(target=lambda: interruptible().__enter__())
    thread.start()
    thread.join()


def test_no_thread_of_a_network_that_was_stopped_begins_or_waits() -> None:
    network, ended = Network(), threading.Event()

    def waits() -> None:
        with pytest.raises(StoppedError):
            network.pace.sleep(60)
        ended.set()

    thread = threading.Thread(target=waits)
    thread.start()
    network.stop()
    thread.join(10)
    assert ended.is_set()
    with pytest.raises(StoppedError):
        network.fetch("https://example.org/")
