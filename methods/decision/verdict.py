"""A decision as a value: its gates, each with what it rests on, and the verdict they make together (METHODS 12).

Belongs here: the shapes and the table from gates to verdict. Does not belong here: how a gate is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from warehouse.decision_words import BoundMethod, DecisionVerdict, EvidenceStage, GateKind, GateOutcome


@dataclass(frozen=True, slots=True)
class Gate:
    """One question of the contract, and its answer.

    Attributes:
        id: `objective`, or the kind and the contract's id, such as `slice.german`.
        kind: what it asks about.
        outcome: pass, fail or inconclusive.
        detail: one sentence: what was found, and what would decide where it is inconclusive.
        estimate, low, high: of what is judged; bounds are one-sided at the contract's alpha, each. None: not computed.
        threshold: what the bound is held against.
        unit: of the four, and of `detectable`; a red line, which counts rows, detects a rate, in percent of them.
        baseline, candidate: the level of each system where two are compared.
        tasks, clusters, rows: what it rests on.
        detectable: the smallest effect beyond the threshold that this n finds with the methodology's power.
        needed_tasks: paired tasks that would decide, were the planned effect true (the observed one, where the planned
            one was not met); None where it passed or failed, or where no number of tasks would.
        p: of the test at the threshold, where there is one.
        method: how the bounds came about.
    """

    id: str
    kind: GateKind
    outcome: GateOutcome
    detail: str
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    unit: str | None = None
    baseline: float | None = None
    candidate: float | None = None
    tasks: int = 0
    clusters: int = 0
    rows: int = 0
    detectable: float | None = None
    needed_tasks: int | None = None
    p: float | None = None
    method: BoundMethod | None = None


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """One system by itself, under one way of counting parse failures.

    Attributes:
        system: its name in the evidence.
        role: `baseline` or `candidate`.
        parse_view: `as_failures` or `left_out`.
        tasks, rows: what counts.
        parse_failures, infrastructure_failures: rows with each.
        voided: successes that broke a red line or a budget of a single sample, which are none.
        successes: of a binary outcome.
        share, low, high: its mean, and Wilson's 95% interval where every task has one binary trial.
    """

    system: str
    role: str
    parse_view: str
    tasks: int
    rows: int
    parse_failures: int
    infrastructure_failures: int
    voided: int
    successes: int | None
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Instability:
    """How often the verdict on objective and slices turns when trials are drawn again.

    Attributes:
        redraws: how often trials were drawn.
        flips: how often another outcome came out.
        flip_rate: flips over redraws; None where `reason` says why.
        reason: `one_trial`: trials cannot be drawn again; `not_a_mean`: the outcome is a corpus metric.
    """

    redraws: int
    flips: int
    flip_rate: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """A release decision.

    Attributes:
        contract_id, contract_sha256: the sealed contract.
        stage: of the evidence.
        verdict: METHODS 12's word.
        gates: every gate, in the contract's order.
        levels: each system by itself, parse failures counted both ways.
        instability: over re-drawn trials.
        holm: p of each slice's claim adjusted by Holm; for claims about single slices only.
    """

    contract_id: str
    contract_sha256: str
    stage: EvidenceStage
    verdict: DecisionVerdict
    gates: tuple[Gate, ...]
    levels: tuple[SystemLevel, ...] = ()
    instability: Instability | None = None
    holm: dict[str, float] = field(default_factory=dict)

    def with_gates(self, more: Iterable[Gate], *, is_shadow_needed: bool) -> Decision:
        """The decision with further gates, such as those of a stage, and the verdict they make together."""
        gates = (*self.gates, *more)
        return replace(self, gates=gates, verdict=verdict_of(gates, self.stage, is_shadow_needed=is_shadow_needed))


NEXT_STAGE: Final[dict[EvidenceStage, DecisionVerdict]] = {
    "offline": "shadow_only", "shadow": "canary", "canary": "ship",
}  # fmt: skip
"""What evidence of a stage allows next: offline evidence alone never ships."""


def verdict_of(gates: Iterable[Gate], stage: EvidenceStage, *, is_shadow_needed: bool) -> DecisionVerdict:
    """The verdict of METHODS 12: a failed gate blocks, an inconclusive one is insufficient evidence.

    No gate at all is insufficient evidence: empty is not passed.
    """
    outcomes = [gate.outcome for gate in gates]
    if "fail" in outcomes:
        return "block"
    if not outcomes or "inconclusive" in outcomes:
        return "insufficient_evidence"
    if stage == "offline" and not is_shadow_needed:
        return "canary"
    return NEXT_STAGE[stage]
