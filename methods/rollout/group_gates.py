"""Objective and slices on real traffic: two groups of units, nobody in both (METHODS 12).

Belongs here: the comparison of a candidate's units with a baseline's, by bounds that hold at every look. Does not
belong here: pairs of one task by two systems (`methods.decision.objective_gates`). Half of the contract's alpha goes to
each group's bound: both hold at every look together, and with them their difference. Where units were not assigned at
random, the groups differ in who is in them, no effect is claimed, and every comparison stays undecided.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from methods.decision.objective_gates import Question, questions
from methods.decision.verdict import Gate
from methods.rollout.always_valid import AlwaysValid, always_valid
from methods.statistics.fixed_point import SCALE
from warehouse.decision_words import GateOutcome
from warehouse.plain_text import counted
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_rules import RolloutRules

_POINTS: Final = 100
_MOST_UNITS: Final = 2**40
"""Beyond so many units of the candidate no number is proposed."""


def group_gates(contract: ReleaseContract, rows: pl.DataFrame, view: str, rules: RolloutRules) -> list[Gate]:
    """The objective, then every slice.

    Args:
        contract: margins, alpha, minimum numbers; a minimum of tasks is one of the candidate's units.
        rows: as `outcomes.counted_rows` gives them, with `_unit` and `_is_first`.
        view: of unparsed answers: `as_failures` or `left_out`.
        rules: constants of the bound.
    """
    kept = pl.col("_counts") & pl.col("_is_first")
    counts = rows.filter(kept & ~pl.col("_parse") if view == "left_out" else kept)
    found = []
    for question, part in questions(contract):
        chosen = counts if part is None else counts.filter(pl.col(part[0]).cast(pl.String) == part[1])
        found.append(_gate(question, contract, chosen, rules))
    return found


def _gate(question: Question, contract: ReleaseContract, rows: pl.DataFrame, rules: RolloutRules) -> Gate:
    half = contract.objective.alpha / 2
    mine, other = (_bounds(rows.filter(pl.col("_candidate") == side), half, rules) for side in (True, False))
    margin = question.margin_pp
    if mine.mean is None or other.mean is None:
        return Gate(
            question.id, question.kind, "inconclusive", "one of both groups has no unit", threshold=margin, unit="pp",
            tasks=mine.n + other.n, rows=rows.height, needed_tasks=question.minimum_tasks,
        )  # fmt: skip
    low, high = _POINTS * (mine.low - other.high), _POINTS * (mine.high - other.low)
    outcome, why = _outcome(question, contract, mine.n, low, high)
    needed = needed_units(question, contract, other.mean, rules) if outcome == "inconclusive" else None
    if needed is not None:
        why += f"; {counted(needed, 'unit')} of the candidate would decide, were the difference "
        why += f"{question.expected_pp:+g} points"
    return Gate(
        id=question.id, kind=question.kind, outcome=outcome,
        detail=f"{why} ({counted(mine.n, 'unit')} and {counted(other.n, 'unit')} of the baseline)",
        estimate=_POINTS * (mine.mean - other.mean), low=low, high=high, threshold=margin, unit="pp",
        baseline=_POINTS * other.mean, candidate=_POINTS * mine.mean, tasks=mine.n + other.n,
        clusters=mine.n + other.n, rows=rows.height, needed_tasks=needed, method="always_valid",
    )  # fmt: skip


def _outcome(
    question: Question, contract: ReleaseContract, units: int, low: float, high: float
) -> tuple[GateOutcome, str]:
    if not contract.stages.canary.is_randomized:
        return "inconclusive", "units were not assigned at random: an operational reading, no effect is claimed"
    if units < question.minimum_tasks:
        least = counted(question.minimum_tasks, "unit")
        return "inconclusive", f"{counted(units, 'unit')} of the candidate, the contract asks for {least}"
    if low > question.margin_pp:
        return "pass", "the lower bound lies above the margin, at every look"
    if high < question.margin_pp:
        return "fail", "the upper bound lies below the margin, at every look"
    return "inconclusive", "the bounds lie on both sides of the margin"


def needed_units(question: Question, contract: ReleaseContract, baseline: float, rules: RolloutRules) -> int | None:
    """Units of the candidate at which the bound would clear the margin, were the difference as expected.

    Args:
        question: margin and expected difference.
        contract: alpha, exposure, whether assignment is random.
        baseline: mean of the baseline on 0 to 1.
        rules: constants of the bound.

    Returns:
        None where no number would: without random assignment, or beyond any traffic.
    """
    if not contract.stages.canary.is_randomized:
        return None
    expected = min(max(baseline + question.expected_pp / _POINTS, 0.0), 1.0)
    share = contract.stages.canary.exposure_frac

    def clears(units: int) -> bool:
        others = max(1, round(units * (1 - share) / share))
        half = contract.objective.alpha / 2
        mine = always_valid(units, round(expected * SCALE) * units, half, rules.prior)
        other = always_valid(others, round(baseline * SCALE) * others, half, rules.prior)
        return _POINTS * (mine.low - other.high) > question.margin_pp

    high = max(question.minimum_tasks, 1)
    while not clears(high):
        high *= 2
        if high > _MOST_UNITS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if clears(middle) else (middle, high)
    return max(high, question.minimum_tasks)


def _bounds(rows: pl.DataFrame, alpha: float, rules: RolloutRules) -> AlwaysValid:
    """The units' mean, higher being better, each unit the mean of its rows in whole billionths."""
    units = rows.group_by("_unit").agg(pl.col("_value").sum().alias("sum"), pl.len().cast(pl.Int64).alias("rows"))
    means = (2 * units["sum"] + units["rows"]) // (2 * units["rows"])
    return always_valid(units.height, int(means.sum()), alpha, rules.prior)
