"""PSS of a panel against a loop of scipy.stats.kendalltau, in one run: prints ratios, asserts nothing.

    python tests/benchmarks/bench_protocols.py

Both sides start from the same two arrays of losses, 70,000 coordinates of 10,000 sites by 9 candidates, ties among
them, and end at the PSS of every site; ours also finds the winners and which sites are swapped. SciPy runs on a
thousandth of the coordinates or so, and its time is taken in proportion. The sides run in turns, ours in one thread;
each one's figure is its least CPU time. Ratios travel between machines, times do not.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.stats

from methods.protocols.rank_agreement import agreement
from methods.protocols.shifts import site_shifts

SITES, HORIZONS, CANDIDATES = 10_000, 7, 9
PEER_COORDINATES = 700
TURNS = 5


@dataclass(frozen=True)
class Comparison:
    """One panel: least CPU seconds of both for all coordinates, and the largest gap between their figures."""

    coordinates: int
    candidates: int
    scipy_seconds: float
    our_seconds: float
    largest_gap: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.scipy_seconds / self.our_seconds


def simulated(coordinates: int, candidates: int) -> tuple[np.ndarray, np.ndarray]:
    """Losses under two protocols, one decimal, so that some are tied."""
    rng = np.random.default_rng(coordinates)
    base = rng.normal(size=(candidates, coordinates))
    return (base + 0.5 * rng.normal(size=base.shape)).round(1), (base + 0.5 * rng.normal(size=base.shape)).round(1)


def compare(sites: int, horizons: int, candidates: int, peer: int, turns: int = TURNS) -> Comparison:
    """Both sides in turns on the same panel; SciPy on its first `peer` coordinates, whole sites."""
    count = sites * horizons
    a, b = simulated(count, candidates)
    site = np.repeat(np.arange(sites, dtype=np.int64), horizons)
    weight, whole = np.ones(count), np.full(count, 10**9, dtype=np.int64)
    peer = min(peer, count) // horizons * horizons

    def ours() -> np.ndarray:
        return site_shifts(agreement(a, b), site, sites, weight, whole, 0.5).pss

    def theirs() -> np.ndarray:
        tau = [scipy.stats.kendalltau(a[:, place], b[:, place]).statistic for place in range(peer)]
        means: np.ndarray = np.nanmean(np.array(tau).reshape(-1, horizons), axis=1)
        return 1 - means

    gap = float(np.nanmax(np.abs(ours()[: peer // horizons] - theirs())))
    seconds = {"ours": float("inf"), "theirs": float("inf")}
    for _ in range(turns):
        seconds["theirs"] = min(seconds["theirs"], _seconds(theirs))
        seconds["ours"] = min(seconds["ours"], _seconds(ours))
    return Comparison(count, candidates, seconds["theirs"] * count / peer, seconds["ours"], gap)


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.coordinates:,} coordinates by {one.candidates} candidates: {one.ratio:,.0f} times as fast as a loop of "
        f"scipy.stats.kendalltau; largest gap {one.largest_gap:.1e}"
    )


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    sys.stdout.write(line(compare(SITES, HORIZONS, CANDIDATES, PEER_COORDINATES)) + "\n")
