"""The latent model against the dense inverse a user would write, in one run: prints ratios, asserts nothing.

    env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS=1 python tests/benchmarks/bench_latent_model.py

Both sides give mean and variance of every ability from the same sorted arrays. They run in turns; each one's figure is
its least processor time. Ratios travel between machines, times do not.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from methods.scoring.latent import Observations, fit
from methods.scoring.loops import Loops
from warehouse.methodology import LatentModel

MODEL = LatentModel(ability_variance=1.0, cohort_variance=10.0, exact_metrics_limit=500)
SIZES = ((300, 60, 0.9, 15), (5000, 500, 0.3, 3))
"""Models, metrics, share of cells filled, turns."""


@dataclass(frozen=True)
class Comparison:
    """One size: processor seconds of both, and how far their numbers lie apart."""

    models: int
    metrics: int
    fill: float
    dense_seconds: float
    ours_seconds: float
    mean_gap: float
    variance_gap: float

    @property
    def ratio(self) -> float:
        """How many times less processor time ours takes."""
        return self.dense_seconds / self.ours_seconds


def simulated(models: int, metrics: int, fill: float, seed: int = 20261020) -> Observations:
    """A random board of one dimension, sorted."""
    rng = np.random.default_rng(seed)
    row, column = np.nonzero(rng.random((models, metrics)) < fill)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=models))]).astype(np.int64)
    z = np.clip(rng.normal(size=models)[row] + rng.normal(size=metrics)[column] + rng.normal(size=len(row)), -3, 3)
    return Observations(start, column.astype(np.int64), rng.uniform(0.05, 1.0, len(row)), z, metrics)


def dense_inverse(data: Observations) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of every ability by inverting the whole precision matrix over abilities and offsets."""
    models, metrics = data.models, data.metrics
    precision, weighted = np.zeros((models, metrics)), np.zeros((models, metrics))
    row = np.repeat(np.arange(models), np.diff(data.start))
    precision[row, data.metric] = data.precision
    weighted[row, data.metric] = data.precision * data.z
    whole = np.zeros((models + metrics, models + metrics))
    ability, offset = np.arange(models), np.arange(models, models + metrics)
    whole[ability, ability] = 1 / MODEL.ability_variance + precision.sum(1)
    whole[offset, offset] = 1 / MODEL.cohort_variance + precision.sum(0)
    whole[:models, models:] = precision
    whole[models:, :models] = precision.T
    sigma = np.linalg.inv(whole)
    right = np.concatenate([weighted.sum(1), weighted.sum(0)])
    return (sigma @ right)[:models], np.diag(sigma)[:models].copy()


def compare(models: int, metrics: int, fill: float, turns: int) -> Comparison:
    """Both sides in turns on one simulated board; compilation is done before the first turn."""
    data = simulated(models, metrics, fill)
    compiled = Loops(is_compiled=True)
    ours = fit(data, MODEL, compiled)
    mean, variance = dense_inverse(data)
    seconds = {"dense": float("inf"), "ours": float("inf")}
    for _ in range(turns):
        seconds["dense"] = min(seconds["dense"], _processor_seconds(lambda: dense_inverse(data)))
        for _ in range(5):
            seconds["ours"] = min(seconds["ours"], _processor_seconds(lambda: fit(data, MODEL, compiled)))
    return Comparison(
        models, metrics, fill, seconds["dense"], seconds["ours"],
        float(np.abs(ours.mean - mean).max()), float(np.abs(ours.variance - variance).max()),
    )  # fmt: skip


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.models} models x {one.metrics} metrics, {one.fill:.0%} filled: {one.ratio:.1f} times less processor "
        f"time than a dense inverse ({one.ours_seconds * 1e3:.2f} ms against {one.dense_seconds * 1e3:.1f} ms); "
        f"largest gap mean {one.mean_gap:.1e}, variance {one.variance_gap:.1e}"
    )


def _processor_seconds(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    run()
    return time.process_time() - began


if __name__ == "__main__":
    for size in SIZES:
        sys.stdout.write(line(compare(*size)) + "\n")
        sys.stdout.flush()
