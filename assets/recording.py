"""How an asset ends: its table is written and Dagster is told what an auditor wants to see.

Belongs here: writing and metadata of a run. Metadata stays small, holds no NaN, and shows names as plain text.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import dagster as dg
import polars as pl

from assets.descriptions import dagster_lineage
from checks.asset_checks import STANDS
from resources.former_day import DayTable
from resources.workspace import Workspace
from warehouse.plain_text import plain

EXAMPLES = 20
WHY_LENGTH = 160


def as_of(context: dg.AssetExecutionContext) -> date:
    """The day the run is for."""
    return date.fromisoformat(context.partition_key)


def record(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    table: str,
    made: DayTable,
    *,
    more: dict[str, Any] | None = None,
) -> dg.MaterializeResult[Any]:
    """Writes the table of the run's day and returns what Dagster shows of it.

    Args:
        context, workspace: of the run.
        table, made: what is written, and where it was taken over from, if it was.
        more: further metadata.
    """
    day = as_of(context)
    taken_from = made.taken_from
    stamp = workspace.save(table, day, made.frame, made.exactness, made.table_hash)
    workspace.progress(f"{table}: {stamp.rows:,} rows" + (f", unchanged since {taken_from}" if taken_from else ""))
    return dg.MaterializeResult(
        asset_key=dg.AssetKey(table),
        metadata={
            "dagster/row_count": stamp.rows,
            "dagster/column_lineage": dagster_lineage(table),
            "table hash": stamp.table_hash,
            "release id": stamp.release_id or "",
            "recomputable to": stamp.exactness,
            "input hashes": dg.MetadataValue.json(dict(stamp.inputs)),
            "file": str(workspace.tables.path(table, day).relative_to(workspace.home)),
            **({"unchanged since": taken_from} if taken_from else {}),
            **(more or {}),
        },
        data_version=dg.DataVersion(stamp.table_hash),
    )


def counts(frame: pl.DataFrame, column: str) -> dg.MarkdownMetadataValue:
    """How often each word of a column occurs, most frequent first, as a Markdown table."""
    tally = frame.group_by(column).len().sort(["len", column], descending=[True, False]).head(EXAMPLES)
    lines = [f"| {column} | rows |", "|---|---:|", *(f"| {plain(word)} | {n:,} |" for word, n in tally.rows())]
    return dg.MetadataValue.md("\n".join(lines))


def gate_overview(gates: pl.DataFrame) -> dg.MarkdownMetadataValue:
    """Every gate of the day as a small Markdown table, those that do not stand first.

    After a backfill Dagster shows the verdict a check gave last, whichever day it was for; this table is the day's own.
    """
    rows = gates.with_columns(stands=pl.col("verdict").is_in(sorted(STANDS))).sort("stands", "gate").rows(named=True)
    lines = ["| gate | verdict | figure | limit | looked at | why |", "|---|---|---:|---:|---:|---|"]
    for row in rows:
        mark = "" if row["stands"] else "**"
        figures = f"{_figure(row['figure'])} | {_figure(row['threshold'])} | {row['evaluated']:,}"
        why = plain(row["detail"][:WHY_LENGTH])
        lines.append(f"| {plain(row['gate'])} | {mark}{plain(row['verdict'])}{mark} | {figures} | {why} |")
    return dg.MetadataValue.md("\n".join(lines))


def _figure(value: float | None) -> str:
    return "—" if value is None else f"{value:.4g}"
