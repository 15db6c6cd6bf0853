"""The exact posterior of the linked model, given its variances, slopes and noise (METHODS 7b).

  z_mb = beta_b + lambda_b (g_m + c_m,category + u_m,dimension + v_m,dimension,family) + eps
  beta ~ N(0, cohort variance), each effect ~ N(0, variance of its level), eps ~ N(0, noise_mb)

Belongs here: elimination and what it gives. Does not belong here: where the variances come from (`likelihood`), boards
(`board`), predictions (`prediction`).

The effects are eliminated exactly, level by level from the leaves: with w, h the precision and information that reach
a node from below, its effect of variance t takes kappa = t / (1 + t w) and lets the share s = 1 / (1 + t w) through:

  V^-1 = N^-1 - sum over nodes of kappa q q',   q = h times the shares on the way up
  S = 1/cohort variance + X' V^-1 X,  C = S^-1,  beta = C X' V^-1 z

Cost: the pairs of cells of each model (sum of n_m^2 / 2, at most four times) and metrics^3; never models^2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.linked.cells import LEVELS, Cells, Floats, summed
from methods.linked.elimination import invert, pairs_under


@dataclass(frozen=True)
class Settings:
    """What the posterior is conditional on.

    Attributes:
        effect_variance: per level, (nodes,) variance of its effects.
        slope: (metrics,) lambda. noise: (cells,) variance of eps. cohort_variance: variance of every beta.
    """

    effect_variance: tuple[Floats, ...]
    slope: Floats
    noise: Floats
    cohort_variance: float


@dataclass(frozen=True)
class Posterior:
    """The posterior, and the pieces that explanation, ranks and predictions need.

    Attributes:
        settings: what it is conditional on.
        coefficient: per level, (cells,) q of the node above each cell.
        kappa, share: per level, (nodes,) as above.
        weight: per level, (nodes,) precision w that reaches the node from below.
        cohort_mean: (metrics,) mean of beta. cohort_covariance: (metrics, metrics) C.
        mean, given_cohort: per level, (nodes,) mean and variance, the offsets being known, of the sum of effects from
            the top to the node.
        through_cohort: per level, (nodes,) what the uncertainty of the offsets adds to that variance.
        image: per level, (cells,) covariance of the offset of the cell's metric with minus that sum.
        crossed: per level, (cells,) C q of the node above the cell, at the cell's metric.
    """

    settings: Settings
    coefficient: tuple[Floats, ...]
    kappa: tuple[Floats, ...]
    share: tuple[Floats, ...]
    weight: tuple[Floats, ...]
    cohort_mean: Floats
    cohort_covariance: Floats
    mean: tuple[Floats, ...]
    given_cohort: tuple[Floats, ...]
    through_cohort: tuple[Floats, ...]
    image: tuple[Floats, ...]
    crossed: tuple[Floats, ...]

    def variance(self, level: int) -> Floats:
        """(nodes,) posterior variance of the sum of effects from the top to each node."""
        return self.given_cohort[level] + self.through_cohort[level]


def fit(cells: Cells, settings: Settings) -> Posterior:
    """The exact posterior.

    Args:
        cells: sorted observations.
        settings: variances, slopes and noise; a level of variance 0 has no effects.

    Raises:
        ValueError: if a noise is not positive.
    """
    if not np.all(settings.noise > 0.0):
        raise ValueError("the noise of every observation must be positive")
    slope = settings.slope[cells.metric]
    information = slope / settings.noise
    reached = cells.levels[-1].sum_cells(slope * information)
    coefficient, kappa, share, weight = [information], [], [], []
    for depth in range(LEVELS - 1, -1, -1):
        level, variance = cells.levels[depth], settings.effect_variance[depth]
        shared = 1.0 / (1.0 + variance * reached)
        weight.append(reached)
        share.append(shared)
        kappa.append(variance * shared)
        if depth:
            above = cells.levels[depth - 1]
            coefficient.append(coefficient[-1] * shared[level.of_cell])
            reached = summed(level.parent, reached * shared, above.nodes)
    q, k, s, w = (tuple(reversed(part)) for part in (coefficient, kappa, share, weight))
    covariance = invert(_metric_matrix(cells, settings, q, k))
    right = summed(cells.metric, _solved(cells, settings, q, k, cells.z), cells.metrics)
    beta = times(covariance, right)
    mean, given = _down(cells, q, k, s, cells.z - beta[cells.metric])
    crossed = _crossed(cells, q, covariance)
    image, through = _cohort_part(cells, q, k, s, crossed)
    return Posterior(settings, q, k, s, w, beta, covariance, mean, given, through, image, crossed)


def solve(cells: Cells, posterior: Posterior, values: Floats) -> Floats:
    """V^-1 times one value a cell: what the effects and the noise leave, the offsets being known."""
    return _solved(cells, posterior.settings, posterior.coefficient, posterior.kappa, values)


def _solved(
    cells: Cells, settings: Settings, q: tuple[Floats, ...], kappa: tuple[Floats, ...], values: Floats
) -> Floats:
    found: Floats = values / settings.noise
    for level, own, taken in zip(cells.levels, q, kappa, strict=True):
        found = found - own * (taken * level.sum_cells(own * values))[level.of_cell]
    return found


def _metric_matrix(cells: Cells, settings: Settings, q: tuple[Floats, ...], kappa: tuple[Floats, ...]) -> Floats:
    """S: prior precision of the offsets, plus X' V^-1 X."""
    size = cells.metrics
    diagonal = 1.0 / settings.noise
    flat = np.zeros(size * size)
    for level, own, taken in zip(cells.levels, q, kappa, strict=True):
        diagonal = diagonal - taken[level.of_cell] * (own * own)
        for first, second, node in pairs_under(level):
            low = np.minimum(cells.metric[first], cells.metric[second])
            high = np.maximum(cells.metric[first], cells.metric[second])
            flat -= summed(high * size + low, (taken[node] * own[first]) * own[second], size * size)
    lower = flat.reshape(size, size)
    whole: Floats = lower + lower.T
    whole[np.arange(size), np.arange(size)] = 1.0 / settings.cohort_variance + summed(cells.metric, diagonal, size)
    return whole


def times(matrix: Floats, vector: Floats) -> Floats:
    """Matrix times vector, summed over ascending columns."""
    found = np.zeros(len(matrix))
    for column, value in enumerate(vector.tolist()):
        found += matrix[column] * value
    return found


def _down(
    cells: Cells,
    q: tuple[Floats, ...],
    kappa: tuple[Floats, ...],
    share: tuple[Floats, ...],
    residual: Floats,
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    mean: list[Floats] = []
    variance: list[Floats] = []
    for depth, level in enumerate(cells.levels):
        own = kappa[depth] * level.sum_cells(q[depth] * residual)
        if depth:
            own = own + share[depth] * mean[-1][level.parent]
            spread = kappa[depth] + (share[depth] * share[depth]) * variance[-1][level.parent]
        else:
            spread = kappa[depth]
        mean.append(own)
        variance.append(spread)
    return tuple(mean), tuple(variance)


def _crossed(cells: Cells, q: tuple[Floats, ...], covariance: Floats) -> tuple[Floats, ...]:
    """Per level, (cells,) sum over the cells x under the same node of q_x C between the two metrics."""
    own = covariance[cells.metric, cells.metric]
    found = []
    for level, part in zip(cells.levels, q, strict=True):
        total = part * own
        for first, second, _ in pairs_under(level):
            between = covariance[cells.metric[first], cells.metric[second]]
            total = total + summed(first, part[second] * between, cells.count)
            total = total + summed(second, part[first] * between, cells.count)
        found.append(total)
    return tuple(found)


def _cohort_part(
    cells: Cells,
    q: tuple[Floats, ...],
    kappa: tuple[Floats, ...],
    share: tuple[Floats, ...],
    crossed: tuple[Floats, ...],
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """With a the derivative of a node's mean by minus the offsets, a = share a_parent + kappa q: C a and a' C a."""
    image: list[Floats] = []
    variance: list[Floats] = []
    for depth, level in enumerate(cells.levels):
        taken = kappa[depth]
        own = taken[level.of_cell] * crossed[depth]
        spread = (taken * taken) * level.sum_cells(q[depth] * crossed[depth])
        if depth:
            let = share[depth]
            spread = (
                spread
                + (2.0 * let * taken) * level.sum_cells(q[depth] * image[-1])
                + (let * let) * variance[-1][level.parent]
            )
            own = own + let[level.of_cell] * image[-1]
        image.append(own)
        variance.append(spread)
    return tuple(image), tuple(variance)
