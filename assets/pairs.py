"""Pairs across sources: the nightly queue and divergence, and the study of a named freeze (METHODS 5, 6).

Nothing here stops the board (`assets.beside`).
"""

from typing import Any

import dagster as dg

from assets.beside import Frames, beside_the_board
from assets.recording import as_of
from methods.names.registry import ModelRegistry
from methods.pairing.pair_tables import build_pair_tables
from methods.pairing.source_study import source_study, study_differences, study_pairs
from methods.statistics.divergence import source_divergence
from resources.study_evidence import evidence_rows
from resources.workspace import Workspace
from warehouse.catalog_model import GateSpec

COUNTED = {"core__candidate_pair": "benchmark", "core__pair_decision": "state", "core__study_pair": "state"}
"""The column whose words the Dagster UI counts."""


def pair_assets(gates: tuple[GateSpec, ...], days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets of pairs and of the study, each with the gates that stand at its tables."""
    steps: tuple[tuple[str, tuple[str, ...], Any], ...] = (
        ("core_pairs", ("core__candidate_pair", "core__pair_decision"), _nightly_pairs),
        ("out_source_divergence", ("out__source_divergence",), _divergence),
        ("raw_evidence", ("raw__evidence",), _evidence),
        ("core_study_pair", ("core__study_pair",), _study_pairs),
        ("out_source_difference", ("out__source_difference",), _differences),
    )
    return [beside_the_board(name, tables, build, gates, days, COUNTED) for name, tables, build in steps]


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


def _frozen(context: dg.AssetExecutionContext, workspace: Workspace) -> Any:
    """The results of the freeze that the study names; None without a study, or where the freeze is not proved."""
    study = source_study(workspace.catalog)
    found = [item.content for item in workspace.evidence(as_of(context)) if study and item.study.id == study.id]
    return found[0] if found else None
