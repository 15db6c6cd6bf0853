"""raw__snapshot and raw__row: which bytes the day uses, and every row they hold."""

from datetime import date
from typing import Any

import dagster as dg
import polars as pl

from assets.descriptions import table_asset
from assets.recording import as_of, counts, record
from assets.sources import source_key
from resources.day_snapshots import day_snapshots, read_rows, snapshot_history
from resources.former_day import DayTable
from resources.memory import give_back
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec
from warehouse.plain_text import plain
from warehouse.tables import RAW_ROW
from warehouse.vocabulary import HEALTHY_SNAPSHOTS


def _shown(workspace: Workspace, day: date, frame: pl.DataFrame) -> dict[str, Any]:
    """What the UI shows of a day's snapshots: how they stand, drawn over the days, and what came before them."""
    standing = frame["status"].is_in([*HEALTHY_SNAPSHOTS])
    lines = ["| leaderboard | since | rows | content | time rests on |", "|---|---|---:|---|---|"]
    lines += [
        f"| {plain(board)} | {since:%Y-%m-%d %H:%M} | {rows:,} | `{content}` | {basis} |"
        for board, since, rows, content, basis in snapshot_history(workspace, day).iter_rows()
    ]
    return {
        "by status": counts(frame, "status"),
        "sound sources": int(standing.sum()),
        "sources that are not": int((~standing).sum()),
        "history": dg.MetadataValue.md("\n".join(lines)),
    }


def _received(workspace: Workspace, day: date) -> pl.DataFrame:
    received = list(read_rows(workspace, workspace.frame("raw__snapshot", day)))
    return pl.concat(received) if received else RAW_ROW.empty()


def received_assets(sources: tuple[SourceSpec, ...], days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets that gather a day's snapshots and read their rows."""

    @table_asset("raw__snapshot", days, [source_key(source.id) for source in sources])
    def raw_snapshot(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("raw__snapshot"):
            frame = day_snapshots(workspace, as_of(context))
            return record(
                context, workspace, "raw__snapshot", DayTable(frame), more=_shown(workspace, as_of(context), frame)
            )

    @table_asset("raw__row", days)
    def raw_row(context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[Any]:
        with workspace.step("raw__row"):
            day = as_of(context)
            made = workspace.taken_over("raw__row", day) or DayTable(_received(workspace, day))
            give_back()  # rows as objects, which a day has read by the hundred thousand
            more = {"by leaderboard": counts(made.frame, "leaderboard")}
            return record(context, workspace, "raw__row", made, more=more)

    return [raw_snapshot, raw_row]
