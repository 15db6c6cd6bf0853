"""What a number of tasks can show: the smallest effect it finds, and the number for a given one (METHODS 12).

Belongs here: the one formula that gates and planning share. Does not belong here: estimating its inputs
(`paired_bounds` from evidence, `planning` from a person's assumptions or a pilot).

With n units whose contributions have standard deviation s, the lower bound of a mean lies about z_alpha standard errors
below the truth, and z_power more are needed to clear a threshold so often. Where the bound for bounded values stands
beside the bootstrap, its one more unit at the worst value, `reach` below the truth, takes reach/(n + 1) off the bound
and adds (reach/n)^2 to the squared error. In the exact test of pairs no n below ln(alpha)/ln(1 - gap) can pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from warehouse.decision_rules import DecisionRules, normal_quantile


@dataclass(frozen=True, slots=True)
class Spread:
    """How much units scatter.

    Attributes:
        per_unit: standard deviation of a unit's contribution; the standard error is this over sqrt(units).
        units: units at hand; at least 1.
        tasks_per_unit: on average.
        reach: from the truth down to the worst value; 0 where no unit is added.
        is_exact: whether the exact test of pairs decides.
    """

    per_unit: float
    units: int
    tasks_per_unit: float = 1.0
    reach: float = 0.0
    is_exact: bool = False


def detectable_effect(spread: Spread, alpha: float, rules: DecisionRules) -> float:
    """The smallest true difference beyond the threshold that the units at hand find with the methodology's power."""
    return _needed_gap(spread, spread.units, alpha, rules)


def needed_tasks(spread: Spread, gap: float, alpha: float, rules: DecisionRules) -> int | None:
    """Tasks that find a true difference lying `gap` beyond the threshold; None where no planned number does.

    Args:
        gap: expected difference minus threshold, in the unit of `spread`.
    """
    if gap <= 0:
        return None
    most = max(2, int(rules.planned_tasks_limit / spread.tasks_per_unit))
    if _needed_gap(spread, most, alpha, rules) > gap:
        return None
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        if _needed_gap(spread, middle, alpha, rules) <= gap:
            high = middle
        else:
            low = middle
    return math.ceil(high * spread.tasks_per_unit)


def power_at(spread: Spread, units: int, gap: float, alpha: float) -> float:
    """The chance to clear the threshold with so many units where the truth lies `gap` beyond it."""
    error = math.sqrt(spread.per_unit**2 / units + (spread.reach / units) ** 2)
    if spread.is_exact and gap < _least_gap(units, alpha):
        return 0.0
    if error == 0:
        return 1.0 if gap > 0 else 0.0
    distance = (gap - spread.reach / (units + 1)) / error - normal_quantile(1 - alpha)
    return 0.5 * math.erfc(-distance / math.sqrt(2))


def _needed_gap(spread: Spread, units: int, alpha: float, rules: DecisionRules) -> float:
    error = math.sqrt(spread.per_unit**2 / units + (spread.reach / units) ** 2)
    gap = (normal_quantile(1 - alpha) + rules.power_z) * error + spread.reach / (units + 1)
    return max(gap, _least_gap(units, alpha)) if spread.is_exact else gap


def _least_gap(units: int, alpha: float) -> float:
    """The gap below which even pairs that never differ cannot pass the exact test."""
    return float(1 - alpha ** (1 / units))
