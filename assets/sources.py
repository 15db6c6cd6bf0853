"""One unpartitioned asset per leaderboard: materializing it syncs it now (DESIGN "Time, state and storage")."""

from typing import Any

import dagster as dg

from assets.descriptions import OWNERS, SYNC_GROUP
from resources.day_snapshots import sync_now
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec
from warehouse.vocabulary import HEALTHY_SNAPSHOTS

SYNCED = "synced"


def source_key(leaderboard: str) -> dg.AssetKey:
    """The asset key of a leaderboard's sync."""
    return dg.AssetKey(["source", leaderboard.replace("-", "_").replace(".", "_")])


def source_assets(sources: tuple[SourceSpec, ...]) -> list[dg.AssetsDefinition]:
    """The sync asset of every source of the catalog.

    Raises:
        ValueError: if two leaderboard ids differ only in signs that asset keys do not hold.
    """
    taken: dict[dg.AssetKey, str] = {}
    for source in sources:
        other = taken.setdefault(source_key(source.id), source.id)
        if other != source.id:
            raise ValueError(f"leaderboards {other!r} and {source.id!r} would share one asset key; rename one")
    return [_source_asset(source) for source in sources]


def _source_asset(source: SourceSpec) -> dg.AssetsDefinition:
    @dg.asset(
        key=source_key(source.id),
        description=f"{source.title}: fetches the raw bytes now and keeps them if they are complete and readable.",
        owners=OWNERS,
        kinds={source.connector},
        group_name=SYNC_GROUP,
        tags={"source_type": source.source_type},
        metadata={"leaderboard": source.id, "url": source.url, "licence": source.license or "not stated"},
        check_specs=[
            dg.AssetCheckSpec(
                SYNCED,
                asset=source_key(source.id),
                description="The sync brought a sound snapshot; if not, the last good one serves, visibly.",
            )
        ],
    )
    def sync(context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]):  # type: ignore[no-untyped-def]
        outcome = sync_now(workspace, source)
        workspace.progress(f"{source.id}: {outcome.status}: {outcome.message}")
        context.log.info(outcome.message)
        metadata: dict[str, Any] = {"status": outcome.status, "message": outcome.message}
        if outcome.snapshot is not None:
            metadata |= {
                "dagster/row_count": outcome.snapshot.rows,
                "sha256": outcome.snapshot.sha256,
                "bytes": outcome.snapshot.bytes,
            }
        return dg.MaterializeResult(
            metadata=metadata,
            check_results=[
                dg.AssetCheckResult(
                    check_name=SYNCED,
                    passed=outcome.status in HEALTHY_SNAPSHOTS,
                    severity=dg.AssetCheckSeverity.WARN,
                    metadata={"status": outcome.status, "message": outcome.message},
                )
            ],
        )

    return sync
