"""One-sided bounds of a mean over tasks: percentile bootstrap, and the bound for few units beside it (METHODS 12).

Belongs here: both, and which is believed. Does not belong here: what the mean is of (`objective_gates`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.decision.bounded import bounded_interval
from methods.decision.units import Units, in_blocks
from methods.statistics.bootstrap import Interval
from methods.statistics.fixed_point import SCALE
from methods.statistics.quantiles import quantile
from methods.statistics.resampling import resampled_sums
from warehouse.decision_rules import DecisionRules
from warehouse.decision_words import BoundMethod
from warehouse.methodology import exactly

Floats = NDArray[np.float64]
COMPILE_ABOVE: Final = 20_000_000
"""Draws of one bound from which compiling pays."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The range of a task's value, from `lowest` to `highest`; infinite where there are no ends."""

    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """An estimate with one-sided bounds.

    Attributes:
        estimate: of the units themselves.
        low, high: each at level 1 - alpha; the wider of both methods where there are two. None: nothing to resample.
        bootstrap: the percentile bounds alone.
        p: share of resamples at or below the threshold, one added to both counts; None without resamples.
        method: how they came about.
    """

    estimate: float
    low: float | None
    high: float | None
    bootstrap: Interval | None
    p: float | None
    method: BoundMethod


def mean_bounds(
    units: Units, ends: Ends | None, alpha: float, threshold: float, *, seed: int, rules: DecisionRules,
    resampled: Floats | None = None,
) -> Bounds:  # fmt: skip
    """Bounds of the mean of at least one unit.

    Args:
        units: what is resampled.
        ends: range of a task's value; None where it has no ends: the bootstrap stands alone.
        alpha: one-sided.
        threshold: what p refers to.
        resampled: means of resamples made elsewhere (two-stage); None: units are resampled here.
    """
    method: BoundMethod = "bootstrap" if ends is None else "bootstrap_bounded"
    if units.size < 2:
        return Bounds(units.estimate, None, None, None, None, method)
    kept = in_blocks(units, rules.bootstrap_units_limit, seed)
    means = resampled_ratios(kept, seed, rules.resamples) if resampled is None else resampled
    ascending = np.sort(means)
    found = Interval(quantile(ascending, exactly(alpha)), quantile(ascending, 1 - exactly(alpha)))
    p = (int(np.searchsorted(ascending, threshold, side="right")) + 1) / (ascending.size + 1)
    low, high = found.low, found.high
    if ends is not None and units.size <= rules.bounded_units_limit:
        wide = bounded_interval(
            kept, ends.lowest, ends.highest, alpha, seed=seed, resamples=rules.resamples,
            is_compiled=is_compiled_work(kept, rules.resamples),
        )  # fmt: skip
        if wide is not None:
            low, high = min(low, wide.low), max(high, wide.high)
    return Bounds(units.estimate, low, high, found, p, method)


def is_compiled_work(units: Units, resamples: int) -> bool:
    """Whether compiling pays: a decision makes many such bounds, so sooner than a single one would. Same bits."""
    return units.size * resamples > COMPILE_ABOVE


def resampled_ratios(units: Units, seed: int, resamples: int) -> Floats:
    """The mean of each resample, in order of their numbers: exact sums, divided once."""
    is_large = is_compiled_work(units, resamples)
    sums = resampled_sums(units.sums, seed, 0, resamples, is_compiled=is_large).astype(np.float64)
    if int(units.masses.min()) == int(units.masses.max()):
        return sums * units.mass_scale / (float(int(units.masses[0])) * units.size * SCALE)
    masses = resampled_sums(units.masses, seed, 0, resamples, is_compiled=is_large)
    return sums * units.mass_scale / (masses.astype(np.float64) * SCALE)
