"""Gates on how many rows a leaderboard brings: against the former release, and against its own minimum (A48).

A leaderboard that was taken out of the catalog, or that was never received, is not lost here: the one is a decision,
the other is `broken-sources`. Nor is one that was replaced by another edition (`checks.named.editions`).
"""

from __future__ import annotations

from collections.abc import Mapping

from checks.gate_inputs import Finding, GateInputs, limit_of
from checks.named.editions import beside_replaced, replaced_boards
from checks.named.shares import Share, judge_shares
from methods.lineage.baseline import count_by
from warehouse.catalog_model import GateSpec


def rows_lost(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a leaderboard's results that the former release had more of; limit `max_drop` of the source."""
    now = count_by(inputs.frame("core__result"), "leaderboard")
    return _lost(gate, inputs, inputs.baseline_figures().rows, now, "rows lost")


def evidence_lost(gate: GateSpec, inputs: GateInputs) -> Finding:
    """As `rows_lost`, of the results that count for a score: a renamed metric loses no row and all of its evidence."""
    evidence = inputs.frame("core__evidence").select("entry_id").unique()
    counted = inputs.frame("core__result").join(evidence, on="entry_id", how="semi")
    now = count_by(counted, "leaderboard")
    return _lost(gate, inputs, inputs.baseline_figures().counted, now, "results that count, lost")


def _lost(gate: GateSpec, inputs: GateInputs, before: Mapping[str, int], now: Mapping[str, int], what: str) -> Finding:
    if not any(before.values()):
        rows = inputs.frame("core__result").height
        return Finding("pass", None, rows, 0, f"{what}: the former release had none to lose")
    sources, replaced = inputs.catalog.source_by_id, replaced_boards(inputs)
    kept = {
        board: count
        for board, count in before.items()
        if count and board not in replaced and (board in sources or _is_broken(inputs, board))
    }
    shares = [
        Share(
            board,
            part=max(0, count - now.get(board, 0)),
            whole=count,
            limit=limit_of(gate, inputs.catalog, board, "max_drop"),
            note=f"{count} -> {now.get(board, 0)}",
        )
        for board, count in sorted(kept.items())
    ]
    return beside_replaced(judge_shares(shares, what), replaced)


def _is_broken(inputs: GateInputs, board: str) -> bool:
    return board in inputs.catalog.broken_sources


def rows_minimum(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Every leaderboard that was received brings at least the `min_rows` results of its day (`former`)."""
    received = inputs.frame("raw__snapshot").filter(~inputs.frame("raw__snapshot")["sha256"].is_null())
    now = count_by(inputs.frame("core__result"), "leaderboard")
    short_of: list[str] = []
    checked = 0
    smallest: float | None = None
    for board, synced_at in received.sort("leaderboard").select("leaderboard", "synced_at").iter_rows():
        source = inputs.catalog.source_by_id.get(board)
        if source is None:
            continue
        least = source.min_rows if synced_at is None else source.at(synced_at.date()).min_rows
        checked += 1
        margin = float(now.get(board, 0) - least)
        smallest = margin if smallest is None else min(smallest, margin)
        if margin < 0:
            short_of.append(f"{board} {now.get(board, 0)} < {least}")
    detail = (
        f"results below the source's min_rows: {'; '.join(short_of[:5])} ({len(short_of)} of {checked} leaderboards)"
        if short_of
        else f"each of {checked} leaderboards has its min_rows; the closest has {smallest or 0:g} to spare"
    )
    return Finding("fail" if short_of else "pass", smallest, checked, len(short_of), detail, threshold=0.0)
