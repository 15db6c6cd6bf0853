"""How `scoretrail backtest` shows a proof: sentences first, then the tables; the same as JSON.

Belongs here: presentation. Figures are rounded for display only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich.console import Console

from methods.backtest.proof import Proof
from pipelines import console
from pipelines.evidence_sources import Given
from warehouse.linked_words import ALL, BOARD_METHOD, LINKED_METHOD

_SPLITS = {
    "cells": "single results withheld",
    "model-family": "all results of a model in a family withheld",
    "family": "whole families withheld, their cohorts' medians and spreads known",
    "forward": "what the next day brought",
}
_COLUMNS = [
    ("method", "left"), ("n", "right"), ("median error", "right"), ("mean error", "right"), ("rank corr.", "right"),
    ("50%", "right"), ("80%", "right"), ("95%", "right"),
]  # fmt: skip


def print_proof(
    out: Console, given: Given, proof: Proof, registries: Sequence[dict[str, object]] | None = None
) -> None:
    """Prints a proof for people."""
    said = f"Proof on {given.label}: {given.evidence.height:,} results, catalog {given.catalog.version}"
    out.print(f"{said}, methodology {given.catalog.methodology.version}.", markup=False)
    out.print("Errors in percentage points of withheld fractions; then the share of withheld results within intervals.")
    for row in proof.splits.rows(named=True):
        out.print()
        lost = f"{row['without_metric']:,} on metrics and {row['without_model']:,} of models with too little left"
        often = "once" if row["repetitions"] == 1 else f"{row['repetitions']} times"
        asked = f"{row['predicted']:,} of {row['withheld']:,} were asked of every method"
        out.print(f"{row['split']}: {_SPLITS[row['split']]}, {often}", markup=False, style="bold")
        out.print(f"{asked} ({lost})", markup=False)
        own = proof.backtest.filter(pl.col("split") == row["split"])
        whole = own.filter(pl.col("category") == ALL).sort("median_error_pp", "method", nulls_last=True)
        out.print(
            console.table("All categories", _COLUMNS, [_figures(one["method"], one) for one in whole.rows(named=True)])
        )
        _by_category(out, own, proof.coverage.filter(pl.col("split") == row["split"]))
    _versus(out, proof)
    factors = ", ".join(f"{name} {value:.2f}" for name, value in proof.factors.items())
    out.print(f"\nWidening that calibrates 3.0's 80% intervals, from the inner split: {factors}", markup=False)
    chosen = "; ".join(
        f"{method}: " + ", ".join(f"{label} ({count})" for label, count in tally.items())
        for method, tally in proof.chosen.items()
    )
    out.print(f"Chosen on the inner split, of how many times: {chosen}", markup=False)
    if registries is not None:
        _registries(out, registries)


def _figures(name: str, row: dict[str, Any]) -> list[str]:
    return [
        name,
        f"{row['n']:,}",
        *(_number(row[key], 2) for key in ("median_error_pp", "mean_error_pp")),
        _number(row["rank_correlation"], 3),
        *(_share(row[key]) for key in ("cover50", "cover80", "cover95")),
    ]


def _by_category(out: Console, own: pl.DataFrame, coverage: pl.DataFrame) -> None:
    chosen = own.filter((pl.col("category") != ALL) & pl.col("method").is_in([BOARD_METHOD, LINKED_METHOD]))
    sure = coverage.select("method", "category", "families", "low", "high")
    rows = [
        [
            *_figures(f"{one['category']}: {one['method']}", one),
            f"{one['families']}",
            f"{_share(one['low'])} to {_share(one['high'])}" if one["low"] is not None else "—",
        ]
        for one in chosen.join(sure, on=["method", "category"], how="left").sort("category", "method").rows(named=True)
    ]
    if rows:
        columns = [
            ("category: method", "left"), *_COLUMNS[1:], ("families", "right"), ("80%: between", "right"),
        ]  # fmt: skip
        out.print()
        out.print(console.table("By category", columns, rows))


def _versus(out: Console, proof: Proof) -> None:
    rows = [
        (
            row["split"],
            row["method"],
            f"{row['nearer']:,} of {row['nearer'] + row['farther']:,}",
            f"{_share(row['nearer_share'])} [{_share(row['wilson_low'])}, {_share(row['wilson_high'])}]",
            f"{row['median_gap_pp']:+.2f}",
        )
        for row in proof.versus.rows(named=True)
    ]
    columns = [
        ("split", "left"),
        ("linked against", "left"),
        ("nearer in", "right"),
        ("share, 95%", "right"),
        ("median gap", "right"),
    ]
    out.print()
    out.print(console.table("The linked score against each method, result by result", columns, rows))


def _registries(out: Console, registries: Sequence[dict[str, object]]) -> None:
    names = ("registry", "models", "results", "rated", "predicted", "median_error_pp", "cover80")
    rows = [[_cell(row[name]) for name in names] for row in registries]
    heads = ["registry", "models", "results", "rated (model, category)", "predicted", "median error", "80%"]
    columns = [(head, "left" if number == 0 else "right") for number, head in enumerate(heads)]
    out.print()
    out.print(console.table("How much the alias registry matters", columns, rows))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else "—" if value is None else str(value)


def _number(value: float | None, digits: int) -> str:
    return "—" if value is None else f"{value:.{digits}f}"


def _share(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f}%"


def proof_json(given: Given, proof: Proof, registries: Sequence[dict[str, object]] | None) -> dict[str, Any]:
    """The proof as JSON values."""
    return {
        "of": given.label,
        "catalog_version": given.catalog.version,
        "methodology_version": given.catalog.methodology.version,
        "results": given.evidence.height,
        "splits": proof.splits.rows(named=True),
        "backtest": proof.backtest.rows(named=True),
        "slices": proof.slices.rows(named=True),
        "versus": proof.versus.rows(named=True),
        "coverage_by_families": proof.coverage.rows(named=True),
        "widening": proof.factors,
        "penalties_chosen": proof.chosen,
        "forward_days": [list(pair) for pair in given.days],
        "registries": registries,
    }
