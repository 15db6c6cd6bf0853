"""The gate on models that a leaderboard no longer lists: replaced rows lose none, and are other rows all the same."""

from __future__ import annotations

from checks.gate_inputs import Finding, GateInputs, limit_of
from checks.named.editions import beside_replaced, replaced_boards
from checks.named.shares import Share, judge_shares
from checks.plain_json import short
from methods.lineage.stated_fields import stated_models
from warehouse.catalog_model import GateSpec


def board_models_gone(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of the model names of a leaderboard's former rows that none of its rows states now."""
    now = {board: set(models) for board, models in stated_models(inputs.frame("core__result")).items()}
    replaced = replaced_boards(inputs)
    shares = []
    for board, models in sorted(inputs.baseline_figures().names.items()):
        if board not in inputs.catalog.source_by_id or board not in now or not models or board in replaced:
            continue
        gone = [model for model in models if model not in now[board]]
        named = ", ".join(short(model, 24) for model in gone[:3])
        limit = limit_of(gate, inputs.catalog, board, "max_gone")
        shares.append(Share(board, len(gone), len(models), limit, named))
    if not shares and not replaced:
        return Finding(
            "pass", None, len(now), 0, f"none of {len(now)} leaderboards was seen before: nothing to compare"
        )
    return beside_replaced(judge_shares(shares, "models that a leaderboard lists no more"), replaced)
