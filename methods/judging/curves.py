"""What every threshold of the grid would keep and cost on held-out items: the cost-accuracy curve (METHODS 10).

Belongs here: the curve, for people to look at. Nothing is chosen from it: a threshold chosen here would have been
chosen on the items that judge it.
"""

from __future__ import annotations

from typing import Any

from methods.judging.comparison import Comparison
from methods.judging.evaluation import evaluate
from methods.judging.fitting import tau_number
from methods.judging.rules import grid
from warehouse.methodology import Judging


def curve(comparison: Comparison, judging: Judging) -> list[dict[str, Any]]:
    """One row a threshold of the grid, by column name of out__judge_curve; none where there are no items.

    Args:
        comparison: the held-out set.
        judging: the grid.
    """
    if not comparison.n:
        return []
    rows = []
    for tau in grid(judging).tolist():
        found = evaluate(comparison, tau, judging)
        rows.append(
            {
                "threshold": tau_number(tau),
                "acceptance": found.acceptance,
                "cascade_accuracy": found.cascade,
                "random_accuracy": found.random,
                "optimal_accuracy": found.optimal,
                "cost_ratio": found.costs.ratio,
                "conservative_cost_ratio": found.costs.conservative,
            }
        )
    return rows
