"""Each system by itself: its level with Wilson's interval, failures of every kind as rows of their own (METHODS 12).

Belongs here: one proportion at a time. Two systems are never compared by whether their intervals overlap.
"""

from __future__ import annotations

import polars as pl

from methods.decision.reduction import VIEWS, TaskTotals, mean_share
from methods.decision.units import divided
from methods.decision.verdict import SystemLevel
from methods.statistics.fixed_point import SCALE
from methods.statistics.wilson import wilson_interval
from warehouse.decision_rules import DecisionRules
from warehouse.release_contract import ReleaseContract


def system_levels(contract: ReleaseContract, totals: TaskTotals, rules: DecisionRules) -> list[SystemLevel]:
    """Two systems under two views of parse failures, four rows."""
    levels: list[SystemLevel] = []
    for role, name in (("baseline", contract.systems.baseline), ("candidate", contract.systems.candidate)):
        own = totals.frame.filter(pl.col("_candidate") == (role == "candidate")).sort("task")
        levels.extend(_level(contract, own, role, name, view, rules) for view in VIEWS)
    return levels


def _level(
    contract: ReleaseContract, own: pl.DataFrame, role: str, name: str, view: str, rules: DecisionRules
) -> SystemLevel:
    counted = own.filter(pl.col(f"n_{view}") > 0)
    rows, is_binary = int(counted[f"n_{view}"].sum()), contract.outcome.kind == "binary"
    share = low = high = successes = None
    if counted.height and not contract.outcome.is_corpus:
        means = divided(counted[f"sum_{view}"].to_numpy(), counted[f"n_{view}"].to_numpy())
        weights = counted["_weight"].cast(pl.Float64).to_numpy() if "_weight" in counted.columns else None
        share = mean_share(means, weights)
        if is_binary:
            successes = int(counted[f"sum_{view}"].sum()) // SCALE
            if rows == counted.height and weights is None:
                found = wilson_interval(successes, rows, rules.level_z)
                assert found is not None
                share, low, high = found.share, found.low, found.high
    return SystemLevel(
        system=name, role=role, parse_view=view, tasks=counted.height, rows=rows,
        parse_failures=int(own["parse"].sum()),
        infrastructure_failures=int(own["infrastructure"].sum()), voided=int(own["voided"].sum()), successes=successes,
        share=share, low=low, high=high,
    )  # fmt: skip
