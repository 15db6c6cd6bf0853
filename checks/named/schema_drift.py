"""The gate on the shape of a source: fields that rows stated and state no more, and fields they never stated.

A required column that upstream renames stops the sync; an optional one leaves every row readable and a field empty.
"""

from __future__ import annotations

from collections.abc import Mapping

from checks.gate_inputs import Finding, GateInputs, limit_of
from checks.named.editions import beside_replaced, replaced_boards
from checks.named.shares import Share, judge_shares
from methods.lineage.baseline import count_by
from methods.lineage.stated_fields import stated_fields
from warehouse.catalog_model import GateSpec


def schema_drift(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The largest fall, over the fields of a leaderboard, of the share of its rows that state the field.

    What newly appears is told beside it, since a renamed column is one that goes and one that comes.
    """
    before, rows_before = inputs.baseline_figures().fields, inputs.baseline_figures().rows
    results = inputs.frame("core__result")
    now, rows_now = stated_fields(results), count_by(results, "leaderboard")
    replaced = replaced_boards(inputs)
    shares = []
    for board in sorted((before.keys() & now.keys() & inputs.catalog.source_by_id.keys()) - replaced.keys()):
        old = {name: count / rows_before[board] for name, count in before[board].items()}
        new = {name: count / rows_now[board] for name, count in now[board].items()}
        falls = sorted(((new.get(name, 0.0) - share, name) for name, share in old.items()))
        fallen = falls[0][1] if falls else None
        # Exact numerators: rows that would state the field at the former share, less those that do.
        was, has = (before[board][fallen], now[board].get(fallen, 0)) if fallen else (0, 0)
        part = max(0, was * rows_now[board] - has * rows_before[board])
        limit = limit_of(gate, inputs.catalog, board, "max_drift")
        shares.append(Share(board, part, rows_before[board] * rows_now[board], limit, _told(old, new, limit)))
    if not shares and not replaced:
        return Finding(
            "pass", None, len(now), 0, f"none of {len(now)} leaderboards was seen before: nothing to compare"
        )
    what = "fields that rows state no more (largest fall of a field's share, as a fraction)"
    return beside_replaced(judge_shares(shares, what), replaced)


def _told(old: Mapping[str, float], new: Mapping[str, float], limit: float) -> str:
    gone = sorted(name for name, share in old.items() if share - new.get(name, 0.0) > limit)
    come = sorted(name for name, share in new.items() if share - old.get(name, 0.0) > limit)
    parts = [f"{sign}{', '.join(names[:3])}" for sign, names in (("gone: ", gone), ("new: ", come)) if names]
    return "; ".join(parts)
