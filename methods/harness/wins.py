"""Win rates: how often a harness beats another with the same model on the same benchmark, ties half (METHODS 11).

Belongs here: wins, ties and losses on unrounded S, V or J, per model, pooled and pair by pair; and the same from the
model's side. Does not belong here: references outside the panel (`references`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from methods.harness.crossed import Crossed
from methods.harness.exact import mean
from warehouse.harness_words import ALL, SIDES, Measure, Side


@dataclass(frozen=True, slots=True)
class Record:
    """Wins, ties and losses of one side against others.

    Attributes:
        measure, side: what is compared, and whether harnesses or models are.
        one: whose record it is.
        within: the model (harness) under which it is compared; ALL pools them.
        opponent: against whom; ALL for all of them.
        wins, ties, losses: counts of comparisons.
    """

    measure: Measure
    side: Side
    one: str
    within: str
    opponent: str
    wins: int
    ties: int
    losses: int

    @property
    def comparisons(self) -> int:
        """How many there are."""
        return self.wins + self.ties + self.losses

    @property
    def rate(self) -> Fraction:
        """(W + T/2) / comparisons."""
        return Fraction(2 * self.wins + self.ties, 2 * self.comparisons)


def records(figures: Crossed, measure: Measure) -> list[Record]:
    """Every record of a measure, from both sides; empty where it is not tracked. Sides of one have no opponents."""
    if measure not in figures.exact:
        return []
    return [record for side in SIDES for record in _of_side(figures, measure, side)]


def mean_over_within(found: list[Record], one: str) -> Fraction | None:
    """The mean of one's rates within each model (harness); None for none."""
    rates = [r.rate for r in found if r.one == one and r.within != ALL and r.opponent == ALL]
    return mean(rates) if rates else None


def pooled(found: list[Record], one: str) -> Record | None:
    """One's record over everything."""
    return next((r for r in found if r.one == one and r.within == ALL and r.opponent == ALL), None)


def _of_side(figures: Crossed, measure: Measure, side: Side) -> Iterator[Record]:
    ones = figures.crossing.harnesses if side == "harness" else figures.crossing.models
    others = figures.crossing.models if side == "harness" else figures.crossing.harnesses
    if len(ones) < 2:
        return
    values = figures.exact[measure]
    turned = values if side == "harness" else [[list(row) for row in zip(*block, strict=True)] for block in values]
    for place, one in enumerate(ones):
        against = [number for number in range(len(ones)) if number != place]
        for within, name in enumerate(others):
            rows = [block[within] for block in turned]
            yield _record(measure, side, one, name, ALL, [(row[place], row[n]) for row in rows for n in against])
        rows = [row for block in turned for row in block]
        yield _record(measure, side, one, ALL, ALL, [(row[place], row[n]) for row in rows for n in against])
        for number in against:
            pairs = [(row[place], row[number]) for row in rows]
            yield _record(measure, side, one, ALL, ones[number], pairs)


def _record(
    measure: Measure, side: Side, one: str, within: str, opponent: str, pairs: list[tuple[Fraction, Fraction]]
) -> Record:
    wins = sum(own > other for own, other in pairs)
    ties = sum(own == other for own, other in pairs)
    return Record(measure, side, one, within, opponent, wins, ties, len(pairs) - wins - ties)
