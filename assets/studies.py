"""Studies of what users bring: one step a kind, which analyses each study of it and writes the kind's tables.

Nothing here stops the board (`assets.beside`), and a study that crashes stops no other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import dagster as dg
import polars as pl

from assets.beside import Built, Frames, beside_the_board
from assets.recording import as_of
from methods.decision.study import analyse as decision_study
from methods.harness.study import analyse as harness_study
from methods.judging.study import analyse as judge_study
from methods.manifests.study import analyse as manifest_study
from methods.protocols.study import analyse as protocol_study
from resources.study_evidence import StudyEvidence
from resources.workspace import StepProblem, Workspace
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.study_words import STUDY_TABLES
from warehouse.tables import TABLES


@dataclass(frozen=True)
class Analysis:
    """What a kind of study does with its evidence.

    Attributes:
        analyse: from what the reader of the evidence returned, the study and the catalog, every table of the kind.
    """

    analyse: Callable[[Any, StudySpec, Catalog], Frames]


ANALYSES: Mapping[str, Analysis] = {
    "protocol_sensitivity": Analysis(protocol_study),
    "reproduction": Analysis(manifest_study),
    "judge": Analysis(judge_study),
    "harness": Analysis(harness_study),
    "release_decision": Analysis(decision_study),
}
"""The analysis of every kind of study in `warehouse.study_words.STUDY_TABLES`."""


def study_assets(catalog: Catalog, days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets of studies: a step for each kind that the catalog has a study of, one for the tables of the others."""
    asked = {study.kind for study in catalog.studies}
    steps = {f"study_{kind}": (kind, tables) for kind, tables in STUDY_TABLES.items() if tables and kind in asked}
    idle = tuple(table for kind, tables in STUDY_TABLES.items() if kind not in asked for table in tables)
    found = [
        beside_the_board(name, tables, partial(_analysed, kind), catalog.gates, days)
        for name, (kind, tables) in steps.items()
    ]
    return found + ([beside_the_board("studies_not_asked_for", idle, _nothing, catalog.gates, days)] if idle else [])


def _nothing(_context: dg.AssetExecutionContext, _workspace: Workspace) -> Frames:
    return {}


def _analysed(kind: str, context: dg.AssetExecutionContext, workspace: Workspace) -> Built:
    """The tables of a kind, the rows of its studies one after the other."""
    made: dict[str, list[pl.DataFrame]] = {table: [] for table in STUDY_TABLES[kind]}
    crashes: dict[str, Exception] = {}
    for item in workspace.evidence(as_of(context)):
        if item.study.kind != kind or item.content is None:
            continue
        workspace.progress(f"study {item.study.id}: {item.content.height:,} rows of evidence")
        try:
            for table, frame in _one(item, workspace.catalog).items():
                made[table].append(frame)
        except Exception as error:  # noqa: BLE001 - kept in the workspace's problems, and the study's gates say error
            workspace.problems.append(StepProblem(f"study {item.study.id}", error))
            crashes[item.study.id] = error
    return Built({table: pl.concat(frames) for table, frames in made.items() if frames}, crashes)


def _one(item: StudyEvidence, catalog: Catalog) -> Frames:
    """Every table of one study, each under its contract before any is taken."""
    frames = ANALYSES[item.study.kind].analyse(item.content, item.study, catalog)
    return {table: TABLES[table].conform(frames[table]) for table in STUDY_TABLES[item.study.kind]}
