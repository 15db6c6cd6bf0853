"""core__result, core__evidence and core__exclusion: one meaning a row, and nothing lost on the way."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.descriptions import table_asset, table_keys, table_spec
from assets.recording import as_of, counts, record
from methods.catalog.results import build_results
from methods.scoring.evidence import build_evidence
from resources.workspace import Workspace


def core_assets(days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets from received rows to standardized evidence."""

    @table_asset("core__result", days)
    def core_result(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("core__result"):
            frame = build_results(workspace.frame("raw__row", as_of(context)), workspace.catalog)
            more = {"by leaderboard": counts(frame, "leaderboard"), "by source type": counts(frame, "source_type")}
            return record(context, workspace, "core__result", frame, more=more)

    @dg.multi_asset(
        name="core_evidence",
        specs=[
            table_spec("core__evidence", table_keys("core__evidence"), days),
            table_spec("core__exclusion", [dg.AssetKey("raw__row"), dg.AssetKey("core__result")], days),
        ],
    )
    def core_evidence(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        with workspace.step("core__evidence"):
            day = as_of(context)
            built = build_evidence(
                workspace.frame("raw__row", day), workspace.frame("core__result", day), workspace.catalog
            )
            more = {"by category": counts(built.evidence, "category"), "by tier": counts(built.evidence, "tier")}
            yield record(context, workspace, "core__evidence", built.evidence, more=more)
            more = {"by reason": counts(built.exclusions, "reason_code")}
            yield record(context, workspace, "core__exclusion", built.exclusions, more=more)

    return [core_result, core_evidence]
