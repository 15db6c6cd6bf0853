"""What is resampled: units with a sum and a mass each, whose ratio of totals is the estimate (METHODS 12).

Belongs here: the shape, from task values to units, the total order, blocks of very many units. Does not belong here:
bounds (`mean_bounds`).

A task's value is the mean over its trials; the estimate is the weighted mean over tasks, the sum of weight times value
over the sum of weights. A unit is a cluster where the contract declares one, else a task. Units are put in the order of
their sums and masses, so that neither the order of rows nor names move a digit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from methods.statistics.fixed_point import SCALE, Integers, exact_sum
from methods.statistics.keyed_random import resample_keys

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Units:
    """Units in their total order.

    Attributes:
        sums: (u) weight times value, summed over the unit's tasks, in billionths.
        masses: (u) sum of weights: tasks where all weigh alike, else billionths of the mean weight.
        mass_scale: what a mass is divided by: 1 or a billion.
        tasks: tasks in all.
    """

    sums: Integers
    masses: Integers
    mass_scale: int
    tasks: int

    @property
    def size(self) -> int:
        """How many units."""
        return int(self.sums.size)

    @property
    def estimate(self) -> float:
        """The weighted mean over tasks, of at least one unit."""
        return self.mass_scale * exact_sum(self.sums) / (exact_sum(self.masses) * SCALE)

    @property
    def squared_error(self) -> float:
        """The squared standard error of the estimate (sandwich with its small-sample factor); 0 for one unit."""
        if self.size < 2:
            return 0.0
        total = exact_sum(self.masses)
        scaled = self.sums.astype(np.float64) * (self.mass_scale / SCALE)
        moves = scaled - self.estimate * self.masses.astype(np.float64)
        # a sum in a fixed order: cumulative, from the first unit to the last
        squares = float(np.cumsum(moves * moves)[-1])
        return self.size / (self.size - 1) * squares / float(total) ** 2


def divided(sums: Integers, counts: Integers) -> Integers:
    """Each sum over its count, to the nearest whole, halves to even."""
    whole, rest = np.divmod(sums, counts)
    double = 2 * rest
    up = (double > counts) | ((double == counts) & (whole % 2 == 1))
    found: Integers = whole + up
    return found


def make_units(values: Integers, clusters: Integers | None, weights: Floats | None) -> Units:
    """The units of tasks.

    Args:
        values: (t) one a task, in billionths.
        clusters: (t) codes from 0; None: every task stands alone.
        weights: (t) positive; None: tasks weigh alike.
    """
    if weights is None:
        sums, masses, scale = values, np.ones(values.size, dtype=np.int64), 1
    else:
        relative = weights / (float(np.cumsum(weights)[-1]) / weights.size)
        sums = np.rint(values * relative).astype(np.int64)
        masses, scale = np.maximum(np.rint(relative * SCALE).astype(np.int64), 1), SCALE
    if clusters is not None:
        sums, masses = summed(sums, clusters), summed(masses, clusters)
    order = np.lexsort((masses, sums))
    return Units(np.ascontiguousarray(sums[order]), np.ascontiguousarray(masses[order]), scale, int(values.size))


def summed(values: Integers, codes: Integers) -> Integers:
    """Exact sums by code 0, 1, 2, ...; codes that do not occur are left out."""
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    found: Integers = np.add.reduceat(values[order], starts) if values.size else values
    return found


def in_blocks(values_of: Units, limit: int, seed: int) -> Units:
    """The units themselves, or `limit` blocks of equally many, dealt out by a keyed draw, where there are more.

    Resampling blocks of independent units estimates the same spread, at the cost of `limit` draws a resample.
    """
    if values_of.size <= limit:
        return values_of
    # key r of the generator is a random word of its own for every unit; its place in the total order names it. Equal
    # values stand together in that order: dealt out by their words, no block is of one kind, and all are of one size.
    dealt = np.argsort(resample_keys(seed, 0, values_of.size), kind="stable")
    places = np.empty(values_of.size, dtype=np.int64)
    places[dealt] = np.arange(values_of.size, dtype=np.int64) % limit
    sums, masses = summed(values_of.sums, places), summed(values_of.masses, places)
    order = np.lexsort((masses, sums))
    return Units(sums[order], masses[order], values_of.mass_scale, values_of.tasks)
