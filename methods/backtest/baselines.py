"""Baselines, fitted honestly on the same training: median, additive, rank-2 factors, 2-parameter logistic.

Each works on places on the metric's scale (robust SD of the logit, or of the rating), not clamped; ridges are chosen on
the inner split. Belongs here: their fits, as alternating least squares in a fixed order of arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.backtest.forecasts import Asked, Forecast
from methods.backtest.steady import logistic
from methods.backtest.training import Results, Training
from methods.linked.cells import Floats, Integers, summed
from warehouse.linked_rules import BacktestRules


@dataclass(frozen=True)
class Grid:
    """The training as numbers: model and metric of each row, and those of each asked cell (model -1: unknown)."""

    models: int
    metrics: int
    model: Integers
    metric: Integers
    z: Floats
    asked_model: Integers
    asked_metric: Integers

    @classmethod
    def of(cls, training: Training, asked: Asked, results: Results) -> Grid:
        """The grid of a training and what is asked of it."""
        names = sorted(set(training.evidence["model_id"]))
        number = {name: at for at, name in enumerate(names)}
        return cls(
            models=len(names),
            metrics=len(results.metric_ids),
            model=np.array([number[one] for one in training.evidence["model_id"]], dtype=np.int64),
            metric=results.metric[training.rows],
            z=training.z,
            asked_model=np.array([number.get(one, -1) for one in asked.frame["model_id"]], dtype=np.int64),
            asked_metric=asked.metric,
        )

    def at_asked(self, ability: Floats) -> Floats:
        """A model's number at each asked cell; 0 for a model without results."""
        return np.where(self.asked_model >= 0, ability[self.asked_model], 0.0)


def metric_median(grid: Grid) -> Forecast:
    """Nothing but the metric's median."""
    return Forecast(np.zeros(len(grid.asked_metric)), None)


def additive(grid: Grid, ability_penalty: float, rounds: int) -> Forecast:
    """A number for the model plus one for the metric, by alternating ridge regression."""
    ability, offset = _additive(grid, ability_penalty, rounds)
    return Forecast(grid.at_asked(ability) + offset[grid.asked_metric], None)


def _additive(grid: Grid, penalty: float, rounds: int) -> tuple[Floats, Floats]:
    ability = np.zeros(grid.models)
    offset = np.zeros(grid.metrics)
    per_model = np.bincount(grid.model, minlength=grid.models) + penalty
    per_metric = np.maximum(np.bincount(grid.metric, minlength=grid.metrics), 1)
    for _ in range(rounds):
        offset = summed(grid.metric, grid.z - ability[grid.model], grid.metrics) / per_metric
        ability = summed(grid.model, grid.z - offset[grid.metric], grid.models) / per_model
    return ability, offset


def rank_two(grid: Grid, ability_penalty: float, slope_penalty: float, rules: BacktestRules) -> Forecast:
    """Two factors a model, two loadings and an offset a metric, by alternating ridge regression on the logit.

    Loadings are drawn to (1, 0): to the additive model.
    """
    first, offset = _additive(grid, ability_penalty, rules.fit_rounds)
    second = np.zeros(grid.models)
    loading = np.ones(grid.metrics)
    other = np.where(np.arange(grid.metrics) % 2 == 0, rules.loading_start, -rules.loading_start)
    for _ in range(rules.fit_rounds):
        rest = grid.z - offset[grid.metric]
        first, second = _two_by_two(
            grid.model, grid.models, loading[grid.metric], other[grid.metric], rest, ability_penalty, (0.0, 0.0)
        )
        of_first, of_second = first[grid.model], second[grid.model]
        loading, other = _two_by_two(grid.metric, grid.metrics, of_first, of_second, rest, slope_penalty, (1.0, 0.0))
        left = grid.z - loading[grid.metric] * of_first - other[grid.metric] * of_second
        offset = summed(grid.metric, left, grid.metrics) / np.maximum(
            np.bincount(grid.metric, minlength=grid.metrics), 1
        )
    mean = offset[grid.asked_metric] + loading[grid.asked_metric] * grid.at_asked(first)
    return Forecast(mean + other[grid.asked_metric] * grid.at_asked(second), None)


def _two_by_two(
    group: Integers, groups: int, one: Floats, two: Floats, target: Floats, ridge: float, drawn: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Per group, the two coefficients of least squares, drawn to `drawn`."""
    a = summed(group, one * one, groups) + ridge
    b = summed(group, one * two, groups)
    d = summed(group, two * two, groups) + ridge
    e = summed(group, one * target, groups) + ridge * drawn[0]
    f = summed(group, two * target, groups) + ridge * drawn[1]
    corner = a * d - b * b
    return (d * e - b * f) / corner, (a * f - b * e) / corner


def two_parameter_logistic(
    grid: Grid,
    training: Training,
    results: Results,
    ability_penalty: float,
    slope_penalty: float,
    rules: BacktestRules,
) -> Forecast:
    """Fraction = logistic(slope (ability - difficulty)), by alternating weighted least squares on the fraction.

    A capability index in the manner of item response: errors count where they are made, on the fraction. A rating has
    no fraction and is fitted as it stands.
    """
    is_fraction = results.is_fraction[grid.metric]
    scale, center = training.scales.scale[grid.metric], training.scales.center[grid.metric]
    goal = np.where(is_fraction, logistic(np.where(is_fraction, results.x[training.rows], 0.0)), 0.0)
    ability, offset = _additive(grid, ability_penalty, rules.fit_rounds)
    slope = np.ones(grid.metrics)
    for _ in range(rules.fit_rounds):
        fitted = offset[grid.metric] + slope[grid.metric] * ability[grid.model]
        chance = logistic(np.where(is_fraction, center + scale * fitted, 0.0))
        steep = np.maximum(chance * (1.0 - chance), rules.least_steepness)
        # a step of the fitted place moves the fraction by steep * scale: weights and targets of one Gauss-Newton step
        weight = np.where(is_fraction, (4.0 * steep) * (4.0 * steep), 1.0)
        step = np.where(is_fraction, np.clip((goal - chance) / (steep * scale), -1.0, 1.0), 0.0)
        target = np.where(is_fraction, fitted + step, grid.z)
        own = slope[grid.metric]
        ability = summed(grid.model, weight * own * (target - offset[grid.metric]), grid.models) / (
            summed(grid.model, weight * own * own, grid.models) + ability_penalty
        )
        offset, slope = _line(grid, weight, ability[grid.model], target, slope_penalty)
    return Forecast(offset[grid.asked_metric] + slope[grid.asked_metric] * grid.at_asked(ability), None)


def _line(grid: Grid, weight: Floats, ability: Floats, target: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Per metric, offset and slope of weighted least squares; the slope drawn to 1, the offset hardly to 0."""
    small = ridge * 1e-3
    a = summed(grid.metric, weight, grid.metrics) + small
    b = summed(grid.metric, weight * ability, grid.metrics)
    d = summed(grid.metric, weight * ability * ability, grid.metrics) + ridge
    e = summed(grid.metric, weight * target, grid.metrics)
    f = summed(grid.metric, weight * ability * target, grid.metrics) + ridge
    corner = a * d - b * b
    return (d * e - b * f) / corner, (a * f - b * e) / corner
