"""Gates on numeric columns of the samples, such as the component metrics of METHODS 13.

Belongs here: levels of the candidate and paired differences, null rules, sums over sums. Does not belong here: what a
component metric means (`methods.components`).

A task's value is the mean over its trials that have one; null is "not applicable" and takes no part; the share of rows
with a value is stated. With `divide_by` the metric is the sum of one column over the sum of another.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from methods.decision.effects import Spread, detectable_effect, needed_tasks
from methods.decision.mean_bounds import Bounds, Ends, mean_bounds
from methods.decision.outcomes import scaled
from methods.decision.samples import SampleError
from methods.decision.units import Units, divided, make_units, summed
from methods.decision.verdict import Gate
from methods.statistics.fixed_point import LARGEST, SCALE, Integers
from warehouse.decision_rules import DecisionRules
from warehouse.decision_words import GateOutcome
from warehouse.release_contract import MetricGate, ReleaseContract

_MOST_DIGITS: Final = 5
"""Powers of ten by which both columns of a ratio may be scaled down; whole numbers keep four digits after the point."""


def metric_gates(
    contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str], *, seed: int, rules: DecisionRules
) -> list[Gate]:
    """One gate a metric.

    Args:
        rows: as `outcomes.counted_rows` gives them.
        names: columns of the samples.

    Raises:
        SampleError: for a value outside the metric's range.
    """
    gates = []
    for metric in contract.metrics:
        missing = [name for name in (metric.column, metric.divide_by) if name is not None and name not in names]
        if missing:
            detail = f"the samples have no column {', '.join(missing)}"
            gates.append(_gate(metric, "inconclusive", detail, None, 0, 0, 0, None, metric.minimum_tasks))
        else:
            gates.append(_judged(metric, contract, rows, seed, rules))
    return gates


def _judged(metric: MetricGate, contract: ReleaseContract, rows: pl.LazyFrame, seed: int, rules: DecisionRules) -> Gate:
    table = _task_values(metric, contract, rows)
    counted = int(table.filter(pl.col("_candidate"))["counted"].sum())
    valued = table.filter(pl.col("n") > 0)
    covered = int(valued.filter(pl.col("_candidate"))["n"].sum())
    coverage = covered / counted if counted else 0.0
    sides = {side: valued.filter(pl.col("_candidate") == side) for side in (True, False)}
    if metric.delta_pp is not None:
        both = sides[True].join(sides[False], on="task", suffix="_baseline").sort("task")
        units = _difference(both)
        limit, ends, tasks = -metric.delta_pp / 100, Ends(-1.0, 1.0), both.height
        is_floor = True
    else:
        own = sides[True].sort("task")
        units, tasks = _level(metric, own), own.height
        is_floor = metric.at_least is not None
        stated = metric.at_least if metric.at_least is not None else metric.at_most
        assert stated is not None
        limit = stated
        if metric.divide_by is None:
            limit = (stated - metric.lowest) / (metric.highest - metric.lowest)
        ends = Ends(0.0, 1.0)
    if not tasks or units is None:
        detail = f"no task has a value of {metric.column}"
        return _gate(metric, "inconclusive", detail, None, 0, 0, 0, None, metric.minimum_tasks)
    alpha = contract.objective.alpha
    is_ratio = metric.divide_by is not None
    bounds = mean_bounds(units, None if is_ratio else ends, alpha, limit, seed=seed, rules=rules)
    reach = bounds.estimate - ends.lowest if is_floor else ends.highest - bounds.estimate
    spread = Spread(
        float(np.sqrt(units.squared_error * units.size)), units.size, tasks / units.size, 0.0 if is_ratio else reach
    )
    outcome, detail = _outcome(metric, bounds, limit, is_floor, units, tasks, coverage, rules)
    needed = None
    if outcome == "inconclusive":
        gap = abs(bounds.estimate - limit) if (bounds.estimate > limit) == is_floor else 0.0
        more = needed_tasks(spread, gap, alpha, rules)
        needed = None if more is None else max(more, metric.minimum_tasks)
    detectable = detectable_effect(spread, alpha, rules)
    shown = f"{detail}; {100 * coverage:.1f}% of {counted:,} rows have a value"
    return _gate(metric, outcome, shown, bounds, tasks, units.size, covered, detectable, needed)


def _outcome(
    metric: MetricGate, bounds: Bounds, limit: float, is_floor: bool, units: Units, tasks: int, coverage: float,
    rules: DecisionRules,
) -> tuple[GateOutcome, str]:  # fmt: skip
    if tasks < metric.minimum_tasks:
        return "inconclusive", f"{tasks:,} tasks with a value, the contract asks for {metric.minimum_tasks:,}"
    if coverage < metric.minimum_coverage_frac:
        return "inconclusive", f"too few rows have a value: {metric.minimum_coverage_frac:g} is asked for"
    if metric.divide_by is not None and units.size < rules.minimum_units:
        return "inconclusive", f"{units.size:,} units; {rules.minimum_units:,} are the least that bound a ratio"
    low, high = bounds.low, bounds.high
    if low is None or high is None:
        return "inconclusive", "one unit only: nothing can be resampled"
    if (low > limit) if is_floor else (high < limit):
        return "pass", "the bound clears the limit"
    if (high < limit) if is_floor else (low > limit):
        return "fail", "the bound on the other side lies beyond the limit"
    return "inconclusive", "the bounds lie on both sides of the limit"


def _task_values(metric: MetricGate, contract: ReleaseContract, rows: pl.LazyFrame) -> pl.DataFrame:
    """One row a (task, system): `n` rows with a value, `total` (and `mass` with `divide_by`) over them, `counted`."""
    if metric.divide_by is None:
        value = scaled(metric.column, metric.lowest, metric.highest, higher_is_better=True)
        if metric.delta_pp is not None:
            value = scaled(metric.column, metric.lowest, metric.highest, higher_is_better=metric.higher_is_better)
        mass = pl.lit(1, dtype=pl.Int64)
        has = value.is_not_null()
    else:
        unit = _ratio_unit(metric, contract.sampling.cluster, rows)
        value, mass = (
            (pl.col(name).cast(pl.Float64) / unit * SCALE).round(0).cast(pl.Int64, strict=False)
            for name in (metric.column, metric.divide_by)
        )
        has = value.is_not_null() & mass.is_not_null()
    counts = pl.col("_counts")
    cluster = contract.sampling.cluster
    found = (
        rows.group_by("task", "_candidate")
        .agg(
            total=value.filter(counts & has).sum(),
            mass=mass.filter(counts & has).sum() if metric.divide_by else pl.lit(0),
            n=(counts & has).sum().cast(pl.Int64),
            counted=counts.sum().cast(pl.Int64),
            least=value.filter(counts & has).min(),
            greatest=value.filter(counts & has).max(),
            unit=pl.col(cluster or "task").first().cast(pl.String),
        )
        .collect(engine="streaming")
    )
    outside = found.filter((pl.col("least") < 0) | (pl.col("greatest") > SCALE))
    if metric.divide_by is None and outside.height:
        first = sorted(outside["task"].to_list())[0]
        raise SampleError(
            f"task {first}: {metric.column} outside {metric.lowest:g} to {metric.highest:g}; state its range in the "
            f"contract's metric {metric.id}"
        )
    return found


def _ratio_unit(metric: MetricGate, cluster: str | None, rows: pl.LazyFrame) -> float:
    """What both columns of a ratio are divided by: 1, or the least power of ten at which no resample leaves 64 bits.

    Raises:
        SampleError: for values so large that the other column would lose digits that matter.
    """
    columns = [pl.col(name).cast(pl.Float64) for name in (metric.column, metric.divide_by) if name is not None]
    units = (
        rows.group_by(cluster or "task")
        .agg(pl.max_horizontal(*(one.abs().max() for one in columns)).alias("largest"), pl.len().alias("rows"))
        .collect(engine="streaming")
    )
    largest = float(units["largest"].max() or 0.0)  # type: ignore[arg-type]
    # every unit drawn could be the one of most rows, and each of these the largest
    total = largest * int(units["rows"].max() or 0) * units.height * SCALE  # type: ignore[arg-type]
    unit = next((10.0**power for power in range(_MOST_DIGITS + 1) if total < LARGEST / 2 * 10.0**power), None)
    if unit is None:
        raise SampleError(
            f"metric {metric.id}: values up to {largest:g} are too large to be added up; state {metric.column} and "
            f"{metric.divide_by} in larger units"
        )
    return unit


def _codes(table: pl.DataFrame) -> Integers | None:
    if table["unit"].equals(table["task"]):
        return None
    return table["unit"].rank("dense").to_numpy().astype(np.int64) - 1


def _level(metric: MetricGate, own: pl.DataFrame) -> Units | None:
    if not own.height:
        return None
    if metric.divide_by is None:
        return make_units(divided(own["total"].to_numpy(), own["n"].to_numpy()), _codes(own), None)
    own = own.filter(pl.col("mass") > 0)  # nothing to divide by: such a task says nothing about a ratio
    codes = _codes(own)
    sums, masses = own["total"].to_numpy(), own["mass"].to_numpy()
    if codes is not None:
        sums, masses = summed(sums, codes), summed(masses, codes)
    if not sums.size:
        return None
    order = np.lexsort((masses, sums))
    return Units(np.ascontiguousarray(sums[order]), np.ascontiguousarray(masses[order]), SCALE, own.height)


def _difference(both: pl.DataFrame) -> Units | None:
    if not both.height:
        return None
    new = divided(both["total"].to_numpy(), both["n"].to_numpy())
    old = divided(both["total_baseline"].to_numpy(), both["n_baseline"].to_numpy())
    return make_units(new - old, _codes(both), None)


def _gate(
    metric: MetricGate, outcome: GateOutcome, detail: str, bounds: Bounds | None, tasks: int, units: int, rows: int,
    detectable: float | None, needed: int | None,
) -> Gate:  # fmt: skip
    width = metric.highest - metric.lowest
    is_difference = metric.delta_pp is not None
    factor, shift = (100.0, 0.0) if is_difference else (width, metric.lowest)
    if metric.divide_by is not None:
        factor, shift = 1.0, 0.0

    def shown(value: float | None) -> float | None:
        return None if value is None else shift + factor * value

    threshold = -metric.delta_pp if metric.delta_pp is not None else metric.at_least
    return Gate(
        f"metric.{metric.id}", "metric", outcome, detail,
        estimate=None if bounds is None else shown(bounds.estimate),
        low=None if bounds is None else shown(bounds.low), high=None if bounds is None else shown(bounds.high),
        threshold=metric.at_most if threshold is None else threshold, unit="pp" if is_difference else None,
        tasks=tasks, clusters=units, rows=rows, detectable=None if detectable is None else factor * detectable,
        needed_tasks=needed, method=None if bounds is None else bounds.method,
    )  # fmt: skip
