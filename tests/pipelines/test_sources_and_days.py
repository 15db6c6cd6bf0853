"""Sources that fail, never worked, are left out or grow old; past days and the baselines of a backfill."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from small_homes import DAY, NEXT, SmallWorld, board_rows, board_status, call, day_frame, gate_row

from resources.connectors import native  # noqa: F401 - the connector these files are read by
from resources.settings import Settings
from resources.workspace import Workspace


def snapshot(world: SmallWorld, board: str, day: date = DAY) -> dict[str, object]:
    """A board's row of raw__snapshot."""
    return day_frame(world, "raw__snapshot", day).filter(pl.col("leaderboard") == board).row(0, named=True)


def statuses(said: dict[str, object]) -> dict[str, str]:
    sources = said["sources"]
    assert isinstance(sources, list)
    return {source["leaderboard"]: source["status"] for source in sources}


def test_a_failing_source_keeps_its_last_good_snapshot_and_the_others_publish(published: SmallWorld) -> None:
    """Exit code 3; the failed board serves its old bytes, with their own time, and is not green where it stands."""
    before = snapshot(published, "delta")
    published.write_board("alpha", board_rows("alpha", 0.5), f"{NEXT}T08:00:00Z")
    published.board_file("delta").write_text("<!doctype html><title>down for maintenance</title>")
    ran = published.run(day=NEXT)
    assert ran.code == 3, ran.said
    assert statuses(ran.json)["delta"] == "failed"
    assert statuses(ran.json)["alpha"] == "asserted"
    after = snapshot(published, "delta", NEXT)
    assert after["sha256"] == before["sha256"]
    assert after["synced_at"] == before["synced_at"] == datetime(2026, 3, 28, 6, tzinfo=UTC)
    assert after["status"] == "failed"
    assert snapshot(published, "alpha", NEXT)["synced_at"] == datetime(2026, 3, 29, 8, tzinfo=UTC)
    assert published.published() == ran.json["published"]
    assert len(published.releases.ledger().releases) == 2


def test_a_source_that_never_worked_is_shown_and_the_others_publish(fresh: SmallWorld) -> None:
    fresh.board_file("delta").write_text('{"schema": "scoretrail.leaderboard/1", "resul')
    ran = fresh.run()
    assert ran.code == 3, ran.said
    assert snapshot(fresh, "delta")["sha256"] is None
    assert gate_row(fresh, "broken-sources")["verdict"] == "fail"
    assert board_status(fresh) == "published"
    assert fresh.ask("verify", "current").code == 0


def test_no_usable_snapshot_at_all_publishes_nothing(fresh: SmallWorld) -> None:
    for board in fresh.entries:
        fresh.board_file(board).unlink()
    ran = fresh.run()
    assert ran.code == 1, ran.said
    assert ran.json["published"] is None
    assert not fresh.database.exists()
    assert set(statuses(ran.json).values()) == {"failed"}


def test_a_broken_source_entry_is_named_with_its_line_and_the_others_publish(fresh: SmallWorld) -> None:
    fresh.write_sources({"id": "omega", "title": "Omega", "connector": "native", "url": "omega.json", "min_row": 3})
    ran = fresh.run()
    assert ran.code == 2, ran.said
    assert fresh.published() == ran.json["published"]
    assert "omega" not in statuses(ran.json)
    assert fresh.ask("verify", "current").code == 0


def test_a_failed_source_and_a_broken_entry_end_with_the_stronger_code(published: SmallWorld) -> None:
    published.board_file("delta").unlink()
    published.write_sources({"id": "omega", "title": "Omega", "connector": "native", "url": "o.json", "min_row": 3})
    shown = call("run", "--home", published.home, "--catalog", published.catalog, "--as-of", DAY.isoformat())
    assert shown.code == 2
    assert "sources.yaml:" in shown.err
    assert "min_row: unknown key" in shown.err


def test_only_the_named_source_is_synced(published: SmallWorld) -> None:
    """`--source alpha`: new bytes of alpha count, new bytes of beta wait."""
    old = snapshot(published, "beta")["sha256"]
    for board in ("alpha", "beta"):
        published.write_board(board, board_rows(board, 0.5), "2026-03-28T09:00:00Z")
    published.board_file("delta").unlink()
    ran = published.run("--source", "alpha")
    assert ran.code == 0, ran.said
    assert snapshot(published, "beta")["sha256"] == old
    assert snapshot(published, "alpha")["synced_at"] == datetime(2026, 3, 28, 9, tzinfo=UTC)
    assert statuses(ran.json)["delta"] == "skipped"


def test_an_unknown_source_is_refused_with_a_suggestion(fresh: SmallWorld) -> None:
    ran = fresh.run("--source", "alhpa")
    assert ran.code == 2
    assert "did you mean alpha" in ran.said
    assert not fresh.tables.days("raw__snapshot")


def with_network_source(world: SmallWorld, url: str) -> None:
    world.entries["delta"] |= {"url": url, "allow_private": True}
    world.write_sources()


def test_offline_asks_no_network_source_and_ends_well(published: SmallWorld) -> None:
    with_network_source(published, "http://127.0.0.1:9/delta.json")
    day = datetime.now(UTC).date()
    ran = published.run("--offline", day=day)
    assert ran.code == 0, ran.said
    assert statuses(ran.json)["delta"] == "skipped"
    assert snapshot(published, "delta", day)["sha256"] is not None


def test_today_a_network_source_that_does_not_answer_fails(published: SmallWorld) -> None:
    with_network_source(published, "http://127.0.0.1:9/delta.json")
    day = datetime.now(UTC).date()
    ran = published.run(day=day)
    assert ran.code == 3, ran.said
    assert statuses(ran.json)["delta"] == "failed"
    assert snapshot(published, "delta", day)["status"] == "failed"


def test_a_past_day_uses_only_what_was_known_by_its_end(published: SmallWorld) -> None:
    """A backfill is honest: what a board says today about yesterday is not known yesterday; no network is asked."""
    with_network_source(published, "http://127.0.0.1:9/delta.json")
    old = snapshot(published, "alpha")["sha256"]
    published.write_board("alpha", board_rows("alpha", 3), "2026-03-29T00:00:00Z")
    ran = published.run()
    assert ran.code == 0, ran.said
    assert snapshot(published, "alpha")["sha256"] == old
    ran = published.run(day=NEXT)
    assert ran.code == 0, ran.said
    assert statuses(ran.json)["delta"] == "skipped"
    assert snapshot(published, "alpha", NEXT)["sha256"] != old
    early = published.run(day=DAY - timedelta(days=1))
    assert early.code == 1, early.said
    assert early.json["published"] is None


def test_a_day_to_come_is_refused(fresh: SmallWorld) -> None:
    ran = fresh.run(day=datetime.now(UTC).date() + timedelta(days=2))
    assert ran.code == 2
    assert "has not begun" in ran.said


def test_a_day_before_the_first_is_refused(fresh: SmallWorld) -> None:
    ran = fresh.run(day=date(2022, 12, 31))
    assert ran.code == 2
    assert "the first day is 2023-01-01" in ran.said


def test_an_ascending_backfill_gives_each_day_its_baseline(published_twice: SmallWorld) -> None:
    """That a day after another verifies is asked in `test_verify`, of this world's second day."""
    first, second = (record.release_id for record in published_twice.releases.ledger().releases)
    third = published_twice.run(day=DAY + timedelta(days=2)).json["published"]
    listed = {r.release_id: r.baseline_release_id for r in published_twice.releases.ledger().releases}
    assert listed == {first: None, second: first, third: second}
    assert gate_row(published_twice, "value-jump", DAY + timedelta(days=2))["verdict"] == "pass"
    assert published_twice.published() == third
    again = published_twice.run()
    assert again.json["published"] == first, "an earlier day made again is the same release"
    assert published_twice.published() == third, "a backfill never replaces the current release"
    for release in (first, third):
        assert published_twice.ask("verify", str(release)).code == 0


def test_a_day_that_is_missing_stops_no_later_one(published: SmallWorld) -> None:
    """A49: the day after a night that never ran compares with the last that did; nothing is made of the missing one."""
    first, later = published.current(), DAY + timedelta(days=8)
    ran = published.run(day=later)
    assert ran.code == 0, ran.said
    release = published.releases.open(ran.json["published"])
    assert release.manifest.baseline_release_id == first
    assert gate_row(published, "rows-lost", later)["verdict"] == "pass"
    assert published.tables.days("raw__snapshot") == [DAY, later]
    missing = published.run(day=DAY + timedelta(days=1))
    assert (missing.code, published.published()) == (0, release.release_id), "made up for, and not put in front"


def test_a_stale_source_is_visible_and_changes_no_exit_code(fresh: SmallWorld) -> None:
    fresh.entries["delta"] |= {"max_age": 3}
    fresh.write_board("delta", None, "2026-03-20T06:00:00Z")
    fresh.write_sources()
    ran = fresh.run()
    assert ran.code == 0, ran.said
    assert statuses(ran.json)["delta"] == "stale"
    assert snapshot(fresh, "delta")["status"] == "stale"


def test_verify_does_not_depend_on_how_later_syncs_went(published: SmallWorld) -> None:
    """What today's sync says of a board changes no hash of an older release, nor whether it verifies."""
    published.board_file("delta").unlink()
    assert call("sync", "--home", published.home, "--catalog", published.catalog).code == 3
    report = published.ask("verify", "current", "--json")
    assert report.code == 0, report.said


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_the_days_on_which_clocks_change_are_whole_utc_days(template: SmallWorld, day: date) -> None:
    """B17: on both changes of the clock the day is the UTC day, for snapshots as for the schedule."""
    workspace = Workspace.open(Settings.from_env(home=template.home, catalog_dir=template.catalog))
    end = workspace.end_of(day)
    assert end - datetime(day.year, day.month, day.day, tzinfo=UTC) == timedelta(days=1, microseconds=-1)
    local_morning = datetime.fromisoformat(f"{day}T07:00:00+02:00")
    assert local_morning < end < local_morning + timedelta(days=1)
