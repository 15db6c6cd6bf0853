"""The parts of a change computed a second time, naively, sharing no code with `methods`.

From kept rows (one a model and metric) on: logarithms from `math`, medians from `statistics`, each dimension's
posterior from the inverse of the whole precision matrix, one state after another.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from typing import Any

import numpy as np
import polars as pl

FLOORS = {"verified": 0.25, "official": 0.35, "reported": 0.50, "self_reported": 0.75}
Row = dict[str, Any]


class NaiveBoard:
    """Kept rows of one board, each metric's cohort, and the published scores it gives."""

    def __init__(self, kept: pl.DataFrame, epsilon: float = 0.005) -> None:
        self.rows: dict[str, dict[str, Row]] = defaultdict(dict)
        by_metric: dict[str, list[Row]] = defaultdict(list)
        for row in kept.iter_rows(named=True):
            good = min(max(row["value"] / 100, epsilon), 1 - epsilon)
            row["x"] = math.log(good / (1 - good))
            row["error"] = (row["stderr"] or 0) / 100 / (good * (1 - good))
            self.rows[row["model_id"]][row["metric_id"]] = row
            by_metric[row["metric_id"]].append(row)
        self.cohort: dict[str, dict[str, float]] = {}
        for metric, rows in by_metric.items():
            xs = [row["x"] for row in rows]
            developers = {row["developer"] for row in rows}
            if len(rows) < 3 or max(xs) == min(xs):
                continue
            middle = statistics.median(xs)
            scale = 1.4826 * statistics.median(abs(x - middle) for x in xs)
            if scale == 0:
                low, high = np.quantile(xs, [0.25, 0.75])
                scale = float(high - low) / 1.349 or statistics.stdev(xs)
            q = min(1, len(rows) / 8) * min(1, len(developers) / 3)
            self.cohort[metric] = {"middle": middle, "scale": scale, "q": q}
        for dimension in {row["dimension"] for rows in by_metric.values() for row in rows}:
            self._offsets(dimension)

    def _offsets(self, dimension: str) -> None:
        metrics = sorted(
            {m for rows in self.rows.values() for m, row in rows.items() if row["dimension"] == dimension}
            & set(self.cohort)
        )
        models = sorted(model for model, rows in self.rows.items() if set(rows) & set(metrics))
        whole = np.diag([1.0] * len(models) + [0.1] * len(metrics))
        right = np.zeros(len(whole))
        for m, model in enumerate(models):
            for metric, (z, p) in observed(self.rows[model], self.cohort, dimension).items():
                b = len(models) + metrics.index(metric)
                for i in (m, b):
                    right[i] += p * z
                    for j in (m, b):
                        whole[i, j] += p
        solved = np.linalg.solve(whole, right)
        for b, metric in enumerate(metrics):
            self.cohort[metric]["beta"] = float(solved[len(models) + b])

    def score(self, model: str) -> float:
        return points(self.rows.get(model, {}), self.cohort)


def observed(
    rows: dict[str, Row], cohort: dict[str, dict[str, float]], dimension: str
) -> dict[str, tuple[float, float]]:
    """Metric → (z, precision after the family cap) of one model in one dimension."""
    families: dict[str, float] = defaultdict(float)
    inverse: dict[str, float] = {}
    for metric, row in rows.items():
        if metric in cohort and row["dimension"] == dimension:
            error = row["error"] / cohort[metric]["scale"]
            inverse[metric] = cohort[metric]["q"] / max(error**2, FLOORS[row["tier"]] ** 2)
            families[row["family"]] += inverse[metric]
    found = {}
    for metric, one in inverse.items():
        total = families[rows[metric]["family"]]
        z = (rows[metric]["x"] - cohort[metric]["middle"]) / cohort[metric]["scale"]
        found[metric] = (min(max(z, -3), 3), one * min(1, total) / total)
    return found


def points(rows: dict[str, Row], cohort: dict[str, dict[str, float]]) -> float:
    """The unclamped score of one model's rows against a cohort; 50 without any."""
    means = []
    for dimension in sorted({row["dimension"] for row in rows.values()}):
        seen = observed(rows, cohort, dimension)
        if seen:
            total = 1 + sum(p for _, p in seen.values())
            means.append(sum(p * (z - cohort[metric]["beta"]) for metric, (z, p) in seen.items()) / total)
    return 50 + 15 * sum(means) / len(means) if means else 50.0


def naive_parts(
    former: NaiveBoard, under_methodology: NaiveBoard, held: NaiveBoard, latter: NaiveBoard, model: str
) -> dict[str, float]:
    """The six parts, state by state, in the order of METHODS 7."""
    before, after = held.rows.get(model, {}), latter.rows.get(model, {})

    def same(a: Row, b: Row) -> bool:
        return all(a[name] == b[name] for name in ("entry_id", "value", "stderr", "tier", "unit"))

    dead = {metric for metric in before if metric not in held.cohort}
    removed = {metric: row for metric, row in before.items() if metric in after}
    changed = {metric: row if same(row, after[metric]) else after[metric] for metric, row in removed.items()}
    added = changed | {metric: row for metric, row in after.items() if metric not in before}
    new = {metric: one for metric, one in latter.cohort.items() if metric not in held.cohort}

    def at(rows: dict[str, Row], cohort: dict[str, dict[str, float]]) -> float:
        return points({metric: row for metric, row in rows.items() if metric not in dead}, cohort)

    states = [
        former.score(model),
        under_methodology.score(model),
        held.score(model),
        at(removed, held.cohort),
        at(changed, held.cohort),
        at(added, held.cohort | new),
        latter.score(model),
    ]
    names = ("methodology", "catalog", "removed", "changed", "added", "cohort")
    return {name: b - a for name, a, b in zip(names, states, states[1:], strict=False)}
