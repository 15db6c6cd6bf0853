"""Choosing the threshold of a cascade on a selection set (METHODS 10).

Belongs here: the search: the largest coverage that keeps the tolerance, or none. Does not belong here: the rules
themselves (`rules`), how the frozen threshold fares on other items (`evaluation`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.judging.comparison import Comparison
from methods.judging.orders import WHOLE
from methods.judging.rules import grid, keeps, lower_bound
from methods.statistics.fixed_point import Integers
from warehouse.judge_words import OpenState, Rule
from warehouse.methodology import Judging


@dataclass(frozen=True, slots=True)
class Fit:
    """What was chosen on a selection set.

    Attributes:
        rule: under which rule.
        state: open, or the first reason why everything is escalated.
        tau: the threshold, half-billionths; None where the cascade is closed.
        n: items of the selection set that were compared.
        accepted: of these, accepted at tau.
        difference: accuracy of the cascade minus the fallback's, a fraction; None where closed.
        bound: its one-sided lower bound; None where closed.
        auroc: of q for correctness; None where undefined.
    """

    rule: Rule
    state: OpenState
    tau: int | None
    n: int
    accepted: int
    difference: float | None
    bound: float | None
    auroc: float | None


def fit(comparison: Comparison, rule: Rule, judging: Judging) -> Fit:
    """The threshold of the grid with the largest coverage that keeps the tolerance; the lowest of several.

    None opens where the judge's AUROC is undefined or below the limit, whatever the accuracies say.

    Args:
        comparison: the selection set. Items of the held-out set must be no part of it.
        rule: `bound` or `point`.
        judging: grid, tolerance, limits.
    """
    found = comparison.auroc()
    state = _closed(comparison, found, judging)
    if state is not None:
        return Fit(rule, state, None, comparison.n, 0, None, None, found)
    thresholds = grid(judging)
    counts = comparison.sweep().at(thresholds)
    kept = np.flatnonzero(keeps(rule, counts, comparison.n, judging))
    if not kept.size:
        return Fit(rule, "none_qualifies", None, comparison.n, 0, None, None, found)
    best = int(kept[np.argmax(counts.accepted[kept])])
    bound = float(lower_bound(counts, comparison.n, judging)[best])
    return Fit(
        rule, "open", int(thresholds[best]), comparison.n, int(counts.accepted[best]),
        int(counts.gain[best]) / (2 * comparison.n), bound, found,
    )  # fmt: skip


def _closed(comparison: Comparison, found: float | None, judging: Judging) -> OpenState | None:
    if not comparison.n:
        return "no_items"
    if found is None:
        return "auroc_undefined"
    return "auroc_below_limit" if found < judging.auroc_least else None


def tau_number(tau: int | None) -> float | None:
    """A threshold as a number for people and tables: 0.9."""
    return None if tau is None else tau / WHOLE


def tau_of(number: float) -> int:
    """A threshold as half-billionths; the nearest."""
    return round(number * WHOLE)


def no_escalation(tau: int | None, thresholds: Integers) -> bool:
    """Whether a threshold is the lowest there is: then confidence sends nothing on, and there is no cascade."""
    return tau is not None and tau <= int(thresholds[0])
