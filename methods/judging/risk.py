"""How often each rule opens a cascade that truly loses more than the tolerance, by simulation (METHODS 10).

Belongs here: judges of known calibration, drawn again and again, and the rules that `fitting` uses, asked about each
draw. The draws are keyed (`methods.statistics.keyed_random`), so that everybody gets these figures.

A simulated judge holds its verdicts with a confidence from the grid, and is right as often as its calibration says; the
fallback is right as often as stated at each confidence, independently. So the true loss of every threshold is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from methods.judging.auroc import auroc
from methods.judging.orders import WHOLE
from methods.judging.rules import Floats, grid, keeps
from methods.judging.thresholds import Counts
from methods.statistics.fixed_point import Integers
from methods.statistics.keyed_random import WORD_STEP, mix, resample_keys
from warehouse.judge_words import Rule
from warehouse.methodology import Judging, Methodology

_WORD_BITS: Final = np.uint64(11)
_UNIT: Final = 2.0**-53
_DRAWS_OF_ITEM: Final = 3
"""Confidence, rightness of the judge, rightness of the fallback."""


@dataclass(frozen=True, slots=True)
class SimulatedJudge:
    """A judge of known calibration beside a fallback of known accuracy, over the thresholds of the grid.

    Attributes:
        name: for people.
        weights: (m) share of items at each confidence; they sum to 1.
        right: (m) chance that the judge is right there.
        fallback: (m) chance that the fallback is right there.
    """

    name: str
    weights: Floats
    right: Floats
    fallback: Floats

    def true_difference(self) -> Floats:
        """(m) accuracy of the cascade minus the fallback's at each threshold, over all items there could be."""
        gain = self.weights * (self.right - self.fallback)
        return np.cumsum(gain[::-1])[::-1]


@dataclass(frozen=True, slots=True)
class RuleRisk:
    """How a rule fared over many selection sets of one size.

    Attributes:
        rule, items, draws: which, how large the sets, how many.
        opened: share of draws in which a cascade opened.
        broke: share of draws in which it opened with a true loss beyond the tolerance.
        coverage: mean share of items it would accept, a closed cascade accepting none.
    """

    rule: Rule
    items: int
    draws: int
    opened: float
    broke: float
    coverage: float


def simulated_judges(judging: Judging) -> tuple[SimulatedJudge, ...]:
    """The judges that are simulated: one calibrated, one overconfident, one whose confidence says nothing.

    The first is right as often as it says, beside a fallback right in 78.5% of the least confident to 99.1% of the most
    confident items, as in the source. The second claims more than it keeps. Of the third every threshold loses alike.
    """
    confidence = grid(judging) / WHOLE
    place = (confidence - confidence[0]) / (confidence[-1] - confidence[0])
    fallback = 0.785 + (0.991 - 0.785) * place
    weights = 1 + 3 * place**2
    weights /= weights.sum()
    flat = np.full(place.size, 0.85)
    return (
        SimulatedJudge("calibrated", weights, confidence, fallback),
        SimulatedJudge("overconfident", weights, 0.5 + 0.8 * (confidence - 0.5), fallback),
        SimulatedJudge("AUROC one half", weights, flat, np.full(place.size, 0.9)),
    )


def rule_risk(judge: SimulatedJudge, rule: Rule, items: int, draws: int, methodology: Methodology) -> RuleRisk:
    """How often a rule opens a cascade, and how often one that loses more than the tolerance.

    Args:
        judge: whose calibration is known.
        rule: `bound` or `point`.
        items: size of each selection set.
        draws: selection sets drawn.
        methodology: seed, grid, tolerance, limits.
    """
    judging = methodology.judging
    levels, right, fallback = _draw(judge, items, draws, methodology.seed)
    counts = _counts(levels, right.astype(np.int64) - fallback.astype(np.int64), judge.weights.size)
    kept = keeps(rule, counts, items, judging)
    kept &= _ordered(levels, right, judging)[:, None]
    opened = kept.any(axis=1)
    best = np.argmax(np.where(kept, counts.accepted, -1), axis=1)
    truth = judge.true_difference()[best]
    coverage = np.cumsum(judge.weights[::-1])[::-1][best]
    broke = opened & (truth < -judging.tolerance)
    return RuleRisk(
        rule, items, draws, int(opened.sum()) / draws, int(broke.sum()) / draws,
        float(np.sum(np.where(opened, coverage, 0.0))) / draws,
    )  # fmt: skip


def _draw(judge: SimulatedJudge, items: int, draws: int, seed: int) -> tuple[Integers, np.ndarray, np.ndarray]:
    """(draws, items) place of the confidence, and whether judge and fallback are right."""
    keys = resample_keys(seed, 0, draws)
    with np.errstate(over="ignore"):
        words = mix(keys[:, None] + np.arange(1, _DRAWS_OF_ITEM * items + 1, dtype=np.uint64) * WORD_STEP)
    uniform = ((words >> _WORD_BITS) * _UNIT).reshape(draws, items, _DRAWS_OF_ITEM)
    edges = np.cumsum(judge.weights)[:-1]
    levels = np.searchsorted(edges, uniform[:, :, 0], side="right")
    return levels, uniform[:, :, 1] < judge.right[levels], uniform[:, :, 2] < judge.fallback[levels]


def _counts(levels: Integers, differences: Integers, size: int) -> Counts:
    """(draws, thresholds) what is accepted at each threshold of the grid."""
    draws = levels.shape[0]
    flat = (levels + size * np.arange(draws)[:, None]).ravel()
    better, worse = (np.bincount(flat[differences.ravel() == sign], minlength=draws * size) for sign in (1, -1))
    total = np.bincount(flat, minlength=draws * size)

    def above(of: Integers) -> Integers:
        return np.cumsum(of.reshape(draws, size)[:, ::-1], axis=1)[:, ::-1]

    return Counts(
        above(total), 2 * above(better - worse), 4 * above(better + worse), above(better + worse), above(worse)
    )


def _ordered(levels: Integers, right: np.ndarray, judging: Judging) -> np.ndarray:
    """(draws) whether the AUROC of each draw lets a cascade open."""
    found = [auroc(levels[place], right[place]) for place in range(levels.shape[0])]
    return np.array([one is not None and one >= judging.auroc_least for one in found])
