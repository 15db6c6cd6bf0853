"""Gates of a release decision as a study: its verdict follows from its gates, and what it is (METHODS 12).

Belongs here: what is asked of the tables. Does not belong here: the gates of the contract, which are rows of them.
"""

from __future__ import annotations

from typing import Any

from checks.gate_inputs import Finding, GateInputs
from checks.plain_json import short
from warehouse.catalog_model import GateSpec
from warehouse.decision_words import DECISION_VERDICTS

DECISION, GATE = "out__release_decision", "out__release_decision_gate"
_COMPARED = frozenset({"objective", "slice"})


def decision_follows(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """The verdict is the one that its gates make, and no comparison passes or fails against its own bounds."""
    decisions, gates = inputs.frame(DECISION).rows(named=True), inputs.frame(GATE).rows(named=True)
    wrong = []
    for row in decisions:
        own = [gate for gate in gates if gate["study"] == row["study"]]
        if not _is_made_by(row, own):
            wrong.append(f"{row['study']}: {row['verdict']} is not what its gates make")
        wrong += [
            f"{row['study']}: {gate['gate']} {gate['outcome']} against its bounds" for gate in own if _breaks(gate)
        ]
    said = short("; ".join(wrong), 800) or f"{len(gates)} gates and the verdict agree"
    return Finding("fail" if wrong else "pass", float(len(wrong)), len(gates), len(wrong), said)


def decision_verdict(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """What the decision says: its own product is published either way, and this gate never stops it."""
    decisions = inputs.frame(DECISION)
    if decisions.is_empty():
        return Finding("fail", None, 0, 0, "no decision was made; the gate study-evidence says why")
    row = decisions.row(0, named=True)
    figure = float(DECISION_VERDICTS.index(row["verdict"]))
    if row["verdict"] == "block":
        said = f"block: {', '.join(row['failed_gates'])}"
        return Finding("fail", figure, row["gates"], len(row["failed_gates"]), short(said, 800))
    if row["verdict"] == "insufficient_evidence":
        needed = row["needed_tasks"]
        what = f"{needed:,} tasks would decide" if needed is not None else "no number of tasks alone would decide"
        said = f"insufficient evidence: {', '.join(row['inconclusive_gates'])}; {what}"
        return Finding("inconclusive", figure, row["gates"], len(row["inconclusive_gates"]), short(said, 800))
    return Finding("pass", figure, row["gates"], 0, f"{row['verdict']}: every gate passed")


def _is_made_by(row: dict[str, Any], gates: list[dict[str, Any]]) -> bool:
    failed = [gate["gate"] for gate in gates if gate["outcome"] == "fail"]
    unclear = [gate["gate"] for gate in gates if gate["outcome"] == "inconclusive"]
    if (row["failed_gates"], row["inconclusive_gates"], row["gates"]) != (failed, unclear, len(gates)):
        return False
    if failed:
        return bool(row["verdict"] == "block")
    if unclear:
        return bool(row["verdict"] == "insufficient_evidence")
    allowed = {"offline": ("shadow_only", "canary"), "shadow": ("canary",), "canary": ("ship",)}
    return row["verdict"] in allowed[row["evidence_stage"]]


def _breaks(gate: dict[str, Any]) -> bool:
    if gate["kind"] not in _COMPARED or gate["outcome"] == "inconclusive":
        return False
    if gate["outcome"] == "pass":
        return gate["low"] is None or gate["low"] <= gate["threshold"]
    return gate["high"] is None or gate["high"] >= gate["threshold"]
