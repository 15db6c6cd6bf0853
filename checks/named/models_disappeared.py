"""The gate on models that had a score and have none any more, category by category.

A model whose evidence stood on a board that was replaced by another edition went with that edition, and is counted
apart (`checks.named.editions`).
"""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from checks.named.editions import beside_replaced, replaced_boards
from checks.named.shares import Share, judge_shares
from checks.plain_json import short
from methods.lineage.baseline import boards_of_models
from warehouse.catalog_model import GateSpec


def models_disappeared(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a category's formerly scored models that are no longer scored, against the threshold.

    Those are left aside that had evidence of a board which is of another edition now, and have none of it any more.
    """
    limit = threshold_of(gate)
    scored = inputs.frame("out__category_score").filter(pl.col("score").is_not_null())
    now: dict[str, set[str]] = {}
    for category, model in scored.select("category", "model_id").iter_rows():
        now.setdefault(category, set()).add(model)
    before = {category: models for category, models in inputs.baseline_figures().models.items() if models}
    if not before:
        # Nothing can disappear where nothing was: the table was looked at all the same.
        return Finding(
            "pass", None, inputs.frame("out__category_score").height, 0, "the former release scored no model"
        )
    replaced = replaced_boards(inputs)
    boards_before = inputs.baseline_figures().boards
    boards_now = boards_of_models(inputs.frame("core__result"), inputs.frame("core__evidence")) if replaced else {}
    shares = []
    with_it = 0
    for category, models in sorted(before.items()):
        gone = []
        for model in models:
            if model in now.get(category, set()):
                continue
            lost = set(boards_before.get(category, {}).get(model, ())) - set(
                boards_now.get(category, {}).get(model, ())
            )
            if lost & replaced.keys():
                with_it += 1
            else:
                gone.append(model)
        named = ", ".join(short(model, 40) for model in gone[:3])
        shares.append(Share(category, len(gone), len(models), limit, named))
    what = "scored models that disappeared"
    if replaced:
        what = f"{with_it} scored models went with these; {what} otherwise"
    return beside_replaced(judge_shares(shares, what), replaced)
