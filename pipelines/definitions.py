"""The Dagster code location: the whole graph built from one catalog.

`build_defs` takes the catalog and the workspace, so that tests and commands swap either without patching.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import dagster as dg

from assets.board import board_assets
from assets.core import core_assets
from assets.gates import gate_checks
from assets.publication import publication_assets
from assets.received import received_assets
from assets.sources import source_assets
from pipelines.jobs import jobs
from pipelines.partitions import daily
from pipelines.timing import schedules, sensors
from resources.home_lock import HomeLock
from resources.kernel_cache import use_kernel_cache
from resources.recovery import recover
from resources.settings import Settings
from resources.workspace import Workspace
from warehouse.catalog_model import Catalog


def build_defs(catalog: Catalog, workspace: Any, *, last_day: date | None = None) -> dg.Definitions:
    """The code location of a catalog.

    Args:
        catalog: decides which sources and gates there are.
        workspace: a `Workspace`, or a resource definition that opens one for a run.
        last_day: the last partition; today (UTC) where None.
    """
    days = daily(last_day)
    found = {job.name: job for job in jobs(catalog)}
    return dg.Definitions(
        assets=[
            *source_assets(catalog.sources),
            *received_assets(catalog.sources, days),
            *core_assets(days),
            *board_assets(days),
            *publication_assets(days),
        ],
        asset_checks=gate_checks(catalog.gates),
        jobs=list(found.values()),
        schedules=schedules(found),
        sensors=sensors(found),
        resources={"workspace": workspace},
        executor=dg.in_process_executor,
    )


@dg.resource(description="The home and the catalog, opened and locked for one run.")
def run_workspace(_context: dg.InitResourceContext) -> Iterator[Workspace]:
    """Opens the home for a run started from the Dagster UI or by the schedule, holding its lock meanwhile."""
    settings = Settings.from_env()
    with HomeLock(settings.home, timeout_s=LOCK_WAIT_S):
        recover(settings.home)
        use_kernel_cache(settings.home)
        yield Workspace.open(settings)


LOCK_WAIT_S = 600.0
"""A night waits this long for a command that holds the home, then fails and says who holds it."""


def _location() -> dg.Definitions:
    from resources.catalog_files import load_catalog

    settings = Settings.from_env()
    return build_defs(load_catalog(settings.catalog_dir, settings.sources_file).catalog, run_workspace)


defs = _location()
