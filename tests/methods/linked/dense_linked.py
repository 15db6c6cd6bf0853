"""The linked model computed a second time, densely and naively, sharing no code with `methods.linked`.

One covariance matrix over all observations: offsets, effects level by level, noise. Posterior moments are read off the
joint normal distribution of what is asked and what was observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

DIMENSIONS = 4


@dataclass
class Dense:
    rows: list[dict[str, Any]]
    effect: dict[tuple[str, str], float]
    slope: dict[str, float]
    noise: dict[str, float]
    tier: dict[str, float]
    cohort_variance: float

    def effect_variance(self, level: str, category: str) -> float:
        return self.effect[level, "" if level == "model" else category]

    def shared(self, one: dict[str, Any], other: dict[str, Any], depth: int = 4) -> float:
        """Covariance of two abilities by the effects that both have, from the model down to `depth` levels."""
        keys = (("model_id",), ("model_id", "category"), ("model_id", "category", "dimension"),
                ("model_id", "category", "dimension", "family"))  # fmt: skip
        total = 0.0
        for level, key in zip(("model", "category", "dimension", "family")[:depth], keys[:depth], strict=True):
            if all(one.get(name) == other.get(name) and one.get(name) is not None for name in key):
                total += self.effect_variance(level, one["category"])
        return total

    def covariance(self) -> np.ndarray:
        count = len(self.rows)
        whole = np.zeros((count, count))
        for i, a in enumerate(self.rows):
            for j, b in enumerate(self.rows):
                whole[i, j] = self.slope[a["metric_id"]] * self.slope[b["metric_id"]] * self.shared(a, b)
                whole[i, j] += self.cohort_variance * (a["metric_id"] == b["metric_id"])
            whole[i, i] += self.noise[a["metric_id"]] * self.tier[a["tier"]] / a["q"]
        return whole

    @property
    def z(self) -> np.ndarray:
        return np.array([row["z"] for row in self.rows])

    def log_likelihood(self) -> float:
        whole = self.covariance()
        _, size = np.linalg.slogdet(whole)
        return float(-0.5 * (size + self.z @ np.linalg.solve(whole, self.z)))

    def category(self, model_id: str, category: str, dimensions: tuple[str, ...]) -> tuple[float, float, np.ndarray]:
        """Mean, variance and weights (by observation) of the mean over a category's four dimensions."""
        asked = [{"model_id": model_id, "category": category, "dimension": name} for name in dimensions]
        cross = np.array([
            np.mean([self.shared(one, row, 3) for one in asked]) * self.slope[row["metric_id"]] for row in self.rows
        ])  # fmt: skip
        prior = np.mean([[self.shared(a, b, 3) for b in asked] for a in asked])
        weights = np.linalg.solve(self.covariance(), cross)
        return float(weights @ self.z), float(prior - weights @ cross), weights

    def centred(self, model_id: str, category: str, dimensions: tuple[str, ...]) -> tuple[float, float, np.ndarray]:
        """The same of what is left when the mean of all models' own effects is taken off."""
        asked = [{"model_id": model_id, "category": category, "dimension": name} for name in dimensions]
        everybody = sorted({row["model_id"] for row in self.rows})
        own = self.effect["model", ""]
        cross = np.array([
            (np.mean([self.shared(one, row, 3) for one in asked]) - own / len(everybody)) * self.slope[row["metric_id"]]
            for row in self.rows
        ])  # fmt: skip
        prior = np.mean([[self.shared(a, b, 3) for b in asked] for a in asked]) - own / len(everybody)
        weights = np.linalg.solve(self.covariance(), cross)
        return float(weights @ self.z), float(prior - weights @ cross), weights

    def difference(self, one: tuple[str, str], other: tuple[str, str], dimensions: tuple[str, ...]) -> float:
        """Posterior covariance of two models' category means; their prior has none in common."""
        crosses = []
        for model_id, category in (one, other):
            asked = [{"model_id": model_id, "category": category, "dimension": name} for name in dimensions]
            crosses.append(np.array([
                np.mean([self.shared(a, row, 3) for a in asked]) * self.slope[row["metric_id"]] for row in self.rows
            ]))  # fmt: skip
        return float(-crosses[0] @ np.linalg.solve(self.covariance(), crosses[1]))

    def result(self, asked: dict[str, Any]) -> tuple[float, float]:
        """Mean and variance of a result nobody has seen."""
        slope = self.slope[asked["metric_id"]]
        cross = np.array([
            slope * self.slope[row["metric_id"]] * self.shared(asked, row)
            + self.cohort_variance * (asked["metric_id"] == row["metric_id"])
            for row in self.rows
        ])  # fmt: skip
        prior = slope * slope * self.shared(asked, asked) + self.cohort_variance
        prior += self.noise[asked["metric_id"]] * self.tier[asked["tier"]] / asked["q"]
        weights = np.linalg.solve(self.covariance(), cross)
        return float(weights @ self.z), float(prior - weights @ cross)
