"""The score tables: dimensions, categories, and the exact weights behind them (METHODS 7)."""

from collections.abc import Callable
from datetime import date
from typing import Any

import dagster as dg
import polars as pl

from assets.descriptions import table_asset
from assets.recording import as_of, counts, record
from methods.scoring.board import category_frame, exactness
from methods.scoring.dimensions import DimensionFit, dimension_frame, score_dimensions
from methods.scoring.weights import score_weights
from resources.former_day import DayTable
from resources.workspace import Workspace


def board_assets(days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets that score the evidence of a day."""

    @table_asset("out__dimension_score", days)
    def out_dimension_score(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__dimension_score"):
            made = _scored(workspace, "out__dimension_score", as_of(context), dimension_frame)
            more = {"by dimension": counts(made.frame, "dimension")}
            return record(context, workspace, "out__dimension_score", made, more=more)

    @table_asset("out__category_score", days)
    def out_category_score(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__category_score"):
            day = as_of(context)

            def frame_of(fits: list[DimensionFit]) -> pl.DataFrame:
                return category_frame(fits, workspace.catalog, release_id=workspace.release_id(day), as_of=day)

            made = _scored(workspace, "out__category_score", day, frame_of)
            more = {"by status": counts(made.frame, "status"), "by category": counts(made.frame, "category")}
            return record(context, workspace, "out__category_score", made, more=more)

    @table_asset("out__score_weight", days)
    def out_score_weight(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__score_weight"):
            methodology = workspace.catalog.methodology
            made = _scored(
                workspace, "out__score_weight", as_of(context), lambda fits: score_weights(fits, methodology)
            )
            more = {"by role": counts(made.frame, "role")}
            return record(context, workspace, "out__score_weight", made, more=more)

    return [out_dimension_score, out_category_score, out_score_weight]


def _scored(
    workspace: Workspace, table: str, day: date, frame_of: Callable[[list[DimensionFit]], pl.DataFrame]
) -> DayTable:
    """A score table: taken over where nothing it rests on differs, else of the fitted evidence."""
    made = workspace.taken_over(table, day)
    if made is not None:
        return made
    fits = score_dimensions(workspace.frame("core__evidence", day), workspace.catalog.methodology)
    return DayTable(frame_of(fits), exactness(fits))
