"""Variances, slopes and noise of the linked model, by maximum marginal likelihood (METHODS 7b).

Expectation and maximization: every update is a ratio of sums of posterior moments, so that only sums, products and
square roots occur, in a fixed order. Two updates and one step along their trend make a cycle (squared extrapolation);
a cycle ends with an update, so that what is published is never an extrapolation. Belongs here: the updates and their
end. Does not belong here: the posterior (`posterior`).

The effects of model, category and dimension have variance 1 together (averaged over categories): with slopes the scale
of the ability is free, and this keeps 15 score points for one standard deviation of the models of the run. What a
category or a metric has of its own is drawn to the whole by a stated number of observations (`LinkedModel`), which is a
penalty on the likelihood; without it a metric of three models would fit itself exactly.

The search takes the models for a random sample of one population. They are none: strong ones stand on hard boards. A
prior as narrow as that population would draw a cohort that few results link to the others toward the mean of all, and
so close the gaps between cohorts that the links show. Hence the published posterior is taken under a prior of the
model's own effect that is `prior_width` times as wide (`Hyperparameters.prior`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from methods.linked import posterior as exact
from methods.linked.cells import CATEGORY, DIMENSION, FAMILY, LEVELS, MODEL, Cells, Floats, Integers, summed
from methods.linked.posterior import Posterior, Settings
from warehouse.linked_rules import LinkedModel, LinkedVariant
from warehouse.vocabulary import CATEGORIES, TIERS

_CATEGORIES: Final = len(CATEGORIES)
_DIMENSIONS: Final = 4
_OFFICIAL: Final = TIERS.index("official")


@dataclass(frozen=True)
class Hyperparameters:
    """What the likelihood chose.

    Attributes:
        effect: (levels, categories) variance of the effects; the model's own is the same in every category.
        slope: (metrics,) lambda.
        noise: (metrics,) variance of eps at q = 1 in the official tier.
        tier: (tiers,) factor of the noise, 1 for official.
        width: the prior of a model's own effect has so many times its variance (`prior`).
        updates: number of updates made. change: largest relative change in the last. has_settled: whether it is below
            the tolerance; where not, the limit of cycles ended the search.
    """

    effect: Floats
    slope: Floats
    noise: Floats
    tier: Floats
    width: float = 1.0
    updates: int = 0
    change: float = 0.0
    has_settled: bool = False

    @property
    def prior(self) -> Floats:
        """(levels, categories) variances that the posterior is taken under."""
        found = self.effect.copy()
        found[MODEL] = self.width * found[MODEL]
        return found

    def vector(self) -> Floats:
        """All of it as one vector."""
        return np.concatenate([self.effect.ravel(), self.slope, self.noise, self.tier])

    def moved_to(self, vector: Floats) -> Hyperparameters:
        """The same shape with other values."""
        effect, metrics = self.effect.size, len(self.slope)
        return replace(
            self,
            effect=vector[:effect].reshape(self.effect.shape),
            slope=vector[effect : effect + metrics],
            noise=vector[effect + metrics : effect + 2 * metrics],
            tier=vector[effect + 2 * metrics :],
        )


@dataclass(frozen=True)
class _Board:
    """What stays the same in every update."""

    cells: Cells
    rules: LinkedModel
    variant: LinkedVariant
    category: Integers
    observations: Floats
    unit: Floats


def settings_of(cells: Cells, found: Hyperparameters, rules: LinkedModel) -> Settings:
    """The posterior's settings under some hyperparameters."""
    prior = found.prior
    effect = [
        prior[depth][level.category] if depth else np.full(level.nodes, prior[MODEL, 0])
        for depth, level in enumerate(cells.levels)
    ]
    noise = found.noise[cells.metric] * found.tier[cells.tier] / cells.quality
    return Settings(tuple(effect), found.slope, noise, rules.cohort_variance)


def maximize(cells: Cells, rules: LinkedModel, variant: LinkedVariant, unit: Floats | None = None) -> Hyperparameters:
    """The hyperparameters of largest marginal likelihood, under the stated penalties.

    Args:
        cells: observations of the run.
        rules: constants. variant: which parts the model has.
        unit: (metrics,) in which slopes and noise are drawn to those of all (`units`); 1 where not given.
    """
    category = np.zeros(cells.metrics, dtype=np.int64)
    category[cells.metric] = cells.place // _DIMENSIONS
    counts = np.bincount(cells.metric, minlength=cells.metrics).astype(np.float64)
    board = _Board(cells, rules, variant, category, counts, np.ones(cells.metrics) if unit is None else unit)
    now = _start(board)
    for cycle in range(1, rules.cycles + 1):
        first = _update(board, now)
        second = _update(board, first)
        change = _change(first.vector(), second.vector(), rules.resolution)
        if change < rules.tolerance or cycle == rules.cycles:
            return replace(
                second,
                width=rules.prior_width if variant.wide else 1.0,
                updates=3 * cycle - 1,
                change=change,
                has_settled=change < rules.tolerance,
            )
        now = _update(board, second.moved_to(_extrapolated(now, first, second, rules)))
    return now


def _start(board: _Board) -> Hyperparameters:
    start = board.rules.start
    used = (True, board.variant.category, True, board.variant.family)
    effect = np.array([start.model, start.category, start.dimension, start.family])
    return Hyperparameters(
        effect=np.repeat(np.where(used, effect, 0.0)[:, None], _CATEGORIES, axis=1),
        slope=board.unit.copy(),
        noise=start.noise * board.unit * board.unit,
        tier=np.ones(len(TIERS)),
    )


def _change(former: Floats, latter: Floats, resolution: float) -> float:
    return float(np.max(np.abs(latter - former) / np.maximum(latter, resolution)))


def _extrapolated(now: Hyperparameters, first: Hyperparameters, second: Hyperparameters, rules: LinkedModel) -> Floats:
    v0, v1, v2 = now.vector(), first.vector(), second.vector()
    scale = np.maximum(v2, rules.resolution)
    step, bend = (v1 - v0) / scale, ((v2 - v1) - (v1 - v0)) / scale
    length, curve = float(np.sum(step * step)), float(np.sum(bend * bend))
    reach = float(np.sqrt(length / curve)) if curve > 0.0 else 1.0
    reach = min(max(reach, 1.0), rules.longest_step)
    moved = v0 + (2.0 * reach) * (v1 - v0) + (reach * reach) * ((v2 - v1) - (v1 - v0))
    # an extrapolation may leave the positive numbers: it goes a bounded way at most
    return np.minimum(np.maximum(moved, v2 / rules.longest_step), v2 * rules.longest_step)


@dataclass(frozen=True)
class _Moments:
    """Per cell: residual before the ability, moments of the ability, and what the offsets add."""

    residual: Floats
    ability: Floats
    spread: Floats
    image: Floats
    offset: Floats


def _update(board: _Board, now: Hyperparameters) -> Hyperparameters:
    cells = board.cells
    settings = settings_of(cells, now, board.rules)
    posterior = exact.fit(cells, settings)
    leaf = cells.levels[-1].of_cell
    seen = _Moments(
        residual=cells.z - posterior.cohort_mean[cells.metric],
        ability=posterior.mean[-1][leaf],
        spread=posterior.variance(LEVELS - 1)[leaf],
        image=posterior.image[-1],
        offset=posterior.cohort_covariance[cells.metric, cells.metric],
    )
    effect = _effects(board, posterior)
    slope = _slopes(board, now, settings.noise, seen) if board.variant.slopes else now.slope
    own = slope[cells.metric]
    error = seen.residual - own * seen.ability
    squares = error * error + seen.offset + own * own * seen.spread - 2.0 * own * seen.image
    noise = _noise(board, now, squares)
    tier = _tiers(board, noise, squares)
    if board.variant.slopes:
        total = effect[MODEL, 0] + float(np.sum(effect[CATEGORY] + effect[DIMENSION])) / _CATEGORIES
        effect, slope = effect / total, slope * float(np.sqrt(total))
    return replace(now, effect=effect, slope=slope, noise=noise, tier=tier)


def _effects(board: _Board, posterior: Posterior) -> Floats:
    """Mean square of the effects of each level; by category, drawn to all categories together."""
    found = np.zeros((LEVELS, _CATEGORIES))
    for depth, level in enumerate(board.cells.levels):
        kappa, q = posterior.kappa[depth], posterior.coefficient[depth]
        spread = kappa + kappa * kappa * level.sum_cells(q * posterior.crossed[depth])
        mean = posterior.mean[depth]
        if depth:
            above, rest = level.parent, 1.0 - posterior.share[depth]
            mean = mean - posterior.mean[depth - 1][above]
            spread = (
                spread
                + rest * rest * posterior.variance(depth - 1)[above]
                - 2.0 * kappa * rest * level.sum_cells(q * posterior.image[depth - 1])
            )
        squares = mean * mean + spread
        if depth == MODEL:
            found[depth] = float(np.sum(squares)) / level.nodes
            continue
        if (depth == CATEGORY and not board.variant.category) or (depth == FAMILY and not board.variant.family):
            continue
        pooled = float(np.sum(squares)) / level.nodes
        if not board.variant.by_category:
            found[depth] = pooled
            continue
        drawn = board.rules.category_observations
        count = np.bincount(level.category, minlength=_CATEGORIES)
        found[depth] = (summed(level.category, squares, _CATEGORIES) + drawn * pooled) / (count + drawn)
    return found


def _slopes(board: _Board, now: Hyperparameters, noise: Floats, seen: _Moments) -> Floats:
    """Least squares of z on the ability, moments included, drawn to the mean slope."""
    cells, rules = board.cells, board.rules
    centre = board.unit * (float(np.sum(now.slope / board.unit)) / cells.metrics)
    drawn = 1.0 / (rules.slope_spread * centre) ** 2
    along = summed(cells.metric, (seen.residual * seen.ability + seen.image) / noise, cells.metrics)
    against = summed(cells.metric, (seen.ability * seen.ability + seen.spread) / noise, cells.metrics)
    return np.maximum((along + drawn * centre) / (against + drawn), rules.least_slope * centre)


def _noise(board: _Board, now: Hyperparameters, squares: Floats) -> Floats:
    """Mean square of eps by metric, drawn to its category's (harmonic) mean; one for all where the variant says so."""
    cells = board.cells
    each = squares * cells.quality / now.tier[cells.tier]
    if not board.variant.noise_by_metric:
        return np.full(cells.metrics, float(np.sum(each)) / cells.count)
    metrics = np.bincount(board.category, minlength=_CATEGORIES)
    square = board.unit * board.unit
    inverse = summed(board.category, square / now.noise, _CATEGORIES)
    centre = square * (metrics / np.where(inverse > 0.0, inverse, 1.0))[board.category]
    drawn = board.rules.noise_observations
    sums = summed(cells.metric, each, cells.metrics)
    return (drawn * centre + sums) / (drawn + board.observations)


def _tiers(board: _Board, noise: Floats, squares: Floats) -> Floats:
    """Mean square of eps over the noise of its metric, by tier, drawn to 1; official is the measure."""
    cells, drawn = board.cells, board.rules.tier_observations
    each = squares * cells.quality / noise[cells.metric]
    count = np.bincount(cells.tier, minlength=len(TIERS))
    found: Floats = (summed(cells.tier, each, len(TIERS)) + drawn) / (count + drawn)
    found[_OFFICIAL] = 1.0
    return found
