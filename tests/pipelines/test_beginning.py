"""A night asks its hosts before the graph is loaded, and the graph's sync takes up what came."""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from small_homes import SmallWorld, call, quiet_process

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources"))
from local_server import LocalServer, local_server

import pipelines.beginning
import resources.side_by_side
from pipelines.options import UsageError
from pipelines.run_commands import Request
from resources.home_lock import HomeLock
from resources.settings import Settings
from resources.side_by_side import begin_sync, sync_all
from resources.workspace import Workspace


def serve(world: SmallWorld, server: LocalServer) -> None:
    """Lets the boards of a world be read from a server."""
    for board, entry in world.entries.items():
        entry |= {"url": server.serve(f"/{board}", world.board_file(board).read_bytes()), "allow_private": True}
    world.write_sources()


def opened(world: SmallWorld, said: list[str]) -> Workspace:
    settings = Settings.from_env(home=world.home, catalog_dir=world.catalog, environ={"SCORETRAIL_RETRY_SECONDS": "0"})
    return Workspace.open(settings, progress=said.append)


def test_a_begun_sync_is_taken_up_and_asks_nobody_twice(fresh: SmallWorld) -> None:
    said: list[str] = []
    with local_server() as server:
        serve(fresh, server)
        workspace = opened(fresh, said)
        begun = begin_sync(workspace)
        assert said == []  # told by whoever takes it up, in its turn
        chosen = tuple(reversed(workspace.catalog.sources))
        done = {entry.id: outcome.status for entry, outcome in sync_all(workspace, chosen)}
        begun.close()
        asked = sorted(path for path, _ in server.seen)
    assert done == dict.fromkeys(fresh.entries, "fresh")
    assert asked == sorted(f"/{board}" for board in fresh.entries)
    assert [line.split(" ")[0] for line in said] == ["[1/4]", "[2/4]", "[3/4]", "[4/4]"]
    assert workspace.begun_sync is None


def test_another_choice_of_sources_is_synced_by_itself(fresh: SmallWorld) -> None:
    said: list[str] = []
    with local_server() as server:
        serve(fresh, server)
        workspace = opened(fresh, said)
        begin_sync(workspace)
        done = [entry.id for entry, _ in sync_all(workspace, workspace.catalog.sources[:1])]
    assert done == [workspace.catalog.sources[0].id]
    assert [line.split(" ")[0] for line in said] == ["[1/1]"]
    assert workspace.begun_sync is None


def test_what_breaks_a_begun_sync_breaks_whoever_takes_it_up(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(resources.side_by_side, "sync_now", broken)
    workspace = opened(fresh, [])
    begin_sync(workspace)
    with pytest.raises(OSError, match="no space left"):
        list(sync_all(workspace, workspace.catalog.sources))


def test_after_close_no_source_is_asked_any_more(fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends before the graph runs waits for the source that is being asked, and for no other."""
    monkeypatch.setattr(resources.side_by_side, "LOCAL_GROUPS", 1)
    asked: list[str] = []
    reached, go_on = threading.Event(), threading.Event()

    def slow(_workspace: Workspace, source: object) -> None:
        asked.append(str(source))
        reached.set()
        assert go_on.wait(10)

    monkeypatch.setattr(resources.side_by_side, "sync_now", slow)
    workspace = opened(fresh, [])
    begun = begin_sync(workspace)
    assert reached.wait(10)
    closing = threading.Thread(target=begun.close)
    closing.start()
    assert workspace.network.stopping.wait(10)
    assert closing.is_alive()
    go_on.set()
    closing.join(10)
    assert not closing.is_alive()
    assert len(asked) == 1


def request(world: SmallWorld, day: date, **more: object) -> Request:
    values: dict[str, object] = {"leaderboards": (), "offline": False, "mirror": None, "as_json": True, **more}
    return Request(world.home, world.catalog, None, day=day, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ago", "more", "is_begun"),
    [
        (0, {}, True),
        (0, {"offline": True}, False),
        (0, {"leaderboards": ("alpha",)}, False),
        (1, {}, False),
    ],
    ids=["night", "offline", "chosen", "past"],
)
def test_only_a_night_asks_ahead_and_has_ended_before_the_home_is_let_go(
    fresh: SmallWorld, ago: int, more: dict[str, object], is_begun: bool
) -> None:
    day = datetime.now(UTC).date() - timedelta(days=ago)
    with local_server() as server:
        serve(fresh, server)
        with ExitStack() as stack:
            workspace = pipelines.beginning.begun(request(fresh, day, **more), stack)
            begun = workspace.begun_sync
            assert (begun is not None) == is_begun
        assert workspace.network.stopping.is_set() == is_begun
        with HomeLock(fresh.home):
            seen = len(server.seen)
        assert len(server.seen) == seen


def test_a_mirror_is_read_when_the_graph_runs(fresh: SmallWorld) -> None:
    with ExitStack() as stack:
        workspace = pipelines.beginning.begun(request(fresh, datetime.now(UTC).date(), mirror=fresh.catalog), stack)
        assert workspace.begun_sync is None


def test_a_day_before_the_first_is_refused_before_anybody_is_asked(fresh: SmallWorld) -> None:
    with ExitStack() as stack, pytest.raises(UsageError, match="the first day is"):
        pipelines.beginning.begun(request(fresh, date(2022, 12, 31)), stack)


def test_a_night_by_the_command_publishes_what_it_asked_ahead(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_process(monkeypatch)
    with local_server() as server:
        serve(fresh, server)
        ran = call("run", "--home", fresh.home, "--catalog", fresh.catalog)
        asked = sorted(path for path, _ in server.seen)
    assert ran.code == 0, ran.err
    assert asked == sorted(f"/{board}" for board in fresh.entries)
    assert ran.err.index("as of ") < ran.err.index("[1/4]") < ran.err.index("raw__snapshot")
