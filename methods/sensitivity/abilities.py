"""The latent model of one dimension under many variants at once (METHODS 7).

Belongs here: posterior means, nothing else of the posterior. Does not belong here: what variants are (`variants`), the
board's own fit (`methods.scoring.latent`), which this equals to rounding; a test holds them together.

Every step is elementwise over the variants, or a sum over models added one after the other, so the bits depend on no
library: with P_b and Z_b the (models, variants) precisions and values of metric b, the abilities are eliminated and
what remains, a matrix over metrics, is factorized once for all variants side by side.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from methods.scoring.latent import Observations, fit
from methods.sensitivity.cells import Floats, Integers
from warehouse.methodology import LatentModel

DENSE_STEPS: Final = 400_000_000
"""Elementary steps up to which all variants are solved side by side; beyond, one after the other on compiled loops."""


def ability_means(
    model: Integers, metric: Integers, precision: Floats, z: Floats, cohort_variance: Floats, prior: LatentModel
) -> Floats:
    """The posterior mean of every model's ability under every variant.

    Args:
        model, metric: (cells) numbers from 0, sorted by model and then metric, each pair once.
        precision: (cells, variants) 0 where the cell does not count. z: (cells, variants).
        cohort_variance: (variants) prior variance of a metric's offset.
        prior: the ability's prior variance.

    Returns:
        (models, variants) NaN where no cell of the model counts.
    """
    models, metrics = int(model.max()) + 1, int(metric.max()) + 1
    variants = precision.shape[1]
    if models * metrics * metrics * variants > DENSE_STEPS:
        columns = [
            _one(model, metric, precision[:, place], z[:, place], float(cohort_variance[place]), prior)
            for place in range(variants)
        ]
        return np.stack(columns, axis=1)
    weights, values = np.zeros((metrics, models, variants)), np.zeros((metrics, models, variants))
    weights[metric, model] = precision
    values[metric, model] = precision * z
    own, seen = np.full((models, variants), 1.0 / prior.ability_variance), np.zeros((models, variants))
    for b in range(metrics):
        own = own + weights[b]
        seen = seen + values[b]
    inverse = 1.0 / own
    offsets = _offsets(weights, values, seen * inverse, inverse, 1.0 / cohort_variance)
    for b in range(metrics):
        seen = seen - weights[b] * offsets[b]
    is_known = (weights > 0).any(axis=0)
    return np.where(is_known, seen * inverse, np.nan)


def _offsets(weights: Floats, values: Floats, centre: Floats, inverse: Floats, prior: Floats) -> Floats:
    """(metrics, variants) posterior means of the offsets: the abilities eliminated, Cholesky, two substitutions."""
    metrics, _, variants = weights.shape
    factor = np.zeros((metrics, metrics, variants))
    right = np.zeros((metrics, variants))
    for b in range(metrics):
        right[b] = (values[b] - weights[b] * centre).sum(axis=0)
        scaled = weights[b] * inverse
        for c in range(b):
            factor[b, c] = -(scaled * weights[c]).sum(axis=0)
        factor[b, b] = prior + (weights[b] - scaled * weights[b]).sum(axis=0)
    for j in range(metrics):
        for k in range(j):
            factor[j:, j] -= factor[j:, k] * factor[j, k]
        factor[j, j] = np.sqrt(factor[j, j])
        factor[j + 1 :, j] /= factor[j, j]
    for j in range(metrics):
        for k in range(j):
            right[j] -= factor[j, k] * right[k]
        right[j] /= factor[j, j]
    for j in reversed(range(metrics)):
        for k in range(j + 1, metrics):
            right[j] -= factor[k, j] * right[k]
        right[j] /= factor[j, j]
    return right


def _one(
    model: Integers, metric: Integers, precision: Floats, z: Floats, cohort_variance: float, prior: LatentModel
) -> Floats:
    """One variant by the board's own fit."""
    here = precision > 0
    models, metrics = int(model.max()) + 1, int(metric.max()) + 1
    counts = np.bincount(model[here], minlength=models)
    observations = Observations(
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        metric=metric[here],
        precision=precision[here],
        z=z[here],
        metrics=metrics,
    )
    found = fit(observations, prior.model_copy(update={"cohort_variance": cohort_variance}))
    return np.where(counts > 0, found.mean, np.nan)


def drawn_precision(groups: Integers, variance: Floats, times: Integers, cap: float) -> Floats:
    """Precisions of cells drawn several times or not at all, under the family cap (METHODS 7).

    A cell drawn k times is k equal cells: its precision before the cap is k / variance.

    Args:
        groups: (cells) number of what shares a cap.
        variance: (cells). times: (cells, resamples) how often each was drawn. cap: most precision of a group.

    Returns:
        (cells, resamples)
    """
    raw = times / variance[:, None]
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    is_first = np.append(True, np.diff(ordered) != 0)
    total = np.empty_like(raw)
    total[order] = np.add.reduceat(raw[order], np.flatnonzero(is_first), axis=0)[np.cumsum(is_first) - 1]
    capped = np.zeros_like(raw)
    np.divide(raw * np.minimum(total, cap), total, out=capped, where=total > 0)
    return capped
