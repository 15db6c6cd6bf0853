"""The Dagster code location: what `dagster dev`, `scoretrail ui` and the daemon load.

Importing it reads the catalog that the environment names; commands import `pipelines.graph` instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg

from pipelines.dead_runs import LOCK_WAIT_S
from pipelines.graph import build_defs
from pipelines.unloadable import tell_unloadable
from resources.catalog_files import load_catalog
from resources.catalog_problems import CatalogError
from resources.home_lock import HomeLock
from resources.kernel_cache import use_kernel_cache
from resources.recovery import recover
from resources.settings import Settings
from resources.workspace import Workspace


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
        CatalogError: if the catalog is broken beyond single entries; people were alerted.
    """
    settings = Settings.from_env()
    try:
        loaded = load_catalog(settings.catalog_dir, settings.sources_file)
    except CatalogError as error:
        tell_unloadable(settings, error, datetime.now(UTC))
        raise
    return build_defs(loaded.catalog, run_workspace)


defs = code_location()
