"""Hashes of the demonstration's tables that no change of layout or comment in the code moves.

As a script (`python tests/pipelines/demo_hashes.py HOME`): makes every table of the demonstration in a new home without
its checks, and prints the hashes as JSON. The test of equal bits runs it under other processors and thread counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from methods.catalog.released_tables import released_tables
from resources.catalog_files import load_catalog
from warehouse.hashing import table_hash
from warehouse.tables import TABLES

CATALOG = Path(__file__).resolve().parents[2] / "warehouse" / "catalog"
CODE_BOUND = {"out__category_score": "release_id", "out__linked_score": "release_id", "out__gate": "verdict_key"}
"""Columns that hold a hash of the program's sources, and so change with every line of code."""
MADE = released_tables(load_catalog(CATALOG).catalog)
"""Every table of a day of the published catalog."""
UNCHECKED = tuple(name for name in MADE if name not in {"out__gate", "out__product"})


def golden_hash(frame: pl.DataFrame, table: str) -> str:
    """The table hash, with the column that depends on the code's version blanked."""
    column = CODE_BOUND.get(table)
    return table_hash(frame if column is None else frame.with_columns(pl.lit("").alias(column)), TABLES[table])


def golden_hashes(frames: Mapping[str, pl.DataFrame]) -> dict[str, dict[str, object]]:
    """Hash and row count of each table, by name."""
    return {name: {"hash": golden_hash(frame, name), "rows": frame.height} for name, frame in frames.items()}


def make_tables(home: Path) -> dict[str, pl.DataFrame]:
    """Every table of the demonstration but the verdicts, made in a new home."""
    import dagster as dg

    from pipelines.graph import build_defs
    from pipelines.jobs import NIGHTLY
    from pipelines.options import DEMO_DAY, DEMO_SOURCES
    from pipelines.running import QUIET
    from resources.kernel_cache import use_kernel_cache
    from resources.settings import Settings
    from resources.workspace import SyncOptions, Workspace

    use_kernel_cache(home)
    settings = Settings.from_env(home=home, sources_file=DEMO_SOURCES)
    workspace = Workspace.open(settings, now=datetime.now(UTC), sync=SyncOptions(offline=True, as_of=DEMO_DAY))
    job = build_defs(workspace.catalog, workspace).resolve_job_def(NIGHTLY)
    wanted = {dg.AssetKey(name) for name in UNCHECKED}
    sources = {key for key in job.asset_layer.executable_asset_keys if key.path[0] == "source"}
    chosen = job.get_subset(asset_selection=wanted | sources, asset_check_selection=set())
    with dg.DagsterInstance.ephemeral() as instance:
        chosen.execute_in_process(instance=instance, partition_key=DEMO_DAY.isoformat(), run_config=QUIET)
    return {name: workspace.frame(name, DEMO_DAY) for name in UNCHECKED}


if __name__ == "__main__":
    print(json.dumps(golden_hashes(make_tables(Path(sys.argv[1])))))
