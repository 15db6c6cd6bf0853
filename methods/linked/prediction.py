"""What the linked model expects of a result it has not seen: mean and variance of its z (METHODS 7b).

Belongs here: the predictive distribution of a (model, metric) cell. Does not belong here: a metric that nobody was
measured on (`unseen`), which cells are withheld, how z becomes a value again (`methods.backtest`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from methods.linked.abilities import DIMENSIONS
from methods.linked.cells import LEVELS, MODEL, PLACES, Floats, Integers, summed
from methods.linked.likelihood import Hyperparameters
from methods.linked.model import LinkedFit
from methods.linked.targets import Paths, at_nodes, deepest, derivatives, paths
from warehouse.vocabulary import TIERS


class Prediction(NamedTuple):
    """(cells,) mean and variance of z; the variance holds that of the result's own noise."""

    mean: Floats
    variance: Floats


def predict(fit: LinkedFit, asked: pl.DataFrame) -> Prediction:
    """The predictive distribution of each asked cell.

    Args:
        fit: a linked fit that did not see the cells.
        asked: model_id, metric_id, category, dimension, family, tier, q; a model may be unknown, a metric may not.

    Raises:
        KeyError: for a metric without any observation: nothing says where its cohort stands.
    """
    cells, found, posterior = fit.cells, fit.hyperparameters, fit.posterior
    metric = np.array([cells.metric_of[name] for name in asked["metric_id"]], dtype=np.int64)
    model = np.array([cells.model_of.get(name, -1) for name in asked["model_id"]], dtype=np.int64)
    place_of = {pair: number for number, pair in enumerate(PLACES)}
    place = np.array([place_of[pair] for pair in asked.select("category", "dimension").rows()], dtype=np.int64)
    family_of = {name: number for number, name in enumerate(cells.families)}
    family = np.array([family_of.get(name, -1) for name in asked["family"]], dtype=np.int64)
    tier = np.array([TIERS.index(name) for name in asked["tier"]], dtype=np.int64)
    path = paths(cells, model, place, family)
    slope = found.slope[metric]
    ability = at_nodes(path, posterior.mean)
    spread = at_nodes(path, tuple(posterior.variance(depth) for depth in range(LEVELS)))
    spread = spread + unseen_effects(path, place, found)
    covariance = posterior.cohort_covariance
    noise = found.noise[metric] * found.tier[tier] / asked["q"].to_numpy()
    mean = posterior.cohort_mean[metric] + slope * ability
    crossed = _crossed(fit, path, metric)
    variance = covariance[metric, metric] + slope * slope * spread - 2.0 * slope * crossed + noise
    return Prediction(mean, variance)


def unseen_effects(path: Paths, place: Integers, found: Hyperparameters) -> Floats:
    """Prior variance of the effects below each path's last node."""
    depth, category, prior = deepest(path), place // DIMENSIONS, found.prior
    total = np.zeros(path.count)
    for level in range(LEVELS):
        of = category if level > MODEL else np.zeros_like(category)
        total += np.where(depth < level, prior[level][of], 0.0)
    return total


def _crossed(fit: LinkedFit, path: Paths, metric: Integers) -> Floats:
    """Minus the covariance of the metric's offset with the ability: sum of a C over the model's own cells."""
    entries = derivatives(fit.cells, fit.posterior, path)
    between = fit.posterior.cohort_covariance[metric[entries.target], fit.cells.metric[entries.cell]]
    return summed(entries.target, entries.value * between, path.count)
