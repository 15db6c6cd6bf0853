"""The latent model of one dimension: exact posterior of every model's ability (METHODS 7).

  z_mb = theta_m + beta_b + eps,  theta ~ N(0, ability variance), beta ~ N(0, cohort variance), eps ~ N(0, 1/p_mb)

Belongs here: the posterior of one dimension from sorted arrays, and the small pieces that explanation and rank ranges
need. Does not belong here: how precisions are made (`precision`), what a dimension or category reports (`dimensions`,
`categories`). The abilities are eliminated exactly (their block is diagonal): what remains is a matrix over metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from methods.scoring import latent_kernels as kernels
from methods.scoring.loops import Loops, as_matrix, as_vector
from warehouse.methodology import LatentModel
from warehouse.vocabulary import Exactness

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

HASH: Final[Exactness] = "hash"
TOLERANCE: Final[Exactness] = "tolerance"


@dataclass(frozen=True)
class Observations:
    """The observations of one dimension, sorted by model and then metric (compressed rows).

    Attributes:
        start: (models + 1,) position at which each model's observations begin.
        metric: (observations,) column number of the metric, ascending within a model.
        precision: (observations,) 1/variance after the family cap, positive.
        z: (observations,) standardized value.
        metrics: number of metrics.
    """

    start: Integers
    metric: Integers
    precision: Floats
    z: Floats
    metrics: int

    @property
    def models(self) -> int:
        """Number of models."""
        return len(self.start) - 1

    @property
    def steps(self) -> int:
        """Elementary steps of one pass over the pairs of each model's observations and the matrix of metrics."""
        lengths = np.diff(self.start)
        return int(np.sum(lengths * lengths)) + self.metrics**3 // 2


@dataclass(frozen=True)
class LatentFit:
    """The posterior of one dimension.

    Attributes:
        mean: (models,) posterior mean of each ability.
        variance: (models,) posterior variance of each ability.
        gain: (observations,) a_mb = p_mb / (prior precision + sum p_mb); mean_m = sum a_mb (z_mb - cohort_mean_b).
        own_variance: (models,) 1 / (prior precision + sum p_mb), the ability's variance were the offsets known.
        cohort_mean: (metrics,) posterior mean of each metric's offset.
        cohort_covariance: (metrics, metrics) posterior covariance of the offsets. The covariance of two different
            abilities is a_m' cohort_covariance a_m', exactly.
        exactness: "hash" where arithmetic kept a fixed order, "tolerance" where LAPACK took over.
    """

    mean: Floats
    variance: Floats
    gain: Floats
    own_variance: Floats
    cohort_mean: Floats
    cohort_covariance: Floats
    exactness: Exactness


def fit(observations: Observations, model: LatentModel, loops: Loops | None = None) -> LatentFit:
    """The exact posterior mean and variance of every ability in one dimension (METHODS 7).

    Args:
        observations: sorted observations; a model without any keeps its prior.
        model: prior variances, and up to how many metrics arithmetic keeps a fixed order.
        loops: the side on which to run; by default chosen by the amount of work. The bits are the same.

    Raises:
        ValueError: if the observations are not sorted, refer to no metric, or hold a precision that is not positive
            and finite or a z that is not finite.
    """
    _check(observations)
    loops = loops or Loops.for_work(observations.steps)
    models, metrics = observations.models, observations.metrics
    start, metric = loops.load(observations.start), loops.load(_narrow(observations.metric))
    precision, z = loops.load(observations.precision), loops.load(observations.z)
    inverse, gain = loops.vector(models), loops.vector(len(observations.z))
    schur, right = loops.matrix(metrics, metrics), loops.vector(metrics)
    for b in range(metrics):
        schur[b][b] = 1.0 / model.cohort_variance
    prior = 1.0 / model.ability_variance
    loops.run(kernels.sums, start, metric, precision, z, prior, inverse, gain, schur, right, models)
    loops.run(kernels.eliminate, start, metric, precision, inverse, schur, models)
    if metrics <= model.exact_metrics_limit:
        covariance, half = loops.matrix(metrics, metrics), loops.matrix(metrics, metrics)
        loops.run(kernels.factorize, schur, metrics)
        loops.run(kernels.invert, schur, half, covariance, metrics)
    else:
        covariance = loops.load(_invert_lapack(as_matrix(schur, metrics)))
    beta, mean, variance = loops.vector(metrics), loops.vector(models), loops.vector(models)
    loops.run(kernels.cohort_means, covariance, right, beta, metrics)
    loops.run(kernels.posterior, start, metric, z, gain, inverse, covariance, beta, mean, variance, models)
    return LatentFit(
        mean=as_vector(mean),
        variance=as_vector(variance),
        gain=as_vector(gain),
        own_variance=as_vector(inverse),
        cohort_mean=as_vector(beta),
        cohort_covariance=as_matrix(covariance, metrics),
        exactness=HASH if metrics <= model.exact_metrics_limit else TOLERANCE,
    )


def _check(observations: Observations) -> None:
    start, metric = observations.start, observations.metric
    if len(start) == 0 or start[0] != 0 or start[-1] != len(metric) or np.any(np.diff(start) < 0):
        raise ValueError("start must rise from 0 to the number of observations")
    if not len(metric) == len(observations.precision) == len(observations.z):
        raise ValueError("metric, precision and z must have the same length")
    if len(metric) and (metric.min() < 0 or metric.max() >= observations.metrics):
        raise ValueError("metric refers to no column")
    first_of_model = np.zeros(len(metric) + 1, dtype=bool)
    first_of_model[start] = True
    if np.any((np.diff(metric) <= 0) & ~first_of_model[1:-1]):
        raise ValueError("metrics must ascend within each model")
    if not (np.all(np.isfinite(observations.precision)) and np.all(observations.precision > 0)):
        raise ValueError("precision must be positive and finite")
    if not np.all(np.isfinite(observations.z)):
        raise ValueError("z must be finite")


def _narrow(metric: Integers) -> NDArray[Any]:
    # unsigned indices spare the compiled loops a sign test on every access
    return metric.astype(np.uint32)


def _invert_lapack(lower: Floats) -> Floats:
    """S^-1 by LAPACK from the lower triangle of S: the last bits depend on kernel and threads (METHODS 14)."""
    from scipy.linalg import lapack

    factor, info = lapack.dpotrf(lower, lower=1, clean=1)
    if info == 0:
        factor, info = lapack.dpotri(factor, lower=1)
    if info != 0:
        raise ValueError(f"the matrix over metrics is not positive definite (LAPACK info {info})")
    triangle = np.tril(factor)
    return np.ascontiguousarray(triangle + np.tril(triangle, -1).T)
