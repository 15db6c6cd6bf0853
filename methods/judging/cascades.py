"""A cascade: fitted on the selection items, frozen, evaluated on the held-out ones (METHODS 10).

Belongs here: one judge, one fallback, one task type. Does not belong here: tables (`study`), policy files (`policy`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from methods.judging.comparison import Comparison
from methods.judging.evaluation import Evaluation, evaluate
from methods.judging.fitting import Fit, fit, no_escalation, tau_number
from methods.judging.judgments import Judgments
from methods.judging.orders import Flags
from methods.judging.records import Gold, JudgeRecord, compare, gold_of, of_value, record_of
from methods.judging.rules import grid
from methods.judging.separation import Sides, digests, shared_with
from warehouse.judge_words import TASK_SLICE, UNSTATED, Rule
from warehouse.methodology import Judging


@dataclass(frozen=True)
class World:
    """Judgments made ready: gold labels, records of the judges asked for, and which item is on which side.

    Attributes:
        judgments: as read.
        gold: labels, in the order of the items.
        records: by judge.
        sides: selection and held-out items; None where there is no split, and so no cascade.
    """

    judgments: Judgments
    gold: Gold
    records: Mapping[str, JudgeRecord]
    sides: Sides | None

    def of_task(self, task_type: str | None) -> Flags:
        """The items of a task type; None for those that state none."""
        return of_value(self.judgments.items[TASK_SLICE], task_type)

    def compared(self, judge: str, fallback: str, mask: Flags) -> Comparison:
        """A judge beside a fallback on some items."""
        return compare(self.records[judge], self.records[fallback], self.gold, mask)


def world_of(judgments: Judgments, names: tuple[str, ...], sides: Sides | None, *, single: bool = False) -> World:
    """Judgments made ready for some of their judges (JudgmentsError for one that is not there)."""
    gold = gold_of(judgments.items)
    return World(judgments, gold, {name: record_of(judgments, name, gold, single=single) for name in names}, sides)


@dataclass(frozen=True)
class Cascade:
    """One cascade.

    Attributes:
        judge, fallback: by name. task_type: None for items that state none.
        fitted: what was chosen on the selection items.
        held_out: judge beside fallback on the held-out items.
        evaluation: how the frozen threshold fares there.
        shared: held-out items that share themselves or their cluster with the selection items; none may.
    """

    judge: str
    fallback: str
    task_type: str | None
    fitted: Fit
    held_out: Comparison
    evaluation: Evaluation
    shared: int

    @cached_property
    def key(self) -> dict[str, str]:
        """What names it in a table."""
        task_type = UNSTATED if self.task_type is None else self.task_type
        return {"judge": self.judge, "fallback": self.fallback, "task_type": task_type, "rule": self.fitted.rule}

    def row(self, judging: Judging) -> dict[str, Any]:
        """Its row, by column name of out__judge_cascade."""
        chosen, found = self.fitted, self.evaluation
        return {
            **self.key,
            "open_state": chosen.state,
            "tau": tau_number(chosen.tau),
            "is_no_escalation": no_escalation(chosen.tau, grid(judging)),
            "selection_items": chosen.n,
            "selection_accepted": chosen.accepted,
            "selection_difference_pp": _points(chosen.difference),
            "selection_bound_pp": _points(chosen.bound),
            "selection_auroc": chosen.auroc,
            "shared_items": self.shared,
            **evaluation_row(found),
        }


def evaluation_row(found: Evaluation) -> dict[str, Any]:
    """The figures of an evaluation, by column name of out__judge_cascade."""
    bound = _points(found.bound)
    return {
        "held_out_items": found.n,
        "left_out_items": found.left_out,
        "judge_accuracy": found.judge,
        "fallback_accuracy": found.fallback,
        "cascade_accuracy": found.cascade,
        "retained": found.retained,
        "loss_pp": _points(found.loss),
        "loss_bound_pp": None if bound is None else 0.0 - bound,
        "random_accuracy": found.random,
        "optimal_accuracy": found.optimal,
        "gain_captured": found.gain_captured,
        "acceptance": found.acceptance,
        "held_out_auroc": found.auroc,
        "cost_items": found.costs.n,
        "cascade_cost_per_1000": found.costs.cascade,
        "fallback_cost_per_1000": found.costs.fallback,
        "cost_ratio": found.costs.ratio,
        "conservative_cost_ratio": found.costs.conservative,
        "cascade_verdict": found.verdict,
        "items_to_decide": found.items_to_decide,
    }


def cascade(world: World, judge: str, fallback: str, task_type: str | None, rule: Rule, judging: Judging) -> Cascade:
    """Fits a cascade on the selection items of a task type and evaluates it on the held-out ones.

    Raises:
        ValueError: where the world has no split.
        JudgmentsError: where judge and fallback are one.
    """
    if world.sides is None:
        raise ValueError("a cascade needs selection and held-out items")
    mask = world.of_task(task_type)
    chosen = fit(world.compared(judge, fallback, mask & world.sides.selection), rule, judging)
    held_out = world.compared(judge, fallback, mask & world.sides.held_out)
    evaluation = evaluate(held_out, chosen.tau, judging)
    return Cascade(judge, fallback, task_type, chosen, held_out, evaluation, shared_items(world, mask))


def shared_items(world: World, mask: Flags) -> int:
    """Held-out items of a mask that share themselves or their cluster with its selection items."""
    assert world.sides is not None
    items = world.judgments.items
    selection = items.filter(mask & world.sides.selection)
    held_out = items.filter(mask & world.sides.held_out)
    return len(shared_with(held_out, digests(selection)))


def _points(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction
