"""Gates on cascades of judges: does q order errors, is the loss small, does it save, whose is it (METHODS 10).

Belongs here: which figures of a study are held against which limit. A study without cascades decides nothing in a
fallback's place, and passes; so does a closed cascade. An open one whose held-out items are too few is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from checks.gate_inputs import Finding, GateInputs, threshold_of
from methods.judging.verdicts import cost_sentence, held_against, named, order_verdict
from warehouse.canonical import Json
from warehouse.catalog_model import GateSpec
from warehouse.judge_words import CascadeVerdict
from warehouse.plain_text import counted

Row = dict[str, Any]
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Judged:
    """One cascade under one gate: its verdict, the figure that decided, and both in words."""

    row: Row
    verdict: CascadeVerdict
    figure: float | None
    said: str


def judge_auroc(gate: GateSpec, inputs: GateInputs) -> Finding:
    """AUROC of q on the held-out items of every open cascade; below the limit it must not be open."""
    least = threshold_of(gate)

    def judge(row: Row) -> _Judged:
        verdict, found = order_verdict(row, least), row["held_out_auroc"]
        if verdict == "inconclusive":
            said = "AUROC is not defined, the judge being never wrong or never right there; held-out items where it is "
            return _Judged(row, verdict, None, f"{said}both would decide")
        shown = "" if row["tau"] is None else f"AUROC {found:.3f} on {counted(row['held_out_items'], 'held-out item')}"
        return _Judged(row, verdict, None if row["tau"] is None else found, shown or "closed")

    return _held(inputs, judge, worst=min)


def judge_loss(gate: GateSpec, inputs: GateInputs) -> Finding:
    """What every cascade loses of its fallback on held-out items, against the limit in percentage points."""
    limit, judging = threshold_of(gate), inputs.catalog.methodology.judging

    def judge(row: Row) -> _Judged:
        verdict, said = held_against(row, limit, judging)
        return _Judged(row, verdict, row["loss_pp"], said)

    return _held(inputs, judge, worst=max)


def judge_cost(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Cost of every open cascade over its fallback alone, conservatively; above the limit it saves nothing."""
    limit = threshold_of(gate)

    def judge(row: Row) -> _Judged:
        used, conservative = row["cost_ratio"], row["conservative_cost_ratio"]
        dearest = max((one for one in (used, conservative) if one is not None), default=None)
        said = cost_sentence(row)
        if row["tau"] is None:
            return _Judged(row, "pass", None, "closed")
        if dearest is not None and dearest > limit:
            return _Judged(row, "fail", dearest, said)
        if conservative is None:
            return _Judged(row, "inconclusive", used, f"{said}; usage, or a reserve for it, would decide")
        return _Judged(row, "pass", conservative, said)

    return _held(inputs, judge, worst=max)


def judge_no_escalation(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Whether the threshold of an open cascade is the lowest there is: both orders, and nothing is escalated by q."""

    def judge(row: Row) -> _Judged:
        said = f"tau = {row['tau']:.2f}" if row["tau"] is not None else "closed"
        if row["is_no_escalation"]:
            return _Judged(
                row, "fail", row["tau"], f"{said}: no escalation by confidence, no cascade but the judge alone"
            )
        return _Judged(row, "pass", row["tau"], said)

    return _held(inputs, judge, worst=min)


def judge_key(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Whether judge and fallback of every open cascade state their whole key: else nobody can have it again."""
    unstated = {row["judge"]: row["unstated_fields"] for row in inputs.frame("out__judge_stack").rows(named=True)}

    def judge(row: Row) -> _Judged:
        said = [f"{name} does not state {', '.join(unstated[name])}" for name in _both(row) if unstated[name]]
        if row["tau"] is not None and said:
            return _Judged(row, "inconclusive", None, f"{'; '.join(said)}; the whole key, stated, would decide")
        return _Judged(row, "pass", None, "keys stated" if not said else "closed")

    return _held(inputs, judge, worst=min)


def _both(row: Row) -> tuple[str, str]:
    return row["judge"], row["fallback"]


def _held(inputs: GateInputs, judge: Callable[[Row], _Judged], worst: Callable[..., float | None]) -> Finding:
    """Fails where any cascade does; inconclusive where any is not decided; else passes."""
    rows = inputs.frame("out__judge_cascade").rows(named=True)
    if not rows:
        judges = inputs.frame("out__judge_summary")["judge"].n_unique()
        said = f"{counted(judges, 'judge')}, and no cascade: nothing is decided in a fallback's place"
        return Finding("pass", None, judges, 0, said)
    found = [judge(row) for row in rows]
    figure = worst((one.figure for one in found if one.figure is not None), default=None)
    outcome: Literal["pass", "fail", "inconclusive"]
    for outcome in ("fail", "inconclusive"):
        at_fault = [one for one in found if one.verdict == outcome]
        if at_fault:
            return Finding(outcome, figure, len(found), len(at_fault), _told(at_fault), tuple(map(_example, at_fault)))
    return Finding("pass", figure, len(found), 0, _told(found))


def _told(found: list[_Judged]) -> str:
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(f"{named(one.row)}: {one.said}" for one in found[:_SHOWN]) + more


def _example(one: _Judged) -> dict[str, Json]:
    keys = ("judge", "fallback", "task_type")
    return {**{key: str(one.row[key]) for key in keys}, "figure": one.figure, "said": one.said}
