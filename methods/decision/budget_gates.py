"""Budgets of the candidate over all its samples: tokens, steps, seconds, escalations (METHODS 12).

Belongs here: from the column of a budget to a gate. Does not belong here: limits on single samples, which make a
success none (`outcomes`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import numpy as np
import polars as pl

from methods.decision.effects import Spread, detectable_effect
from methods.decision.mean_bounds import Bounds, mean_bounds
from methods.decision.quantile_bounds import needed_values, quantile_bounds
from methods.decision.units import divided, make_units
from methods.decision.verdict import Gate
from methods.statistics.fixed_point import SCALE, Integers
from warehouse.decision_rules import DecisionRules
from warehouse.decision_words import GateOutcome
from warehouse.release_contract import Budget, ReleaseContract

PROBABILITIES: Final = {"p50": Fraction(1, 2), "p95": Fraction(19, 20), "p99": Fraction(99, 100)}


def budget_gates(
    contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str], *, seed: int, rules: DecisionRules
) -> list[Gate]:
    """One gate a budget.

    Args:
        rows: as `outcomes.counted_rows` gives them.
        names: columns of the samples.
    """
    present = [budget for budget in contract.budgets if budget.column in names]
    unit = contract.sampling.cluster or "task"
    wanted = list(dict.fromkeys([unit, "task", *(budget.column for budget in present)]))
    counted = rows.filter(pl.col("_candidate") & pl.col("_counts")).select(wanted).collect() if present else None
    # names become whole numbers once, for all budgets
    tasks = None if counted is None else _codes(counted["task"])
    units = tasks if counted is None or unit == "task" else _codes(counted[unit])
    gates = []
    for budget in contract.budgets:
        if counted is None or budget not in present:
            detail = f"the samples have no column {budget.column}: it is not tracked, which is not free"
            gates.append(_gate(budget, "inconclusive", detail, None, 0, 0))
            continue
        found = pl.DataFrame({"unit": units, "task": tasks, "value": counted[budget.column].cast(pl.Float64)})
        gates.append(_judged(budget, found, contract.objective.alpha, seed, rules))
    return gates


def _judged(budget: Budget, found: pl.DataFrame, alpha: float, seed: int, rules: DecisionRules) -> Gate:
    """The gate of one budget; `found` has the codes of unit and task of each row, and its value."""
    untracked = found["value"].null_count()
    tasks = int(found["task"].max()) + 1 if found.height else 0  # type: ignore[arg-type]
    if untracked or not found.height:
        detail = f"{untracked:,} of {found.height:,} rows do not state {budget.column}: not tracked is not free"
        detail = detail if found.height else "no counted row of the candidate"
        return _gate(budget, "inconclusive", detail, None, tasks, found.height)
    values = found["value"].to_numpy()
    if budget.statistic == "max":
        return _greatest(budget, values, tasks)
    if budget.statistic == "mean":
        bounds, spread = _mean(found, alpha, budget.at_most, seed, rules)
        units, needed = spread.units, rules.minimum_units
        detectable: float | None = detectable_effect(spread, alpha, rules)
    else:
        probability = PROBABILITIES[budget.statistic]
        owners = found["unit"].to_numpy()
        bounds = quantile_bounds(
            values, owners, probability, alpha, seed=seed, resamples=rules.resamples,
            draws_limit=rules.two_stage_draws_limit,
        )  # fmt: skip
        units, needed, detectable = int(owners.max()) + 1, needed_values(probability, alpha), None
    outcome: GateOutcome = "inconclusive"
    detail = f"the bounds lie on both sides of {budget.at_most:g}"
    if units < needed:
        detail = f"{units:,} independent units; {needed:,} are the least that bound it"
    elif bounds.high is not None and bounds.high <= budget.at_most:
        outcome, detail = "pass", "the upper bound lies within the budget"
    elif bounds.low is not None and bounds.low > budget.at_most:
        outcome, detail = "fail", "the lower bound lies beyond the budget"
    more = needed if outcome == "inconclusive" and units < needed else None
    return _gate(budget, outcome, detail, bounds, tasks, found.height, units, detectable, more)


def _codes(units: pl.Series) -> Integers:
    """The place of each value among the different ones in their order, from 0."""
    names = units.unique()
    places = pl.DataFrame({"unit": names, "code": names.rank("dense").cast(pl.Int64) - 1})
    found = units.to_frame("unit").join(places, on="unit", how="left", maintain_order="left")
    codes: Integers = found["code"].to_numpy()
    return codes


def _greatest(budget: Budget, values: np.ndarray, tasks: int) -> Gate:
    beyond = int((values > budget.at_most).sum())
    bounds = Bounds(float(values.max()), None, None, None, None, "count")
    said = f"{beyond:,} of {values.size:,} rows lie beyond it" if beyond else f"none of {values.size:,} rows"
    return _gate(budget, "fail" if beyond else "pass", said, bounds, tasks, values.size, tasks)


def _mean(found: pl.DataFrame, alpha: float, limit: float, seed: int, rules: DecisionRules) -> tuple[Bounds, Spread]:
    """The mean over tasks of the mean over trials; values are scaled so that a billionth of the largest counts."""
    largest = max(float(np.abs(found["value"].to_numpy()).max()), 1e-300)
    shares = (pl.col("value") / largest * SCALE).round(0).cast(pl.Int64)
    task = (
        found.group_by("task").agg(shares.sum().alias("total"), pl.len().cast(pl.Int64), pl.col("unit").first())
    ).sort("task")
    means = divided(task["total"].to_numpy(), task["len"].to_numpy())
    codes = task["unit"].to_numpy()
    units = make_units(means, None if np.array_equal(codes, np.arange(codes.size)) else codes, None)
    bounds = mean_bounds(units, None, alpha, limit / largest, seed=seed, rules=rules)
    low, high = (None if end is None else end * largest for end in (bounds.low, bounds.high))
    spread = Spread(float(np.sqrt(units.squared_error * units.size)) * largest, units.size, task.height / units.size)
    return Bounds(bounds.estimate * largest, low, high, bounds.bootstrap, bounds.p, bounds.method), spread


def _gate(
    budget: Budget, outcome: GateOutcome, detail: str, bounds: Bounds | None, tasks: int, rows: int, units: int = 0,
    detectable: float | None = None, needed: int | None = None,
) -> Gate:  # fmt: skip
    return Gate(
        f"budget.{budget.id}", "budget", outcome, f"{budget.statistic} of {budget.column}: {detail}",
        estimate=None if bounds is None else bounds.estimate, low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high, threshold=budget.at_most, unit=budget.unit,
        candidate=None if bounds is None else bounds.estimate, tasks=tasks, clusters=units, rows=rows,
        detectable=detectable, needed_tasks=needed, p=None, method=None if bounds is None else bounds.method,
    )  # fmt: skip
