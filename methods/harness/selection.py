"""Leave one model out: which harness each rule would choose on the others, and what that costs (METHODS 11).

Belongs here: choosing by win rate on S, on V, by fit on S, on J, everything computed again on the models kept; and the
regret on the one left out. Does not belong here: the figures themselves (`fit`, `wins`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from methods.harness.crossed import Crossed
from methods.harness.exact import mean
from methods.harness.fit import point_fit
from methods.harness.wins import mean_over_within, records
from warehouse.harness_words import SELECTION_RULES, Measure, SelectionRule


@dataclass(frozen=True, slots=True)
class Choice:
    """What a rule chose on the models kept, and how that did on the one left out.

    Attributes:
        left_out: the model left out.
        rule: how the harness was chosen.
        chosen: the harness; of several that tie the first by name, `tied` naming all of them.
        tied: every harness that the rule puts first.
        joint: J of the chosen on the model left out, the mean over benchmarks.
        best: the harness with the highest J there, the first by name of several.
        regret: its J minus that of the chosen (Choice).
    """

    left_out: str
    rule: SelectionRule
    chosen: str
    tied: tuple[str, ...]
    joint: Fraction
    best: str
    regret: Fraction


def choices(figures: Crossed) -> list[Choice]:
    """Every model left out once, under every rule; empty where J is not tracked, or a model alone is there."""
    joint = figures.exact.get("joint")
    if joint is None or len(figures.crossing.models) < 2:
        return []
    found = []
    for place, model in enumerate(figures.crossing.models):
        kept = figures.without_model(model)
        own = [mean(block[place][h] for block in joint) for h in range(len(figures.crossing.harnesses))]
        for rule in SELECTION_RULES:
            found.append(_choice(figures.crossing.harnesses, model, rule, _RULES[rule](kept), own))  # noqa: PERF401
    return found


def _choice(
    harnesses: Sequence[str], model: str, rule: SelectionRule, values: Sequence[Fraction | float],
    own: Sequence[Fraction],
) -> Choice:  # fmt: skip
    top = max(values)
    tied = [place for place, value in enumerate(values) if value == top]
    best = own.index(max(own))
    chosen = tied[0]
    names = tuple(harnesses[place] for place in tied)
    return Choice(model, rule, harnesses[chosen], names, own[chosen], harnesses[best], own[best] - own[chosen])


def _by_wins(measure: Measure) -> Callable[[Crossed], list[Fraction | float]]:
    def values(figures: Crossed) -> list[Fraction | float]:
        found = records(figures, measure)
        rates = [mean_over_within(found, harness) for harness in figures.crossing.harnesses]
        return [Fraction(0) if rate is None else rate for rate in rates]

    return values


def _by_fit(measure: Measure) -> Callable[[Crossed], list[Fraction | float]]:
    def values(figures: Crossed) -> list[Fraction | float]:
        found = point_fit(figures, measure)
        assert found is not None
        # Geometric means are compared by their products, which are exact; a tie stays a tie.
        products: list[Fraction | float] = []
        for column in zip(*found.by_pair, strict=True):
            product = Fraction(1)
            for value in column:
                product *= value
            products.append(product)
        return products

    return values


_RULES: Final[dict[SelectionRule, Callable[[Crossed], list[Fraction | float]]]] = {
    "win_score": _by_wins("score"),
    "win_clean": _by_wins("clean"),
    "fit_score": _by_fit("score"),
    "fit_joint": _by_fit("joint"),
}
