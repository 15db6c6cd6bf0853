"""Studies of what users bring: one step a kind, which analyses each study of it and writes the kind's tables.

Nothing here stops the board (`assets.beside`), and a study that crashes stops no other.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import dagster as dg
import polars as pl

from assets.beside import Built, Frames, beside_the_board
from assets.descriptions import table_keys, table_spec
from assets.recording import as_of
from methods.catalog.released_tables import asked_kinds, tables_not_asked_for
from resources.study_evidence import StudyEvidence
from resources.workspace import StepProblem, Workspace
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.study_words import STUDY_TABLES
from warehouse.tables import TABLES

Analyse = Callable[[Any, StudySpec, Catalog], Frames]
"""From what the reader of the evidence returned, the study and the catalog, every table of the kind."""

ANALYSES: Mapping[str, str] = {
    "protocol_sensitivity": "methods.protocols.study",
    "reproduction": "methods.manifests.study",
    "judge": "methods.judging.study",
    "harness": "methods.harness.study",
    "release_decision": "methods.decision.study",
}
"""The module whose `analyse` analyses a kind of study in `warehouse.study_words.STUDY_TABLES`. It is loaded where such
a study is: all of them are a fifth of what a night loads before it begins."""


def analysis(kind: str) -> Analyse:
    """The analysis of a kind of study."""
    found: Analyse = import_module(ANALYSES[kind]).analyse
    return found


def study_assets(catalog: Catalog, days: dg.PartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The assets of studies: a step for each kind that the catalog asks for."""
    asked = asked_kinds(catalog)
    return [
        beside_the_board(f"study_{kind}", tables, partial(_analysed, kind), catalog.gates, days)
        for kind, tables in STUDY_TABLES.items()
        if tables and kind in asked
    ]


def tables_nobody_makes(catalog: Catalog, days: dg.PartitionsDefinition) -> list[dg.AssetSpec]:
    """The tables of the other kinds, shown in the graph with their contracts; no step makes them."""
    return [table_spec(table, table_keys(table), days) for table in tables_not_asked_for(catalog)]


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
    frames = analysis(item.study.kind)(item.content, item.study, catalog)
    return {table: TABLES[table].conform(frames[table]) for table in STUDY_TABLES[item.study.kind]}
