"""Which snapshot each leaderboard uses on a day, how it stands, and the rows it holds.

Belongs here: choosing by known-time (a past day uses only what was known by its end) and reading back. A run
without a sync says how each leaderboard stands by its last one (`sync_outcomes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import polars as pl

from methods.catalog.received import receive
from resources.connectors import ConnectorError, parse
from resources.snapshot_index import SnapshotError, SnapshotRecord
from resources.snapshots import end_of, snapshot_rows
from resources.sync import SyncOutcome, sync_source
from resources.sync_outcomes import keep_outcome, last_outcome
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow

NOT_ASKED = "not asked for in this run; its last good snapshot serves"


def sync_now(workspace: Workspace, source: SourceSpec) -> SyncOutcome:
    """Sync one source as this run's options say, and keep how it went.

    A source that the run does not ask for is left alone, file or network: how its last sync went stays what it was.
    """
    if not workspace.sync.asks(source.id):
        kept = workspace.snapshots.usable(source.id, end_of(workspace.sync.as_of or workspace.today))
        return SyncOutcome(source.id, "skipped", NOT_ASKED, kept)
    outcome = sync_source(
        source,
        workspace.settings,
        workspace.snapshots,
        workspace.opened_at,
        mirror=workspace.sync.mirror,
        offline=workspace.sync.offline,
        as_of=workspace.sync.as_of,
        network=workspace.network,
        received=workspace.received,
    )
    keep_outcome(workspace.home, source.id, outcome.status, outcome.message, workspace.opened_at)
    return outcome


def day_snapshots(workspace: Workspace, as_of: date) -> pl.DataFrame:
    """raw__snapshot of a day."""
    used: dict[str, SnapshotRecord | None] = {}
    statuses: dict[str, str] = {}
    for source in workspace.catalog.sources:
        record = _record(workspace, source, as_of)
        used[source.id] = record
        statuses[source.id] = _status(workspace, source, record, as_of)
    return snapshot_rows(workspace.catalog.sources, used, statuses)


def snapshot_history(workspace: Workspace, as_of: date, contents: int = 3) -> pl.DataFrame:
    """The last contents of each leaderboard known by the end of a day, newest first: since when, how many rows.

    Args:
        contents: how many for each leaderboard.
    """
    rows = []
    for source in workspace.catalog.sources:
        known = [r for r in workspace.snapshots.records(source.id) if r.known_at < end_of(as_of)]
        # Equal bytes under new validators are no new content.
        changed = [r for n, r in enumerate(known) if n == 0 or known[n - 1].sha256 != r.sha256]
        newest = sorted(changed, key=lambda record: record.known_at, reverse=True)[:contents]
        rows += [(source.id, r.known_at, r.rows, r.sha256[:12], r.time_basis) for r in newest]
    schema = {
        "leaderboard": pl.String(),
        "since": pl.Datetime("us", "UTC"),
        "rows": pl.Int64(),
        "content": pl.String(),
        "time rests on": pl.String(),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _record(workspace: Workspace, source: SourceSpec, as_of: date) -> SnapshotRecord | None:
    if workspace.pinned is None:
        return workspace.snapshots.usable(source.id, end_of(as_of))
    wanted = workspace.pinned.snapshots.get(source.id)
    same = workspace.snapshots.find(source.id, wanted) if wanted else None
    if wanted and same is None:
        raise SnapshotError(f"{source.id}: snapshot {wanted} of the release is not in {workspace.snapshots.folder}")
    return same


def _status(workspace: Workspace, source: SourceSpec, record: SnapshotRecord | None, as_of: date) -> str:
    # A release made again asks only what it is pinned to, not how any sync went.
    last = None if workspace.pinned else last_outcome(workspace.home, source.id)
    if last is not None:
        at = datetime.fromisoformat(last["at"]).astimezone(UTC)
        # The sync of this very run counts whatever day the run is for: its failure may not look green.
        if at == workspace.opened_at or at.date() == as_of:
            return last["status"]
    if record is None:
        return "skipped" if last is None else last["status"]
    moment = min(workspace.decided_at, end_of(as_of))
    if source.max_age is not None and moment - record.known_at > timedelta(days=source.max_age):
        return "stale"
    return "fresh" if record.time_basis == "fetched" else "asserted"


def read_rows(workspace: Workspace, snapshots: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The rows of every snapshot of a day, each in the form of raw__row.

    A snapshot that today's mapping can no longer read is one row with its problem, so that the loss is counted and
    seen, and no other leaderboard is harmed. What this run's sync has read of the same bytes is not read again.

    Raises:
        SnapshotError: where the bytes of a snapshot are missing or were changed.
    """
    sources = workspace.catalog.source_by_id
    for row in snapshots.filter(pl.col("sha256").is_not_null()).sort("leaderboard").rows(named=True):
        source = sources[row["leaderboard"]]
        record = workspace.snapshots.find(source.id, row["sha256"])
        if record is None:
            raise SnapshotError(f"{source.id}: snapshot {row['sha256']} is not in {workspace.snapshots.folder}")
        mapping = source.at(row["synced_at"].date())
        kept = workspace.received.take(mapping, record)
        if kept is not None and workspace.snapshots.is_intact(record):
            yield kept
        else:
            yield receive(source.id, record.sha256, _rows(workspace, mapping, record))


def _rows(workspace: Workspace, mapping: SourceSpec, record: SnapshotRecord) -> tuple[ReceivedRow, ...]:
    try:
        return parse(mapping, workspace.snapshots.files(record)).rows
    except ConnectorError as error:
        return (ReceivedRow(row_locator="snapshot", record=None, problem=str(error)),)
