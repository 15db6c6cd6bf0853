"""The gate on models that had a score and have none any more, category by category."""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from checks.named.shares import Share, judge_shares
from checks.plain_json import short
from warehouse.catalog_model import GateSpec


def models_disappeared(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a category's formerly scored models that are no longer scored, against the threshold."""
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
    shares = []
    for category, models in sorted(before.items()):
        gone = [model for model in models if model not in now.get(category, set())]
        named = ", ".join(short(model, 40) for model in gone[:3])
        shares.append(Share(category, len(gone), len(models), limit, named))
    return judge_shares(shares, "scored models that disappeared")
