"""The category score computed a second time, densely and naively, sharing no code with `methods.scoring`.

Logarithms come from `math`, medians from `statistics`, and each dimension's posterior from the inverse of the whole
precision matrix over abilities and offsets. Weights are found by setting one z to 1 and all others to 0.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

FLOORS = {"verified": 0.25, "official": 0.35, "reported": 0.50, "self_reported": 0.75}


@dataclass
class DenseDimension:
    models: list[str]
    metrics: list[str]
    rows: list[dict[str, Any]]
    mean: np.ndarray
    covariance: np.ndarray
    weights: np.ndarray
    families: dict[str, set[str]]
    is_overlap: dict[str, bool]


@dataclass
class DenseBoard:
    evidence: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    excluded: dict[tuple[str, str], str] = field(default_factory=dict)
    dimensions: dict[tuple[str, str], DenseDimension] = field(default_factory=dict)
    categories: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)


def dense_board(kept: pl.DataFrame) -> DenseBoard:
    board = DenseBoard()
    by_metric = defaultdict(list)
    for row in kept.iter_rows(named=True):
        by_metric[row["metric_id"]].append(row)
    for rows in by_metric.values():
        _standardize(rows, board)
    _cap(list(board.evidence.values()))
    places = defaultdict(list)
    for row in board.evidence.values():
        places[row["category"], row["dimension"]].append(row)
    board.dimensions = {place: _dimension(rows) for place, rows in places.items()}
    for category in {place[0] for place in places}:
        _category(category, board)
    return board


def _standardize(rows: list[dict[str, Any]], board: DenseBoard) -> None:
    for row in rows:
        fraction = row["value"] / 100 if row["unit"] == "score" else row["value"]
        error = row["stderr"] or 0.0
        if row["transform"] == "logit":
            good = 1 - fraction if row["direction"] == "lower" else fraction
            good = min(max(good, 0.005), 0.995)
            row["x"] = math.log(good) - math.log1p(-good)
            row["error"] = (error / 100 if row["unit"] == "score" else error) / (good * (1 - good))
        else:
            row["x"] = -fraction if row["direction"] == "lower" else fraction
            row["error"] = error
    xs = [row["x"] for row in rows]
    developers = {row["developer"] for row in rows} - {None}
    reason = (
        "too_few_models"
        if len(rows) < 3
        else "no_known_developer"
        if not developers
        else "no_spread"
        if max(xs) - min(xs) < 1e-12
        else None
    )
    if reason:
        board.excluded.update({(row["metric_id"], row["model_id"]): reason for row in rows})
        return
    middle = statistics.median(xs)
    scale = 1.4826 * statistics.median(abs(x - middle) for x in xs)
    if scale < 1e-12:
        low, high = np.quantile(xs, [0.25, 0.75])
        scale = (high - low) / 1.349
    if scale < 1e-12:
        scale = statistics.stdev(xs)
    q = min(1, len(rows) / 8) * min(1, len(developers) / 3)
    for row in rows:
        row["z"] = min(max((row["x"] - middle) / scale, -3), 3)
        row["variance"] = max((row["error"] / scale) ** 2, FLOORS[row["tier"]] ** 2) / q
        row["q"] = q
        board.evidence[row["metric_id"], row["model_id"]] = row


def _cap(rows: list[dict[str, Any]]) -> None:
    groups = defaultdict(list)
    for row in rows:
        groups[row["model_id"], row["category"], row["dimension"], row["family"]].append(row)
    for group in groups.values():
        total = sum(1 / row["variance"] for row in group)
        for row in group:
            row["precision"] = (1 / row["variance"]) * min(1, total) / total


def _dimension(rows: list[dict[str, Any]]) -> DenseDimension:
    models = sorted({row["model_id"] for row in rows})
    metrics = sorted({row["metric_id"] for row in rows})
    count = len(models)
    whole = np.diag([1.0] * count + [0.1] * len(metrics))
    for row in rows:
        m, b, p = models.index(row["model_id"]), count + metrics.index(row["metric_id"]), row["precision"]
        whole[m, m] += p
        whole[b, b] += p
        whole[m, b] += p
        whole[b, m] += p
    sigma = np.linalg.inv(whole)
    weights = np.empty((count, len(rows)))
    for i, row in enumerate(rows):
        right = np.zeros(count + len(metrics))
        right[models.index(row["model_id"])] = row["precision"]
        right[count + metrics.index(row["metric_id"])] = row["precision"]
        weights[:, i] = sigma[:count] @ right
    families = {model: {row["family"] for row in rows if row["model_id"] == model} for model in models}
    return DenseDimension(
        models, metrics, rows, weights @ np.array([row["z"] for row in rows]), sigma[:count, :count], weights,
        families, {model: len(_reachable(model, families)) >= 2 for model in models},
    )  # fmt: skip


def _reachable(model: str, families: dict[str, set[str]]) -> set[str]:
    seen = set(families[model])
    while True:
        more = seen.union(*(own for own in families.values() if own & seen))
        if more == seen:
            return seen
        seen = more


def _category(category: str, board: DenseBoard) -> None:
    dims = {place[1]: dim for place, dim in board.dimensions.items() if place[0] == category}
    for model in {model for dim in dims.values() for model in dim.models}:
        own = [dim for dim in dims.values() if model in dim.models]
        at = [dim.models.index(model) for dim in own]
        k = len(own)
        variances = [dim.covariance[m, m] for dim, m in zip(own, at, strict=True)]
        mu = sum(dim.mean[m] for dim, m in zip(own, at, strict=True)) / k
        sigma = math.sqrt(sum(variances) / k**2 + (4 - k) / 16)
        families = len(set().union(*(dim.families[model] for dim in own)))
        overlap = sum(dim.is_overlap[model] for dim in own)
        status = (
            "rated"
            if k >= 3 and families >= 4 and overlap >= 2
            else "estimated"
            if k >= 2 and families >= 2
            else "unrated"
        )
        board.categories[category, model] = {
            "status": status, "mu": mu, "sigma": sigma, "k": k, "families": families, "overlap": overlap,
            "coverage": sum(1 - v for v in variances) / 4,
            "score": min(max(50 + 15 * mu, 0), 100),
            "low80": min(max(50 + 15 * (mu - 1.281552 * sigma), 0), 100),
            "high80": min(max(50 + 15 * (mu + 1.281552 * sigma), 0), 100),
            "reason": None if status != "unrated" else "too_few_dimensions" if k < 2 else "too_few_families",
        }  # fmt: skip
    rated = {m: one for (c, m), one in board.categories.items() if c == category and one["status"] == "rated"}
    order = sorted(
        rated,
        key=lambda m: (-rated[m]["mu"], -rated[m]["coverage"], -(rated[m]["mu"] - 1.281552 * rated[m]["sigma"]), m),
    )
    for place, model in enumerate(order):
        one = rated[model]
        better = worse = 0
        for rival in order:
            if rival == model:
                continue
            shared = [dim for dim in dims.values() if model in dim.models and rival in dim.models]
            together = sum(dim.covariance[dim.models.index(model), dim.models.index(rival)] for dim in shared)
            spread = one["sigma"] ** 2 + rated[rival]["sigma"] ** 2 - 2 * together / (one["k"] * rated[rival]["k"])
            gap = one["mu"] - rated[rival]["mu"]
            if abs(gap) > 1.281552 * math.sqrt(spread):
                worse += gap > 0
                better += gap < 0
        one.update(rank=place + 1, rank_low=1 + better, rank_high=len(order) - worse)
