"""Gates on evidence: a study rests on the evidence it names, registered and unchanged."""

from __future__ import annotations

from typing import Any

from checks.gate_inputs import Finding, GateInputs
from methods.pairing.source_study import source_study
from warehouse.catalog_model import GateSpec


def evidence_proved(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """The study of sources: the row of raw__evidence has a proved hash."""
    study = source_study(inputs.catalog)
    return _proved(
        [row for row in inputs.frame("raw__evidence").rows(named=True) if study and row["study"] == study.id]
    )


def study_evidence(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """A study of what a user brings: its evidence is registered, known by the day, proved, readable, and not empty."""
    return _proved(inputs.frame("raw__evidence").rows(named=True))


def _proved(rows: list[dict[str, Any]]) -> Finding:
    bad = [row for row in rows if row["sha256"] is None or not row["rows"]]
    said = "; ".join(f"{row['study']}: {row['problem'] or 'holds no row'}" for row in bad)
    proved = ", ".join(f"{row['kind']} {row['name']} {(row['sha256'] or '')[:12]}, {row['rows']} rows" for row in rows)
    return Finding(
        "fail" if bad else "pass", float(len(bad)), len(rows), len(bad), said or f"proved: {proved}",
        tuple({"study": row["study"], "problem": row["problem"]} for row in bad),
    )  # fmt: skip
