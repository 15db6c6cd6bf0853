"""Two runs at once, readers during publication, health during a run: nobody waits for, or breaks, another."""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime

import duckdb
import pytest
from small_homes import NEXT, SmallWorld, board_rows, call, quiet_process

from pipelines import console
from pipelines.health import Health, health
from resources.home_lock import HomeLock
from resources.published_copy import connect_readonly
from resources.settings import Settings

COUNTED = "SELECT release_id, count(*) FROM out__category_score GROUP BY 1"
Counts = list[tuple[str, int]]


@pytest.mark.parametrize(
    "arguments",
    [
        ("run",),
        ("sync",),
        ("withdraw", "2026-03-28-000000000000", "--reason", "r"),
        ("rollback", "--reason", "r"),
    ],
)
def test_a_second_writer_is_refused_and_told_who_holds_the_home(
    published_twice: SmallWorld, arguments: tuple[str, ...]
) -> None:
    before = sorted(path.relative_to(published_twice.home) for path in published_twice.home.rglob("*"))
    with HomeLock(published_twice.home):
        catalog = ("--catalog", str(published_twice.catalog)) if arguments[0] in {"run", "sync"} else ()
        ran = call(*arguments, "--home", published_twice.home, *catalog)
    assert ran.code == 2, ran.said
    assert re.search(rf"in use by process {os.getpid()} \(.+\) since ", ran.err)
    assert "another --home" in ran.err
    kept = {".lock", ".lock-holder.json"}
    after = sorted(
        path.relative_to(published_twice.home) for path in published_twice.home.rglob("*") if path.name not in kept
    )
    assert after == [path for path in before if path.name not in kept]


def test_readers_need_no_lock(template: SmallWorld) -> None:
    with HomeLock(template.home):
        for arguments in (("scores",), ("explain", "model-a", "coding"), ("verify", "current")):
            assert template.ask(*arguments).code == 0


@dataclass
class Night:
    """A day that was published while others read the home, and what they were told."""

    first: str
    second: str = ""
    held: list[tuple[Counts, Counts]] = field(default_factory=list)
    newcomer: Counts = field(default_factory=list)
    seen: set[tuple[tuple[str], ...]] = field(default_factory=set)
    faults: list[Exception] = field(default_factory=list)
    health: list[Health] = field(default_factory=list)


@pytest.fixture(scope="module")
def night(template: SmallWorld, tmp_path_factory: pytest.TempPathFactory) -> Night:
    """Two auditors hold connections, two readers open and close them without pause, health is asked at every step."""
    world = template.copy(tmp_path_factory.mktemp("night") / "world")
    world.write_board("alpha", board_rows("alpha", 0.3), f"{NEXT}T06:00:00Z")
    found, stop = Night(str(world.current())), threading.Event()
    settings = Settings.from_env(home=world.home, catalog_dir=world.catalog)
    auditors = duckdb.connect(str(world.database), read_only=True), connect_readonly(world.home)
    before = [auditor.execute(COUNTED).fetchall() for auditor in auditors]
    readers = [threading.Thread(target=read_on, args=(world, found, stop)) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        patch.setattr(
            console, "progress_line", lambda _message: found.health.append(health(settings, datetime.now(UTC), 1e9))
        )
        for reader in readers:
            reader.start()
        try:
            ran = call("run", "--home", world.home, "--catalog", world.catalog, "--as-of", NEXT.isoformat())
        finally:
            stop.set()
            for reader in readers:
                reader.join()
    assert ran.code == 0, ran.said
    found.held = [(former, held.execute(COUNTED).fetchall()) for former, held in zip(before, auditors, strict=True)]
    with connect_readonly(world.home) as newcomer:
        found.newcomer = newcomer.execute(COUNTED).fetchall()
    for auditor in auditors:
        auditor.close()
    found.second = str(world.published())  # asked last: a file opened twice in one process is the one first opened
    return found


def read_on(world: SmallWorld, found: Night, stop: threading.Event) -> None:
    """Reads the published copy again and again; whatever a reader meets is a fault."""
    while not stop.is_set():
        try:
            with connect_readonly(world.home) as connection:
                ids = connection.execute(
                    "SELECT release_id FROM out__category_score UNION SELECT release_id FROM out__manifest"
                ).fetchall()
            found.seen.add(tuple(sorted(ids)))
            stop.wait(0.02)
        except Exception as error:  # noqa: BLE001
            found.faults.append(error)


def test_a_reader_open_during_publication_keeps_its_release_and_new_ones_get_the_new(night: Night) -> None:
    """B07, B09: an auditor's connection neither blocks the night nor is changed under it."""
    assert night.second != night.first
    assert night.held == [([(night.first, 8)], [(night.first, 8)])] * 2
    assert night.newcomer == [(night.second, 8)]


def test_readers_all_through_a_night_see_one_whole_release_each_time(night: Night) -> None:
    """B06, B15: readers that open and close without pause, while a day is published: no error, no mixture."""
    assert not night.faults
    assert night.seen <= {((night.first,),), ((night.second,),)}
    assert ((night.first,),) in night.seen


def test_health_is_answered_while_a_day_runs(night: Night) -> None:
    """B25: asked at every step of a run, also while gates are judged, it never fails."""
    assert len(night.health) > 30
    assert night.health[-1].release_id == night.second


def test_the_home_has_one_writer_also_in_dagster() -> None:
    """B06, B15: one run at a time, so that neither DuckDB nor the event log ever has two writers."""
    import yaml
    from small_homes import CHECKOUT

    settings = yaml.safe_load((CHECKOUT / "dagster.yaml").read_text())
    assert settings["concurrency"]["runs"]["max_concurrent_runs"] == 1
    assert settings["telemetry"]["enabled"] is False
