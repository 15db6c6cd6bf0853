"""A bound of the mean of bounded values that holds at few units too: Gaffke's, by resampling (METHODS 12, Choice).

Belongs here: this bound. Does not belong here: the percentile bootstrap that must agree with it (`mean_bounds`).

Every resample gives each unit, and one more unit that holds the worst value there can be, an exponential weight, and
takes the weighted mean; the bound is the alpha quantile of the resamples. For right-or-wrong values this is exactly
the Clopper-Pearson bound; for any bounded distribution no case is known in which it fails (Gaffke, Statistics 39 (2005)
525-540; Learned-Miller and Thomas, arXiv 1905.06208). Where a bootstrap of values that hardly differ sees no spread at
all, this bound still knows the value that was not drawn.

Weights are whole numbers: draw number i of a resample is 16 bits of word i // 4 (the low ones first), and looks up
round(1024 * -ln((draw + 1/2) / 65536)). Resamples are numbered from 2^40, apart from those of the bootstrap.
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.decision.units import Units
from methods.statistics.bootstrap import Interval
from methods.statistics.compiling import compiled
from methods.statistics.fixed_point import LARGEST, SCALE, Integers, exact_sum
from methods.statistics.keyed_random import WORD_STEP, Words, mix, resample_keys
from methods.statistics.quantiles import quantile
from methods.statistics.resampling import COMPILE_ABOVE
from warehouse.methodology import exactly

Floats = NDArray[np.float64]

FIRST_RESAMPLE: Final = 1 << 40
LEVELS: Final = 1 << 16
UNIT: Final = 1024
"""The mean weight."""
_CHUNK: Final = 1 << 18


@functools.cache
def weight_table() -> Integers:
    """(65536) the weight of each draw."""
    table = np.array([round(-UNIT * math.log((i + 0.5) / LEVELS)) for i in range(LEVELS)], dtype=np.int64)
    table.setflags(write=False)
    return table


def bounded_interval(
    units: Units, lowest: float, highest: float, alpha: float, *, seed: int, resamples: int,
    is_compiled: bool | None = None,
) -> Interval | None:  # fmt: skip
    """One-sided bounds of the mean, each at level 1 - alpha; None where the totals could leave 64 bits.

    Args:
        units: at least one.
        lowest, highest: the ends of a task's value.
        alpha: as its shortest decimal.
        seed, resamples: of the draws.
        is_compiled: the side to run on; None chooses by size.
    """
    largest = int(weight_table()[0])
    if largest * max(exact_sum(np.abs(units.sums)), exact_sum(units.masses)) > LARGEST:
        return None
    sums, masses, spare = _weighted(units, seed, resamples, is_compiled)
    typical = float(exact_sum(units.masses)) / units.size
    ends = []
    for worst, share in ((lowest, exactly(alpha)), (highest, 1 - exactly(alpha))):
        more = spare.astype(np.float64) * typical
        above = sums.astype(np.float64) * (units.mass_scale / SCALE) + more * worst
        ends.append(quantile(np.sort(above / (masses.astype(np.float64) + more)), share))
    return Interval(ends[0], ends[1])


def _weighted(units: Units, seed: int, resamples: int, is_compiled: bool | None) -> tuple[Integers, Integers, Integers]:
    keys = resample_keys(seed, FIRST_RESAMPLE, FIRST_RESAMPLE + resamples)
    sums, masses, spare = (np.empty(resamples, dtype=np.int64) for _ in range(3))
    if units.size * resamples > COMPILE_ABOVE if is_compiled is None else is_compiled:
        from methods.decision.bounded_kernels import weigh

        compiled(weigh)(units.sums, units.masses, keys, np.array(weight_table()), sums, masses, spare)
        return sums, masses, spare
    step = max(1, _CHUNK // (units.size + 1))
    for start in range(0, resamples, step):
        part = slice(start, min(start + step, resamples))
        weights = exponential_weights(keys[part], units.size + 1)
        sums[part] = (weights[:, :-1] * units.sums).sum(axis=1)
        masses[part] = (weights[:, :-1] * units.masses).sum(axis=1)
        spare[part] = weights[:, -1]
    return sums, masses, spare


def exponential_weights(keys: Words, count: int) -> Integers:
    """(b, count) the weights of whole resamples, in plain numpy."""
    words = (count + 3) // 4
    with np.errstate(over="ignore"):
        drawn = mix(keys[:, None] + np.arange(1, words + 1, dtype=np.uint64) * WORD_STEP)
    quarters = np.empty((keys.size, words, 4), dtype=np.int64)
    for quarter in range(4):
        quarters[:, :, quarter] = (drawn >> np.uint64(16 * quarter)) & np.uint64(LEVELS - 1)
    return weight_table()[quarters.reshape(keys.size, 4 * words)[:, :count]]
