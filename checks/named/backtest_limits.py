"""Gates on the proof: error, baselines and coverage of withheld results, three-valued (METHODS 7b).

A share is held against a band: it passes inside, fails where its 95% Wilson interval lies outside altogether, and is
inconclusive between, with the number of withheld results that would decide. Belongs here: these verdicts. Does not
belong here: the figures (`methods.backtest`).
"""

from __future__ import annotations

import math
from typing import Any, Final

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from methods.statistics.wilson import wilson_interval
from warehouse.catalog_model import GateSpec
from warehouse.linked_words import ALL, BASELINES, BOARD_METHOD, LINKED_METHOD

Row = dict[str, Any]

_RANK: Final = {"pass": 0, "inconclusive": 1, "fail": 2}


def backtest_error(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Median error of the linked score on withheld single results, in points."""
    limit, least = threshold_of(gate), inputs.catalog.methodology.backtest.least_cells
    row = _row(inputs, LINKED_METHOD, ALL)
    if row is None or row["median_error_pp"] is None:
        return _nothing("no withheld result was predicted", least)
    error, n = float(row["median_error_pp"]), int(row["n"])
    said = f"median error {error:.2f} points over {n:,} withheld results, {limit!r} allowed"
    if n < least:
        return Finding("inconclusive", error, n, 0, f"{said}; {least} withheld results would decide")
    return Finding("pass" if error <= limit else "fail", error, n, int(error > limit), said)


def backtest_baselines(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The linked score is no worse than any baseline on the same split: largest gap of medians in points.

    A larger median alone does not fail it: the baseline must also have come nearer in surely more than half.
    """
    limit, z = threshold_of(gate), inputs.catalog.methodology.source_statistics.level_z
    rows = [
        row for row in inputs.frame("out__backtest_versus").sort("split", "method").rows(named=True)
        if row["method"] in BASELINES
    ]  # fmt: skip
    if not rows:
        return _nothing("no baseline was held against it", inputs.catalog.methodology.backtest.least_cells)
    verdicts = [(_against(row, limit), row) for row in rows]
    worst, row = max(verdicts, key=lambda item: (_RANK[item[0]], item[1]["median_gap_pp"]))
    said = (
        f"{row['method']} on {row['split']}: median {row['median_gap_pp']:+.2f} points, nearer in"
        f" {row['nearer']}/{row['nearer'] + row['farther']} [{row['wilson_low']:.3f}, {row['wilson_high']:.3f}]"
    )
    if worst == "inconclusive":
        said += f"; {_needed(row['nearer_share'], 0.5, z):,} withheld results would decide at this share"
    failed = sum(verdict == "fail" for verdict, _ in verdicts)
    if worst == "pass":
        said = f"no worse than {len(rows)} baselines, nearest {said}"
    return Finding(worst, float(row["median_gap_pp"]), len(rows), failed, said)  # type: ignore[arg-type]


def backtest_coverage(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The linked score's 80% intervals cover 80% of all withheld results, within the threshold."""
    return _coverage(gate, inputs, LINKED_METHOD, [ALL])


def backtest_coverage_categories(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The same in every category with enough withheld results."""
    least = inputs.catalog.methodology.backtest.least_cells
    frame = inputs.frame("out__backtest").filter(
        (pl.col("method") == LINKED_METHOD) & (pl.col("split") == "cells") & (pl.col("category") != ALL)
    )
    large = frame.filter(pl.col("n") >= least)["category"].sort().to_list()
    if not large:
        return _nothing("no category has enough withheld results", least)
    return _coverage(gate, inputs, LINKED_METHOD, large)


def board_coverage(gate: GateSpec, inputs: GateInputs) -> Finding:
    """3.0's own 80% intervals cover 80% of all withheld results, within the threshold."""
    return _coverage(gate, inputs, BOARD_METHOD, [ALL])


def _coverage(gate: GateSpec, inputs: GateInputs, method: str, categories: list[str]) -> Finding:
    methodology = inputs.catalog.methodology
    least, level = methodology.backtest.least_cells, methodology.backtest.calibrated_level
    allowed, z = threshold_of(gate), methodology.source_statistics.level_z
    rows = [row for name in categories if (row := _row(inputs, method, name)) is not None]
    rows = [row for row in rows if row["cover80"] is not None]
    if not rows:
        return _nothing("no withheld result was predicted with an interval", least)
    judged = [(_band(row, level, allowed, z, least), row) for row in rows]
    worst, row = max(judged, key=lambda item: (_RANK[item[0]], abs(item[1]["cover80"] - level)))
    figure = abs(float(row["cover80"]) - level)
    where = "all categories" if row["category"] == ALL else row["category"]
    said = f"{method} in {where}: {row['cover80']:.3f} of {row['n']:,}, {level - allowed:.2f} to {level + allowed:.2f}"
    if worst == "inconclusive":
        edge = level + math.copysign(allowed, row["cover80"] - level)
        said += (
            f" allowed; {max(_needed(row['cover80'], edge, z), least):,} withheld results would decide at this share"
        )
    failed = sum(verdict == "fail" for verdict, _ in judged)
    return Finding(worst, figure, len(rows), failed, said)  # type: ignore[arg-type]


def _band(row: Row, level: float, allowed: float, z: float, least: int) -> str:
    share, n = float(row["cover80"]), int(row["n"])
    interval = wilson_interval(round(share * n), n, z)
    if interval is None or n < least:
        return "inconclusive"
    if abs(share - level) <= allowed:
        return "pass"
    outside = interval.high < level - allowed or interval.low > level + allowed
    return "fail" if outside else "inconclusive"


def _against(row: Row, limit: float) -> str:
    if row["median_gap_pp"] <= limit:
        return "pass"
    return "fail" if row["wilson_high"] < 0.5 else "inconclusive"


def _needed(share: float, edge: float, z: float) -> int:
    """Results at which a 95% interval around this share would leave the edge out, by the normal approximation."""
    gap = max(abs(share - edge), 1e-3)
    return math.ceil(z * z * share * (1.0 - share) / (gap * gap)) if 0.0 < share < 1.0 else 1


def _row(inputs: GateInputs, method: str, category: str) -> Row | None:
    frame = inputs.frame("out__backtest").filter(
        (pl.col("method") == method) & (pl.col("split") == "cells") & (pl.col("category") == category)
    )
    return frame.row(0, named=True) if frame.height else None


def _nothing(why: str, least: int) -> Finding:
    return Finding("inconclusive", None, 0, 0, f"{why}; {least} withheld results would decide")
