"""A whole decision against scipy.stats.bootstrap for its intervals alone, in one run: prints ratios, asserts nothing.

    python tests/benchmarks/bench_decision.py [rows of a Parquet file, such as 10000000]

500 tasks, 4 trials, 2 systems, an objective and 10 slices, 10,000 resamples each. Ours ends at a decision: pairs, both
bounds of every comparison, the evidence's gates, 200 redraws of all trials for the flip rate. The peer bootstraps the
eleven paired differences of task means and stops there. In turns, least CPU time of three. With a number of rows, a
Parquet file of so many is written to a temporary folder, read and decided on; its seconds and memory are printed.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import scipy.stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "methods" / "decision"))

from decision_cases import contract, methodology, rows, samples

from methods.decision.decide import decide
from resources.sample_evidence import read_samples

TASKS, TRIALS, SLICES, TURNS = 500, 4, 10, 3


def simulated(tasks: int) -> tuple[np.ndarray, np.ndarray]:
    """Right or wrong of two systems, tasks of very different difficulty."""
    rng = np.random.default_rng(1)
    rate = rng.beta(0.6, 0.5, tasks)[:, None]
    better = np.clip(rate + 0.03, 0, 1)
    return (rng.random((tasks, TRIALS)) < rate).astype(int), (rng.random((tasks, TRIALS)) < better).astype(int)


def parts(minimum: int) -> dict[str, Any]:
    """The contract's parts: trials, and ten slices."""
    slices = [
        {"id": f"s{i}", "column": "lang", "value": f"l{i}", "delta_pp": 10, "minimum_tasks": minimum}
        for i in range(SLICES)
    ]
    return {"sampling": {"minimum_tasks": minimum, "minimum_trials": TRIALS}, "slices": slices}


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(tasks: int = TASKS, turns: int = TURNS) -> tuple[float, float]:
    """Least CPU seconds of ours and of the peer."""
    old, new = simulated(tasks)
    lang = np.array([f"l{i % SLICES}" for i in range(tasks)])
    of = contract(**parts(2))
    frame = rows(old, new, lang=lang)
    difference = new.mean(axis=1) - old.mean(axis=1)
    masks = [np.ones(tasks, dtype=bool), *(lang == name for name in dict.fromkeys(lang))]

    def ours() -> object:
        return decide(of, samples(of, frame), methodology())

    def peer() -> object:
        return [
            scipy.stats.bootstrap(
                (difference[mask],), np.mean, n_resamples=10_000, method="percentile", confidence_level=0.9, batch=2000,
                rng=np.random.default_rng(1),
            )
            for mask in masks
        ]  # fmt: skip

    ours()
    return min(cpu_seconds(ours) for _ in range(turns)), min(cpu_seconds(peer) for _ in range(turns))


def large(count: int) -> str:
    """Reads and decides on a Parquet file of so many rows; what it took, in words."""
    old, new = simulated(count // (2 * TRIALS))
    of = contract(sampling={"minimum_tasks": 2, "minimum_trials": TRIALS})
    with tempfile.TemporaryDirectory() as folder:
        rows(old, new).with_columns(
            scorer_type=pl.lit("rule"), scorer_version=pl.lit("1"), contract_sha256=pl.lit(of.sha256)
        ).write_parquet(Path(folder) / "rows.parquet")
        start, cpu = time.perf_counter(), time.process_time()
        found = decide(of, read_samples([Path(folder)], of), methodology())
        wall, used = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return (
        f"{count:,} rows: {found.verdict} after {wall:.1f} s ({used:.1f} s of CPU); peak {peak:.2f} GB with its making"
    )


def line(ours: float, peer: float) -> str:
    """The ratio in words."""
    return (
        f"{TASKS} tasks x {TRIALS} trials x 2 systems, {SLICES} slices: a whole decision in {ours / peer:.2f} "
        f"times the CPU of eleven intervals by scipy.stats.bootstrap ({ours:.2f} s)"
    )


if __name__ == "__main__":
    print(line(*compare()))
    if len(sys.argv) > 1:
        print(large(int(sys.argv[1])))
