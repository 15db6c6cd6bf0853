"""out__gate, out__product and out__release: the verdicts gathered, and publication that trusts none of them unread."""

from typing import Any

import dagster as dg

from assets.descriptions import table_asset
from assets.recording import as_of, counts, gate_overview, record
from checks.gate_table import gate_rows
from checks.products import product_rows
from methods.catalog.released_tables import released_tables
from resources.former_day import DayTable
from resources.publication import publish
from resources.workspace import Workspace
from warehouse.catalog_model import Catalog
from warehouse.plain_text import one_line
from warehouse.tables import INPUTS


def publication_assets(catalog: Catalog, days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets that gather verdicts, decide products and publish."""

    gathered = [dg.AssetKey(name) for name in released_tables(catalog) if name in INPUTS]

    @table_asset("out__gate", days, gathered)
    def out_gate(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__gate"):
            frame = gate_rows(workspace.catalog, workspace.standing_verdicts(as_of(context)), workspace.decided_at)
            more = {"by verdict": counts(frame, "verdict"), "gates of this day": gate_overview(frame)}
            return record(context, workspace, "out__gate", DayTable(frame), more=more)

    @table_asset("out__product", days, [dg.AssetKey("out__gate")])
    def out_product(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__product"):
            frame = product_rows(workspace.catalog, workspace.frame("out__gate", as_of(context)))
            return record(
                context, workspace, "out__product", DayTable(frame), more={"by status": counts(frame, "status")}
            )

    @table_asset("out__release", days, [dg.AssetKey("out__product")])
    def out_release(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("out__release"):
            day = as_of(context)
            published = publish(workspace, day)
            more = {
                "release": published.release_id,
                "folder": one_line(published.folder),
                "site": one_line(f"{published.folder}/site/index.html"),
                "is new": published.is_new,
            }
            return record(context, workspace, "out__release", DayTable(workspace.releases.release_rows()), more=more)

    return [out_gate, out_product, out_release]
