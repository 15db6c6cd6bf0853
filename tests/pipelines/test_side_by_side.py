"""Two runs at once, readers during publication, health during a run: nobody waits for, or breaks, another."""

from __future__ import annotations

import os
import re
import threading
from datetime import UTC, datetime, timedelta

import duckdb
import pytest
from small_homes import DAY, SmallWorld, board_rows, call

from pipelines import console
from pipelines.health import health
from resources.home_lock import HomeLock
from resources.publisher import connect_readonly
from resources.settings import Settings

LATER = DAY + timedelta(days=1)


def next_day(world: SmallWorld) -> str:
    world.write_board("alpha", board_rows("alpha", 0.3), f"{LATER}T06:00:00Z")
    ran = world.run(day=LATER)
    assert ran.code == 0, ran.said
    return str(ran.json["published"])


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
    published: SmallWorld, arguments: tuple[str, ...]
) -> None:
    before = sorted(path.relative_to(published.home) for path in published.home.rglob("*"))
    with HomeLock(published.home):
        catalog = ("--catalog", str(published.catalog)) if arguments[0] in {"run", "sync"} else ()
        ran = call(*arguments, "--home", published.home, *catalog)
    assert ran.code == 2, ran.said
    assert re.search(rf"in use by process {os.getpid()} \(.+\) since ", ran.err)
    assert "another --home" in ran.err
    kept = {".lock", ".lock-holder.json"}
    after = sorted(path.relative_to(published.home) for path in published.home.rglob("*") if path.name not in kept)
    assert after == [path for path in before if path.name not in kept]


def test_readers_need_no_lock(template: SmallWorld) -> None:
    with HomeLock(template.home):
        for arguments in (("scores",), ("explain", "model-a", "coding"), ("verify", "current")):
            assert template.ask(*arguments).code == 0


def test_a_reader_open_during_publication_keeps_its_release_and_new_ones_get_the_new(published: SmallWorld) -> None:
    """B07, B09: an auditor's connection neither blocks the night nor is changed under it."""
    count = "SELECT release_id, count(*) FROM out__category_score GROUP BY 1"
    first = published.current()
    auditor = duckdb.connect(str(published.database), read_only=True)
    second_auditor = connect_readonly(published.home)
    try:
        assert auditor.execute(count).fetchall() == [(first, 8)]
        second = next_day(published)
        assert second != first
        assert auditor.execute(count).fetchall() == [(first, 8)]
        assert second_auditor.execute(count).fetchall() == [(first, 8)]
        with connect_readonly(published.home) as newcomer:
            assert newcomer.execute(count).fetchall() == [(second, 8)]
    finally:
        auditor.close()
        second_auditor.close()
    assert published.published() == second


def test_readers_all_through_a_night_see_one_whole_release_each_time(published: SmallWorld) -> None:
    """B06, B15: readers that open and close without pause, while a day is published: no error, no mixture."""
    first, seen, faults, stop = published.current(), set(), [], threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                with connect_readonly(published.home) as connection:
                    ids = connection.execute(
                        "SELECT release_id FROM out__category_score UNION SELECT release_id FROM out__manifest"
                    ).fetchall()
                seen.add(tuple(sorted(ids)))
                stop.wait(0.02)
            except Exception as error:  # noqa: BLE001 - whatever a reader meets is a fault
                faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    second = next_day(published)
    stop.set()
    for reader in readers:
        reader.join()
    assert not faults
    assert seen <= {((first,),), ((second,),)}
    assert ((first,),) in seen


def test_health_is_answered_while_a_day_runs(published: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """B25: asked at every step of a run, also while gates are judged, it never fails."""
    settings = Settings.from_env(home=published.home, catalog_dir=published.catalog)
    answers = []

    def ask(_message: str) -> None:
        answers.append(health(settings, datetime.now(UTC), 1e9))

    monkeypatch.setattr(console, "progress_line", ask)
    published.write_board("alpha", board_rows("alpha", 0.3), f"{LATER}T06:00:00Z")
    ran = call("run", "--home", published.home, "--catalog", published.catalog, "--as-of", LATER.isoformat())
    assert ran.code == 0, ran.said
    assert len(answers) > 30
    assert answers[-1].release_id == published.current()


def test_the_home_has_one_writer_also_in_dagster() -> None:
    """B06, B15: one run at a time, so that neither DuckDB nor the event log ever has two writers."""
    import yaml
    from small_homes import CHECKOUT

    settings = yaml.safe_load((CHECKOUT / "dagster.yaml").read_text())
    assert settings["concurrency"]["runs"]["max_concurrent_runs"] == 1
    assert settings["telemetry"]["enabled"] is False
