"""The pages of studies of models and harnesses: all at a glance, and each with its figures (METHODS 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl
from markupsafe import Markup

from resources.site.facts import Facts
from resources.site.harness_figures import fit_bars, front, matrix, shares
from resources.site.links import AGENTS_PAGE, agents_page
from resources.site.page import Page, Plain
from warehouse.harness_words import ALL, PARTS
from warehouse.study_words import STUDY_TABLES

VERDICT = "out__harness_verdict"
GATES: Final = ("harness-records", "harness-status-map", "harness-counts", "harness-planned", "harness-balance")
DRAWN: Final = 24
"""Models or harnesses that a heat map holds; larger panels are shown as tables alone."""
SHOWN: Final = 400
Tables = Mapping[str, pl.DataFrame]
Row = dict[str, Any]


def agents(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of models and harnesses; none where the release holds no study of them."""
    rows = facts.rows(VERDICT)
    if not rows:
        return
    studies = list(dict.fromkeys(row["study"] for row in rows))
    said = [(study, agents_page(study), _verdicts([row for row in rows if row["study"] == study])) for study in studies]
    yield Page(AGENTS_PAGE, "agents.html", "Models and harnesses", {"said": said}, section=AGENTS_PAGE, found_as="page")
    for study in studies:
        tables = {
            name: facts.inputs.tables[name].filter(pl.col("study") == study)
            for name in STUDY_TABLES["harness"] if name in facts.inputs.tables
        }  # fmt: skip
        gates = {row["gate"]: row for row in facts.rows("out__gate")}
        asked = [(gate, gates[f"{gate}.{study}"]) for gate in GATES if f"{gate}.{study}" in gates]
        yield Page(
            agents_page(study),
            "agents_study.html",
            f"Models and harnesses: {study}",
            {
                **study_values(study, tables),
                "gates": [(gate, row["verdict"], row["detail"]) for gate, row in asked],
                "evidence": [row for row in facts.rows("raw__evidence") if row["study"] == study],
            },
            section=AGENTS_PAGE,
            found_as="page",
        )


def study_values(study: str, tables: Tables) -> dict[str, Any]:
    """What the page of a study shows.

    Args:
        study: its id.
        tables: the `out__harness_*` tables, rows of the study alone.
    """
    verdicts = _verdicts(tables[VERDICT].rows(named=True))
    panel = verdicts[0]["panel"]
    own = {name: _of_panel(frame, panel) for name, frame in tables.items()}
    summary = own["out__harness_summary"]
    harnesses = _ordered([row for row in summary if row["side"] == "harness"], ("fit", "score_fit", "score"))
    models = _ordered([row for row in summary if row["side"] == "model"], ("score",))
    pairs = own["out__harness_pair"]
    faults = own["out__harness_fault"]
    blame = sorted(own["out__harness_blame"], key=lambda row: (row["benchmark"], PARTS.index(row["part"])))
    is_crossing = panel == "balanced" or all(row["verdict"] is not None for row in verdicts)
    return {
        "panel": own["out__harness_panel"],
        "first": own["out__harness_panel"][0],
        "shown_panel": panel,
        "is_crossing": is_crossing,
        "verdicts": verdicts,
        "blame": blame,
        "shares": shares(study, blame) if is_crossing else None,
        "harnesses": harnesses,
        "models": models,
        "fit": fit_bars(study, harnesses) if is_crossing else None,
        "front": front(study, pairs, _references(tables)) if any(row["clean"] is not None for row in pairs) else None,
        "interaction": _interaction(study, pairs) if is_crossing else None,
        "pairs": pairs[:SHOWN],
        "maps": [_maps(study, benchmark, tables) for benchmark in _benchmarks(own["out__harness_panel"])],
        "stages": [row for row in own["out__harness_stage"] if row["side"] == "harness"],
        "selection": own["out__harness_selection"],
        "references": own["out__harness_reference"],
        "unique": own["out__harness_unique"][:SHOWN],
        "unique_count": len(own["out__harness_unique"]),
        "faults": faults[:SHOWN],
        "fault_count": len(faults),
    }


def _of_panel(frame: pl.DataFrame, panel: str) -> list[Row]:
    chosen = frame.filter(pl.col("panel") == panel) if "panel" in frame.columns else frame
    return chosen.rows(named=True)


def _verdicts(rows: list[Row]) -> list[Row]:
    """Verdicts of the balanced sub-panel where there is one, else of the declared panel."""
    balanced = [row for row in rows if row["panel"] == "balanced"]
    return balanced or rows


def _ordered(rows: list[Row], by: tuple[str, ...]) -> list[Row]:
    def place(row: Row) -> tuple[Any, ...]:
        return (*((row[name] is None, -(row[name] or 0)) for name in by), row["one"])

    return sorted(rows, key=place)


def _benchmarks(panel: list[Row]) -> list[tuple[str, str]]:
    return [(row["benchmark"], row["condition"]) for row in panel]


def _maps(study: str, key: tuple[str, str], tables: Tables) -> dict[str, Any]:
    """Heat maps of S and V on one benchmark under one condition, and its cells as rows."""
    benchmark, condition = key
    frame = tables["out__harness_cell"].filter(
        (pl.col("benchmark") == benchmark) & (pl.col("condition") == condition) & (pl.col("environment") == ALL)
    )
    rows = frame.rows(named=True)
    core = [row for row in rows if not row["is_reference"]]
    models, harnesses = (sorted({row[name] for row in core}) for name in ("model", "harness"))
    found: dict[str, Any] = {"benchmark": benchmark, "condition": condition, "cells": rows[:SHOWN], "count": len(rows)}
    if len(models) > DRAWN or len(harnesses) > DRAWN or not core:
        return {**found, "score": None, "clean": None}
    name = f"{study} {benchmark} {condition}"
    score = {(row["model"], row["harness"]): 100 * row["score"] for row in core}
    found["score"] = matrix(f"S {name}", models, harnesses, score, f"mean score S on {benchmark}, percent")
    clean = {(row["model"], row["harness"]): 100 * row["clean"] for row in core if row["clean"] is not None}
    what = f"clean ends V on {benchmark}, percent"
    found["clean"] = matrix(f"V {name}", models, harnesses, clean, what) if clean else None
    return found


def _interaction(study: str, pairs: list[Row]) -> Markup | None:
    models, harnesses = (sorted({row[name] for row in pairs}) for name in ("model", "harness"))
    if len(models) > DRAWN or len(harnesses) > DRAWN:
        return None
    values = {(row["model"], row["harness"]): row["residual_pp"] for row in pairs}
    return matrix(f"R {study}", models, harnesses, values, "interaction residuals, percentage points", is_signed=True)


def _references(tables: Tables) -> list[Row]:
    """Mean S and V of references that every benchmark covers."""
    primary = tables["out__harness_panel"].filter(pl.col("is_primary")).select("benchmark", "condition")
    cells = tables["out__harness_cell"].join(primary, on=["benchmark", "condition"])
    rows = cells.filter(pl.col("is_reference") & (pl.col("environment") == ALL)).rows(named=True)
    by_pair: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_pair.setdefault((row["model"], row["harness"]), []).append(row)
    return [
        {"model": pair[0], "harness": pair[1], "score": _mean(own, "score"), "clean": _mean(own, "clean")}
        for pair, own in sorted(by_pair.items())
        if len(own) == primary.height and all(row["clean"] is not None for row in own)
    ]


def _mean(rows: list[Row], name: str) -> float:
    """For the place of a mark only; the published means stand in the tables."""
    return float(sum(row[name] for row in rows)) / len(rows)
