"""The linked board and the proof on withheld results, beside the board: they stop nothing (METHODS 7b)."""

import dagster as dg

from assets.beside import Frames, beside_the_board
from assets.recording import as_of
from methods.backtest.tables import backtest_tables
from methods.linked.tables import linked_tables
from resources.workspace import Workspace
from warehouse.catalog_model import GateSpec
from warehouse.tables_linked import BACKTEST_TABLES, LINKED_TABLES


def linked_assets(gates: tuple[GateSpec, ...], days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The two steps, each with the gates that stand at its tables."""
    linked, backtest = (tuple(table.name for table in tables) for tables in (LINKED_TABLES, BACKTEST_TABLES))
    counted = {"out__linked_score": "status", "out__backtest": "method"}
    return [
        beside_the_board("linked_score", linked, _linked, gates, days, counted),
        beside_the_board("backtest", backtest, _backtest, gates, days, counted),
    ]


def _linked(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    day = as_of(context)
    evidence, board = workspace.frame("core__evidence", day), workspace.frame("out__category_score", day)
    return linked_tables(evidence, board, workspace.catalog)


def _backtest(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    day = as_of(context)
    evidence, board = workspace.frame("core__evidence", day), workspace.frame("out__category_score", day)
    return backtest_tables(evidence, board, workspace.catalog)
