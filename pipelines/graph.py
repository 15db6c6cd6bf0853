"""The whole graph, built from one catalog: assets, checks, jobs, schedule, sensor.

`build_defs` takes the catalog and the workspace, so that tests and commands swap either without patching.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import dagster as dg

from assets.board import board_assets
from assets.core import core_assets
from assets.gates import gate_checks
from assets.linked import linked_assets
from assets.pairs import pair_assets
from assets.publication import publication_assets
from assets.received import received_assets
from assets.sensitivity import sensitivity_assets
from assets.sources import source_assets
from assets.studies import study_assets, tables_nobody_makes
from pipelines.dead_runs import dead_run_sensor
from pipelines.jobs import jobs
from pipelines.partitions import daily
from pipelines.rollout_sensor import rollout_job, rollout_sensor
from pipelines.sensors import sensors
from pipelines.timing import schedules
from resources.settings import Settings
from warehouse.catalog_model import Catalog


def build_defs(catalog: Catalog, workspace: Any, settings: Callable[[], Settings] | None = None) -> dg.Definitions:
    """The code location of a catalog.

    Args:
        catalog: decides which sources and gates there are.
        settings: what the sensors watch and whom they tell; the environment's own where None.
        workspace: a `Workspace`, or a resource definition that opens one for a run.
    """
    days = daily()
    here = settings or Settings.from_env
    found = {job.name: job for job in jobs(catalog)}
    rollouts = rollout_job(here)
    return dg.Definitions(
        assets=[
            *source_assets(catalog.sources),
            *received_assets(catalog.sources, days),
            *core_assets(days),
            *board_assets(days),
            *sensitivity_assets(catalog.gates, days),
            *linked_assets(catalog.gates, days),
            *pair_assets(catalog.gates, days),
            *study_assets(catalog, days),
            *tables_nobody_makes(catalog, days),
            *publication_assets(catalog, days),
        ],
        asset_checks=gate_checks(catalog.gates),
        jobs=[*found.values(), rollouts],
        schedules=schedules(found),
        sensors=[
            *sensors(found, catalog, here),
            rollout_sensor(rollouts, here),
            dead_run_sensor(here, lambda: datetime.now(UTC)),
        ],
        resources={"workspace": workspace},
        executor=dg.in_process_executor,
    )
