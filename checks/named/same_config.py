"""Gate same-config: efforts published as a contrast whose runs wrote as good as the same tokens (A61)."""

from __future__ import annotations

from checks.gate_inputs import Finding, GateInputs, threshold_of
from methods.catalog.same_config import compared_efforts
from warehouse.canonical import Json
from warehouse.catalog_model import GateSpec


def same_config(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Pairs of rows of one model whose stated efforts differ and whose token counts differ by no more than the limit.

    The figure is the smallest difference, as a share of the larger count; none where no source states the tokens of
    two efforts.
    """
    limit = threshold_of(gate)
    results = inputs.frame("core__result")
    compared = sorted(compared_efforts(results), key=lambda pair: pair.difference)
    if not compared:
        said = f"none of {results.height:,} results states the tokens of one model at two efforts"
        return Finding("pass", None, results.height, 0, said)
    bad = [pair for pair in compared if pair.difference <= limit]
    told = [
        f"{pair.leaderboard}: {pair.model_a} ({pair.effort_a}) {pair.tokens_a:,.0f} and {pair.model_b} "
        f"({pair.effort_b}) {pair.tokens_b:,.0f} tokens"
        for pair in bad[:3]
    ]
    detail = (
        f"same configuration suspected, no independent evidence: {len(bad)}/{len(compared)} pairs: {'; '.join(told)}"
        if bad
        else f"each of {len(compared)} pairs of efforts wrote other amounts of tokens"
    )
    examples: tuple[dict[str, Json], ...] = tuple(
        {"leaderboard": pair.leaderboard, "model_a": pair.model_a, "model_b": pair.model_b, "tokens_a": pair.tokens_a,
         "tokens_b": pair.tokens_b} for pair in bad
    )  # fmt: skip
    return Finding("fail" if bad else "pass", compared[0].difference, len(compared), len(bad), detail, examples)
