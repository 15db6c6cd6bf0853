"""Pairs across sources: the nightly queue and divergence, and the study of a named freeze (METHODS 5, 6).

Nothing here stops the board. The checks stand in the assets themselves and do not block; where a step of ours crashes,
its tables are written empty, their gates say `error`, and the run ends as a bug all the same.
"""

from collections.abc import Callable, Iterator
from typing import Any

import dagster as dg
import polars as pl

from assets.descriptions import table_keys, table_spec
from assets.gates import judge
from assets.recording import as_of, counts, record
from checks.asset_checks import asset_check_result, check_description, check_name, further_tables
from methods.names.registry import ModelRegistry
from methods.pairing.pair_tables import build_pair_tables
from methods.pairing.source_study import source_study, study_differences, study_pairs
from methods.statistics.divergence import source_divergence
from resources.study_evidence import evidence_rows
from resources.workspace import StepProblem, Workspace
from warehouse.catalog_model import GateSpec
from warehouse.tables import TABLES
from warehouse.vocabulary import BOARD_PRODUCT

Frames = dict[str, pl.DataFrame]
Build = Callable[[dg.AssetExecutionContext, Workspace], Frames]


def pair_assets(gates: tuple[GateSpec, ...], days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets of pairs and of the study, each with the gates that stand at its tables."""
    return [
        _beside_the_board("core_pairs", ("core__candidate_pair", "core__pair_decision"), _nightly_pairs, gates, days),
        _beside_the_board("out_source_divergence", ("out__source_divergence",), _divergence, gates, days),
        _beside_the_board("raw_evidence", ("raw__evidence",), _evidence, gates, days),
        _beside_the_board("core_study_pair", ("core__study_pair",), _study_pairs, gates, days),
        _beside_the_board("out_source_difference", ("out__source_difference",), _differences, gates, days),
    ]


def _nightly_pairs(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    built = build_pair_tables(workspace.frame("core__result", as_of(context)), workspace.catalog)
    return {"core__candidate_pair": built.candidates, "core__pair_decision": built.decisions}


def _divergence(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    results = workspace.frame("core__result", as_of(context))
    found = source_divergence(results, ModelRegistry(workspace.catalog.models), workspace.catalog)
    return {"out__source_divergence": found.table}


def _evidence(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    return {"raw__evidence": evidence_rows(workspace.evidence(as_of(context)))}


def _study_pairs(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    results = _frozen(context, workspace)
    return {} if results is None else {"core__study_pair": study_pairs(results, workspace.catalog)}


def _differences(context: dg.AssetExecutionContext, workspace: Workspace) -> Frames:
    results, study = _frozen(context, workspace), source_study(workspace.catalog)
    if results is None or study is None:
        return {}
    pairs = workspace.frame("core__study_pair", as_of(context))
    return {"out__source_difference": study_differences(pairs, results, study.evidence, workspace.catalog)}


def _frozen(context: dg.AssetExecutionContext, workspace: Workspace) -> pl.DataFrame | None:
    """The results of the freeze that the study names; None without a study, or where the freeze is not proved."""
    study = source_study(workspace.catalog)
    found = [item.results for item in workspace.evidence(as_of(context)) if study and item.study.id == study.id]
    return found[0] if found else None


COUNTED = {"core__candidate_pair": "benchmark", "core__pair_decision": "state", "core__study_pair": "state"}
"""The column whose words the Dagster UI counts."""


def _beside_the_board(
    name: str, tables: tuple[str, ...], build: Build, gates: tuple[GateSpec, ...], days: dg.PartitionsDefinition
) -> dg.AssetsDefinition:
    """A step that writes some tables and then judges their gates, whatever comes of it."""
    own = [gate for gate in gates if gate.product != BOARD_PRODUCT and gate.table in tables]

    @dg.multi_asset(
        name=name,
        specs=[table_spec(table, _upstream(table), days) for table in tables],
        check_specs=[_check(gate) for gate in own],
        can_subset=True,
    )
    def step(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
        with workspace.step(name):
            chosen, asked = context.selected_asset_keys, context.selected_asset_check_keys
            frames, crash = _built(name, build, context, workspace) if chosen else ({}, None)
            for table in tables:
                made = None
                if dg.AssetKey(table) in chosen:
                    frame = frames.get(table, TABLES[table].empty())
                    more = {f"by {COUNTED[table]}": counts(frame, COUNTED[table])} if table in COUNTED else None
                    made = record(context, workspace, table, frame, more=more)
                elif not any(check.asset_key == dg.AssetKey(table) for check in asked):
                    continue
                judged = [_judged(context, workspace, gate, crash) for gate in own if gate.table == table]
                shown = [result for result in judged if _key(result) in asked]
                if made is None:
                    yield from shown
                else:
                    yield made._replace(check_results=shown)

    return step


def _key(result: dg.AssetCheckResult) -> dg.AssetCheckKey:
    assert result.asset_key is not None and result.check_name is not None
    return dg.AssetCheckKey(result.asset_key, result.check_name)


def _upstream(table: str) -> list[dg.AssetKey]:
    """What a table waits for: its inputs, and the day's snapshots, which the release id in its stamp rests on."""
    return table_keys(table) or [dg.AssetKey("raw__snapshot")]


def _built(
    name: str, build: Build, context: dg.AssetExecutionContext, workspace: Workspace
) -> tuple[Frames, Exception | None]:
    """The step's tables; none, and the exception, where it crashed: shown and counted as a bug, the board goes on."""
    try:
        return build(context, workspace), None
    except Exception as error:  # noqa: BLE001 - kept in the workspace's problems
        workspace.problems.append(StepProblem(name, error))
        return {}, error


def _check(gate: GateSpec) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(
        check_name(gate.id),
        asset=dg.AssetKey(gate.table),
        description=check_description(gate),
        additional_deps=further_tables(gate),
        blocking=False,
    )


def _judged(
    context: dg.AssetExecutionContext, workspace: Workspace, gate: GateSpec, crash: Exception | None
) -> dg.AssetCheckResult:
    result = judge(workspace, as_of(context), gate, crash)
    workspace.progress(f"gate {gate.id}: {result.verdict}")
    return asset_check_result(gate, result, as_of(context))
