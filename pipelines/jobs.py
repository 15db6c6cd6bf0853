"""The jobs: the whole night, the sync alone, the day without its sync, and the verdicts after a blocked day."""

from __future__ import annotations

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from assets.descriptions import SYNC_GROUP
from assets.sources import SYNCED, source_key
from checks.asset_checks import check_name
from warehouse.catalog_model import Catalog
from warehouse.vocabulary import BOARD_PRODUCT

NIGHTLY = "nightly"
SYNC = "sync"
DAY = "day"
VERDICTS = "verdicts"
VERDICT_TABLES = ("out__gate", "out__product")


def jobs(catalog: Catalog) -> list[UnresolvedAssetJobDefinition]:
    """Every job of the code location."""
    everything = dg.AssetSelection.all() | dg.AssetSelection.all_asset_checks()
    synced = dg.AssetSelection.groups(SYNC_GROUP) if catalog.sources else dg.AssetSelection.keys()
    sync_checks = dg.AssetSelection.checks(
        *(dg.AssetCheckKey(source_key(source.id), SYNCED) for source in catalog.sources)
    )
    board_checks = dg.AssetSelection.checks(
        *(
            dg.AssetCheckKey(dg.AssetKey(gate.table), check_name(gate.id))
            for gate in catalog.gates
            if gate.product == BOARD_PRODUCT
        )
    )
    found = [
        dg.define_asset_job(
            NIGHTLY,
            selection=everything,
            description="Sync every leaderboard, then normalize, filter, deduplicate, score, gate and publish the day.",
        ),
        dg.define_asset_job(
            DAY,
            selection=(dg.AssetSelection.all() - synced) | board_checks,
            description="The day from the snapshots at hand, without a sync: what a backfill and `--offline` run.",
        ),
        dg.define_asset_job(
            VERDICTS,
            selection=dg.AssetSelection.assets(*VERDICT_TABLES),
            description="Writes out__gate and out__product of a day whose gates stopped the run.",
        ),
    ]
    if catalog.sources:
        found.append(
            dg.define_asset_job(SYNC, selection=synced | sync_checks, description="Sync every leaderboard now.")
        )
    return found
