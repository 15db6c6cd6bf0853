"""The action that the batches ask for, as data that a deploy tool reads (METHODS 12).

Belongs here: from what was monitored to one word, its reasons, and the object that is written. Does not belong here:
writing it (`resources.rollouts`), carrying it out, which is the deploy tool's.

A crossed stop rule asks for the action the contract gives it; a broken red line asks for rollback. In shadow nothing of
the candidate reaches anybody, so that there both are a stop. What cannot be read as planned (a sample-ratio mismatch,
units in both groups, a rule or red line that nothing is recorded for, other models that answered) asks to hold. The
strongest is taken, and once asked for, stop and rollback stay: later batches take nothing back.
"""

from __future__ import annotations

from dataclasses import dataclass

from methods.decision.verdict import Gate
from methods.rollout.monitor import Monitoring
from warehouse.canonical import Json
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_words import ACTION_SCHEMA, ROLLOUT_ACTIONS, RolloutAction


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is asked for: by which rule or gate, and at which look first, where that is known."""

    rule: str
    action: RolloutAction
    detail: str
    batch: int | None = None


def reasons(contract: ReleaseContract, monitoring: Monitoring, gates: tuple[Gate, ...]) -> tuple[Reason, ...]:
    """Every reason to do other than continue, the strongest first.

    Args:
        contract: what each stop rule asks for.
        monitoring: its batches.
        gates: as `stage_gates` gives them.
    """
    back: RolloutAction = "rollback" if monitoring.stage == "canary" else "stop"
    found = [
        Reason(f"red-line.{line.id}", back, f"{line.harm}: {line.broken} of {line.rows} rows", line.first_batch)
        for line in monitoring.red_lines
        if line.broken
    ]
    crossed = {look.rule.id: look.batch for look in reversed(monitoring.stops) if look.state == "crossed"}
    details = {gate.id: gate.detail for gate in gates}
    asked: dict[str, RolloutAction] = {
        rule.id: back if rule.action == "rollback" else rule.action for rule in contract.stages.stop
    }
    found += [Reason(f"stage.{rule}", asked[rule], details[f"stage.{rule}"], batch) for rule, batch in crossed.items()]
    told = {reason.rule for reason in found}
    found += [
        Reason(gate.id, "hold", gate.detail)
        for gate in gates
        if gate.outcome != "pass" and gate.id not in told and monitoring.batches
    ]
    found += [
        Reason(f"red-line.{line.id}", "hold", f"{line.column}: {line.unstated} of {line.rows} rows state nothing")
        for line in monitoring.red_lines
        if line.unstated and not line.broken
    ]
    return tuple(sorted(found, key=lambda reason: (-ROLLOUT_ACTIONS.index(reason.action), reason.rule)))


def asked_for(found: tuple[Reason, ...]) -> RolloutAction:
    """The strongest action asked for; continue where nothing is."""
    return found[0].action if found else "continue"


def action_document(
    contract: ReleaseContract,
    monitoring: Monitoring,
    found: tuple[Reason, ...],
    *,
    name: str,
    evidence_sha256: str,
    decided_at: str,
) -> dict[str, Json]:
    """The object that a deploy tool reads.

    Args:
        contract: whose stages are carried out.
        monitoring: its batches.
        found: as `reasons` gives them.
        name: of the shadow or canary.
        evidence_sha256: hash of the list of batches it rests on.
        decided_at: the moment, for people; nothing depends on it.
    """
    action = asked_for(found)
    back = contract.stages.rollback
    runs = action in {"continue", "hold"}
    planned = contract.stages.canary.exposure_frac
    return {
        "schema": ACTION_SCHEMA,
        "name": name,
        "stage": monitoring.stage,
        "action": action,
        "candidate": contract.systems.candidate,
        "baseline": contract.systems.baseline,
        "is_candidate_fed": runs,
        "max_candidate_frac": planned if runs and monitoring.stage == "canary" else 0.0,
        "rollback": {"to": back.to, "how": back.how, "owner": back.owner, "within_minutes": back.within_minutes}
        if action == "rollback"
        else None,
        "reasons": [
            {"rule": one.rule, "action": one.action, "detail": one.detail, "batch": one.batch} for one in found
        ],
        "contract": {"id": contract.id, "sha256": contract.sha256},
        "evidence": {"batches": monitoring.batches, "rows": monitoring.rows.height, "sha256": evidence_sha256},
        "decided_at": decided_at,
    }
