"""Loops of rank ranges: covariances between the category means of pairs of models, and who is surely better.

Belongs here: arithmetic over pairs, as plain loops that run interpreted and compiled alike (METHODS 7, DESIGN
"Published tables"). Does not belong here: which models are ranked, and what the counts become (`ranks`).
"""

from __future__ import annotations

import math

from methods.scoring.loops import Indices, Matrix, Vector


def add_covariances(
    start: Indices,
    metric: Indices,
    share: Vector,
    covariance: Matrix,
    metrics: int,
    image: Vector,
    first: int,
    end: int,
    models: int,
    pairs: Matrix,
) -> None:
    """pairs[i - first][j] += h_i' C h_j for first <= i < end and j > i, one dimension's part.

    `start`, `metric` and `share` hold each model's h = gain / observed dimensions (empty where the model was not
    measured in the dimension); `image` is scratch space of length `metrics`.
    """
    for i in range(first, end):
        if start[i] == start[i + 1]:
            continue
        for b in range(metrics):
            image[b] = 0.0
        for e in range(start[i], start[i + 1]):
            row = covariance[metric[e]]
            w = share[e]
            for b in range(metrics):
                image[b] += w * row[b]
        out = pairs[i - first]
        for j in range(i + 1, models):
            total = 0.0
            for e in range(start[j], start[j + 1]):
                total += share[e] * image[metric[e]]
            out[j] += total


def count_sure(
    mean: Vector,
    variance: Vector,
    interval_z: float,
    first: int,
    end: int,
    models: int,
    pairs: Matrix,
    better: Vector,
    worse: Vector,
) -> None:
    """Counts, for each model, those surely better and those surely worse, over the pairs (i, j > i) of this block.

    Sure: |difference of means| > interval_z * SD of the posterior difference, covariance included.
    """
    for i in range(first, end):
        row = pairs[i - first]
        for j in range(i + 1, models):
            spread = (variance[i] + variance[j]) - (row[j] + row[j])
            # rounding may leave a difference without any uncertainty a hair below zero
            limit = interval_z * math.sqrt(max(spread, 0.0))
            gap = mean[i] - mean[j]
            if gap > limit:
                worse[i] += 1.0
                better[j] += 1.0
            elif -gap > limit:
                better[i] += 1.0
                worse[j] += 1.0
