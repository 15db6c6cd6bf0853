"""Release gates: from a line of gates.yaml and the tables of a run to a verdict (DESIGN "Gates").

Belongs here: dispatch, crashes, emptiness, baselines and waivers, which are one rule for all gates. Does not belong
here: what a single gate measures (`checks.named`), how a suite is run (`checks.validation`), whether a product goes
out (`methods.release`), keeping a verdict (the asset's work).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import polars as pl

from checks.gate_inputs import Finding, GateInputs, NamedGate
from checks.plain_json import finite, short
from checks.registry import NAMED_GATES
from checks.suites import SUITE_PREFIX, suite_of_gate
from checks.validation import validate
from methods.pairing.source_study import source_study
from methods.release.publication import valid_waiver
from warehouse.canonical import Json
from warehouse.catalog_model import Catalog, GateSpec, Waiver
from warehouse.study_words import SOURCE_STUDY_PRODUCT
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult
from warehouse.vocabulary import Verdict

__all__ = ["GateDefinitionError", "GateInputs", "definition_problems", "evaluate", "tables_of"]

DETAIL_LIMIT: Final = 900


class GateDefinitionError(ValueError):
    """gates.yaml names a gate that nothing judges, or describes it otherwise than it works."""


def tables_of(gate: GateSpec) -> tuple[str, ...]:
    """The tables a gate reads: what a verdict's inputs are, in the order of a row's journey. Empty for unknown ones."""
    if gate.judged_as.startswith(SUITE_PREFIX):
        return (gate.judged_as.removeprefix(SUITE_PREFIX),)
    named = NAMED_GATES.get(gate.judged_as)
    return named.tables if named is not None else ()


def definition_problems(catalog: Catalog) -> list[str]:
    """What is wrong with gates.yaml, in words: unknown gates, tables, limits."""
    listed = [*(gate for gate in catalog.gates if gate.study is None), *catalog.study_gates]
    return [problem for gate in listed for problem in _problems_of(gate)]


def _problems_of(gate: GateSpec) -> list[str]:
    tables = tables_of(gate)
    if not tables or any(table not in TABLES for table in tables):
        return [f"gate {gate.id}: nothing judges it; gates are suite-<table> and {', '.join(sorted(NAMED_GATES))}"]
    problems = []
    if gate.table != tables[-1]:
        problems.append(f"gate {gate.id}: `table` must be {tables[-1]}, the last table it reads")
    named = NAMED_GATES.get(gate.judged_as)
    compares = named is not None and named.compares
    if gate.baseline != compares:
        problems.append(f"gate {gate.id}: `baseline` must be {str(compares).lower()}")
    if named is not None and named.needs_threshold != (gate.threshold is not None):
        problems.append(f"gate {gate.id}: {'needs a' if named.needs_threshold else 'has no use for its'} `threshold`")
    if gate.threshold is not None and not math.isfinite(gate.threshold):
        problems.append(f"gate {gate.id}: `threshold` must be a finite number, or nothing would ever exceed it")
    return problems


def evaluate(gate: GateSpec, inputs: GateInputs) -> GateResult:
    """The verdict of one gate. It never raises: a crash is the verdict `error`, which nothing can waive.

    pass needs something looked at. A gate that compares is `not_applicable` where there is no baseline. A `fail`, and
    nothing else, becomes `waived` where a waiver of the catalog holds at `decided_at`.
    """
    try:
        result = _judge(gate, inputs)
        return _after_waivers(result, gate, inputs) if result.verdict == "fail" else result
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - whatever happens is a verdict
        return crashed(gate, error)


def crashed(gate: GateSpec, error: BaseException) -> GateResult:
    """The verdict `error`, of a gate that crashed or whose table could not be made."""
    detail = f"crashed: {type(error).__name__}: {error}"
    return GateResult("error", None, gate.threshold, 0, 0, short(detail, DETAIL_LIMIT))


def _judge(gate: GateSpec, inputs: GateInputs) -> GateResult:
    problems = _problems_of(gate)
    if problems:
        raise GateDefinitionError("; ".join(problems))
    if gate.product == SOURCE_STUDY_PRODUCT and source_study(inputs.catalog) is None:
        return GateResult("not_applicable", None, gate.threshold, 0, 0, "studies.yaml names no study of sources")
    if gate.study is not None:
        inputs = inputs.of_study(gate.study)
    suite = suite_of_gate(gate.judged_as, inputs.catalog)
    if suite is not None:
        validation = validate(inputs.frame(suite.contract.name), suite)
        return GateResult(
            validation.verdict,
            figure=float(validation.failed),
            threshold=0.0,
            evaluated=validation.evaluated,
            failed=validation.failed,
            detail=short(validation.detail(), DETAIL_LIMIT),
            validation=validation.to_json(),
        )
    return _named_result(gate, NAMED_GATES[gate.judged_as], inputs)


def _named_result(gate: GateSpec, named: NamedGate, inputs: GateInputs) -> GateResult:
    for table in named.tables:
        inputs.frame(table)
    if named.compares and inputs.baseline is None:
        return GateResult("not_applicable", None, gate.threshold, 0, 0, "a first release has nothing to compare with")
    finding = named.judge(gate, inputs)
    verdict, detail = finding.outcome, finding.detail
    if verdict == "pass" and not finding.evaluated:
        verdict, detail = "fail", f"nothing was looked at, so the gate fails; of nothing its rule says: {detail}"
    return GateResult(
        verdict,
        figure=finite(finding.figure),
        threshold=gate.threshold if finding.threshold is None else finding.threshold,
        evaluated=finding.evaluated,
        failed=finding.failed,
        detail=short(detail, DETAIL_LIMIT),
        validation=_record(gate, finding),
    )


def _record(gate: GateSpec, finding: Finding) -> dict[str, Json]:
    return {
        "gate": gate.id,
        "outcome": finding.outcome,
        "evaluated": finding.evaluated,
        "failed": finding.failed,
        "examples": [dict(example) for example in finding.examples[:20]],
    }


def _after_waivers(result: GateResult, gate: GateSpec, inputs: GateInputs) -> GateResult:
    waivers = [waiver for waiver in inputs.catalog.waivers if waiver.gate == gate.id]
    waiver = valid_waiver(waivers, gate.id, inputs.decided_at)
    if waiver is not None:
        said = f"waived until {_moment(waiver.until)} by {waiver.who}, approved by {waiver.approved_by}"
        return _restated(result, "waived", f"{said}: {waiver.reason}. Found: {result.detail}")
    if waivers:
        return _restated(result, "fail", f"{result.detail}; {_ended(waivers)}")
    return result


def _ended(waivers: Sequence[Waiver]) -> str:
    last = max(waivers, key=lambda item: item.until)
    return f"its waiver by {last.who} ended at {_moment(last.until)}"


def _moment(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _restated(result: GateResult, verdict: Verdict, detail: str) -> GateResult:
    return GateResult(
        verdict,
        result.figure,
        result.threshold,
        result.evaluated,
        result.failed,
        short(detail, DETAIL_LIMIT),
        result.validation,
    )
