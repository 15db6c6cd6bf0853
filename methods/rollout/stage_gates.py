"""Gates of a stage: entry to shadow, stop rules, exposure, and who answered (METHODS 12).

Belongs here: from a contract and what was monitored to gates that join the others of a decision. Does not belong here:
the statistics of either, the action (`methods.rollout.action`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from methods.decision.verdict import Gate
from methods.rollout.monitor import ExposureLook, Monitoring, StopLook
from methods.rollout.returned_models import ReturnedModels, returned_models
from warehouse.decision_words import GateOutcome
from warehouse.plain_text import counted
from warehouse.release_contract import ReleaseContract
from warehouse.release_stages import ENTRY_FLAGS
from warehouse.rollout_rules import RolloutRules
from warehouse.rollout_words import StopState

_OUTCOMES: Final[dict[StopState, GateOutcome]] = {
    "crossed": "fail", "unclear": "inconclusive", "not_tracked": "inconclusive", "within": "pass", "open": "pass",
}  # fmt: skip


def shadow_entry_gate(contract: ReleaseContract) -> Gate | None:
    """Whether requests may be copied to the candidate; None where the contract says that shadow is not needed."""
    entry = contract.stages.shadow
    if entry is None:
        return None
    missing = [said for flag, said in ENTRY_FLAGS.items() if not getattr(entry, flag)]
    authorized = f"for {entry.purpose}, to {entry.recipient}, kept {entry.retention}"
    if missing:
        return Gate("stage.shadow-entry", "stage", "fail", f"not yet so that {'; '.join(missing)} ({authorized})")
    return Gate("stage.shadow-entry", "stage", "pass", f"authorized {authorized}; {'; '.join(ENTRY_FLAGS.values())}")


def stage_gates(contract: ReleaseContract, monitoring: Monitoring, rules: RolloutRules) -> tuple[Gate, ...]:
    """Every gate of the stage that the batches are of, in the contract's order.

    Args:
        contract: the sealed contract.
        monitoring: its batches, looked at one after the other.
        rules: constants.
    """
    entry = shadow_entry_gate(contract) if monitoring.stage == "shadow" else None
    systems = (contract.systems.candidate,)
    answered = returned_models(monitoring.rows, systems)
    found = [*([entry] if entry else []), *(_stop(look) for look in monitoring.last_stops)]
    if monitoring.exposures and contract.stages.canary.is_randomized:
        found.append(_exposure(monitoring.exposures, rules))
    return (*found, *_answered(answered, rules))


def _stop(look: StopLook) -> Gate:
    rule = look.rule
    what = f"{rule.column} at most {rule.at_most:g}"
    over = f"over {counted(look.units, 'unit')} after batch {look.batch}"
    bounds = "no unit yet" if look.mean is None else f"{look.mean:.4g}, surely {look.low:.4g} to {look.high:.4g}"
    detail = {
        "crossed": f"{what}: crossed: {_stretch(look)}; all together {bounds} {over}",
        "unclear": f"{what}: {bounds} {over}, but {counted(look.unstated, 'unit')} state nothing, and could cross it",
        "not_tracked": f"{what}: none of {counted(look.unstated, 'unit')} states {rule.column}; record it",
        "within": f"{what}: {bounds} {over}: surely within",
        "open": f"{what}: {bounds} {over}: not crossed, nor surely within",
    }[look.state]
    return Gate(
        id=f"stage.{rule.id}", kind="stage", outcome=_OUTCOMES[look.state], detail=detail, estimate=look.mean,
        low=look.low, high=look.high, threshold=rule.at_most, candidate=look.mean, baseline=look.baseline_mean,
        rows=look.units + look.unstated,
    )  # fmt: skip


def _stretch(look: StopLook) -> str:
    mean = "beyond it" if look.since_mean is None else f"{look.since_mean:.4g}"
    return f"{mean} from batch {look.since} on"


def _exposure(looks: tuple[ExposureLook, ...], rules: RolloutRules) -> Gate:
    last = looks[-1]
    now = last.exposure
    units = now.candidate + now.baseline
    off = next((look.batch for look in looks if look.exposure.is_mismatch), None)
    share = "none" if now.observed is None else f"{100 * now.observed:.2f}%"
    detail = f"{share} of {counted(units, 'unit')} went to the candidate, {100 * now.planned:.2f}% were planned"
    outcome: GateOutcome = "pass"
    if off is not None:
        outcome = "fail"
        p = f"p {now.p_always:.2g} at any look, limit {rules.exposure_alpha:g}"
        detail += f": a sample-ratio mismatch, found after batch {off} ({p})"
    elif last.crossed:
        outcome = "fail"
        detail += f"; {counted(last.crossed, 'unit')} came in both groups, so that assignment is not what was planned"
    elif not now.candidate or not now.baseline:
        outcome = "inconclusive"
        detail += "; one of both groups is empty"
    return Gate(
        id="stage.exposure", kind="stage", outcome=outcome, detail=detail, estimate=now.observed,
        threshold=now.planned, rows=units, p=now.p_always,
    )  # fmt: skip


def _answered(found: Iterable[ReturnedModels], rules: RolloutRules) -> list[Gate]:
    gates = []
    limit = rules.max_other_model_frac
    for one in found:
        other = "; ".join(f"{asked} answered by {got}: {count}" for asked, got, count in one.pairs[:3])
        detail = f"{one.same} of {one.rows} rows of {one.system} were answered by the model asked for"
        outcome: GateOutcome = "pass"
        if one.rows == 0 or one.unstated:
            outcome = "inconclusive"
            detail += f"; {one.unstated} do not state both requested_model and returned_model"
        if one.other:
            detail += f"; {one.other} by another ({other})"
            if one.other > limit * one.rows:
                outcome = "fail"
        gates.append(
            Gate(
                id="stage.returned-model", kind="stage", outcome=outcome, detail=detail,
                estimate=one.other / one.rows if one.rows else None, threshold=limit, rows=one.rows,
            )
        )  # fmt: skip
    return gates
