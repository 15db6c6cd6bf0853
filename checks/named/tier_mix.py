"""The gate on the mix of evidence tiers: a board whose official rows give way to self-reported ones has changed."""

from __future__ import annotations

from fractions import Fraction

from checks.gate_inputs import Finding, GateInputs, threshold_of
from methods.lineage.baseline import count_by
from warehouse.catalog_model import GateSpec
from warehouse.vocabulary import TIERS


def source_tier_mix(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Half the sum of absolute changes of the tiers' shares: the share of evidence that changed its tier at least."""
    limit = threshold_of(gate)
    before, now = inputs.baseline_figures().tiers, count_by(inputs.frame("core__evidence"), "tier")
    old, new = sum(before.values()), sum(now.values())
    if not old or not new:
        return Finding("pass", None, 0, 0, f"evidence rows: {old} before, {new} now")
    moved = sum(
        (abs(Fraction(now.get(tier, 0), new) - Fraction(before.get(tier, 0), old)) for tier in TIERS), Fraction(0)
    )
    figure = float(moved / 2)
    told = ", ".join(f"{tier} {before.get(tier, 0)}/{old} -> {now.get(tier, 0)}/{new}" for tier in TIERS)
    relation = ">" if figure > limit else "<" if figure < limit else "="
    return Finding(
        "fail" if figure > limit else "pass",
        figure,
        new,
        1 if figure > limit else 0,
        f"mix of tiers moved by {moved / 2} {relation} {limit!r}: {told}",
    )
