"""Rank ranges: how many rated models are surely better, how many surely worse (DESIGN "Published tables").

Belongs here: the posterior difference of category means, covariance included, for every pair of rated models. Does not
belong here: who is rated and in which order (`categories`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.scoring import rank_kernels as kernels
from methods.scoring.dimensions import DimensionFit
from methods.scoring.latent import Floats, Integers
from methods.scoring.loops import Loops, as_vector

BLOCK: Final = 256
"""Models whose pairs are held in memory at a time; the counts do not depend on it."""


def rank_ranges(
    fits: Sequence[DimensionFit],
    model_ids: Sequence[str],
    mean: Floats,
    variance: Floats,
    interval_z: float,
    loops: Loops | None = None,
) -> tuple[list[int], list[int]]:
    """rank_low = 1 + the number surely better, rank_high = n - the number surely worse, for each rated model.

    Two models are told apart where the central interval of the posterior difference of their category means excludes
    0. Its variance is v_i + v_j - 2 sum over shared dimensions of cov(theta_id, theta_jd) / (k_i k_j); missing
    dimensions are independent.

    Args:
        fits: the category's dimensions.
        model_ids: (n) rated models; the order does not matter.
        mean, variance: (n,) of their category means.
        interval_z: half-width of the interval in SD.
        loops: the side on which to run; by default chosen by the amount of work.
    """
    count = len(model_ids)
    observed = np.array([sum(one in fit.row_of for fit in fits) for one in model_ids], dtype=np.float64)
    parts = [_rows_of(fit, model_ids, observed) for fit in fits]
    entries = sum(len(metric) for _, metric, _ in parts)
    steps = count * entries + sum(
        fit.observations.metrics * len(part[1]) for fit, part in zip(fits, parts, strict=True)
    )
    loops = loops or Loops.for_work(steps + count * count)
    better, worse = loops.vector(count), loops.vector(count)
    loaded = [
        (
            loops.load(start),
            loops.load(metric),
            loops.load(share),
            loops.load(fit.posterior.cohort_covariance),
            fit.observations.metrics,
            loops.vector(fit.observations.metrics),
        )
        for fit, (start, metric, share) in zip(fits, parts, strict=True)
    ]
    centre, spread = loops.load(mean), loops.load(variance)
    for first in range(0, count, BLOCK):
        end = min(first + BLOCK, count)
        pairs = loops.matrix(end - first, count)
        for part in loaded:
            loops.run(kernels.add_covariances, *part, first, end, count, pairs)
        loops.run(kernels.count_sure, centre, spread, interval_z, first, end, count, pairs, better, worse)
    low = [1 + int(surely) for surely in as_vector(better)]
    high = [count - int(surely) for surely in as_vector(worse)]
    return low, high


def _rows_of(
    fit: DimensionFit, model_ids: Sequence[str], observed: Floats
) -> tuple[Integers, NDArray[np.int64], Floats]:
    """The gains of these models over their number of observed dimensions, in their order, as compressed rows."""
    start, metric, gain = fit.observations.start, fit.observations.metric, fit.posterior.gain
    rows = [fit.row_of.get(one) for one in model_ids]
    spans = [(0, 0) if row is None else (int(start[row]), int(start[row + 1])) for row in rows]
    lengths = np.array([end - begin for begin, end in spans], dtype=np.int64)
    chosen = np.concatenate([np.arange(begin, end) for begin, end in spans] or [np.empty(0, dtype=np.int64)])
    own_start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return own_start, metric[chosen], gain[chosen] / np.repeat(observed, lengths)
