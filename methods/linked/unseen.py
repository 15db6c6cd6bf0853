"""What the linked model expects on a metric that nobody was measured on yet, but whose cohort is known (METHODS 7b).

Places are on the metric's own scale: the cohort's median is 0 and its robust SD 1. So only differences between the
models of the cohort are meant, and one slope is left to be found: the one under which the cohort's abilities, the
noise of the category's metrics and the scale fit together. It is known no better than slopes are drawn to each other.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from methods.linked.abilities import DIMENSIONS
from methods.linked.cells import LEVELS, PLACES, Floats, Integers, summed
from methods.linked.model import LinkedFit
from methods.linked.prediction import Prediction, unseen_effects
from methods.linked.targets import at_nodes, paths
from methods.scoring.standardize import quantile
from warehouse.methodology import Methodology
from warehouse.vocabulary import CATEGORIES, TIERS


def predict_unseen(fit: LinkedFit, asked: pl.DataFrame, methodology: Methodology) -> Prediction:
    """The predictive distribution of places within the cohorts of unknown metrics.

    Args:
        fit: a linked fit that saw none of these metrics.
        asked: model_id, metric_id, category, dimension, family, tier, q of whole cohorts.
        methodology: how far slopes lie apart, and the factor of robust scales.
    """
    cells, found, posterior = fit.cells, fit.hyperparameters, fit.posterior
    rules, factor = methodology.linked, methodology.standardization.mad_factor
    place_of = {pair: number for number, pair in enumerate(PLACES)}
    place = np.array([place_of[pair] for pair in asked.select("category", "dimension").rows()], dtype=np.int64)
    model = np.array([cells.model_of.get(name, -1) for name in asked["model_id"]], dtype=np.int64)
    path = paths(cells, model, place, np.full(len(model), -1, dtype=np.int64))
    ability = at_nodes(path, posterior.mean)
    spread = at_nodes(path, tuple(posterior.variance(depth) for depth in range(LEVELS)))
    spread = spread + unseen_effects(path, place, found)
    tier = np.array([TIERS.index(name) for name in asked["tier"]], dtype=np.int64)
    base = _noise(fit, place // DIMENSIONS)
    names = asked["metric_id"].to_list()
    mean, slope = np.zeros(len(model)), np.zeros(len(model))
    for name in dict.fromkeys(names):
        here = np.array([one == name for one in names], dtype=bool)
        middle = quantile(np.sort(ability[here]), 0.5)
        apart = ability[here] - middle
        width = factor * quantile(np.sort(np.abs(apart)), 0.5)
        signal = np.maximum(1.0 - base[here], rules.least_signal)
        slope[here] = np.sqrt(signal / (width * width + spread[here]))
        mean[here] = slope[here] * apart
    unsure = (rules.slope_spread * mean) * (rules.slope_spread * mean)
    noise = base * found.tier[tier] / asked["q"].to_numpy()
    return Prediction(mean, slope * slope * spread + unsure + noise)


def _noise(fit: LinkedFit, category: Integers) -> Floats:
    """Mean noise of the category's metrics, in their units; of all where it has none."""
    cells, noise = fit.cells, fit.hyperparameters.noise
    if fit.unit is not None:
        noise = noise / (fit.unit * fit.unit)
    of = np.zeros(cells.metrics, dtype=np.int64)
    of[cells.metric] = cells.place // DIMENSIONS
    size = np.bincount(of, minlength=len(CATEGORIES))
    whole = float(np.sum(noise)) / len(noise)
    mean = np.where(size > 0, summed(of, noise, len(CATEGORIES)) / np.maximum(size, 1), whole)
    found: Floats = mean[category]
    return found
