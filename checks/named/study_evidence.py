"""Gate evidence-proved: the study of sources rests on the freeze it names, registered and unchanged."""

from __future__ import annotations

from checks.gate_inputs import Finding, GateInputs
from methods.pairing.source_study import source_study
from warehouse.catalog_model import GateSpec


def evidence_proved(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """The row of raw__evidence of the study has a proved hash."""
    study = source_study(inputs.catalog)
    rows = [row for row in inputs.frame("raw__evidence").rows(named=True) if study and row["study"] == study.id]
    bad = [row for row in rows if row["sha256"] is None]
    said = "; ".join(f"{row['study']}: {row['problem']}" for row in bad)
    proved = ", ".join(f"{row['kind']} {row['name']} {(row['sha256'] or '')[:12]}, {row['rows']} rows" for row in rows)
    return Finding(
        "fail" if bad else "pass", float(len(bad)), len(rows), len(bad), said or f"proved: {proved}",
        tuple({"study": row["study"], "problem": row["problem"]} for row in bad),
    )  # fmt: skip
