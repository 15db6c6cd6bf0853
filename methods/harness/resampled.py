"""Task-clustered resamples of a panel: S, V and J of every configuration in each resample (METHODS 11).

Belongs here: drawing tasks, with all their attempts, within each environment, the same draws for every configuration,
so that differences are paired. Does not belong here: what intervals are made of (`fit`, `blame`, `differences`).

Each environment of each benchmark draws by itself: its seed is the methodology's, exclusive-or the first eight bytes of
the SHA-256 of "benchmark/environment" (UTF-8, big-endian). Tasks stand in the order of their ids. So neither the order
of records nor other benchmarks of the panel move a digit. Sums are whole billionths; each is divided once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.harness.grid import BlockGrid
from methods.statistics.bootstrap import BootstrapRules, Interval
from methods.statistics.compiling import compiled
from methods.statistics.fixed_point import SCALE, Integers, assert_sums_fit
from methods.statistics.keyed_random import Words, check_count, draws, resample_keys
from methods.statistics.quantiles import tails
from warehouse.harness_words import MEASURES, Measure

Samples = NDArray[np.float64]

COMPILE_ABOVE: Final = 10_000_000
"""Additions from which compiling pays. It moves time only: the numbers are the same on either side."""
COMPARE_ABOVE: Final = 500_000
"""Values of differences from which compiling pays, likewise."""
_EXACT_BELOW: Final = 2**53
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class Resampled:
    """The resamples of one block.

    Attributes:
        means: by measure, (C, b) its value in each resample; `clean` and `joint` only where tracked.
        has_spread: whether every environment has at least two tasks; without, there is no interval.
    """

    means: dict[Measure, Samples]
    has_spread: bool


def resample(grid: BlockGrid, rules: BootstrapRules) -> Resampled:
    """The resamples of a block.

    Raises:
        FixedPointError: where a sum could leave 64 bits (beyond 9e9 attempts a cell).
    """
    block = grid.block
    measures: tuple[Measure, ...] = MEASURES if grid.is_clean_tracked else ("score",)
    rows = task_sums(grid, measures)
    configurations, _, repetitions = block.shape
    totals = np.zeros((configurations * len(measures), rules.resamples))
    for environment, (first, last) in zip(block.environments, pairwise(block.starts), strict=True):
        keys = resample_keys(stratum_seed(rules.seed, block.benchmark, environment), 0, rules.resamples)
        sums = drawn_sums(rows[first:last], keys)
        totals += sums.T / float((last - first) * repetitions * SCALE)
    if len(block.environments) > 1:
        totals /= float(len(block.environments))
    means = {name: totals[place * configurations : (place + 1) * configurations] for place, name in enumerate(measures)}
    return Resampled(means, all(len(tasks) > 1 for tasks in block.tasks))


def task_sums(grid: BlockGrid, measures: Sequence[Measure]) -> Integers:
    """(T, measures × C) each task's sum over repetitions, in billionths, measure by measure."""
    parts = {
        "score": lambda: grid.score.sum(axis=2, dtype=np.int64),
        "clean": lambda: grid.clean.sum(axis=2, dtype=np.int64) * SCALE,
        "joint": lambda: np.where(grid.clean, grid.score, 0).sum(axis=2, dtype=np.int64),
    }
    return np.ascontiguousarray(np.concatenate([parts[name]() for name in measures]).T)


def stratum_seed(seed: int, benchmark: str, environment: str) -> int:
    """The seed of one environment's draws."""
    own = hashlib.sha256(f"{benchmark}/{environment}".encode()).digest()[:8]
    return seed ^ int.from_bytes(own, "big")


def drawn_sums(rows: Integers, keys: Words, *, is_compiled: bool | None = None) -> Integers:
    """(b, k) for each key, the sum of as many drawn rows as there are.

    Args:
        rows: (n, k) one a task, in the order that draws refer to.
        keys: (b) of the resamples.
        is_compiled: the side to run on; None chooses by size.

    Raises:
        FixedPointError: where a sum could leave 64 bits.
        ValueError: for no rows.
    """
    count, width = rows.shape
    check_count(count)
    assert_sums_fit(rows, count)
    sums = np.empty((keys.size, width), dtype=np.int64)
    if count * keys.size * width > COMPILE_ABOVE if is_compiled is None else is_compiled:
        from methods.harness.resampling_kernels import sum_drawn_rows

        compiled(sum_drawn_rows)(np.ascontiguousarray(rows), keys, sums)
        return sums
    step = max(1, _CHUNK // count)
    is_exact = int(np.abs(rows).max(initial=0)) * count < _EXACT_BELOW
    for start in range(0, keys.size, step):
        part = keys[start : start + step]
        times = _times(part, count)
        if is_exact:  # whole numbers below 2^53: the product is exact in any order
            sums[start : start + step] = times.astype(np.float64) @ rows.astype(np.float64)
        else:
            sums[start : start + step] = times @ rows
    return sums


def _times(keys: Words, count: int) -> Integers:
    """(b, n) how often each key draws each row."""
    shifts = np.arange(keys.size, dtype=np.int64)[:, None] * count
    flat = np.bincount((draws(keys, count) + shifts).ravel(), minlength=keys.size * count)
    return flat.astype(np.int64, copy=False).reshape(keys.size, count)


def ends(samples: Samples, level: float) -> NDArray[np.float64]:
    """(k, 2) the percentile interval of each row: type-7 quantiles of the resamples.

    Args:
        samples: (k, b).
        level: such as 0.95.
    """
    ranks, _ = _ranks(samples.shape[-1], level)
    ordered = np.partition(samples, sorted(set(ranks.tolist())), axis=-1)
    return _between(ordered[:, ranks], samples.shape[-1], level)


def difference_ends(
    samples: Samples, first: Integers, second: Integers, level: float, *, is_compiled: bool | None = None
) -> NDArray[np.float64]:
    """(p, 2) the percentile interval of the difference of each pair of rows.

    Args:
        samples: (c, b).
        first, second: (p) rows; the second is subtracted.
        level: such as 0.95.
        is_compiled: the side to run on; None chooses by size.
    """
    ranks, _ = _ranks(samples.shape[1], level)
    ranked = np.empty((first.size, ranks.size))
    if first.size * samples.shape[1] > COMPARE_ABOVE if is_compiled is None else is_compiled:
        from methods.harness.resampling_kernels import ranked_differences

        compiled(ranked_differences)(np.ascontiguousarray(samples), first, second, ranks, ranked)
        return _between(ranked, samples.shape[1], level)
    step = max(1, _CHUNK // samples.shape[1])
    for start in range(0, first.size, step):
        part = slice(start, start + step)
        apart = samples[first[part]] - samples[second[part]]
        apart.partition(sorted(set(ranks.tolist())), axis=-1)
        ranked[part] = apart[:, ranks]
    return _between(ranked, samples.shape[1], level)


def _ranks(size: int, level: float) -> tuple[Integers, list[float]]:
    """The four ranks between which both ends lie, and how far each end lies from the first to the second of its two."""
    places = [(size - 1) * probability for probability in tails(level)]
    below = [place.numerator // place.denominator for place in places]
    ranks = [min(low + more, size - 1) for low in below for more in (0, 1)]
    return np.array(ranks, dtype=np.int64), [float(place - low) for place, low in zip(places, below, strict=True)]


def _between(ranked: NDArray[np.float64], size: int, level: float) -> NDArray[np.float64]:
    """(k, 2) the two ends, from the (k, 4) values at their ranks."""
    _, rests = _ranks(size, level)
    sides = [
        ranked[:, 2 * side] + rest * (ranked[:, 2 * side + 1] - ranked[:, 2 * side]) if rest else ranked[:, 2 * side]
        for side, rest in enumerate(rests)
    ]
    return np.stack(sides, axis=-1)


def interval(samples: Samples, level: float) -> Interval:
    """The percentile interval of one figure's resamples."""
    [[low, high]] = ends(samples[None, :], level).tolist()
    return Interval(low, high)
