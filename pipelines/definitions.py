"""The Dagster code location: what `dagster dev`, `scoretrail ui` and the daemon load.

Importing it reads the catalog that the environment names; commands import `pipelines.graph` instead.
"""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg

from pipelines.graph import build_defs
from resources.catalog_files import load_catalog
from resources.home_lock import HomeLock
from resources.kernel_cache import use_kernel_cache
from resources.recovery import recover
from resources.settings import Settings
from resources.workspace import Workspace

LOCK_WAIT_S = 600.0
"""A night waits this long for a command that holds the home, then fails and says who holds it."""


@dg.resource(description="The home and the catalog, opened and locked for one run.")
def run_workspace(_context: dg.InitResourceContext) -> Iterator[Workspace]:
    """Opens the home for a run started from the Dagster UI or by the schedule, holding its lock meanwhile."""
    settings = Settings.from_env()
    with HomeLock(settings.home, timeout_s=LOCK_WAIT_S):
        recover(settings.home)
        use_kernel_cache(settings.home)
        yield Workspace.open(settings)


def code_location() -> dg.Definitions:
    """The definitions of the catalog that the environment names; a broken source entry is left out of them.

    Raises:
        CatalogError: if the catalog is broken beyond single source entries.
    """
    settings = Settings.from_env()
    return build_defs(load_catalog(settings.catalog_dir, settings.sources_file).catalog, run_workspace)


defs = code_location()
