"""Planning a release decision: tasks for an effect, effect for tasks, and power between (METHODS 12).

Belongs here: from assumptions, or a pilot's estimates, to the spread that `effects` reckons with. Does not belong here:
judging evidence.

Each of the two outcomes of a trial has variance p (1 - p) at its rate p. `pairing` is the correlation of two single
outcomes, one of each system, on the same task; `repeats` that of two trials of one system on the same task; `cluster`
that of the differences of two tasks of one cluster. With m trials the difference of a task has variance::

    sum over both systems of p (1 - p) (repeats + (1 - repeats) / m)  -  2 pairing sqrt(product of the two p (1 - p))

and clusters of s tasks multiply it by 1 + (s - 1) cluster. More trials shrink only the part within a task: ten trials
of one task are not ten tasks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from methods.decision.effects import Spread, detectable_effect, needed_tasks, power_at
from methods.decision.reduction import PairedTasks, mean_share
from methods.decision.trials import TrialValues
from methods.statistics.fixed_point import SCALE
from warehouse.decision_rules import DecisionRules
from warehouse.release_contract import LEAST_ALPHA, MOST_ALPHA


class PlanError(ValueError):
    """Assumptions that no two systems can meet: says which."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What planning rests on.

    Attributes:
        baseline_rate: success rate of the baseline, 0 to 1.
        expected_pp: true difference candidate minus baseline, points.
        pairing: correlation of the two systems' single outcomes on one task.
        trials: of each task and system.
        repeats: correlation of two trials of one task; not used for one trial.
        cluster_size: tasks of a cluster, on average; 1: none.
        cluster: correlation of differences within a cluster.
    """

    baseline_rate: float
    expected_pp: float
    pairing: float
    trials: int = 1
    repeats: float | None = None
    cluster_size: float = 1.0
    cluster: float = 0.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A number of tasks, the chance to pass with it, and the effect beyond the margin that it finds, in points."""

    tasks: int
    power: float
    detectable_pp: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What a number of tasks can show.

    Attributes:
        assumptions, margin_pp, alpha, power: what is planned for.
        needed: tasks that pass with that power; None where no planned number does.
        at: the number asked about, as a point of the curve; None where none was.
        curve: tasks against power.
        spread_pp: standard deviation of a task's difference, clusters allowed for.
    """

    assumptions: Assumptions
    margin_pp: float
    alpha: float
    power: float
    needed: int | None
    at: CurvePoint | None
    curve: tuple[CurvePoint, ...]
    spread_pp: float


def task_variance(given: Assumptions) -> float:
    """Variance of a task's difference, clusters allowed for.

    Raises:
        PlanError: for a rate or correlation that cannot be, or repeats left unstated where trials repeat.
    """
    first, second = given.baseline_rate, given.baseline_rate + given.expected_pp / 100
    if not (0 <= first <= 1 and 0 <= second <= 1):
        raise PlanError(f"rates {first:g} and {second:g}: both must lie between 0 and 1")
    if not (-1 <= given.pairing <= 1 and 0 <= given.cluster <= 1):
        raise PlanError("correlations lie between -1 and 1, within clusters between 0 and 1")
    if given.trials < 1 or not 1 <= given.cluster_size < math.inf:
        raise PlanError("a task has at least one trial, a cluster at least one task")
    if given.trials > 1 and given.repeats is None:
        raise PlanError("with several trials the correlation of repeats must be known: estimate it from a pilot")
    repeats = 1.0 if given.repeats is None else given.repeats
    if not max(given.pairing, 0) <= repeats <= 1:
        raise PlanError(f"repeats {repeats:g}: two trials of one system agree at least as much as two systems do")
    own = repeats + (1 - repeats) / given.trials
    one, other = first * (1 - first), second * (1 - second)
    variance = (one + other) * own - 2 * given.pairing * math.sqrt(one * other)
    # the difference itself needs discordant pairs: with one trial at least as many as it is large
    if given.trials == 1:
        shift = abs(given.expected_pp) / 100
        variance = max(variance, shift - shift * shift)
    return max(variance, 0.0) * (1 + (given.cluster_size - 1) * given.cluster)


def plan(
    given: Assumptions, margin_pp: float, alpha: float, rules: DecisionRules, *, is_binary: bool = True,
    tasks: int | None = None,
) -> Plan:  # fmt: skip
    """Tasks for the expected effect, power and detectable effect at `tasks`, and the curve.

    Args:
        margin_pp: what the lower bound must exceed.
        alpha: one-sided.
        is_binary: whether a trial is right or wrong: with one trial and no clusters pairs are tested exactly.
        tasks: the number at hand.

    Raises:
        PlanError: as `task_variance`; where the expected effect does not clear the margin; for an alpha or a number of
            tasks that cannot be.
    """
    if not LEAST_ALPHA <= alpha < MOST_ALPHA:
        raise PlanError(f"alpha {alpha:g}: a one-sided level is at least {LEAST_ALPHA:g} and below {MOST_ALPHA:g}")
    if tasks is not None and tasks < 1:
        raise PlanError(f"{tasks:,} tasks: give at least one")
    gap = (given.expected_pp - margin_pp) / 100
    if not 0 < gap < math.inf:
        raise PlanError(f"the expected difference {given.expected_pp:g} does not lie above the margin {margin_pp:g}")
    variance = task_variance(given)
    is_exact = is_binary and given.trials == 1 and given.cluster_size == 1
    reach = 0.0 if is_exact else 1 + given.expected_pp / 100
    per_unit = math.sqrt(variance / given.cluster_size)
    shape = Spread(per_unit, 1, given.cluster_size, reach, is_exact)
    needed = needed_tasks(shape, gap, alpha, rules)
    top = max(2 * (needed or rules.planned_tasks_limit), 2 * (tasks or 0))
    counts = sorted({max(2, round(top * step / rules.curve_points)) for step in range(1, rules.curve_points + 1)})
    curve = tuple(_point(shape, count, gap, alpha, rules) for count in counts)
    at = None if tasks is None else _point(shape, tasks, gap, alpha, rules)
    return Plan(given, margin_pp, alpha, rules.power, needed, at, curve, 100 * math.sqrt(variance))


def _point(shape: Spread, tasks: int, gap: float, alpha: float, rules: DecisionRules) -> CurvePoint:
    units = max(2, int(tasks / shape.tasks_per_unit))
    here = Spread(shape.per_unit, units, shape.tasks_per_unit, shape.reach, shape.is_exact)
    return CurvePoint(tasks, power_at(here, units, gap, alpha), 100 * detectable_effect(here, alpha, rules))


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a pilot says about the assumptions; None where it cannot be told from it.

    Attributes:
        tasks: paired.
        baseline_rate, difference_pp: as observed.
        pairing, repeats, cluster: correlations.
        trials, cluster_size: means.
    """

    tasks: int
    baseline_rate: float
    difference_pp: float
    pairing: float | None
    repeats: float | None
    cluster: float | None
    trials: float
    cluster_size: float


def pilot_estimates(pairs: PairedTasks, trials: TrialValues) -> Pilot:
    """The assumptions as a pilot's paired tasks estimate them: moments, no model.

    Args:
        pairs: at least two paired tasks.
        trials: theirs.

    Raises:
        PlanError: for fewer.
    """
    if pairs.size < 2:
        raise PlanError(f"{pairs.size} paired tasks are no pilot")
    old, new = (side.astype(np.float64) / SCALE for side in (pairs.baseline, pairs.candidate))
    rates = (float(np.mean(old)), float(np.mean(new)))
    single = [rate * (1 - rate) for rate in rates]
    spread = math.sqrt(single[0] * single[1])
    shared = float(np.mean((old - rates[0]) * (new - rates[1]))) * pairs.size / (pairs.size - 1)
    pairing = max(-1.0, min(1.0, shared / spread)) if spread > 0 else None
    units = pairs.cluster_count
    return Pilot(
        tasks=pairs.size,
        baseline_rate=mean_share(pairs.baseline, pairs.weights),
        difference_pp=100 * (rates[1] - rates[0]),
        pairing=pairing,
        repeats=_repeats(trials, single, pairing),
        cluster=_intraclass(new - old, pairs.clusters) if pairs.clusters is not None else None,
        trials=pairs.rows / (2 * pairs.size),
        cluster_size=pairs.size / units,
    )


def _repeats(trials: TrialValues, single: Sequence[float], pairing: float | None) -> float | None:
    """Share of a trial's variance that lies between tasks: one minus the part seen within them."""
    values = trials.values.astype(np.float64) / SCALE
    sums = np.add.reduceat(values, trials.starts)
    squares = np.add.reduceat(values * values, trials.starts)
    many = trials.counts > 1
    total = sum(single) / 2
    if not many.any() or total <= 0:
        return None
    counts = trials.counts[many]
    within = float(np.mean((squares[many] - sums[many] ** 2 / counts) / (counts - 1)))
    return max(0.0, pairing or 0.0, min(1.0, 1 - within / total))


def _intraclass(differences: np.ndarray, clusters: np.ndarray) -> float | None:
    """The one-way analysis of variance's correlation within clusters, 0 at least."""
    codes = np.unique(clusters, return_inverse=True)[1]
    sizes = np.bincount(codes)
    count, n = sizes.size, differences.size
    if count < 2 or n <= count:
        return None
    means = np.bincount(codes, weights=differences) / sizes
    between = float(np.sum(sizes * (means - differences.mean()) ** 2)) / (count - 1)
    within = float(np.sum((differences - means[codes]) ** 2)) / (n - count)
    typical = (n - float(np.sum(sizes.astype(np.float64) ** 2)) / n) / (count - 1)
    spread = between + (typical - 1) * within
    return max(0.0, (between - within) / spread) if spread > 0 else None
