"""Boards drawn from the model itself: the posterior recovers the abilities, at the promised coverage (METHODS 7)."""

from __future__ import annotations

import numpy as np

from methods.scoring.latent import Observations, fit
from warehouse.methodology import LatentModel

MODEL = LatentModel(ability_variance=1.0, cohort_variance=10.0, exact_metrics_limit=500)


def _draw(seed: int, models: int, metrics: int, fill: float) -> tuple[np.ndarray, Observations]:
    rng = np.random.default_rng(seed)
    row, column = np.nonzero(rng.random((models, metrics)) < fill)
    theta, beta = rng.normal(size=models), rng.normal(size=metrics) * np.sqrt(10.0)
    precision = rng.uniform(0.1, 1.0, len(row))
    z = theta[row] + beta[column] + rng.normal(size=len(row)) / np.sqrt(precision)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=models))]).astype(np.int64)
    return theta, Observations(start, column.astype(np.int64), precision, z, metrics)


def test_intervals_cover_what_they_promise() -> None:
    inside, total, errors, promised = 0, 0, [], []
    for seed in range(30):
        theta, data = _draw(seed, 60, 12, 0.6)
        found = fit(data, MODEL)
        inside += int(np.sum(np.abs(theta - found.mean) <= 1.281552 * np.sqrt(found.variance)))
        total += len(theta)
        errors.append(np.mean((theta - found.mean) ** 2))
        promised.append(np.mean(found.variance))
    # 1,800 draws at 80%: within about four standard errors; the mean squared error is the promised variance
    assert abs(inside / total - 0.80) < 0.04
    assert abs(np.mean(errors) / np.mean(promised) - 1) < 0.12


def test_cohort_offsets_are_learned_from_shared_models() -> None:
    # two halves of models on metrics of very different level, linked by a few models on both: raw means mislead by the
    # level, the posterior does not
    rng = np.random.default_rng(3)
    models, metrics = 120, 16
    theta = rng.normal(size=models)
    beta = np.where(np.arange(metrics) < 8, 3.0, -3.0)
    half = np.arange(models) % 2
    linked = np.arange(models) < 20
    seen = (half[:, None] == (np.arange(metrics) >= 8)[None, :]) | linked[:, None]
    row, column = np.nonzero(seen)
    z = theta[row] + beta[column] + rng.normal(size=len(row)) * 0.5
    start = np.concatenate([[0], np.cumsum(seen.sum(1))]).astype(np.int64)
    found = fit(Observations(start, column.astype(np.int64), np.full(len(row), 1 / 0.25), z, metrics), MODEL)
    raw = np.array([z[row == m].mean() for m in range(models)])
    assert np.corrcoef(found.mean, theta)[0, 1] > 0.95
    assert np.corrcoef(raw, theta)[0, 1] < 0.6
