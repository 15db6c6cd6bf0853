"""The score tables: dimensions, categories, and the exact weights behind them (METHODS 7)."""

from typing import Any

import dagster as dg

from assets.descriptions import table_asset
from assets.recording import as_of, counts, record
from methods.scoring.board import category_frame, exactness
from methods.scoring.dimensions import dimension_frame, score_dimensions
from methods.scoring.weights import score_weights
from resources.workspace import Workspace


def board_assets(days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets that score the evidence of a day."""

    @table_asset("out__dimension_score", days)
    def out_dimension_score(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__dimension_score"):
            evidence = workspace.frame("core__evidence", as_of(context))
            fits = score_dimensions(evidence, workspace.catalog.methodology)
            frame = dimension_frame(fits)
            more = {"by dimension": counts(frame, "dimension")}
            return record(context, workspace, "out__dimension_score", frame, exactness=exactness(fits), more=more)

    @table_asset("out__category_score", days)
    def out_category_score(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__category_score"):
            day = as_of(context)
            fits = score_dimensions(workspace.frame("core__evidence", day), workspace.catalog.methodology)
            frame = category_frame(fits, workspace.catalog, release_id=workspace.release_id(day), as_of=day)
            more = {"by status": counts(frame, "status"), "by category": counts(frame, "category")}
            return record(context, workspace, "out__category_score", frame, exactness=exactness(fits), more=more)

    @table_asset("out__score_weight", days)
    def out_score_weight(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__score_weight"):
            evidence = workspace.frame("core__evidence", as_of(context))
            fits = score_dimensions(evidence, workspace.catalog.methodology)
            frame = score_weights(fits, workspace.catalog.methodology)
            more = {"by role": counts(frame, "role")}
            return record(context, workspace, "out__score_weight", frame, exactness=exactness(fits), more=more)

    return [out_dimension_score, out_category_score, out_score_weight]
