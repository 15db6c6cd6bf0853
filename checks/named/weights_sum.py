"""The gate on the exact explanation: contributions of a score sum to it (METHODS 7, "Exact explanation")."""

from __future__ import annotations

import math

from checks.gate_inputs import Finding, GateInputs, threshold_of
from warehouse.catalog_model import GateSpec


def weights_sum(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Largest distance between centre + Σ contributions and the unclamped score centre + slope · mu, over all scores.

    A score without weights fails whatever its mu. Sums are exact (fsum), so that the figure does not depend on order.
    """
    limit, scale = threshold_of(gate), inputs.catalog.methodology.category
    parts: dict[tuple[str, str], list[float]] = {}
    weights = inputs.frame("out__score_weight").select("category", "model_id", "contribution")
    for category, model, contribution in weights.iter_rows():
        parts.setdefault((category, model), []).append(contribution)
    scores = inputs.frame("out__category_score").select("category", "model_id", "mu").sort("category", "model_id")
    bad: list[tuple[str, str, float | None]] = []
    largest = 0.0
    for category, model, mu in scores.iter_rows():
        terms = parts.get((category, model))
        if terms is None:
            bad.append((category, model, None))
            continue
        gap = abs(math.fsum([scale.center, *terms]) - (scale.center + scale.slope * mu))
        largest = max(largest, gap)
        if not gap <= limit:
            bad.append((category, model, gap))
    if bad:
        told = "; ".join(
            f"{model} in {category} " + ("has no weights" if gap is None else f"misses by {gap:.3g}")
            for category, model, gap in bad[:3]
        )
        detail = f"contributions do not sum to {len(bad)}/{scores.height} scores within {limit!r}: {told}"
    else:
        detail = f"contributions sum to each of {scores.height} scores; largest miss {largest:.3g}, allowed {limit!r}"
    examples = tuple({"category": category, "model_id": model, "gap": gap} for category, model, gap in bad[:20])
    return Finding("fail" if bad else "pass", largest, scores.height, len(bad), detail, examples)
