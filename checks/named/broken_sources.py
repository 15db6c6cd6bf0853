"""The gate on sources that brought nothing: a broken entry of sources.yaml, or a leaderboard never received.

Belongs here: what the tables say for good. How fresh a snapshot is depends on the clock and is
`raw__snapshot.status`, which no gate reads.
"""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs
from warehouse.catalog_model import GateSpec


def broken_sources(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Sources without any snapshot, none of which may be: the board goes on without them, and says so."""
    snapshots = inputs.frame("raw__snapshot")
    absent = sorted(snapshots.filter(pl.col("sha256").is_null())["leaderboard"])
    broken = sorted(set(inputs.catalog.broken_sources))
    missing = sorted({source.id for source in inputs.catalog.sources} - set(snapshots["leaderboard"]) - set(broken))
    named = sorted({*absent, *broken, *missing})
    evaluated = len({*snapshots["leaderboard"], *broken, *missing})
    parts = [
        f"{label}: {', '.join(ids[:5])}{' and more' if len(ids) > 5 else ''}"
        for label, ids in (("broken entry", broken), ("never received", absent), ("not in this run", missing))
        if ids
    ]
    detail = (
        f"{len(named)}/{evaluated} sources bring nothing: {'; '.join(parts)}"
        if named
        else (f"each of {evaluated} sources has a snapshot")
    )
    examples = tuple({"source": source} for source in named[:20])
    return Finding("fail" if named else "pass", float(len(named)), evaluated, len(named), detail, examples, 0.0)
