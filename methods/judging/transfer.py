"""What a frozen threshold would do where it was not chosen: at another fallback, on another task type (METHODS 10).

Belongs here: the check. It is shown so that nobody has to believe it: a policy is refused under another key all the
same, whatever the figures here say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from methods.judging.cascades import Cascade, World
from methods.judging.comparison import Comparison
from methods.judging.evaluation import evaluate
from methods.judging.fitting import tau_number
from warehouse.judge_words import UNSTATED, TransferKind
from warehouse.methodology import Judging


def transfers(
    world: World, cascades: Sequence[Cascade], fallbacks: Sequence[str], judging: Judging
) -> list[dict[str, Any]]:
    """One row an open cascade and other fallback, or other task type, by column name of out__judge_transfer.

    Args:
        world: with a split.
        cascades: all of a study.
        fallbacks: the fallbacks of the study.
        judging: tolerance.
    """
    assert world.sides is not None
    rows = []
    tasks = list(dict.fromkeys(one.task_type for one in cascades))
    for one in cascades:
        if one.fitted.tau is None:
            continue
        here = world.of_task(one.task_type) & world.sides.held_out
        for fallback in fallbacks:
            if fallback not in {one.fallback, one.judge}:
                there = world.compared(one.judge, fallback, here)
                rows.append(_row(one, "fallback", fallback, there, judging))
        for task in tasks:
            if task != one.task_type:
                mask = world.of_task(task) & world.sides.held_out
                there = world.compared(one.judge, one.fallback, mask)
                rows.append(_row(one, "task_type", UNSTATED if task is None else task, there, judging))
    return rows


def _row(one: Cascade, kind: TransferKind, to: str, there: Comparison, judging: Judging) -> dict[str, Any]:
    found = evaluate(there, one.fitted.tau, judging)
    return {
        **one.key,
        "transfer": kind,
        "transferred_to": to,
        "tau": tau_number(one.fitted.tau),
        "held_out_items": found.n,
        "acceptance": found.acceptance,
        "fallback_accuracy": found.fallback,
        "cascade_accuracy": found.cascade,
        "loss_pp": None if found.loss is None else 100 * found.loss,
        "is_within_tolerance": found.verdict != "fail" if found.n else None,
        "cost_ratio": found.costs.ratio,
        "conservative_cost_ratio": found.costs.conservative,
    }
