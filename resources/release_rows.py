"""The rows of a release's own snapshots as another catalog's sources read them.

Belongs here: reading kept bytes again with another mapping. What the rows then make of a score is `methods.lineage`.
A leaderboard whose connector and options are the same reads the same, so its received rows are taken as they are.
"""

from __future__ import annotations

import polars as pl

from methods.catalog.received import receive
from resources.connectors import ConnectorError, parse
from resources.manifest import Release
from resources.snapshot_index import SnapshotError, SnapshotRecord
from resources.snapshots import SnapshotStore
from warehouse.catalog_model import Catalog
from warehouse.received import ReceivedRow
from warehouse.tables import RAW_ROW


def remapped(former: Catalog, latter: Catalog) -> tuple[str, ...]:
    """Leaderboards of both catalogs that the latter reads otherwise: another connector or other options."""
    ours, theirs = former.source_by_id, latter.source_by_id
    return tuple(
        sorted(
            name
            for name in ours.keys() & theirs.keys()
            if (ours[name].connector, ours[name].options) != (theirs[name].connector, theirs[name].options)
        )
    )


def reread_rows(store: SnapshotStore, release: Release, former: Catalog, latter: Catalog) -> pl.DataFrame:
    """`raw__row` of a release's snapshots as another catalog reads them.

    Args:
        store: the home's snapshots.
        release: whose snapshots. former: its own catalog. latter: the catalog that reads them now.

    Raises:
        SnapshotError: if bytes that must be read again are missing or damaged.
    """
    kept = release.read("raw__row")
    parts = [kept]
    for leaderboard in remapped(former, latter):
        entry = next((e for e in release.manifest.snapshots if e.leaderboard == leaderboard), None)
        if entry is None or entry.sha256 is None or entry.synced_at is None:
            continue
        parts[0] = parts[0].filter(pl.col("leaderboard") != leaderboard)
        source = latter.source_by_id[leaderboard].at(entry.synced_at.date())
        try:
            rows = parse(source, store.files(_record(store, leaderboard, entry.sha256))).rows
        except ConnectorError as error:
            rows = (ReceivedRow(row_locator="snapshot", record=None, problem=str(error)),)
        parts.append(receive(leaderboard, entry.sha256, rows))
    return RAW_ROW.conform(pl.concat(parts)) if len(parts) > 1 else kept


def _record(store: SnapshotStore, leaderboard: str, sha256: str) -> SnapshotRecord:
    same = [record for record in store.records(leaderboard) if record.sha256 == sha256]
    if not same:
        raise SnapshotError(f"{leaderboard}: snapshot {sha256} of the release is not in {store.folder}")
    return same[-1]
