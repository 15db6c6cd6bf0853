"""core__result, core__evidence and core__exclusion: one meaning a row, and nothing lost on the way."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import dagster as dg

from assets.descriptions import table_asset, table_keys, table_spec
from assets.recording import as_of, counts, record
from methods.catalog.results import build_results
from methods.scoring.evidence import EvidenceTables, build_evidence
from resources.former_day import DayTable
from resources.workspace import Workspace

RESULTS_BY = {"leaderboard": "leaderboard", "source type": "source_type"}


def core_assets(days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets from received rows to standardized evidence."""

    @table_asset("core__result", days)
    def core_result(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[Any]:
        with workspace.step("core__result"):
            day = as_of(context)
            made = workspace.taken_over("core__result", day) or DayTable(
                build_results(workspace.frame("raw__row", day), workspace.catalog)
            )
            more = {f"by {words}": counts(made.frame, column) for words, column in RESULTS_BY.items()}
            return record(context, workspace, "core__result", made, more=more)

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

            @cache
            def built() -> EvidenceTables:
                return build_evidence(
                    workspace.frame("raw__row", day), workspace.frame("core__result", day), workspace.catalog
                )

            made = workspace.taken_over("core__evidence", day) or DayTable(built().evidence)
            more = {"by category": counts(made.frame, "category"), "by tier": counts(made.frame, "tier")}
            yield record(context, workspace, "core__evidence", made, more=more)
            made = workspace.taken_over("core__exclusion", day) or DayTable(built().exclusions)
            more = {"by reason": counts(made.frame, "reason_code")}
            yield record(context, workspace, "core__exclusion", made, more=more)

    return [core_result, core_evidence]
