"""Batches as one table of units: each enters once, with the batch in which it first came (METHODS 12).

Belongs here: what a unit is, and when it counts. Does not belong here: bounds and tests over units. A user who comes
back brings values that hang together with those before, so that no bound over rows would hold. A unit therefore counts
once, with the mean of its rows in the batch where it first came; its later rows are kept for what needs no bound
(red lines, returned models) and counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import polars as pl

from methods.statistics.fixed_point import SCALE, fixed_point
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_words import RolloutStage

TASK: Final = "task"
ROW_UNITS: Final = frozenset({"request", "task"})
"""Units that are a row's own task."""


class RolloutError(ValueError):
    """Batches that a contract cannot be applied to: says which batch, row and column, and what is expected."""


def together(batches: Sequence[pl.DataFrame], contract: ReleaseContract, stage: RolloutStage) -> pl.DataFrame:
    """All batches as one table, with `_batch` and `_row` (from 1), `_unit` and `_is_first`.

    Args:
        batches: in order of their arrival, each with `system`, `task`, and the unit's column where that is no task.
        contract: says which systems there are and what is assigned.
        stage: in shadow every request is a unit.

    Raises:
        RolloutError: naming batch and row, for a system that the contract does not name, a row without its unit, a
            task that a former batch brought already for the same system and trial.
    """
    unit = TASK if stage == "shadow" or contract.stages.canary.unit in ROW_UNITS else contract.stages.canary.unit
    numbered = []
    for number, batch in enumerate(batches, start=1):
        if unit not in batch.columns:
            raise RolloutError(f"batch {number}: no column {unit!r}, which is what the contract assigns (canary.unit)")
        numbered.append(
            batch.with_row_index("_row", offset=1).with_columns(
                pl.lit(number, dtype=pl.Int64).alias("_batch"), pl.col(unit).cast(pl.String).alias("_unit")
            )
        )
    rows = pl.concat(numbered, how="diagonal_relaxed") if numbered else pl.DataFrame(schema=_NONE)
    _check_rows(rows, contract)
    return rows.with_columns((pl.col("_batch") == pl.col("_batch").min().over("system", "_unit")).alias("_is_first"))


_NONE: Final = {"system": pl.String, TASK: pl.String, "_batch": pl.Int64, "_row": pl.UInt32, "_unit": pl.String}


def unit_sums(
    rows: pl.DataFrame, system: str, column: str, lowest: float, highest: float, batches: int
) -> pl.DataFrame:
    """What the units of a system say of a column, up to each batch.

    Args:
        rows: as `together` gives them.
        system: whose units.
        column: with numbers or booleans; one that is not there states nothing.
        lowest, highest: ends of its range, which become 0 and 1.
        batches: how many looks there are.

    Returns:
        A row for each batch, all counts up to and with it: `batch`, `units` that state a value, `unstated` that do not,
        `total`: the sum of the units' means on 0 to 1, in billionths.

    Raises:
        RolloutError: for a value that is no number, or lies outside the range, naming batch and row.
    """
    mine = rows.filter((pl.col("system") == system) & pl.col("_is_first"))
    if column not in mine.columns:
        mine = mine.with_columns(pl.lit(None, dtype=pl.Float64).alias(column))
    values = _on_unit_scale(mine, column, lowest, highest)
    per_unit = (
        mine.select("_batch", "_unit")
        .with_columns(values.alias("_value"))
        .group_by("_batch", "_unit")
        .agg(pl.col("_value").sum().alias("sum"), pl.col("_value").count().alias("stated"))
        .with_columns(_nearest(pl.col("sum"), pl.col("stated")).alias("mean"))
    )
    by_batch = per_unit.group_by("_batch").agg(
        (pl.col("stated") > 0).sum().cast(pl.Int64).alias("units"),
        (pl.col("stated") == 0).sum().cast(pl.Int64).alias("unstated"),
        pl.col("mean").sum().cast(pl.Int64).alias("total"),
    )
    looks = pl.DataFrame({"batch": range(1, batches + 1)}, schema={"batch": pl.Int64})
    joined = looks.join(by_batch, left_on="batch", right_on="_batch", how="left").sort("batch")
    return joined.with_columns(pl.col("units", "unstated", "total").fill_null(0).cum_sum())


def on_own_scale(units: int, total: int, lowest: float, highest: float) -> float | None:
    """The mean of units on the scale of its column, to the digits that billionths of its range leave; None of none.

    Args:
        units, total: as `unit_sums` gives them.
        lowest, highest: ends of the range.
    """
    if not units:
        return None
    width = highest - lowest
    return round(lowest + width * (total / (units * SCALE)), 8 - math.ceil(math.log10(width)))


def _nearest(total: pl.Expr, count: pl.Expr) -> pl.Expr:
    """A mean in whole billionths, rounded half up; 0 of nothing (which `stated` tells from a mean of 0)."""
    return pl.when(count > 0).then((2 * total + count) // (2 * count)).otherwise(0)


def _on_unit_scale(rows: pl.DataFrame, column: str, lowest: float, highest: float) -> pl.Series:
    """A column on 0 to 1 in billionths; null where nothing is stated."""
    kind = rows[column].dtype
    if kind == pl.Boolean:
        return rows[column].cast(pl.Int64) * SCALE
    if not (kind.is_numeric() or kind == pl.Null):
        raise RolloutError(f"column {column}: holds {kind}, numbers or true and false are expected")
    numbers = rows[column].cast(pl.Float64)
    wrong = rows.filter(numbers.is_not_null() & ~numbers.is_between(lowest, highest))
    if wrong.height:
        batch, row, value = wrong.select("_batch", "_row", column).row(0)
        raise RolloutError(
            f"batch {batch}, row {row}, column {column}: {value} lies outside {lowest:g} to {highest:g}, the range "
            "that the contract states"
        )
    stated = numbers.is_not_null()
    scaled = pl.Series(fixed_point(((numbers.drop_nulls() - lowest) / (highest - lowest)).to_numpy()), dtype=pl.Int64)
    places = (stated.cast(pl.Int64).cum_sum() - 1).set(~stated, None)
    return scaled.gather(places) if rows.height else pl.Series([], dtype=pl.Int64)


def _check_rows(rows: pl.DataFrame, contract: ReleaseContract) -> None:
    known = [contract.systems.baseline, contract.systems.candidate]
    strange = rows.filter(~pl.col("system").is_in(known) | pl.col("system").is_null())
    if strange.height:
        batch, row, system = strange.select("_batch", "_row", "system").row(0)
        raise RolloutError(f"batch {batch}, row {row}: system {system!r} is neither {known[0]!r} nor {known[1]!r}")
    without = rows.filter(pl.col("_unit").is_null())
    if without.height:
        batch, row = without.select("_batch", "_row").row(0)
        raise RolloutError(
            f"batch {batch}, row {row}: states no {contract.stages.canary.unit}, which is what is assigned"
        )
    key = ["system", TASK, *(["trial"] if "trial" in rows.columns else [])]
    twice = rows.filter(pl.struct(key).is_duplicated()).sort("_batch", "_row")
    if twice.height:
        first = twice.row(0, named=True)
        again = twice.filter(pl.all_horizontal(*(pl.col(name).eq_missing(first[name]) for name in key))).row(
            1, named=True
        )
        raise RolloutError(
            f"batch {again['_batch']}, row {again['_row']}: task {first[TASK]!r} of {first['system']!r} came already "
            f"in batch {first['_batch']}, row {first['_row']}; a request counts once"
        )
