"""What each method expects of a withheld result, on its metric's own scale (METHODS 7, 7b).

Belongs here: the shape of a forecast, 3.0 and the linked model as forecasters. Baselines stand in `baselines`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from methods.backtest.training import Training
from methods.linked.cells import Floats, Integers
from methods.linked.model import fit_linked
from methods.linked.prediction import predict
from methods.linked.unseen import predict_unseen
from methods.scoring.dimensions import DimensionFit, score_dimensions
from methods.scoring.standardize import observation_variance
from warehouse.linked_rules import LinkedVariant
from warehouse.methodology import Methodology


@dataclass(frozen=True)
class Asked:
    """Withheld results, without their values.

    Attributes:
        frame: model_id, metric_id, category, dimension, family, tier, and q of the metric at hand.
        metric: (asked,) number of the metric among `Results.metric_ids`.
        stderr: (asked,) stated standard error in robust SD of the metric at hand.
    """

    frame: pl.DataFrame
    metric: Integers
    stderr: Floats


@dataclass(frozen=True)
class Forecast:
    """(asked,) expected place on the metric's scale in robust SD, and its SD; None where a method states none."""

    mean: Floats
    sd: Floats | None


def board_forecast(training: Training, asked: Asked, methodology: Methodology) -> Forecast:
    """3.0: the ability of the model in the dimension plus the metric's offset; without evidence the prior.

    The noise is 3.0's own variance of the observation, before the family cap, which is no noise.
    """
    fits = {(one.category, one.dimension): one for one in score_dimensions(training.evidence, methodology)}
    rules = methodology.standardization
    noise = observation_variance(asked.stderr, asked.frame["tier"].to_list(), asked.frame["q"].to_numpy(), rules)
    mean, variance = np.zeros(asked.frame.height), np.zeros(asked.frame.height)
    columns = asked.frame.select("category", "dimension", "model_id", "metric_id").rows()
    numbers = {key: {name: at for at, name in enumerate(one.metric_ids)} for key, one in fits.items()}
    for row, (category, dimension, model_id, metric_id) in enumerate(columns):
        fit = fits.get((category, dimension))
        metric = numbers.get((category, dimension), {}).get(metric_id)
        mean[row], variance[row] = _one(fit, metric, model_id, methodology.latent.ability_variance)
    return Forecast(mean, np.sqrt(variance + noise))


def _one(fit: DimensionFit | None, metric: int | None, model_id: str, prior: float) -> tuple[float, float]:
    if fit is None:
        return 0.0, prior
    posterior, row = fit.posterior, fit.row_of.get(model_id)
    ability, spread = (0.0, prior) if row is None else (float(posterior.mean[row]), float(posterior.variance[row]))
    if metric is None:
        return ability, spread
    offset = posterior.cohort_covariance[metric]
    together = 0.0
    if row is not None:
        start, end = int(fit.observations.start[row]), int(fit.observations.start[row + 1])
        gains = posterior.gain[start:end] * offset[fit.observations.metric[start:end]]
        together = float(np.sum(gains))
    return ability + float(posterior.cohort_mean[metric]), spread + float(offset[metric]) - 2.0 * together


def linked_forecast(training: Training, asked: Asked, methodology: Methodology, variant: LinkedVariant) -> Forecast:
    """The linked model, or one of its variants, fitted on the training alone."""
    fit = fit_linked(training.evidence, methodology.linked, variant)
    is_known = training.scales.is_scored[asked.metric]
    mean, variance = np.zeros(len(is_known)), np.zeros(len(is_known))
    known, unknown = np.flatnonzero(is_known), np.flatnonzero(~is_known)
    if len(known):
        mean[known], variance[known] = predict(fit, asked.frame[known.tolist()])
    if len(unknown):
        mean[unknown], variance[unknown] = predict_unseen(fit, asked.frame[unknown.tolist()], methodology)
    return Forecast(mean, np.sqrt(variance))
