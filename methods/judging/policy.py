"""A frozen policy: made on a selection set, held against other judgments, applied to them, or refused (METHODS 10).

Belongs here: whether a policy may speak about judgments, and what it decides there. Another stack, another fallback,
another task type or another mode is another key, and refused with what differs; so is an evaluation on items that the
thresholds were chosen on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from methods.judging.cascades import World, evaluation_row, world_of
from methods.judging.columns import JudgmentsError
from methods.judging.evaluation import Evaluation, evaluate
from methods.judging.fitting import fit, no_escalation, tau_number, tau_of
from methods.judging.judgments import Judgments
from methods.judging.orders import WHOLE, Flags
from methods.judging.rules import grid
from methods.judging.separation import Sides, digests, shared_with
from methods.judging.stacks import Stack, refuse_other_key
from methods.judging.summary import sides_text
from warehouse.judge_policy import POLICY_SCHEMA, PolicyFile, PolicyStack, Threshold, seal_of
from warehouse.judge_words import STACK_FIELDS, UNSTATED, Rule
from warehouse.methodology import Methodology
from warehouse.plain_text import one_line


def make_policy(
    judgments: Judgments,
    judge: str,
    fallback: str,
    rule: Rule,
    methodology: Methodology,
    *,
    selection: Flags,
    single: bool = False,
) -> PolicyFile:
    """The policy of a judge and a fallback: a threshold for every task type of the selection items.

    Args:
        judgments: with both judges.
        judge, fallback: by name; both with their whole key stated.
        rule: `bound` or `point`.
        methodology: grid, tolerance, limits, version.
        selection: the items to choose on.
        single: take one order although there are two.

    Raises:
        JudgmentsError: for a key that is not wholly stated, judges that are one, or no selection item.
    """
    stacks = [_whole(judgments.stack(name)) for name in (judge, fallback)]
    world = world_of(judgments, (judge, fallback), None, single=single)
    put = selection & world.records[judge].asked
    chosen = judgments.items.filter(pl.Series(put))
    if not chosen.height:
        raise JudgmentsError("no item to choose a threshold on was put to the judge")
    tasks = sorted(chosen["task_type"].unique().to_list(), key=lambda name: (name is None, name or ""))
    thresholds = [_threshold(world, judge, fallback, task, put, rule, methodology) for task in tasks]
    values: dict[str, Any] = {
        "schema": POLICY_SCHEMA,
        "judge": stacks[0],
        "fallback": stacks[1],
        "orders": list(world.records[judge].orders),
        "rule": rule,
        "tolerance": methodology.judging.tolerance,
        "methodology_version": methodology.version,
        "thresholds": thresholds,
        "selection": digests(chosen),
    }
    return PolicyFile.model_validate({**values, "seal": seal_of(values)})


def _threshold(
    world: World, judge: str, fallback: str, task: str | None, put: Flags, rule: Rule, methodology: Methodology
) -> dict[str, Any]:
    found = fit(world.compared(judge, fallback, put & world.of_task(task)), rule, methodology.judging)
    return Threshold(
        task_type=task, state=found.state, tau=tau_number(found.tau), items=found.n, accepted=found.accepted,
        difference=found.difference, bound=found.bound, auroc=found.auroc,
    ).model_dump(mode="json")  # fmt: skip


def _whole(stack: Stack) -> dict[str, str]:
    """A key that a policy can be held against.

    Raises:
        JudgmentsError: naming the fields that nobody stated.
    """
    if stack.unstated:
        raise JudgmentsError(
            f"judge {one_line(stack.judge)} does not state {', '.join(stack.unstated)}: a policy would fit no other "
            "judgments. State the whole key, as columns or under `judges` in the file about them; `none` is a statement"
        )
    return {"name": stack.judge, **{name: str(stack.fields[name]) for name in STACK_FIELDS}}


@dataclass(frozen=True)
class Applied:
    """A policy held against judgments: who is the judge there, who the fallback, and the threshold of each task type.

    Attributes:
        policy: as frozen.
        world: the judgments, with judge and fallback.
        judge, fallback: their names in the judgments; no fallback where the judgments need none.
        items: the items that it speaks about.
    """

    policy: PolicyFile
    world: World
    judge: str
    fallback: str | None
    items: Flags

    def threshold(self, task: str | None) -> Threshold:
        """The threshold of a task type."""
        return next(one for one in self.policy.thresholds if one.task_type == task)


def hold(
    policy: PolicyFile,
    judgments: Judgments,
    *,
    judge: str | None = None,
    fallback: str | None = None,
    tasks: Collection[str] = (),
    sides: Sides | None = None,
    needs_fallback: bool = True,
) -> Applied:
    """Holds a policy against judgments, or refuses.

    Args:
        policy: as frozen.
        judgments: of the same judge, and the same fallback where it is needed.
        judge, fallback: their names in the judgments, where they go by others than in the policy.
        tasks: task types to look at; every one of the judgments where none is named.
        sides: the split of the judgments; its held-out items are looked at, all of them without a split.
        needs_fallback: whether the fallback's decisions are needed. Its key is held against the policy's in any case:
            where no decision of it is there, as declared beside the judgments.

    Raises:
        JudgmentsError: for another key or mode, naming every field; for a task type without a threshold.
    """
    name = judge or policy.judge.name
    refuse_other_key("this policy is not of this judge", _stack(policy.judge), judgments.stack(name))
    other = fallback or policy.fallback.name
    known = _fallback_stack(judgments, other, needs_fallback=needs_fallback)
    refuse_other_key("this policy is not of this fallback", _stack(policy.fallback), known)
    has_decisions = other in judgments.stacks
    names = (name, other) if has_decisions else (name,)
    world = world_of(judgments, names, sides, single=len(policy.orders) == 1)
    record = world.records[name]
    if record.orders != policy.orders:
        raise JudgmentsError(
            f"this policy is of the order{'s' if len(policy.orders) > 1 else ''} {' and '.join(policy.orders)}, "
            f"{one_line(name)} was asked in {' and '.join(record.orders)}: another mode is another key"
        )
    put = record.asked & (np.ones(record.asked.size, dtype=np.bool_) if sides is None else sides.held_out)
    if tasks:
        put &= judgments.items["task_type"].is_in(list(tasks)).fill_null(value=False).to_numpy()
    _known_tasks(policy, judgments.items.filter(pl.Series(put)))
    return Applied(policy, world, name, other if has_decisions else None, put)


def _fallback_stack(judgments: Judgments, name: str, *, needs_fallback: bool) -> Stack:
    """The key of the fallback in the judgments, or as declared beside them where its decisions are not needed."""
    if not needs_fallback and name not in judgments.stacks:
        declared = judgments.declared.get(name)
        if declared is not None:
            return declared
        raise JudgmentsError(
            f"the key of the fallback {one_line(name)} is not stated, so that this policy cannot be held against it: "
            "state it under `judges` in the file about the judgments"
        )
    return judgments.stack(name)


def _known_tasks(policy: PolicyFile, items: pl.DataFrame) -> None:
    if not items.height:
        raise JudgmentsError("no item was put to the judge that this policy could speak about")
    known = {one.task_type for one in policy.thresholds}
    strange = sorted((UNSTATED if one is None else one) for one in set(items["task_type"].to_list()) - known)
    if strange:
        has = ", ".join(sorted(UNSTATED if one is None else one for one in known))
        raise JudgmentsError(
            f"this policy is not of this task type; task_type: {', '.join(map(one_line, strange))} against {has}. Fit "
            "one on items of that type, or name the types to look at"
        )


def evaluations(applied: Applied, methodology: Methodology) -> list[tuple[Threshold, Evaluation]]:
    """How the policy fares on held-out items, by task type.

    Raises:
        JudgmentsError: where an item or a cluster of these was part of the selection set; without a fallback.
    """
    if applied.fallback is None:
        raise JudgmentsError("an evaluation needs the fallback's decisions")
    chosen = applied.world.judgments.items.filter(pl.Series(applied.items))
    shared = shared_with(chosen, applied.policy.selection)
    if shared:
        raise JudgmentsError(
            f"item {one_line(shared[0])} (and {len(shared) - 1:,} more) or its cluster was part of the selection set: "
            "what the threshold was chosen on cannot judge it"
        )
    judging = methodology.judging.model_copy(update={"tolerance": applied.policy.tolerance})
    found = []
    for one in applied.policy.thresholds:
        mask = applied.items & applied.world.of_task(one.task_type)
        if mask.any():
            compared = applied.world.compared(applied.judge, applied.fallback, mask)
            found.append((one, evaluate(compared, None if one.tau is None else tau_of(one.tau), judging)))
    return found


def evaluated_row(policy: PolicyFile, one: Threshold, found: Evaluation, methodology: Methodology) -> dict[str, Any]:
    """An evaluation with what names it, by column name of out__judge_cascade."""
    tau = None if one.tau is None else tau_of(one.tau)
    return {
        "judge": policy.judge.name,
        "fallback": policy.fallback.name,
        "task_type": UNSTATED if one.task_type is None else one.task_type,
        "rule": policy.rule,
        "open_state": one.state,
        "tau": one.tau,
        "is_no_escalation": no_escalation(tau, grid(methodology.judging)),
        **evaluation_row(found),
    }


def decisions(applied: Applied) -> pl.DataFrame:
    """What the policy decides, one row an item: item, task_type, q, verdict, decided_by, reason.

    `decided_by` is judge, fallback (with its verdict where it stands in the judgments) or escalate; `reason` says why:
    confident, below_threshold, cascade_closed, position_discordant, or how a call of the judge failed.
    """
    record = applied.world.records[applied.judge]
    items = applied.world.judgments.items
    acceptable = record.decided.acceptable
    own = sides_text(record.decided.sides, record.decided.valid)
    beside = applied.world.records[applied.fallback] if applied.fallback else None
    theirs = sides_text(beside.decided.sides, beside.decided.valid) if beside else [None] * items.height
    rows = []
    for place in applied.items.nonzero()[0].tolist():
        task = items["task_type"][place]
        tau = applied.threshold(task).tau
        taken = tau is not None and int(acceptable[place]) >= tau_of(tau)
        valid = bool(record.decided.valid[place])
        verdict = own[place] if taken else theirs[place]
        rows.append(
            {
                "item": items["item"][place],
                "task_type": UNSTATED if task is None else task,
                "q": int(record.decided.q[place]) / WHOLE if valid else None,
                "verdict": verdict,
                "decided_by": "judge" if taken else "fallback" if verdict is not None else "escalate",
                "reason": "confident" if taken else _why(record.decided.discordant[place], valid, tau),
            }
        )
    schema = {
        "item": pl.String, "task_type": pl.String, "q": pl.Float64, "verdict": pl.String, "decided_by": pl.String,
        "reason": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _why(is_discordant: np.bool_, is_valid: bool, tau: float | None) -> str:
    if not is_valid:
        return "no_verdict"
    if is_discordant:
        return "position_discordant"
    return "cascade_closed" if tau is None else "below_threshold"


def _stack(stated: PolicyStack) -> Stack:
    return Stack(stated.name, stated.fields)
