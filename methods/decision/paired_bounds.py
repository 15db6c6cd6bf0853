"""The difference of two systems on the same tasks, with bounds by the method its data call for (METHODS 12).

Belongs here: which method that is. Binary outcomes with one trial a task and system, no clusters and equal weights:
Tango's interval, the exact test at the threshold and exact McNemar. Everything else: the paired bootstrap over tasks or
clusters, two-stage where declared. Does not belong here: what follows for the contract (`objective_gates`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.decision.effects import Spread
from methods.decision.exact_pairs import exact_p
from methods.decision.mean_bounds import Bounds, Ends, mean_bounds
from methods.decision.reduction import PairedTasks, mean_share
from methods.decision.tango import tango_interval
from methods.decision.two_stage import Trials, two_stage_means
from methods.decision.units import make_units
from methods.statistics.sign_test import two_sided_p
from warehouse.decision_rules import DecisionRules, normal_quantile

ENDS_OF_DIFFERENCE = Ends(-1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Compared:
    """A paired difference, fractions of the outcome's range.

    Attributes:
        bounds: estimate and one-sided bounds.
        p_above: p of "at most the threshold": small where the difference lies above it. None: nothing to test.
        p_below: p of "at least the threshold", of the exact test only.
        mcnemar_p: exact two-sided p of McNemar's test of no difference, where the outcome is binary with one trial.
        wins, losses, ties: tasks where the candidate did better, worse, the same.
        spread: for what n can show.
        baseline, candidate: the level of each system.
    """

    bounds: Bounds
    p_above: float | None
    p_below: float | None
    mcnemar_p: float | None
    wins: int
    losses: int
    ties: int
    spread: Spread
    baseline: float
    candidate: float

    def is_above(self, threshold: float, alpha: float) -> bool:
        """Whether the difference is shown to lie above the threshold: the bound, and the exact test where it is run."""
        low = self.bounds.low
        return low is not None and low > threshold and (self.p_below is None or (self.p_above or 1.0) <= alpha)

    def is_below(self, threshold: float, alpha: float) -> bool:
        """Whether it is shown to lie below."""
        high = self.bounds.high
        return high is not None and high < threshold and (self.p_below is None or self.p_below <= alpha)


def compare(
    pairs: PairedTasks, threshold: float, alpha: float, *, is_binary: bool, trials: Trials | None, seed: int,
    rules: DecisionRules,
) -> Compared:  # fmt: skip
    """The difference candidate minus baseline of at least one pair.

    Args:
        pairs: the tasks.
        threshold: what tests refer to, as a fraction.
        alpha: one-sided.
        is_binary: whether the outcome of a trial is 0 or 1.
        trials: their trials, where trials are resampled too.
        seed, rules: of the methodology.
    """
    differences = pairs.differences
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    ties = pairs.size - wins - losses
    is_simple = pairs.clusters is None and pairs.weights is None and trials is None
    if is_binary and pairs.is_one_trial and is_simple:
        return _of_counts(wins, losses, pairs, threshold, alpha, rules)
    units = make_units(differences, pairs.clusters, pairs.weights)
    resampled = None if trials is None or pairs.size < 2 else two_stage_means(trials, seed, rules.resamples)
    bounds = mean_bounds(units, ENDS_OF_DIFFERENCE, alpha, threshold, seed=seed, rules=rules, resampled=resampled)
    per_unit = float(np.sqrt(units.squared_error * units.size))
    if trials is not None and resampled is not None:
        per_unit = float(np.std(resampled)) * float(np.sqrt(units.size))
    reach = bounds.estimate - ENDS_OF_DIFFERENCE.lowest if units.size <= rules.bounded_units_limit else 0.0
    spread = Spread(per_unit, units.size, pairs.size / units.size, reach)
    return Compared(bounds, bounds.p, None, None, wins, losses, ties, spread, *_levels(pairs))


def _levels(pairs: PairedTasks) -> tuple[float, float]:
    return mean_share(pairs.baseline, pairs.weights), mean_share(pairs.candidate, pairs.weights)


def _of_counts(
    wins: int, losses: int, pairs: PairedTasks, threshold: float, alpha: float, rules: DecisionRules
) -> Compared:
    n = pairs.size
    found = tango_interval(wins, losses, n, normal_quantile(1 - alpha))
    estimate = (wins - losses) / n
    above = below = None
    is_exact = n <= rules.exact_pairs_limit and -1 < threshold < 1
    if is_exact:
        # at a very strict alpha the risk added to p must leave room for p itself
        points, risk = rules.nuisance_points, min(rules.nuisance_risk, alpha * rules.nuisance_share)
        above = exact_p(wins, losses, n, threshold, points=points, risk=risk)
        below = exact_p(losses, wins, n, -threshold, points=points, risk=risk)
    # one more win or loss in two more pairs: a spread that nothing showed is not taken for none
    discordant = (wins + losses + 1) / (n + 2)
    spread = Spread(float(np.sqrt(max(discordant - estimate**2, 0.0))), n, is_exact=is_exact)
    bounds = Bounds(estimate, found.low, found.high, None, above, "tango_exact")
    ties = n - wins - losses
    return Compared(bounds, above, below, two_sided_p(wins, losses), wins, losses, ties, spread, *_levels(pairs))
