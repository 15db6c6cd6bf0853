"""A frozen threshold on items it was not chosen on: accuracy, what it keeps, what it costs, against what (METHODS 10).

Belongs here: the figures of one policy on one held-out set. Does not belong here: the choice of the threshold
(`fitting`), whether two sets share an item (`separation`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from methods.judging.comparison import UNKNOWN, Comparison, Costs
from methods.judging.orders import WHOLE, Flags
from methods.judging.rules import items_to_decide, lower_bound, point_holds
from methods.judging.thresholds import Counts
from methods.statistics.fixed_point import SCALE
from warehouse.judge_words import CascadeVerdict
from warehouse.methodology import Judging


@dataclass(frozen=True, slots=True)
class CostFigures:
    """What a cascade costs beside the fallback alone; None where it cannot be known.

    Attributes:
        n: items whose usage is recorded on both sides.
        cascade, fallback: cost per 1,000 of these items, as used.
        ratio: cascade over fallback, as used.
        conservative: the same over all items, missing usage of the cascade charged at its reserve, missing usage of
            the fallback alone at its mean, so that no missing record makes the cascade look cheap.
    """

    n: int
    cascade: float | None
    fallback: float | None
    ratio: float | None
    conservative: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A policy on held-out items. Accuracies are fractions, a tie counts half.

    Attributes:
        n, left_out: items compared; items put to the judge that could not be.
        accepted: items that the judge decides.
        judge, fallback, cascade: accuracy of each alone, and of the cascade.
        retained: cascade over fallback; None where the fallback was never right.
        loss: fallback minus cascade.
        bound: one-sided lower bound of cascade minus fallback.
        random: accuracy of sending on as many items at random, on average.
        optimal: accuracy of sending on as many, those that gain most by their labels.
        gain_captured: (cascade - random)/(optimal - random); None where the two are equal.
        auroc: of q for correctness on these items; None where undefined.
        costs: what it costs.
        verdict: fail where the loss exceeds the tolerance, pass where one is sure that it does not, else inconclusive.
        items_to_decide: how many items like these would be enough to be sure; None where sure, or where none would.
    """

    n: int
    left_out: int
    accepted: int
    judge: float | None
    fallback: float | None
    cascade: float | None
    retained: float | None
    loss: float | None
    bound: float | None
    random: float | None
    optimal: float | None
    gain_captured: float | None
    auroc: float | None
    costs: CostFigures
    verdict: CascadeVerdict
    items_to_decide: int | None

    @property
    def acceptance(self) -> float | None:
        """Share of items that the judge decides."""
        return self.accepted / self.n if self.n else None


def evaluate(comparison: Comparison, tau: int | None, judging: Judging) -> Evaluation:
    """Every figure of a policy on a held-out set.

    Args:
        comparison: the held-out set.
        tau: the frozen threshold, half-billionths; None escalates everything.
        judging: tolerance and level.
    """
    n = comparison.n
    taken: Flags = comparison.q >= (WHOLE + 1 if tau is None else tau)
    if not n:
        nothing = CostFigures(0, None, None, None, None)
        none = (None,) * 10
        return Evaluation(0, comparison.left_out, 0, *none, nothing, "inconclusive", None)
    judge, fallback = int(comparison.judge.sum()), int(comparison.fallback.sum())
    difference = (comparison.judge - comparison.fallback).astype(np.int64)
    gains = difference[taken]
    counts = _counts(gains)
    escalated = n - gains.size
    cascade = fallback + int(gains.sum())
    optimal = judge + int(np.sort(-difference)[::-1][:escalated].sum())
    at_random = (n - escalated) * judge + escalated * fallback
    verdict, needed = judged(counts, n, judging)
    return Evaluation(
        n=n,
        left_out=comparison.left_out,
        accepted=gains.size,
        judge=judge / (2 * n),
        fallback=fallback / (2 * n),
        cascade=cascade / (2 * n),
        retained=cascade / fallback if fallback else None,
        loss=(fallback - cascade) / (2 * n),
        bound=float(lower_bound(counts, n, judging)[0]),
        random=at_random / (2 * n * n),
        optimal=optimal / (2 * n),
        gain_captured=gain_captured(cascade * n, at_random, optimal * n),
        auroc=comparison.auroc(),
        costs=cost_figures(comparison, None if tau is None else ~taken),
        verdict=verdict,
        items_to_decide=needed,
    )


def gain_captured(cascade: float, random: float, optimal: float) -> float | None:
    """(cascade - random)/(optimal - random): the part of what choosing by labels would gain; None where that is 0.

    The source's example: 91.3, 88.1 and 94.4 give 0.51.

    Args:
        cascade, random, optimal: accuracies at one rate of escalation, in any one unit.
    """
    return (cascade - random) / (optimal - random) if optimal != random else None


def judged(counts: Counts, n: int, judging: Judging) -> tuple[CascadeVerdict, int | None]:
    """The verdict on a held-out loss, and how many items would decide an inconclusive one.

    Args:
        counts: at the frozen threshold, as arrays of one element.
        n: held-out items.
        judging: tolerance and level.
    """
    if not n:
        return "inconclusive", None
    if not point_holds(counts.gain, n, judging)[0]:
        return "fail", None
    if counts.accepted[0] == 0 or lower_bound(counts, n, judging)[0] >= -judging.tolerance:
        return "pass", None
    return "inconclusive", items_to_decide(counts, n, judging)


def cost_figures(comparison: Comparison, escalated: Flags | None) -> CostFigures:
    """What the cascade costs, as used and conservatively: the judge on every item, the fallback on those sent on.

    Args:
        comparison: the items.
        escalated: (n) which are sent on; None for a closed cascade, whose judge need not be asked at all.
    """
    judge, fallback = comparison.judge_costs, comparison.fallback_costs
    if escalated is None:
        nothing = np.zeros(comparison.n, dtype=np.int64)
        free = Costs(nothing, nothing)
        return cost_figures(replace(comparison, judge_costs=free), np.ones(comparison.n, dtype=np.bool_))
    known = (judge.recorded != UNKNOWN) & (fallback.recorded != UNKNOWN)
    n = int(known.sum())
    used = int(judge.recorded[known].sum()) + int(fallback.recorded[known & escalated].sum())
    alone = int(fallback.recorded[known].sum())
    per_thousand = 1000 / (n * SCALE) if n else None
    return CostFigures(
        n=n,
        cascade=None if per_thousand is None else used * per_thousand,
        fallback=None if per_thousand is None else alone * per_thousand,
        ratio=used / alone if alone else None,
        conservative=_conservative(comparison, escalated),
    )


def _conservative(comparison: Comparison, escalated: Flags) -> float | None:
    judge, fallback = comparison.judge_costs.reserved, comparison.fallback_costs.reserved[escalated]
    recorded = comparison.fallback_costs.recorded
    known = recorded[recorded != UNKNOWN]
    alone = int(known.sum())
    if not alone or (judge == UNKNOWN).any() or (fallback == UNKNOWN).any():
        return None
    charged = int(judge.sum()) + int(fallback.sum())
    return charged * int(known.size) / (alone * comparison.n)


def _counts(gains: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Counts:
    """The counts of one threshold, from the differences of the accepted."""
    return Counts(
        *(
            np.array([int(figure)], dtype=np.int64)
            for figure in (gains.size, gains.sum(), (gains * gains).sum(), (gains != 0).sum(), (gains < 0).sum())
        )
    )
