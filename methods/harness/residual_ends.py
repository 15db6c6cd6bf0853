"""Intervals of interaction residuals, on each benchmark and over all (METHODS 11).

Belongs here: the same centring as `blame.residuals`, in every resample. Does not belong here: the residuals themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.harness.crossed import Crossed
from methods.harness.fit import in_turn_mean
from methods.harness.resampled import Samples, ends
from methods.statistics.bootstrap import Interval


@dataclass(frozen=True, slots=True)
class ResidualEnds:
    """Intervals: by_benchmark [b][m][h], and aggregate [m][h] of the mean over benchmarks."""

    by_benchmark: list[list[list[Interval]]]
    aggregate: list[list[Interval]]


def residual_ends(figures: Crossed, level: float) -> ResidualEnds | None:
    """The intervals of a crossing's residuals; None where there are no resamples."""
    samples = figures.samples.get("score")
    if samples is None:
        return None
    each = np.stack([centred(block) for block in samples])
    return ResidualEnds([_intervals(block, level) for block in each], _intervals(in_turn_mean(each), level))


def centred(block: Samples) -> Samples:
    """(M, H, b) each value less the means of its model and its harness, plus the mean of all; in a fixed order."""
    by_model = in_turn_mean(np.moveaxis(block, 1, 0))
    by_harness = in_turn_mean(block)
    found: Samples = block - by_model[:, None] - by_harness[None] + in_turn_mean(by_model)
    return found


def _intervals(block: Samples, level: float) -> list[list[Interval]]:
    return [[Interval(low, high) for low, high in ends(row, level).tolist()] for row in block]
