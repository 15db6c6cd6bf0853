"""One unpartitioned asset per leaderboard: materializing it syncs it now (DESIGN "Time, state and storage").

All of them share one step, in which hosts are asked side by side; each can be materialized, retried and watched alone.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import dagster as dg

from assets.descriptions import OWNERS, SYNC_GROUP
from resources.catalog_problems import CatalogError, Problem
from resources.side_by_side import sync_all
from resources.sync import SyncOutcome
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec
from warehouse.plain_text import one_line, plain
from warehouse.vocabulary import HEALTHY_SNAPSHOTS

SYNCED = "synced"
MISSED_NIGHT = timedelta(hours=26)
DEFAULT_MAX_AGE_DAYS = 7
SYNC_STEP = "sync_sources"


def source_key(leaderboard: str) -> dg.AssetKey:
    """The asset key of a leaderboard's sync."""
    return dg.AssetKey(["source", leaderboard.replace("-", "_").replace(".", "_")])


def source_assets(sources: tuple[SourceSpec, ...]) -> list[dg.AssetsDefinition]:
    """The sync assets of every source of the catalog; none where it holds none.

    Raises:
        CatalogError: if two leaderboard ids differ only in signs that asset keys do not hold.
    """
    by_key: dict[dg.AssetKey, SourceSpec] = {}
    for source in sources:
        other = by_key.setdefault(source_key(source.id), source)
        if other is not source:
            said = f"leaderboards {other.id!r} and {source.id!r} would share one asset key; rename one"
            raise CatalogError([Problem("sources.yaml", None, source.id, said)])
    if not by_key:
        return []

    @dg.multi_asset(
        name=SYNC_STEP,
        specs=[_spec(source) for source in sources],
        check_specs=[_check(source) for source in sources],
        can_subset=True,
    )
    def sync_sources(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        chosen = [by_key[key] for key in sorted(context.selected_asset_keys, key=lambda key: key.path)]
        for source, outcome in sync_all(workspace, chosen):
            yield _result(source, outcome)

    return [sync_sources]


def _spec(source: SourceSpec) -> dg.AssetSpec:
    return dg.AssetSpec(
        source_key(source.id),
        description=f"{plain(source.title)}: fetches the raw bytes now, keeps them if they are complete and readable.",
        owners=OWNERS,
        kinds={source.connector},
        group_name=SYNC_GROUP,
        tags={"source_type": source.source_type},
        freshness_policy=freshness(source),
        metadata={
            "leaderboard": source.id,
            "url": one_line(source.url),
            "licence": one_line(source.license or "not stated"),
        },
    )


def freshness(source: SourceSpec) -> dg.FreshnessPolicy:
    """How long the asset may go without a sync: a missed night warns; its content's age limit, or a week, fails.

    A source that fails is materialized all the same, with its last good: how that one is doing says its check, how old
    its content is `raw__snapshot.status`.
    """
    most = timedelta(days=source.max_age or DEFAULT_MAX_AGE_DAYS)
    return dg.FreshnessPolicy.time_window(fail_window=max(most, 2 * MISSED_NIGHT), warn_window=MISSED_NIGHT)


def _check(source: SourceSpec) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(
        SYNCED,
        asset=source_key(source.id),
        description="The sync brought a sound snapshot; if not, the last good one serves, visibly.",
    )


def _result(source: SourceSpec, outcome: SyncOutcome) -> dg.MaterializeResult[Any]:
    metadata: dict[str, Any] = {"status": outcome.status, "message": one_line(outcome.message)}
    if outcome.snapshot is not None:
        metadata |= {
            "dagster/row_count": outcome.snapshot.rows,
            "sha256": outcome.snapshot.sha256,
            "bytes": outcome.snapshot.bytes,
            "content of": dg.MetadataValue.timestamp(outcome.snapshot.synced_at),
        }
    return dg.MaterializeResult(
        asset_key=source_key(source.id),
        metadata=metadata,
        check_results=[
            dg.AssetCheckResult(
                asset_key=source_key(source.id),
                check_name=SYNCED,
                passed=outcome.status in HEALTHY_SNAPSHOTS,
                severity=dg.AssetCheckSeverity.WARN,
                metadata={"status": outcome.status, "message": one_line(outcome.message)},
            )
        ],
    )
