"""The paired bootstrap against scipy.stats.bootstrap, in one run: prints ratios, asserts nothing.

    python tests/benchmarks/bench_bootstrap.py

Both sides start from the same two arrays of values and end at a 95% percentile interval of 10,000 resamples of the
mean, or the median, of the paired differences; scipy runs vectorized in batches of 2,000 resamples. They run in turns,
ours in one thread; each one's figure is its least wall time of five. Compilation is done before the first turn. Ratios
travel between machines, times do not.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

from methods.statistics.bootstrap import BootstrapRules, Interval, in_total_order, mean_interval, median_interval
from methods.statistics.fixed_point import fixed_point

SIZES = ((10_000, 10_000), (1_000, 10_000), (100, 10_000))
"""Pairs, resamples."""
TURNS = 5
BATCH = 2_000


@dataclass(frozen=True)
class Comparison:
    """One size and statistic: least seconds of both, both intervals, and scipy's standard error to judge the gap by."""

    statistic: str
    n: int
    resamples: int
    scipy_seconds: float
    our_seconds: float
    ours: Interval
    scipy_ends: Interval
    standard_error: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.scipy_seconds / self.our_seconds


def simulated(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two systems' values on the same n tasks, four decimals."""
    rng = np.random.default_rng(n)
    first = rng.random(n)
    return first.round(4), np.clip(first + rng.normal(0.02, 0.2, n), 0, 1).round(4)


def compare(statistic: str, n: int, resamples: int, turns: int = TURNS) -> Comparison:
    """Both sides in turns on the same pairs."""
    first, second = simulated(n)
    rules = BootstrapRules(seed=20261020, resamples=resamples, level=0.95)
    interval_of = {"mean": mean_interval, "median": median_interval}[statistic]
    of_differences = {
        "mean": lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        "median": lambda x, y, axis: np.median(x - y, axis=axis),
    }[statistic]

    def ours() -> Interval:
        return interval_of(in_total_order(fixed_point(first) - fixed_point(second)), rules)

    def theirs() -> Any:
        return scipy.stats.bootstrap(
            (first, second), of_differences, paired=True, vectorized=True, n_resamples=resamples, batch=BATCH,
            method="percentile", rng=np.random.default_rng(1),
        )  # fmt: skip

    found, peer = ours(), theirs()
    seconds = {"ours": float("inf"), "theirs": float("inf")}
    for _ in range(turns):
        seconds["theirs"] = min(seconds["theirs"], _seconds(theirs))
        seconds["ours"] = min(seconds["ours"], _seconds(ours))
    ends = Interval(float(peer.confidence_interval.low), float(peer.confidence_interval.high))
    return Comparison(
        statistic, n, resamples, seconds["theirs"], seconds["ours"], found, ends, float(peer.standard_error)
    )


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.statistic}, n = {one.n}, {one.resamples} resamples: {one.ratio:.1f} times as fast as "
        f"scipy.stats.bootstrap ({one.our_seconds * 1e3:.1f} ms against {one.scipy_seconds * 1e3:.1f} ms); "
        f"[{one.ours.low:.5f}, {one.ours.high:.5f}] against [{one.scipy_ends.low:.5f}, {one.scipy_ends.high:.5f}]"
    )


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    for size in SIZES:
        for name in ("mean", "median"):
            sys.stdout.write(line(compare(name, *size)) + "\n")
            sys.stdout.flush()
