"""How many of the board's adjacent ranks its evidence separates (METHODS 7 and 8).

Belongs here: the posterior difference of neighbours. Does not belong here: rank ranges over all pairs
(`methods.scoring.ranks`), whose meaning of "surely better" this shares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from methods.scoring.categories import category_variance
from methods.scoring.latent import LatentFit, Observations, fit
from methods.sensitivity.cells import Integers
from methods.sensitivity.places import Category, Dimension
from methods.sensitivity.variants import Restated
from warehouse.methodology import Methodology


@dataclass(frozen=True)
class FittedDimension:
    """One dimension's exact posterior.

    Attributes:
        row: (models of the category) its row here; -1 where it was not measured.
        observations: sorted by model and metric. posterior: of them.
    """

    row: Integers
    observations: Observations
    posterior: LatentFit


def separation(category: Category, now: Restated, order: Sequence[int], methodology: Methodology) -> dict[str, Any]:
    """The row of `out__board_separation` of a category: of neighbours in rank, how many are surely in order.

    Two are where the central interval of the posterior difference of their category means, covariance included,
    excludes 0.

    Args:
        category: its cells. now: the board's evidence. order: numbers of the rated models, best first.
        methodology: prior variances, dimensions of a category, half width of the interval in SD.
    """
    fits = [_fitted(category, dimension, now, methodology) for dimension in category.dimensions]
    apart = [_is_separated(one, other, fits, methodology) for one, other in pairwise(order)]
    return {
        "category": category.name,
        "rated": len(order),
        "adjacent_pairs": len(apart),
        "separated_pairs": sum(apart),
        "separated_share": sum(apart) / len(apart) if apart else None,
        "longest_unseparated": _longest(apart, len(order)),
    }


def _fitted(category: Category, dimension: Dimension, now: Restated, methodology: Methodology) -> FittedDimension:
    models, local = np.unique(dimension.model, return_inverse=True)
    row = np.full(len(category.models), -1, dtype=np.int64)
    row[models] = np.arange(len(models))
    observations = Observations(
        start=np.concatenate([[0], np.cumsum(np.bincount(local))]).astype(np.int64),
        metric=dimension.metric,
        precision=now.precision[dimension.cells],
        z=now.z[dimension.cells],
        metrics=int(dimension.metric.max()) + 1,
    )
    return FittedDimension(row, observations, fit(observations, methodology.latent))


def _is_separated(one: int, other: int, fits: Sequence[FittedDimension], methodology: Methodology) -> bool:
    means, variances, observed = [], [], []
    for model in (one, other):
        seen = [(fitted, int(fitted.row[model])) for fitted in fits if fitted.row[model] >= 0]
        observed.append(len(seen))
        means.append(math.fsum(float(fitted.posterior.mean[row]) for fitted, row in seen) / len(seen))
        own = [float(fitted.posterior.variance[row]) for fitted, row in seen]
        variances.append(category_variance(own, methodology.category, methodology.latent.ability_variance))
    shared = math.fsum(_covariance(fitted, one, other) for fitted in fits) / (observed[0] * observed[1])
    spread = variances[0] + variances[1] - 2.0 * shared
    # rounding may leave a difference without any uncertainty a hair below zero
    return abs(means[0] - means[1]) > methodology.category.interval_z * math.sqrt(max(spread, 0.0))


def _covariance(fitted: FittedDimension, one: int, other: int) -> float:
    """Posterior covariance of two models' abilities in one dimension; 0 where either was not measured there."""
    rows = int(fitted.row[one]), int(fitted.row[other])
    if min(rows) < 0:
        return 0.0
    start, metric, gain = fitted.observations.start, fitted.observations.metric, fitted.posterior.gain
    sides = []
    for row in rows:
        here = slice(int(start[row]), int(start[row + 1]))
        sides.append(list(zip(metric[here].tolist(), gain[here].tolist(), strict=True)))
    covariance = fitted.posterior.cohort_covariance
    return math.fsum(a * b * float(covariance[x, y]) for x, a in sides[0] for y, b in sides[1])


def _longest(apart: Sequence[bool], rated: int) -> int:
    """Most ranks in a row of which no neighbours are separated."""
    longest = run = 1 if rated else 0
    for is_apart in apart:
        run = 1 if is_apart else run + 1
        longest = max(longest, run)
    return longest
