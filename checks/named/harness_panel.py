"""Gates of a crossing of models and harnesses: its records, its planned attempts, its maps, its balance (METHODS 11).

Belongs here: what has to hold before figures of a panel are read. Does not belong here: clauses within one table
(`checks.rules_harness`).
"""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from checks.named.shares import Share, judge_shares
from checks.plain_json import short
from warehouse.catalog_model import GateSpec
from warehouse.harness_words import ALL, GATING_FAULTS

PANEL, FAULT, CELL = "out__harness_panel", "out__harness_fault", "out__harness_cell"
SHOWN = 5


def harness_records(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """No record is a differing duplicate, is of an attempt nobody planned, or has a score that cannot be one."""
    panel, faults = inputs.frame(PANEL), inputs.frame(FAULT)
    bad = faults.filter(pl.col("fault").is_in(GATING_FAULTS))
    return _named_faults(bad, int(panel["recorded"].sum()), "records at fault")


def harness_status_map(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Every record's status and the fields its map needs are there and known, so that clean or not is decided."""
    panel, faults = inputs.frame(PANEL), inputs.frame(FAULT)
    bad = faults.filter(pl.col("fault").is_in(["status_unknown", "field_missing"]))
    found = _named_faults(bad, int(panel["recorded"].sum()), "records that their status map cannot read")
    others = sorted({text for listed in panel["other_statuses"].to_list() for text in listed})
    if found.outcome == "pass" and others:
        said = f"{found.detail}; read as abnormal ends though no rule names them: {short(', '.join(others), 300)}"
        return Finding(found.outcome, found.figure, found.evaluated, found.failed, said)
    return found


def harness_planned(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The share of planned attempts without a record, of each configuration on each benchmark, stays under a limit."""
    limit = threshold_of(gate)
    cells = inputs.frame(CELL).filter(pl.col("environment") == ALL)
    shares = [
        Share(
            f"{row['model']} + {row['harness']} on {row['benchmark']} ({row['condition']})",
            row["planned"] - row["recorded"], row["planned"], limit,
        )
        for row in cells.rows(named=True)
    ]  # fmt: skip
    return judge_shares(shares, "planned attempts without a record")


def harness_counts(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Planned attempts are tasks × repetitions of every configuration, and every one is recorded or missing."""
    wrong = []
    panel = inputs.frame(PANEL)
    cells = inputs.frame(CELL).filter(pl.col("environment") == ALL)
    for row in panel.rows(named=True):
        own = cells.filter((pl.col("benchmark") == row["benchmark"]) & (pl.col("condition") == row["condition"]))
        configurations = row["configurations"] + row["references"]
        planned = row["tasks"] * row["repetitions"] * configurations
        if (row["planned"], row["recorded"] + row["missing"]) != (planned, planned):
            wrong.append(f"{row['benchmark']} ({row['condition']}): {row['planned']} planned, {planned} by its counts")
        elif (own.height, own["planned"].sum(), own["recorded"].sum()) != (configurations, planned, row["recorded"]):
            wrong.append(f"{row['benchmark']} ({row['condition']}): its cells do not sum to it")
    return Finding(
        "fail" if wrong else "pass", float(len(wrong)), panel.height, len(wrong),
        short("; ".join(wrong), 800) or f"{panel.height} benchmarks and conditions, every planned attempt counted once",
    )  # fmt: skip


def harness_balance(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The share of the crossing that is not planned stays under a limit: figures that need balance exist."""
    limit = threshold_of(gate)
    panel = inputs.frame(PANEL).filter(pl.col("is_primary"))
    shares = [
        Share(
            row["benchmark"], len(row["missing_cells"]), row["configurations"] + len(row["missing_cells"]), limit,
            _instead(row["balanced_models"], row["balanced_harnesses"], row["balanced_benchmarks"]),
        )
        for row in panel.rows(named=True)
    ]  # fmt: skip
    return judge_shares(shares, "cells of the crossing that are not planned")


def _instead(models: list[str] | None, harnesses: list[str] | None, benchmarks: list[str] | None) -> str:
    if models is None or harnesses is None or benchmarks is None:
        return ""
    return f"balanced: {len(models)} models × {len(harnesses)} harnesses × {len(benchmarks)} benchmarks"


def _named_faults(bad: pl.DataFrame, evaluated: int, what: str) -> Finding:
    counts = ", ".join(f"{count} {fault}" for fault, count in sorted(dict(bad.group_by("fault").len().rows()).items()))
    told = "; ".join(
        f"{row['fault']}: {row['file']} row {row['row']} ({row['model']} + {row['harness']}, {row['task']})"
        for row in bad.head(SHOWN).rows(named=True)
    )
    return Finding(
        "fail" if bad.height else "pass", float(bad.height), evaluated, bad.height,
        f"{counts}: {short(told, 700)}" if bad.height else f"{evaluated} recorded attempts, no {what}",
        tuple({"fault": row["fault"], "file": row["file"], "row": row["row"]} for row in bad.head(20).rows(named=True)),
    )  # fmt: skip
