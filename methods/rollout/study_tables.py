"""Shadow and canary evidence of a release decision as tables (METHODS 12).

Belongs here: from registered samples, which state their batch, to rows. Does not belong here: any figure of its own.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from methods.rollout.action import asked_for, reasons
from methods.rollout.cohorts import cohort_table
from methods.rollout.returned_models import returned_models
from methods.rollout.stage_decision import StageEvidence
from warehouse.contracts import TableContract
from warehouse.methodology import Methodology
from warehouse.release_contract import ReleaseContract
from warehouse.tables_canary import (
    CANARY_TABLES,
    OUT_CANARY_ACTION,
    OUT_CANARY_COHORT,
    OUT_CANARY_EXPOSURE,
    OUT_CANARY_LOOK,
    OUT_CANARY_MODEL,
)

Row = dict[str, Any]


def canary_tables(
    study: str, contract: ReleaseContract, evidence: StageEvidence | None, methodology: Methodology
) -> dict[str, pl.DataFrame]:
    """The rows of what was monitored, one frame a table; all empty for offline evidence.

    Args:
        study: id of the study.
        contract: the sealed contract.
        evidence: as `stage_decision.stage_evidence` gives it; None for offline samples.
        methodology: constants.
    """
    if evidence is None:
        return {table.name: table.empty() for table in CANARY_TABLES}
    told = evidence.monitoring
    rows: dict[TableContract, list[Row]] = {
        OUT_CANARY_LOOK: _looks(evidence),
        OUT_CANARY_EXPOSURE: _exposures(evidence),
        OUT_CANARY_COHORT: cohort_table(told.rows, contract, methodology.rollout, told.batches).to_dicts()
        if told.stage == "canary"
        else [],
        OUT_CANARY_MODEL: _models(contract, evidence),
        OUT_CANARY_ACTION: [_action(contract, evidence)],
    }
    return {
        table.name: pl.DataFrame([{"study": study, **row} for row in found], schema=table.polars_schema(), orient="row")
        for table, found in rows.items()
    }


def _looks(evidence: StageEvidence) -> list[Row]:
    return [
        {
            "batch": look.batch, "rule": look.rule.id, "stop_column": look.rule.column, "is_proxy": look.rule.is_proxy,
            "state": look.state, "at_most": look.rule.at_most, "alpha": look.rule.alpha, "units": look.units,
            "unstated": look.unstated, "mean": look.mean, "low": look.low, "high": look.high,
            "baseline_mean": look.baseline_mean, "baseline_units": look.baseline_units,
            "log_evidence": look.log_evidence, "since": look.since, "since_mean": look.since_mean,
        }
        for look in evidence.monitoring.stops
    ]  # fmt: skip


def _exposures(evidence: StageEvidence) -> list[Row]:
    return [
        {
            "batch": look.batch, "candidate_units": look.exposure.candidate, "baseline_units": look.exposure.baseline,
            "planned_frac": look.exposure.planned, "observed_frac": look.exposure.observed,
            "log_evidence": look.exposure.log_evidence, "p_always": look.exposure.p_always,
            "p_single": look.exposure.p_single, "is_mismatch": look.exposure.is_mismatch,
            "in_both_groups": look.crossed,
        }
        for look in evidence.monitoring.exposures
    ]  # fmt: skip


def _models(contract: ReleaseContract, evidence: StageEvidence) -> list[Row]:
    systems = contract.systems
    return [
        {
            "system": one.system, "rows": one.rows, "same_model": one.same, "other_model": one.other,
            "model_unstated": one.unstated,
        }
        for one in returned_models(evidence.monitoring.rows, (systems.candidate, systems.baseline))
    ]  # fmt: skip


def _action(contract: ReleaseContract, evidence: StageEvidence) -> Row:
    told = evidence.monitoring
    why = reasons(contract, told, evidence.gates)
    return {
        "action": asked_for(why), "batches": told.batches, "rows": told.rows.height,
        "repeated_units": told.repeated_units, "rules": [one.rule for one in why],
    }  # fmt: skip
