"""A release decision as tables: for a study of the catalog (METHODS 12).

Belongs here: from a decision to rows. Does not belong here: any figure of its own.
"""

from __future__ import annotations

from typing import Any, Protocol

import polars as pl

from methods.decision.samples import SampleError, Samples
from methods.decision.verdict import Decision
from methods.rollout.stage_decision import decide_evidence, stage_evidence
from methods.rollout.study_tables import canary_tables
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.release_contract import ReleaseContract
from warehouse.study_options import DecisionOptions
from warehouse.tables_decision import OUT_RELEASE_DECISION, OUT_RELEASE_DECISION_GATE, OUT_RELEASE_DECISION_LEVEL

Row = dict[str, Any]


class Evidence(Protocol):
    """What the reader of registered samples returns: a sealed contract and its samples."""

    @property
    def contract(self) -> ReleaseContract:
        """The contract that was registered with the samples."""
        ...

    @property
    def samples(self) -> Samples:
        """The samples."""
        ...


def analyse(evidence: Evidence, study: StudySpec, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """The tables of one study.

    Raises:
        SampleError: as `decide_evidence`; also where the study names another contract than the evidence holds.
    """
    options = DecisionOptions.model_validate(study.options)
    found = evidence.contract.sha256
    if options.contract_sha256 is not None and options.contract_sha256 != found:
        raise SampleError(f"study {study.id} asks for contract {options.contract_sha256[:12]}, found {found[:12]}")
    contract, methodology = evidence.contract, catalog.methodology
    decision = decide_evidence(contract, evidence.samples, methodology)
    told = stage_evidence(contract, evidence.samples, methodology)
    return decision_tables(study.id, decision, contract) | canary_tables(study.id, contract, told, methodology)


def decision_tables(study: str, found: Decision, contract: ReleaseContract) -> dict[str, pl.DataFrame]:
    """The rows of a decision, one frame a table."""
    tables = {
        OUT_RELEASE_DECISION: [_decision_row(study, found, contract)],
        OUT_RELEASE_DECISION_GATE: _gate_rows(study, found),
        OUT_RELEASE_DECISION_LEVEL: _level_rows(study, found),
    }
    return {
        table.name: pl.DataFrame(rows, schema=table.polars_schema(), orient="row") for table, rows in tables.items()
    }


def _decision_row(study: str, found: Decision, contract: ReleaseContract) -> Row:
    needed = [gate.needed_tasks for gate in found.gates if gate.needed_tasks is not None]
    flips = found.instability
    return {
        "study": study, "contract_id": found.contract_id, "contract_sha256": found.contract_sha256,
        "title": contract.title, "modality": contract.modality, "risk": contract.risk,
        "baseline_system": contract.systems.baseline, "candidate_system": contract.systems.candidate,
        "objective": contract.objective.kind, "margin_pp": contract.objective.margin_pp,
        "alpha": contract.objective.alpha, "evidence_stage": found.stage, "verdict": found.verdict,
        "gates": len(found.gates), "failed_gates": [gate.id for gate in found.gates if gate.outcome == "fail"],
        "inconclusive_gates": [gate.id for gate in found.gates if gate.outcome == "inconclusive"],
        "needed_tasks": max(needed, default=None), "redraws": flips.redraws if flips else 0,
        "flips": flips.flips if flips else 0, "flip_rate": flips.flip_rate if flips else None,
        "flip_reason": flips.reason if flips else None,
    }  # fmt: skip


def _gate_rows(study: str, found: Decision) -> list[Row]:
    return [
        {
            "study": study, "place": place, "gate": gate.id, "kind": gate.kind, "outcome": gate.outcome,
            "estimate": gate.estimate, "low": gate.low, "high": gate.high, "threshold": gate.threshold,
            "unit": gate.unit, "baseline_level": gate.baseline, "candidate_level": gate.candidate,
            "tasks": gate.tasks, "clusters": gate.clusters, "rows": gate.rows, "detectable": gate.detectable,
            "needed_tasks": gate.needed_tasks, "p": gate.p, "holm_p": found.holm.get(gate.id), "method": gate.method,
            "detail": gate.detail,
        }
        for place, gate in enumerate(found.gates, start=1)
    ]  # fmt: skip


def _level_rows(study: str, found: Decision) -> list[Row]:
    return [
        {
            "study": study, "role": level.role, "parse_view": level.parse_view, "system": level.system,
            "tasks": level.tasks, "rows": level.rows, "parse_failures": level.parse_failures,
            "infrastructure_failures": level.infrastructure_failures, "voided": level.voided,
            "successes": level.successes, "share": level.share, "share_low": level.low, "share_high": level.high,
        }
        for level in found.levels
    ]  # fmt: skip
