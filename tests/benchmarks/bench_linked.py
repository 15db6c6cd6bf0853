"""The linked posterior beside the inverse of each model's whole covariance: prints ratios, asserts nothing.

    python tests/benchmarks/bench_linked.py

The peer is what one writes first: for every model the covariance of its results, inverted by LAPACK, added into the
matrix over metrics. It gives offsets and abilities, no variance through the offsets; ours gives all of it. CPU time,
the least of three; the largest board once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from methods.linked import posterior as exact
from methods.linked.cells import PLACES, Cells, arrange
from methods.linked.likelihood import Hyperparameters, settings_of
from resources.yaml_documents import load_yaml
from warehouse.methodology import Methodology

CATALOG = Path(__file__).resolve().parents[2] / "warehouse" / "catalog"
SIZES = ((300, 60, 0.6, 3), (1500, 250, 0.05, 3), (5000, 500, 0.3, 1))
EFFECTS = (0.9, 0.05, 0.05, 0.03)


def board(models: int, metrics: int, share: float) -> Cells:
    """A random board: each metric in one place, families of three metrics."""
    rng = np.random.default_rng(0)
    model, metric = np.nonzero(rng.random((models, metrics)) < share)
    place = rng.integers(0, len(PLACES), metrics)[metric]
    frame = pl.DataFrame({
        "model_id": [f"m{n:05d}" for n in model.tolist()], "metric_id": [f"b{n:04d}" for n in metric.tolist()],
        "category": [PLACES[n][0] for n in place.tolist()], "dimension": [PLACES[n][1] for n in place.tolist()],
        "family": [f"f{n // 3:03d}" for n in metric.tolist()], "tier": ["official"] * len(model),
        "q": np.ones(len(model)), "z": rng.normal(size=len(model)),
    })  # fmt: skip
    return arrange(frame)


def peer(cells: Cells, noise: float, cohort_variance: float) -> np.ndarray:
    """Offsets by the inverse of every model's covariance."""
    matrix, right = np.eye(cells.metrics) / cohort_variance, np.zeros(cells.metrics)
    for first, last in zip(cells.start[:-1].tolist(), cells.start[1:].tolist(), strict=True):
        here = slice(first, last)
        whole = np.eye(last - first) * noise
        for level, variance in zip(cells.levels, EFFECTS, strict=True):
            node = level.of_cell[here]
            whole += variance * (node[:, None] == node[None, :])
        inverse, metric = np.linalg.inv(whole), cells.metric[here]
        matrix[np.ix_(metric, metric)] += inverse
        right[metric] += inverse @ cells.z[here]
    return np.linalg.solve(matrix, right)


def least(work: Callable[[], object], turns: int) -> float:
    """Least CPU seconds of some turns."""
    taken = []
    for _ in range(turns):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    """Prints one line a size."""
    methodology = Methodology.model_validate(load_yaml((CATALOG / "methodology.yaml").read_bytes(), "m").data)
    rules = methodology.linked
    for models, metrics, share, turns in SIZES:
        cells = board(models, metrics, share)
        found = Hyperparameters(
            np.repeat(np.array(EFFECTS)[:, None], 8, axis=1), np.ones(cells.metrics), np.full(cells.metrics, 0.3),
            np.ones(4),
        )  # fmt: skip
        settings = settings_of(cells, found, rules)
        ours = least(lambda cells=cells, settings=settings: exact.fit(cells, settings), turns)  # type: ignore[misc]
        other = least(lambda cells=cells: peer(cells, 0.3, rules.cohort_variance), turns)  # type: ignore[misc]
        print(f"{models:,} x {metrics}, {cells.count:,} results: peer / ours = {other / ours:.2f} ({ours:.2f} s)")


if __name__ == "__main__":
    main()
