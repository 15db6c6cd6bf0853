"""A gate as a Dagster asset check: its name, what it asks for, and its result as Dagster shows it.

Belongs here: the Dagster side of a gate, without any reading or keeping. The asset room reads the tables, calls
`checks.gates.evaluate` and keeps the verdict; a check touches no file. No `from __future__ import annotations` trap
here: functions that Dagster inspects are written in the asset room.
"""

from __future__ import annotations

from datetime import date
from typing import Final

import dagster as dg

from checks.gates import tables_of
from warehouse.catalog_model import GateSpec
from warehouse.plain_text import plain
from warehouse.verdicts import GateResult

STANDS: Final = frozenset({"pass", "waived", "not_applicable"})
"""Verdicts that are not red in Dagster; whether they suffice for publication is decided by publication itself (B04)."""


def check_name(gate_id: str) -> str:
    """A gate's id as Dagster can hold it."""
    return gate_id.replace("-", "_").replace(".", "_")


def check_description(gate: GateSpec) -> str:
    """What a gate asks for, in a sentence or two."""
    limit = "" if gate.threshold is None else f" Limit: {gate.threshold}."
    need = "Required for publication." if gate.required else "Not required for publication."
    return f"Gate {gate.id} of {gate.product}.{limit} {need}"


def further_tables(gate: GateSpec) -> list[dg.AssetKey]:
    """The assets a gate reads beside the one its check stands on: they must be there before it is judged."""
    return [dg.AssetKey(name) for name in tables_of(gate) if name != gate.table]


def asset_check_result(gate: GateSpec, result: GateResult, as_of: date) -> dg.AssetCheckResult:
    """A verdict as Dagster shows it: small, strict, every name shown literally (B11, B13).

    A warning gate that fails is WARN and stops nothing; any other that does not stand is ERROR, so that with
    `blocking=True` nothing downstream of its table runs (B01).
    """
    return dg.AssetCheckResult(
        asset_key=dg.AssetKey(gate.table),
        check_name=check_name(gate.id),
        passed=result.verdict in STANDS,
        severity=dg.AssetCheckSeverity.ERROR if gate.severity == "blocking" else dg.AssetCheckSeverity.WARN,
        description=plain(f"{headline(gate, result)}{result.detail}"),
        metadata={
            "as_of": as_of.isoformat(),
            "verdict": result.verdict,
            "figure": "none" if result.figure is None else result.figure,
            "threshold": "none" if result.threshold is None else result.threshold,
            "evaluated": result.evaluated,
            "failed": result.failed,
            "required": gate.required,
        },
    )


def headline(gate: GateSpec, result: GateResult) -> str:
    """A failed gate on shares as an auditor would say it: `rows lost 31% > 20% allowed: swebench 322 -> 222. `.

    Empty for any other verdict or gate: their detail says it all. The detail keeps the exact fraction.
    """
    examples = (result.validation or {}).get("examples")
    worst = examples[0] if isinstance(examples, list) and examples else None
    if result.verdict != "fail" or not isinstance(worst, dict) or not {"name", "part", "whole", "limit"} <= set(worst):
        return ""
    part, whole, limit = (float(str(worst[key])) for key in ("part", "whole", "limit"))
    share, allowed = percents(part / whole if whole else 0.0, limit)
    note = f" {worst['note']}" if worst.get("note") else ""
    return f"{gate.id.replace('-', ' ')} {share} > {allowed} allowed: {worst['name']}{note}. "


def percents(share: float, limit: float) -> tuple[str, str]:
    """Two shares in percent, with as many digits as it takes to tell them apart (C15)."""
    shown = (f"{share:.0%}", f"{limit:.0%}")
    for digits in range(1, 7):
        if shown[0] != shown[1]:
            break
        shown = (f"{share:.{digits}%}", f"{limit:.{digits}%}")
    return shown
