"""Loops of the exact explanation: how much every observation moves every ability (METHODS 7).

Belongs here: arithmetic over one dimension, as plain loops that run interpreted and compiled alike. Does not belong
here: tables and scales (`weights`).

With C = cov(beta), a_m the gains of model m, c = C a_m and s = a_m' c, the ability mean is linear in z:
  d mean_m / d z_mb  = a_mb - p_mb (c_b - s)                          own observations
  d mean_m / d z_m'b = -p_m'b (c_b - c' a_m')                         others'
Summed over all models, metric b weighs c_b / cohort variance (moving a whole metric moves its offset), and adds
  a_mb z_mb - c_b (sum_m' p z)_b + sum_x c_x G_xb,   G_xb = sum_m' a_m'x p_m'b z_m'b,
so that the others' part is a difference, and no pair of models is ever visited.
"""

from __future__ import annotations

from methods.scoring.loops import Indices, Matrix, Vector


def moments(
    start: Indices,
    metric: Indices,
    precision: Vector,
    z: Vector,
    gain: Vector,
    models: int,
    cross: Matrix,
    total: Vector,
) -> None:
    """total_b = sum over models of p z ; cross_xb = G_xb. Both come in as zeros."""
    for m in range(models):
        for e in range(start[m], start[m + 1]):
            total[metric[e]] += precision[e] * z[e]
            row = cross[metric[e]]
            w = gain[e]
            for f in range(start[m], start[m + 1]):
                row[metric[f]] += w * (precision[f] * z[f])


def explain(
    start: Indices,
    metric: Indices,
    precision: Vector,
    z: Vector,
    gain: Vector,
    covariance: Matrix,
    cohort_precision: float,
    cross: Matrix,
    total: Vector,
    metrics: int,
    image: Vector,
    first: int,
    end: int,
    own: Vector,
    others: Matrix,
    added: Matrix,
) -> None:
    """For models first to end: each own weight, and per metric the others' summed weight and what they add to the mean.

    `own` is as long as the observations; `others` and `added` have a row a model of the block and come in as zeros;
    `image` is scratch space of length `metrics`.
    """
    for m in range(first, end):
        weight = others[m - first]
        value = added[m - first]
        for b in range(metrics):
            image[b] = 0.0
        for e in range(start[m], start[m + 1]):
            row = covariance[metric[e]]
            w = gain[e]
            for b in range(metrics):
                image[b] += w * row[b]
        spread = 0.0
        for e in range(start[m], start[m + 1]):
            spread += gain[e] * image[metric[e]]
        for b in range(metrics):
            weight[b] = image[b] * cohort_precision
            value[b] -= image[b] * total[b]
        for x in range(metrics):
            row = cross[x]
            w = image[x]
            for b in range(metrics):
                value[b] += w * row[b]
        for e in range(start[m], start[m + 1]):
            b = metric[e]
            mine = gain[e] - precision[e] * (image[b] - spread)
            own[e] = mine
            weight[b] -= mine
            value[b] += (gain[e] - mine) * z[e]
