"""The graph of the code location, held against tests/golden/graph.json: the published gates over four small sources.

After a wanted change: `SCORETRAIL_UPDATE_GOLDEN=1 pytest tests/pipelines/test_graph.py`, and read the difference.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from small_homes import build_world

from pipelines.graph import build_defs
from pipelines.partitions import daily
from resources.catalog_files import load_catalog
from warehouse.study_words import PRODUCT_TABLES, STUDY_TABLES

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "graph.json"


@pytest.fixture(scope="module")
def repository_definition(tmp_path_factory: pytest.TempPathFactory) -> dg.RepositoryDefinition:
    """A code location with every published gate, and a workspace that nothing here opens."""
    world = build_world(tmp_path_factory.mktemp("graph") / "world", full_gates=True)
    catalog = load_catalog(world.catalog).catalog
    workspace = dg.ResourceDefinition.hardcoded_resource(None)
    return build_defs(catalog, workspace).get_repository_def()


def described(repository: dg.RepositoryDefinition) -> dict[str, Any]:
    """What a person reads in the Dagster UI, as JSON: readable in a diff."""
    graph = repository.asset_graph
    assets = {}
    for key in sorted(graph.get_all_asset_keys(), key=lambda key: key.path):
        node = graph.get(key)
        partitions = node.partitions_def
        assets[key.to_user_string()] = {
            "group": node.group_name,
            "from": sorted(parent.to_user_string() for parent in node.parent_keys),
            "partitions": None if partitions is None else type(partitions).__name__,
            "owners": sorted(node.owners),
            "kinds": sorted(node.kinds),
        }
    checks: dict[str, Any] = {}
    for check in sorted(graph.asset_check_keys, key=lambda key: (key.asset_key.path, key.name)):
        spec = graph.get_check_spec(check)
        checks[f"{check.asset_key.to_user_string()}:{check.name}"] = {
            "blocking": spec.blocking,
            "reads": sorted(dep.asset_key.to_user_string() for dep in spec.additional_deps),
        }
    jobs = {}
    for job in sorted(repository.get_all_jobs(), key=lambda job: job.name):
        if job.name.startswith("__"):
            continue
        layer = job.asset_layer
        jobs[job.name] = {
            "assets": sorted(key.to_user_string() for key in layer.executable_asset_keys),
            "checks": len(list(layer.asset_graph.asset_check_keys)),
        }
    schedules = {
        schedule.name: {
            "cron": schedule.cron_schedule,
            "zone": schedule.execution_timezone,
            "status": schedule.default_status.value,
            "job": schedule.job_name,
        }
        for schedule in repository.schedule_defs
    }
    sensors = {
        sensor.name: {"status": sensor.default_status.value, "kind": sensor.sensor_type.value}
        for sensor in repository.sensor_defs
    }
    days = daily()
    first, zone = days.start.isoformat(), days.timezone
    partitions = {"first": first, "zone": zone, "cron": days.cron_schedule, "end_offset": days.end_offset}
    return {
        "partitions": partitions, "schedules": schedules, "sensors": sensors, "jobs": jobs, "checks": checks,
        "assets": assets,
    }  # fmt: skip


def test_the_graph_is_the_one_that_was_reviewed(repository_definition: dg.RepositoryDefinition) -> None:
    found = described(repository_definition)
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("SCORETRAIL_UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_boards_gates_block_in_dagster_and_no_other_check_does(
    repository_definition: dg.RepositoryDefinition,
) -> None:
    """B01: a gate of the board is blocking; a source that fails, and a gate of pairs or of a study, stop nothing."""
    checks = described(repository_definition)["checks"]
    beside = {table for tables in PRODUCT_TABLES.values() for table in tables} | {"raw__evidence"}
    assert beside <= {name.split(":")[0] for name in checks}
    for name, check in checks.items():
        assert check["blocking"] == (not name.startswith("source/") and name.split(":")[0] not in beside), name


def test_the_board_hangs_together(repository_definition: dg.RepositoryDefinition) -> None:
    """Walking up from the release, every other asset is met: nothing is computed that nothing publishes."""
    graph = repository_definition.asset_graph
    met, wave = set(), {dg.AssetKey("out__release")}
    while wave:
        met |= wave
        wave = {parent for key in wave for parent in graph.get(key).parent_keys} - met
    assert met == set(graph.materializable_asset_keys)
    others = {key.to_user_string() for key in graph.get_all_asset_keys() - met}
    assert others == {table for tables in STUDY_TABLES.values() for table in tables}, "shown, and made by nobody"


def test_the_partitions_are_modest_in_number_and_end_today() -> None:
    """B26: one partition a day, not one per source or metric; the day that has begun can be published."""
    now = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    keys = daily().get_partition_keys(current_time=now)
    assert keys[-1] == "2026-10-25"
    assert len(keys) < 5000


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25", "2026-02-28"])
def test_the_night_publishes_the_utc_day_that_has_begun(
    repository_definition: dg.RepositoryDefinition, day: str
) -> None:
    """B17: also on the days on which clocks change; the run key keeps a night from running twice."""
    schedule = repository_definition.get_schedule_def("nightly_schedule")
    at = datetime.fromisoformat(f"{day}T02:00:00+00:00")
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance, scheduled_execution_time=at, repository_def=repository_definition
        )
        request = schedule.evaluate_tick(context).run_requests[0]  # type: ignore[index]
    assert (request.partition_key, request.run_key) == (day, day)
    assert repository_definition.get_job(schedule.job_name).partitions_def == daily()
