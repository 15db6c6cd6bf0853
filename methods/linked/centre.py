"""Where the scores are measured from: the mean ability of the run's models (METHODS 7b).

Under a prior as wide as `Hyperparameters.width` says, results tell how far models lie apart, hardly where all of them
lie together. So a score is the ability minus the mean of the models' own effects, which has a posterior with all the
rest: its variance, and its covariance with each ability through the offsets, enter exactly. Differences of two models
stay what they are. Under the prior of the population (width 1) that mean is 0 by the prior, and nothing is subtracted.

With a the derivative of that mean by minus the offsets, A = X'a and t the variance given the offsets,

  mean = a' (z - X beta),  variance = t + A' C A,  weights of the results = a - V^-1 X C A
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from methods.linked.abilities import Abilities, direct
from methods.linked.cells import CATEGORY, MODEL, Cells, Floats, summed
from methods.linked.likelihood import Hyperparameters
from methods.linked.posterior import Posterior, solve, times


@dataclass(frozen=True)
class Centre:
    """The mean of the models' own effects.

    Attributes:
        mean, variance: its exact posterior.
        image: (metrics,) C A, minus its covariance with every offset.
        weights: (cells,) its derivative by every z of the run.
    """

    mean: float
    variance: float
    image: Floats
    weights: Floats


def centre(cells: Cells, posterior: Posterior, found: Hyperparameters) -> Centre:
    """The mean that scores are measured from; all 0 under the prior of the population."""
    if found.width == 1.0:
        return Centre(0.0, 0.0, np.zeros(cells.metrics), np.zeros(cells.count))
    level, models = cells.levels[MODEL], len(cells.model_ids)
    kappa = posterior.kappa[MODEL]
    value = kappa[level.of_cell] * posterior.coefficient[MODEL] / models
    pull = summed(cells.metric, value, cells.metrics)
    image = times(posterior.cohort_covariance, pull)
    return Centre(
        mean=float(np.sum(posterior.mean[MODEL])) / models,
        variance=float(np.sum(kappa)) / models**2 + float(np.sum(pull * image)),
        image=image,
        weights=value - solve(cells, posterior, image[cells.metric]),
    )


def centred(cells: Cells, posterior: Posterior, rows: Abilities, middle: Centre) -> Abilities:
    """The same abilities, measured from the centre: mean and exact variance.

    Args:
        cells, posterior: the fit. rows: as `abilities` gives them. middle: of the same fit.
    """
    if middle.variance == 0.0:
        return rows
    level, models = cells.levels[CATEGORY], len(cells.model_ids)
    image = middle.image[cells.metric]
    kappa, coefficient, top = posterior.kappa, posterior.coefficient, level.parent
    through_model = kappa[MODEL] * cells.levels[MODEL].sum_cells(coefficient[MODEL] * image)
    share = rows.let_through * posterior.share[CATEGORY]
    together = (
        share * (kappa[MODEL][top] / models + through_model[top])
        + rows.let_through * kappa[CATEGORY] * level.sum_cells(coefficient[CATEGORY] * image)
        + level.sum_cells(direct(cells, posterior) * image)
    )
    return replace(rows, mean=rows.mean - middle.mean, variance=rows.variance + middle.variance - 2.0 * together)
