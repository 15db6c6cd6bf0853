"""The board's own sensitivity to lawful variants, beside the board: it stops nothing (METHODS 8)."""

import dagster as dg

from assets.beside import Frames, beside_the_board
from assets.recording import as_of
from methods.sensitivity.board_shifts import board_sensitivity
from resources.workspace import Workspace
from warehouse.catalog_model import GateSpec
from warehouse.tables_sensitivity import SENSITIVITY_TABLES


def sensitivity_assets(gates: tuple[GateSpec, ...], days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The step that holds the board against its variants, with the gates that stand at its tables."""
    tables = tuple(table.name for table in SENSITIVITY_TABLES)
    counted = {"out__board_sensitivity": "variant_kind"}
    return [beside_the_board("board_sensitivity", tables, _sensitivity, gates, days, counted)]


def _sensitivity(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    day = as_of(context)
    evidence, exclusions, results = (
        workspace.frame(name, day) for name in ("core__evidence", "core__exclusion", "core__result")
    )
    return board_sensitivity(evidence, exclusions, results, workspace.catalog)
