"""Gates on the linked board: it stands beside 3.0's row by row, its parts sum to it, its search ended (METHODS 7b)."""

from __future__ import annotations

import math

from checks.gate_inputs import Finding, GateInputs, threshold_of
from warehouse.catalog_model import GateSpec


def linked_beside(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Every row of 3.0's board has one of the linked board with the same status and counts, and no other does."""
    del gate
    columns = ("category", "model_id", "status", "observed_dimensions", "families", "overlap_dimensions", "reason_code")
    board = set(inputs.frame("out__category_score").select(columns).rows())
    linked = set(inputs.frame("out__linked_score").select(columns).rows())
    strange = sorted(board ^ linked, key=repr)
    told = "; ".join(f"{row[1]} in {row[0]}" for row in strange[:3])
    detail = f"{len(strange)} rows stand on one board alone or differ in status or counts: {told}"
    if not strange:
        detail = f"the same {len(board)} rows with the same status and counts stand on both boards"
    examples = tuple({"category": row[0], "model_id": row[1]} for row in strange[:20])
    return Finding("fail" if strange else "pass", float(len(strange)), len(board), len(strange), detail, examples)


def linked_parts_sum(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Largest distance between centre + sum of parts and the unclamped linked score, over all rows."""
    limit, scale = threshold_of(gate), inputs.catalog.methodology.category
    parts: dict[tuple[str, str], list[float]] = {}
    for category, model, part in inputs.frame("out__linked_part").select("category", "model_id", "contribution").rows():
        parts.setdefault((category, model), []).append(part)
    scores = inputs.frame("out__linked_score").select("category", "model_id", "mu").sort("category", "model_id").rows()
    bad, largest = [], 0.0
    for category, model, mu in scores:
        terms = parts.get((category, model))
        gap = math.inf if terms is None else abs(math.fsum([scale.center, *terms]) - (scale.center + scale.slope * mu))
        largest = max(largest, gap)
        if not gap <= limit:
            bad.append((category, model))
    if bad:
        told = "; ".join(f"{model} in {category}" for category, model in bad[:3])
        detail = f"parts do not sum to {len(bad)}/{len(scores)} linked scores within {limit!r}: {told}"
    else:
        detail = f"parts sum to each of {len(scores)} linked scores; largest miss {largest:.3g}, allowed {limit!r}"
    examples = tuple({"category": category, "model_id": model} for category, model in bad[:20])
    return Finding("fail" if bad else "pass", largest, len(scores), len(bad), detail, examples)


def linked_settled(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The search for the variances ended because nothing moved any more, not because its cycles were used up."""
    del gate
    rows = inputs.frame("out__linked_parameter").select("parameter", "estimate").rows()
    facts = {name: value for name, value in rows if name in {"updates", "last_change", "has_settled"}}
    if not facts:
        return Finding("not_applicable", None, 0, 0, "there is no linked board")
    settled = facts["has_settled"] == 1.0
    said = f"{facts['updates']:.0f} updates; the last moved a parameter by {facts['last_change']:.3g} of itself at most"
    more = "" if settled else "; more `cycles` in methodology.yaml would let it go on"
    return Finding("pass" if settled else "fail", facts["last_change"], 1, int(not settled), said + more)
