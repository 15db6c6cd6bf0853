"""A decision on shadow or canary evidence: the contract's gates and those of the stage (METHODS 12).

Belongs here: which gates there are at either stage. In shadow every request is answered by both systems: pairs, judged
as offline evidence is. In a canary each unit has one system: two groups, judged by bounds that hold at every look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from methods.decision.budget_gates import budget_gates
from methods.decision.decide import check_seal, decide
from methods.decision.evidence_gates import failure_shares, parse_agreement, scorer_gate
from methods.decision.metric_gates import metric_gates
from methods.decision.outcomes import check_values, counted_rows
from methods.decision.red_line_gates import red_line_gates
from methods.decision.reduction import VIEWS, task_totals
from methods.decision.samples import SampleError, Samples
from methods.decision.system_levels import system_levels
from methods.decision.verdict import Decision, Gate, verdict_of
from methods.rollout.batch_columns import typed_batch
from methods.rollout.group_gates import group_gates
from methods.rollout.monitor import Monitoring, monitor
from methods.rollout.stage_gates import stage_gates
from warehouse.methodology import Methodology
from warehouse.release_contract import ReleaseContract

BATCH = "batch"
"""The column of registered samples that numbers their batches; without it all of them are one."""


@dataclass(frozen=True)
class StageEvidence:
    """Samples of shadow or canary, looked at batch by batch, and the gates of their stage."""

    monitoring: Monitoring
    gates: tuple[Gate, ...]


def decide_evidence(contract: ReleaseContract, samples: Samples, methodology: Methodology) -> Decision:
    """The decision on samples of any stage: offline by their pairs, shadow and canary with the gates of their stage.

    Raises:
        SampleError: as `decide`.
        RolloutError: for samples of a stage that the contract cannot be applied to.
    """
    evidence = stage_evidence(contract, samples, methodology)
    if evidence is None:
        return decide(contract, samples, methodology)
    check_seal(contract, samples.contract_sha256)
    return decide_stage(contract, evidence.monitoring, evidence.gates, methodology)


def stage_evidence(contract: ReleaseContract, samples: Samples, methodology: Methodology) -> StageEvidence | None:
    """What samples of shadow or canary say, batch by batch; None for offline samples.

    Raises:
        SampleError, RolloutError: as reading batches says.
    """
    if samples.stage == "offline":
        return None
    rows = samples.rows
    batches = [rows]
    if BATCH in rows.columns:
        if rows[BATCH].null_count():
            raise SampleError(f"{BATCH}: must be stated in every row, or in none")
        numbers = rows[BATCH].unique().sort().to_list()
        batches = [rows.filter(pl.col(BATCH) == number) for number in numbers]
    typed = [typed_batch(contract, one) for one in batches]
    found = monitor(contract, samples.stage, typed, methodology.rollout)
    return StageEvidence(found, stage_gates(contract, found, methodology.rollout))


def decide_stage(
    contract: ReleaseContract, monitoring: Monitoring, gates: Sequence[Gate], methodology: Methodology
) -> Decision:
    """The decision on what has come in so far.

    Args:
        contract: the sealed contract.
        monitoring: its batches.
        gates: of the stage (`stage_gates`).
        methodology: constants and the seed of resampling.

    Raises:
        SampleError: for rows that the contract cannot be applied to.
    """
    is_needed = contract.stages.is_shadow_needed
    if monitoring.stage == "shadow":
        own = monitoring.rows.drop([name for name in monitoring.rows.columns if name.startswith("_")])
        found = decide(contract, Samples(own, contract.sha256, "shadow"), methodology)
        return found.with_gates(gates, is_shadow_needed=is_needed)
    return _canary(contract, monitoring, gates, methodology)


def _canary(
    contract: ReleaseContract, monitoring: Monitoring, stage: Sequence[Gate], methodology: Methodology
) -> Decision:
    if contract.outcome.is_corpus:
        raise SampleError("a corpus metric compares answers to the same tasks; a canary has none that both answered")
    outcome = str(contract.outcome.column)
    if outcome not in monitoring.rows.columns:
        raise SampleError(f"the batches have no column {outcome}, the contract's outcome")
    names, seed, rules = frozenset(monitoring.rows.columns), methodology.seed, methodology.decision
    rows = counted_rows(contract, monitoring.rows.lazy(), names)
    check_values(contract, rows)
    totals = task_totals(contract, rows)
    failures = int(totals.frame["parse"].sum())
    both = rows.collect()
    compared = {view: group_gates(contract, both, view, methodology.rollout) for view in VIEWS}
    gates = [*failure_shares(contract, totals), scorer_gate(contract, rows, names)]
    gates += red_line_gates(contract, rows, names)
    gates += compared["as_failures"]
    gates.append(parse_agreement(compared["as_failures"], compared["left_out"], failures))
    gates += budget_gates(contract, rows, names, seed=seed, rules=rules)
    gates += metric_gates(contract, rows, names, seed=seed, rules=rules)
    gates += stage
    return Decision(
        contract_id=contract.id,
        contract_sha256=contract.sha256,
        stage="canary",
        verdict=verdict_of(gates, "canary", is_shadow_needed=contract.stages.is_shadow_needed),
        gates=tuple(gates),
        levels=tuple(system_levels(contract, totals, rules)),
    )
