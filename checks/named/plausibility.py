"""Gates on columns that no honest board shows: all nothing or all perfect (A36), two scales in one column (A08).

Belongs here: what one column of one leaderboard looks like today. A value is never changed or dropped for it: units
come from the record, never from the size of a number.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from checks.gate_inputs import Finding, GateInputs, limit_of, threshold_of
from checks.plain_json import json_value, short
from warehouse.catalog_model import GateSpec
from warehouse.vocabulary import PERCENT_UNITS

_COLUMN: Final = ("leaderboard", "benchmark", "benchmark_version", "subset", "metric")


def degenerate_column(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Columns that count for a score and whose values are all 0 or all the maximum, from the threshold of rows on.

    A column is (leaderboard, metric id). A source may state another number of rows (`max_same`). The figure is the
    number of rows of the longest such column.
    """
    full = pl.lit(None, pl.Float64)
    for unit, maximum in PERCENT_UNITS.items():
        full = pl.when(pl.col("unit") == unit).then(pl.lit(float(maximum))).otherwise(full)
    columns = (
        _scored(inputs)
        .filter(pl.col("value").is_not_null())
        .group_by("leaderboard", "metric_id")
        .agg(
            pl.len().alias("rows"),
            (pl.col("value") == 0).all().alias("nothing"),
            (pl.col("value") == full).fill_null(value=False).all().alias("perfect"),
        )
        .sort("leaderboard", "metric_id")
    )
    same = columns.filter(pl.col("nothing") | pl.col("perfect")).sort(
        "rows", "leaderboard", "metric_id", descending=[True, False, False]
    )
    floors = {board: limit_of(gate, inputs.catalog, board, "max_same") for board in same["leaderboard"].unique()}
    floor = pl.col("leaderboard").replace_strict(floors, default=None, return_dtype=pl.Float64)
    bad = same.filter(pl.col("rows") >= floor)
    longest = float(same["rows"][0]) if same.height else 0.0
    told = [
        f"{board} {metric}: {rows} rows, all {'0' if nothing else 'at the maximum'}"
        for board, metric, rows, nothing in bad.select("leaderboard", "metric_id", "rows", "nothing").iter_rows()
    ]
    span = f"over {threshold_of(gate):g} rows or more"
    detail = (
        f"{bad.height}/{columns.height} columns are degenerate {span}: {'; '.join(told[:3])}"
        if bad.height
        else f"none of {columns.height} columns is all 0 or all at the maximum {span}"
    )
    return Finding(
        "fail" if bad.height else "pass",
        longest,
        columns.height,
        bad.height,
        detail,
        tuple({"column": short(text, 160)} for text in told[:20]),
    )


def _scored(inputs: GateInputs) -> pl.DataFrame:
    """Results with each scored metric that they serve, or would have served but for deduplication and cohort."""
    scored = [metric.id for metric in inputs.catalog.metrics if metric.status == "scored"]
    exclusions = inputs.frame("core__exclusion").filter(pl.col("stage").is_in(["dedup", "standardize"]))
    pairs = pl.concat(
        [
            inputs.frame("core__evidence").select("entry_id", "metric_id"),
            exclusions.select("entry_id", "metric_id"),
        ]
    ).filter(pl.col("metric_id").is_in(scored))
    results = inputs.frame("core__result").select("entry_id", "leaderboard", "unit", "value")
    return pairs.unique().join(results, on="entry_id", how="inner")


def mixed_scale(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Columns that mix percent and fractions, or whose numbers do not look like their unit.

    A column is (leaderboard, benchmark, version, subset, metric) with a percentage unit. It is at fault if it states
    two units; if some of its values lie within the unit's range and others outside; or if it is stated in percent and
    no value of at least `threshold` exceeds 1. The last is lawful on a very hard benchmark: hence a warning.
    """
    floor = threshold_of(gate)
    rows = inputs.frame("core__result").filter(
        pl.col("unit").is_in(list(PERCENT_UNITS)) & pl.col("value").is_not_null()
    )
    maximum = pl.col("unit").replace_strict(PERCENT_UNITS, default=None, return_dtype=pl.Float64)
    inside = pl.col("value").is_between(0, maximum)
    columns = (
        rows.group_by(_COLUMN)
        .agg(
            pl.len().alias("rows"),
            (pl.col("unit").n_unique() > 1).alias("two_units"),
            (~inside).sum().alias("outside"),
            ((pl.col("unit") == "score") & (pl.col("value") <= 1)).all().alias("small"),
            (pl.col("value") > 0).any().alias("any_positive"),
        )
        .sort(_COLUMN)
    )
    faults: list[tuple[str, str]] = []
    for column in columns.iter_rows(named=True):
        name = " / ".join(str(column[part]) for part in _COLUMN if column[part] is not None)
        if column["two_units"]:
            faults.append((name, f"percent and fractions in one column of {column['rows']} rows"))
        elif column["outside"]:
            faults.append((name, f"{column['outside']}/{column['rows']} values outside the unit's range"))
        elif column["small"] and column["any_positive"] and column["rows"] >= floor:
            faults.append((name, f"stated in percent, and none of {column['rows']} values exceeds 1"))
    told = "; ".join(f"{short(name, 80)}: {fault}" for name, fault in faults[:3])
    detail = (
        f"{len(faults)}/{columns.height} percentage columns look like another scale: {told}"
        if faults
        else f"each of {columns.height} percentage columns looks like its unit"
    )
    examples = tuple({"column": json_value(name), "fault": fault} for name, fault in faults[:20])
    return Finding("fail" if faults else "pass", float(len(faults)), columns.height, len(faults), detail, examples, 0.0)
