"""Publication trusts no run: every way around the gates is refused, every gate that does not stand blocks (B04)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType

import dagster as dg
import duckdb
import polars as pl
import pytest
from small_homes import (
    DAY,
    TABLES_IN_ORDER,
    SmallWorld,
    board_rows,
    board_status,
    build_world,
    failing_gates,
    gate_row,
    row,
)

import checks.gates
from pipelines.graph import build_defs
from pipelines.jobs import DAY as DAY_JOB
from pipelines.running import QUIET
from resources.publication import PublicationRefusedError
from resources.settings import Settings
from resources.workspace import Workspace

ALL_TABLES = (*TABLES_IN_ORDER, "out__release")


def open_workspace(world: SmallWorld) -> Workspace:
    return Workspace.open(Settings.from_env(home=world.home, catalog_dir=world.catalog))


def materialize(
    world: SmallWorld, *tables: str, day: date = DAY, with_checks: bool = True
) -> tuple[bool, list[BaseException]]:
    """Materializes chosen assets as the Dagster UI would; whether it went well, and what steps ended with."""
    workspace = open_workspace(world)
    job = build_defs(workspace.catalog, workspace).resolve_job_def(DAY_JOB)
    keys = {dg.AssetKey(name) for name in tables}
    chosen = job.get_subset(asset_selection=keys, asset_check_selection=None if with_checks else set())
    with dg.DagsterInstance.ephemeral() as instance:
        result = chosen.execute_in_process(
            instance=instance, partition_key=day.isoformat(), raise_on_error=False, run_config=QUIET
        )
    return result.success, [problem.error for problem in workspace.problems]


def publish_alone(world: SmallWorld, day: date = DAY) -> str:
    """Launches publication by itself; every reason of its refusal."""
    before = world.published()
    success, problems = materialize(world, "out__release", day=day)
    assert not success
    assert [type(problem) for problem in problems] == [PublicationRefusedError]
    assert world.published() == before
    refused = problems[0]
    assert isinstance(refused, PublicationRefusedError)
    return "\n".join(refused.reasons)


def change_a_result(world: SmallWorld) -> None:
    """Makes core__result again with another value, as a re-materialization after a change would."""
    workspace = open_workspace(world)
    frame = workspace.frame("core__result", DAY)
    workspace.save("core__result", DAY, frame.with_columns(value=pl.col("value") + 1))


def spoil(world: SmallWorld, day: date = DAY) -> None:
    """Makes a required gate fail: a column of a board is all zero, as after a broken set-up."""
    rows = [entry | {"value": 0.0} if entry["benchmark"] == "gen-a" else entry for entry in board_rows("alpha")]
    world.write_board("alpha", rows, f"{day.isoformat()}T07:00:00Z")


def test_publication_alone_without_a_run(fresh: SmallWorld) -> None:
    said = publish_alone(fresh)
    assert "raw__snapshot: was not made for 2026-03-28" in said
    assert not fresh.database.exists()


def test_publication_after_a_run_without_checks(published: SmallWorld) -> None:
    """B04: a run that skips every check makes tables, but no verdicts, and nothing goes out."""
    other = published
    for folder in ("releases", "verdicts", "tables"):
        for path in sorted((other.home / folder).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    for name in ("releases.jsonl", "scoretrail.duckdb"):
        (other.home / name).unlink()
    success, problems = materialize(other, *ALL_TABLES, with_checks=False)
    assert not success
    assert isinstance(problems[-1], PublicationRefusedError)
    assert any("gate conservation: gave no verdict" in reason for reason in problems[-1].reasons)
    assert not other.database.exists()
    assert other.current() is None


def test_publication_alone_of_a_standing_day_changes_nothing(published: SmallWorld) -> None:
    before = published.published()
    success, problems = materialize(published, "out__release")
    assert success, problems
    assert published.published() == before
    assert len(published.releases.ledger().releases) == 1


def test_publication_after_a_rematerialization_is_refused(published: SmallWorld) -> None:
    """B04: a verdict is about the bytes it judged; another core__result voids it and breaks the chain."""
    change_a_result(published)
    said = publish_alone(published)
    assert "core__evidence: was computed from core__result" in said
    assert "gate conservation: judged core__result" in said


def test_publication_of_an_old_partition_without_tables_is_refused(published: SmallWorld) -> None:
    said = publish_alone(published, DAY - timedelta(days=1))
    assert "was not made for 2026-03-27" in said


def test_publication_of_an_old_partition_under_another_catalog_is_refused(published_twice: SmallWorld) -> None:
    """B22: after a change of the catalog every day that was computed under the old one says so by itself."""
    published = published_twice
    metrics = published.catalog / "metrics.yaml"
    metrics.write_text(metrics.read_text().replace("small.1", "small.2"))
    for day in (DAY, DAY + timedelta(days=1)):
        said = publish_alone(published, day)
        for table in TABLES_IN_ORDER[:8]:
            assert f"{table}: was computed with catalog" in said


def test_publication_after_a_threshold_was_tightened_is_refused(published: SmallWorld) -> None:
    published.edit_gate("weights-sum", threshold=1e-15)
    assert "gate weights-sum: its verdict was given under another threshold" in publish_alone(published)


def test_a_verdict_that_out_gate_does_not_tell_is_refused(published: SmallWorld) -> None:
    """B04: a verdict given anew after out__gate was made: the release would publish a gate that says otherwise."""
    workspace = open_workspace(published)
    kept = workspace.verdicts.get(DAY, "mixed-scale")
    assert kept is not None
    workspace.verdicts.put(DAY, replace(kept, result=replace(kept.result, verdict="fail")))
    said = publish_alone(published)
    assert f"out__gate: says that mixed-scale is {kept.result.verdict}, its verdict file says fail now" in said


@pytest.mark.parametrize("damage", ["gone", "edited"])
def test_publication_without_the_bytes_it_rests_on_is_refused(published: SmallWorld, damage: str) -> None:
    """A release whose snapshots are lost could be verified by nobody."""
    path = next((published.home / "snapshots" / "alpha").iterdir())
    if damage == "gone":
        path.unlink()
    else:
        path.chmod(0o644)
        path.write_bytes(path.read_bytes() + b" ")
    said = publish_alone(published)
    assert "raw__snapshot: snapshots/alpha/" in said
    assert ("missing" if damage == "gone" else "differs from what was received") in said


def test_a_gate_that_crashes_blocks_and_the_verdicts_are_written(
    published: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B03, B13: a crash is a verdict, short whatever the exception said; out__gate and out__product are written."""
    before = published.published()

    def crash(*_: object) -> object:
        raise RuntimeError("no memory " + "x" * 5_000_000)

    crashing = replace(checks.gates.NAMED_GATES["conservation"], judge=crash)
    gates = MappingProxyType({**checks.gates.NAMED_GATES, "conservation": crashing})
    monkeypatch.setattr(checks.gates, "NAMED_GATES", gates)
    published.write_board("alpha", board_rows("alpha", 1), "2026-03-28T07:00:00Z")
    ran = published.run()
    assert ran.code == 1
    found = gate_row(published, "conservation")
    assert found["verdict"] == "error"
    assert "RuntimeError: no memory" in found["detail"]
    assert len(found["detail"]) < 4000
    assert len(ran.out) < 60_000
    assert board_status(published) == "blocked"
    assert published.published() == before


def test_a_failing_required_gate_blocks_and_the_former_release_stays_readable(published: SmallWorld) -> None:
    """B01, B09: exit code 1, readers of DuckDB and of the command still get the release before."""
    before = published.published()
    spoil(published, DAY + timedelta(days=1))
    ran = published.run(day=DAY + timedelta(days=1))
    assert ran.code == 1
    assert ran.json["published"] is None
    assert failing_gates(published, DAY + timedelta(days=1)) == ["evidence-lost"]
    skipped = gate_row(published, "degenerate-column", DAY + timedelta(days=1))
    assert (skipped["verdict"], skipped["evaluated"]) == ("inconclusive", 0)
    assert board_status(published, DAY + timedelta(days=1)) == "blocked"
    assert published.published() == before
    assert published.ask("scores", "--json").json["release_id"] == before
    with duckdb.connect(str(published.database), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM out__category_score WHERE rank IS NOT NULL").fetchone() == (8,)
    status = published.ask("status", "--json", "--max-age-hours", "1e9")
    assert status.code == 1
    assert "evidence-lost" in status.json["failing_gates"]


def test_the_sensor_has_the_verdicts_of_a_blocked_night_written(fresh: SmallWorld) -> None:
    """B03: a night that Dagster stopped at a gate; the job that the sensor asks for writes what every gate said."""
    spoil(fresh)
    workspace = open_workspace(fresh)
    repository = build_defs(workspace.catalog, workspace).get_repository_def()
    key = DAY.isoformat()
    with dg.DagsterInstance.ephemeral() as instance:
        night = repository.get_job("nightly").execute_in_process(
            instance=instance, partition_key=key, raise_on_error=False, run_config=QUIET
        )
        assert not night.success
        failure = next(event for event in night.all_events if event.is_failure and event.step_key is None)
        context = dg.build_run_status_sensor_context(
            sensor_name="verdicts_after_a_blocked_day", dagster_event=failure, dagster_instance=instance,
            dagster_run=night.dagster_run, repository_def=repository,
        )  # fmt: skip
        asked = repository.get_sensor_def("verdicts_after_a_blocked_day")(context.for_run_failure())
        assert isinstance(asked, dg.RunRequest)
        assert (asked.partition_key, asked.run_key) == (key, night.run_id)
        verdicts = repository.get_job("verdicts").execute_in_process(
            instance=instance, partition_key=asked.partition_key, run_config=QUIET
        )
        assert verdicts.success
    assert failing_gates(fresh)
    assert board_status(fresh) == "blocked"
    assert fresh.published() is None


@pytest.mark.parametrize(("until", "verdict", "code"), [("2099-01-01", "waived", 0), ("2026-01-01", "fail", 1)])
def test_a_waiver_holds_until_its_end(fresh: SmallWorld, until: str, verdict: str, code: int) -> None:
    """B01, B02: of a blocked day there are the tables before the gate and the verdicts, not what needs them."""
    spoil(fresh)
    fresh.waive("degenerate-column", f"{until}T00:00:00Z")
    ran = fresh.run()
    assert ran.code == code, ran.said
    found = gate_row(fresh, "degenerate-column")
    assert found["verdict"] == verdict
    assert "another" in found["detail"] or "ended at 2026-01-01" in found["detail"]
    assert board_status(fresh) == ("published" if code == 0 else "blocked")
    assert (fresh.current() is not None) == fresh.database.exists() == (code == 0)
    made = {table for table in ALL_TABLES if fresh.tables.exists(table, DAY)}
    assert {"core__result", "core__evidence", "core__exclusion", "out__gate", "out__product"} <= made
    assert ("out__release" in made) == (code == 0)


def test_a_failing_warning_gate_is_shown_and_publishes(fresh: SmallWorld) -> None:
    rows = board_rows("alpha")
    fresh.write_board("alpha", rows + rows[:4])
    ran = fresh.run()
    assert ran.code == 0, ran.said
    assert gate_row(fresh, "duplicate-share")["verdict"] == "fail"
    assert board_status(fresh) == "published"


def test_an_empty_table_passes_no_gate(tmp_path: Path) -> None:
    """C03: evidence without a row is no sound evidence: here nobody in the registry is on any board."""
    world = build_world(tmp_path / "world", full_gates=True)
    for board in world.entries:
        world.write_board(board, [row("gen-a", f"stranger {n}", 50.0 + n) for n in range(8)])
    ran = world.run()
    assert ran.code == 1, ran.said
    assert day_rows(world, "core__evidence") == 0
    assert gate_row(world, "suite-core__evidence")["verdict"] == "fail"
    assert board_status(world) == "blocked"


def day_rows(world: SmallWorld, table: str) -> int:
    return world.tables.read(table, DAY).height


def test_a_gate_that_nothing_judges_is_refused_before_anything_runs(fresh: SmallWorld) -> None:
    """A mistyped line of gates.yaml is a mistake in the catalog, not a night that ends blocked."""
    fresh.edit_gate("conservation", id="conservatoin")
    ran = fresh.run()
    assert ran.code == 2
    assert "conservatoin" in ran.json["error"]
    assert "catalog check" in ran.json["error"]
    assert not (fresh.home / "tables").exists()
