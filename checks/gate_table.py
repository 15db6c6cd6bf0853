"""out__gate: the verdicts of a day as a table, one row for every gate of the catalog.

Belongs here: rows from verdicts. A gate without a verdict, as after a run that an earlier gate stopped, is shown
inconclusive and never left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import polars as pl

from warehouse.catalog_model import Catalog, GateSpec
from warehouse.tables import OUT_GATE
from warehouse.verdicts import StoredVerdict

NO_VERDICT = "no verdict was given: the gate was not run"


def gate_rows(catalog: Catalog, verdicts: Iterable[StoredVerdict], decided_at: datetime) -> pl.DataFrame:
    """`out__gate` from the verdicts that stand.

    Args:
        catalog: whose gates the table lists; a verdict of any other gate is left out.
        verdicts: at most one a gate.
        decided_at: the moment shown for gates that gave no verdict.

    Raises:
        ContractError: if two verdicts are of one gate.
    """
    given: dict[str, list[StoredVerdict]] = {}
    for verdict in verdicts:
        given.setdefault(verdict.gate, []).append(verdict)
    rows: list[dict[str, object]] = []
    for gate in catalog.gates:
        stored = given.get(gate.id)
        rows += [_row(verdict) for verdict in stored] if stored else [_absent(gate, decided_at)]
    return OUT_GATE.conform(pl.DataFrame(rows, schema=OUT_GATE.polars_schema()) if rows else OUT_GATE.empty())


def _row(verdict: StoredVerdict) -> dict[str, object]:
    result = verdict.result
    return {
        "gate": verdict.gate,
        "product": verdict.product,
        "table": verdict.table,
        "severity": verdict.severity,
        "verdict": result.verdict,
        "figure": result.figure,
        "threshold": result.threshold,
        "evaluated": result.evaluated,
        "failed": result.failed,
        "verdict_key": verdict.verdict_key,
        "decided_at": verdict.decided_at,
        "detail": result.detail,
    }


def _absent(gate: GateSpec, decided_at: datetime) -> dict[str, object]:
    return {
        "gate": gate.id,
        "product": gate.product,
        "table": gate.table,
        "severity": gate.severity,
        "verdict": "inconclusive",
        "figure": None,
        "threshold": gate.threshold,
        "evaluated": 0,
        "failed": 0,
        "verdict_key": "",
        "decided_at": decided_at,
        "detail": NO_VERDICT,
    }
