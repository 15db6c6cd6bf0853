"""The gates that compare the two systems: the objective, and every critical slice by its own margin (METHODS 12).

Belongs here: from a paired difference to pass, fail or inconclusive, with the n that would decide. Does not belong
here: the statistics (`paired_bounds`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from methods.decision.effects import detectable_effect, needed_tasks
from methods.decision.paired_bounds import Compared
from methods.decision.reduction import PairedTasks
from methods.decision.verdict import Gate
from warehouse.decision_rules import DecisionRules
from warehouse.decision_words import GateKind, GateOutcome
from warehouse.release_contract import ReleaseContract

Comparer = Callable[[PairedTasks, float], Compared]
"""Compares the systems on some pairs; the threshold as a fraction."""


@dataclass(frozen=True, slots=True)
class Question:
    """One comparison: its gate's id and kind, margin, expected difference (points) and minimum of paired tasks."""

    id: str
    kind: GateKind
    margin_pp: float
    expected_pp: float
    minimum_tasks: int


def slice_margin_pp(contract: ReleaseContract, delta_pp: float) -> float:
    """What the bound of a slice must exceed: its gain asked for, or minus the loss that can be borne."""
    return delta_pp if contract.objective.kind == "superiority" else -delta_pp


def questions(contract: ReleaseContract) -> list[tuple[Question, tuple[str, str] | None]]:
    """The objective, then the slices, each with the (column, value) that it is about."""
    objective, sampling = contract.objective, contract.sampling
    found: list[tuple[Question, tuple[str, str] | None]] = [
        (
            Question("objective", "objective", objective.margin_pp, objective.expected_pp, sampling.minimum_tasks),
            None,
        )
    ]
    for one in contract.slices:
        margin = slice_margin_pp(contract, one.delta_pp)
        # a slice is expected to do as the whole does, or just to clear its own margin where that lies higher
        expected = max(objective.expected_pp, margin + (objective.expected_pp - objective.margin_pp))
        question = Question(f"slice.{one.id}", "slice", margin, expected, one.minimum_tasks)
        found.append((question, (one.column, one.value)))
    return found


def comparison_gate(
    question: Question, pairs: PairedTasks, contract: ReleaseContract, comparer: Comparer, rules: DecisionRules
) -> Gate:
    """The gate of one comparison."""
    if pairs.size == 0:
        return Gate(
            question.id, question.kind, "inconclusive", "no task has a counted row of both systems",
            threshold=question.margin_pp, unit="pp", needed_tasks=question.minimum_tasks,
        )  # fmt: skip
    alpha = contract.objective.alpha
    threshold = question.margin_pp / 100
    found = comparer(pairs, threshold)
    shortfall = _shortfall(question, pairs, contract, rules)
    outcome: GateOutcome = "inconclusive"
    if shortfall is None:
        outcome = "pass" if found.is_above(threshold, alpha) else outcome
        outcome = "fail" if found.is_below(threshold, alpha) else outcome
    needed, assumed = None, question.expected_pp
    if outcome == "inconclusive":
        needed, assumed = _needed(question, pairs, contract, found, rules)
    bounds = found.bounds
    return Gate(
        id=question.id,
        kind=question.kind,
        outcome=outcome,
        detail=_detail(question, found, outcome, shortfall, needed, assumed, alpha),
        estimate=100 * bounds.estimate,
        low=None if bounds.low is None else 100 * bounds.low,
        high=None if bounds.high is None else 100 * bounds.high,
        threshold=question.margin_pp,
        unit="pp",
        baseline=100 * found.baseline,
        candidate=100 * found.candidate,
        tasks=pairs.size,
        clusters=pairs.cluster_count,
        rows=pairs.rows,
        detectable=100 * detectable_effect(found.spread, alpha, rules),
        needed_tasks=needed,
        p=found.p_above,
        method=bounds.method,
    )


def _shortfall(question: Question, pairs: PairedTasks, contract: ReleaseContract, rules: DecisionRules) -> str | None:
    sampling = contract.sampling
    if pairs.size < question.minimum_tasks:
        return f"{pairs.size:,} paired tasks, the contract asks for {question.minimum_tasks:,}"
    least = sampling.minimum_clusters
    if question.kind == "objective" and least is not None and pairs.cluster_count < least:
        return f"{pairs.cluster_count:,} clusters, the contract asks for {least:,}"
    if contract.outcome.is_corpus and pairs.cluster_count < rules.minimum_units:
        return f"{pairs.cluster_count:,} units; {rules.minimum_units:,} are the least that bound a corpus metric"
    if pairs.cluster_count < 2:
        return "one cluster only: nothing can be resampled"
    return None


def _needed(
    question: Question, pairs: PairedTasks, contract: ReleaseContract, found: Compared, rules: DecisionRules
) -> tuple[int | None, float]:
    """Tasks that would decide, no fewer than the contract asks for, and the true difference (points) that it assumes.

    That is the planned one; where as many tasks as it needs are there already, it was not met, and the observed one is.
    """
    alpha = contract.objective.alpha
    least = question.minimum_tasks
    if question.kind == "objective" and contract.sampling.minimum_clusters is not None:
        each = pairs.size / max(pairs.cluster_count, 1)
        least = max(least, round(contract.sampling.minimum_clusters * each))
    planned = needed_tasks(found.spread, (question.expected_pp - question.margin_pp) / 100, alpha, rules)
    planned = None if planned is None else max(planned, least)
    if planned is None or planned > pairs.size:
        return planned, question.expected_pp
    observed = 100 * found.bounds.estimate
    more = needed_tasks(found.spread, abs(observed - question.margin_pp) / 100, alpha, rules)
    return (None if more is None else max(more, least, pairs.size + 1)), observed


def _detail(
    question: Question, found: Compared, outcome: GateOutcome, shortfall: str | None, needed: int | None,
    assumed: float, alpha: float,
) -> str:  # fmt: skip
    counted = f"{found.wins:,} tasks better, {found.losses:,} worse, {found.ties:,} equal"
    if found.mcnemar_p is not None:
        counted += f"; exact McNemar p {found.mcnemar_p:.3g}"
    if outcome == "pass":
        return f"the lower bound lies above the margin; {counted}"
    if outcome == "fail":
        return f"the upper bound lies below the margin; {counted}"
    why = shortfall or "the bounds lie on both sides of the margin"
    if shortfall is None and found.bounds.low is not None and found.bounds.low > question.margin_pp / 100:
        why = f"Tango's bound clears the margin, but the exact test does not (p {found.p_above:.3g}, alpha {alpha:g})"
    if needed is None:
        return f"{why}; no planned number of tasks would decide; {counted}"
    return f"{why}; {needed:,} tasks would decide, were the true difference {assumed:+.3g} points; {counted}"
