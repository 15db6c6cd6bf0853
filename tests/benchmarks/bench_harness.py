"""The crossing of models and harnesses: its resamples against scipy, and ten million attempts; prints, asserts nothing.

    python tests/benchmarks/bench_harness.py

1. 16 configurations on 6 benchmarks of 100 tasks with 4 repetitions, 10,000 clustered resamples: every difference of
   two configurations, 120 a benchmark and 120 of their means, on S.
2. The same intervals by scipy.stats.bootstrap over task means, paired, vectorized, 10,000 resamples in batches: a call
   for each of the 720 differences, as one asks for them (a sixth of them is timed), and one call a benchmark
   with all 120 differences as its statistic, the fastest that scipy can do it. All run in turns in one thread.
3. Ten million attempts in one Parquet file, read against their panel and reduced to cells; peak memory of a process of
   its own.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import scipy.stats

from methods.harness.cells import Cell, cells_of
from methods.harness.differences import block_differences, mean_differences
from methods.harness.grid import BlockGrid
from methods.harness.plan import plan_of
from methods.harness.resampled import Resampled, resample
from methods.statistics.bootstrap import BootstrapRules
from methods.statistics.fixed_point import SCALE
from warehouse.harness_panel import PanelSpec, StatusMap

MODELS, HARNESSES, BENCHMARKS, TASKS, REPETITIONS, RESAMPLES = 4, 4, 6, 100, 4, 10_000
LEVEL = 0.95
BATCH = 500
SINGLE_BATCH = 2_000
TURNS = 3
OUTCOME = StatusMap.model_validate(
    {"schema": "scoretrail.status-map/1", "id": "outcome", "title": "Outcomes", "outcome": "continuous",
     "normal_termination": None, "valid_handoff": None}
)  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Least seconds on the same attempts, and how far the ends of both sides lie apart, in standard errors."""

    differences: int
    our_seconds: float
    each_seconds: float
    at_once_seconds: float
    apart: float


def spec_of(models: int, harnesses: int, benchmarks: int, tasks: int, repetitions: int) -> PanelSpec:
    """A panel of plain names."""
    return PanelSpec.model_validate(
        {
            "schema": "scoretrail.panel/1", "title": "Made up", "models": [f"m{n}" for n in range(models)],
            "harnesses": [f"h{n}" for n in range(harnesses)],
            "benchmarks": [
                {"id": f"b{n}", "map": "outcome", "tasks": [f"t{t:05d}" for t in range(tasks)],
                 "repetitions": repetitions}
                for n in range(benchmarks)
            ],
        }
    )  # fmt: skip


def simulated(spec: PanelSpec) -> list[BlockGrid]:
    """Attempts of a panel: solved or not, tasks of different difficulty."""
    rng = np.random.default_rng(1)
    grids = []
    for block in plan_of(spec, {"outcome": OUTCOME}, {}).blocks:
        grid = BlockGrid.empty(block)
        configurations, tasks, repetitions = block.shape
        chance = np.clip(rng.beta(0.6, 0.5, (1, tasks, 1)) + rng.normal(0, 0.05, (configurations, 1, 1)), 0, 1)
        grid.score[:] = (rng.random((configurations, tasks, repetitions)) < chance) * SCALE
        grid.recorded[:] = True
        grids.append(grid)
    return grids


def ours(grids: Sequence[BlockGrid], resamples: int) -> pl.DataFrame:
    """Every difference, from attempts to intervals."""
    rules = BootstrapRules(20261020, resamples, LEVEL)
    cells: list[list[Cell]] = [cells_of(grid) for grid in grids]
    drawn: list[Resampled] = [resample(grid, rules) for grid in grids]
    each = [block_differences(*one, LEVEL) for one in zip(grids, cells, drawn, strict=True)]
    return pl.concat([*each, mean_differences(grids, cells, drawn, LEVEL)], how="vertical_relaxed")


def theirs(grids: Sequence[BlockGrid], resamples: int) -> tuple[np.ndarray, np.ndarray]:
    """(benchmarks, pairs, 2) ends and (benchmarks, pairs) standard errors."""
    ends, errors = [], []
    for grid in grids:
        means = grid.score.mean(axis=2) / SCALE
        first, second = np.triu_indices(means.shape[0], 1)

        def differences(
            *sides: np.ndarray, axis: int = -1, a: np.ndarray = first, b: np.ndarray = second
        ) -> np.ndarray:
            each = np.stack([side.mean(axis=axis) for side in sides])
            return each[a] - each[b]

        found = scipy.stats.bootstrap(
            tuple(means), differences, paired=True, vectorized=True, n_resamples=resamples, batch=BATCH,
            method="percentile", rng=np.random.default_rng(1),
        )  # fmt: skip
        ends.append(np.stack([found.confidence_interval.low, found.confidence_interval.high], axis=-1))
        errors.append(found.standard_error)
    return np.stack(ends), np.stack(errors)


def one_by_one(grids: Sequence[BlockGrid], resamples: int) -> None:
    """A call for each difference of each benchmark."""
    for grid in grids:
        means = grid.score.mean(axis=2) / SCALE
        for a, b in zip(*np.triu_indices(means.shape[0], 1), strict=True):
            scipy.stats.bootstrap(
                (means[a], means[b]), _difference, paired=True, vectorized=True, n_resamples=resamples,
                batch=SINGLE_BATCH, method="percentile", rng=np.random.default_rng(1),
            )  # fmt: skip


def _difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
    return x.mean(axis=axis) - y.mean(axis=axis)


def compare(spec: PanelSpec, resamples: int, turns: int = TURNS) -> Comparison:
    """Both sides in turns on the same attempts."""
    grids = simulated(spec)
    found, (ends, errors) = ours(grids, resamples), theirs(grids, resamples)
    own = found.filter(pl.col("benchmark") != "*").select("low_pp", "high_pp").to_numpy().reshape(ends.shape) / 100
    least = dict.fromkeys(("ours", "at once"), float("inf"))
    for _ in range(turns):
        least["at once"] = min(least["at once"], _seconds(lambda: theirs(grids, resamples)))
        least["ours"] = min(least["ours"], _seconds(lambda: ours(grids, resamples)))
    apart = float(np.abs(own - ends).max() / errors.max())
    each = _seconds(lambda: one_by_one(grids[:1], resamples)) * len(grids)
    return Comparison(found.height, least["ours"], each, least["at once"], apart)


def line(one: Comparison) -> str:
    """A comparison in words."""
    each, at_once = one.each_seconds / one.our_seconds, one.at_once_seconds / one.our_seconds
    return (
        f"{one.differences} differences in {one.our_seconds:.2f} s, means over benchmarks included: {each:.0f} times "
        f"as fast as scipy.stats.bootstrap on task means called for each ({one.each_seconds:.1f} s, six times those of "
        f"one benchmark), {at_once:.1f} times as fast as one call a benchmark for all ({one.at_once_seconds:.2f} s); "
        f"ends at most {one.apart:.2f} standard errors apart"
    )


def write_attempts(path: Path, attempts: int) -> tuple[Path, int]:
    """A Parquet file of so many attempts in random order, and its panel."""
    models, harnesses, benchmarks, repetitions = 10, 5, 5, 4
    tasks = attempts // (models * harnesses * benchmarks * repetitions)
    spec = spec_of(models, harnesses, benchmarks, tasks, repetitions)
    sizes = (models, harnesses, benchmarks, tasks, repetitions)
    whole = int(np.prod(sizes))
    rng = np.random.default_rng(2)
    places = np.unravel_index(rng.permutation(whole), sizes)
    names = [[f"{letter}{n}" for n in range(size)] for letter, size in zip("mhb", sizes, strict=False)]
    names.append([f"t{t:05d}" for t in range(tasks)])
    columns = {
        name: pl.Series(own).gather(place)
        for name, place, own in zip(("model", "harness", "benchmark", "task"), places, names, strict=False)
    }
    ended = pl.Series(rng.random(whole) < 0.9)
    frame = pl.DataFrame(
        {
            **columns, "repetition": places[4] + 1, "score": rng.integers(0, 1001, whole) / 1000,
            "normal_termination": ended, "valid_handoff": ended, "tokens": rng.integers(1, 100_000, whole),
        }
    )  # fmt: skip
    frame.write_parquet(path / "attempts.parquet")
    declared = spec.model_dump(mode="json", by_alias=True)
    for benchmark in declared["benchmarks"]:
        benchmark["map"] = "stated"
    panel = path / "panel.yaml"
    panel.write_text(json.dumps(declared), encoding="utf-8")
    return panel, whole


def aggregate(folder: Path) -> tuple[float, float, float, int]:
    """(seconds, seconds of CPU, peak GB, attempts) of reading the file and reducing it to cells, in this process."""
    from resources.attempts.evidence import attempts_of

    began, worked = time.perf_counter(), time.process_time()
    evidence = attempts_of([folder / "attempts.parquet"], folder / "panel.yaml")
    cells = [cell for grid in evidence.grids for cell in cells_of(grid)]
    seconds, worked = time.perf_counter() - began, time.process_time() - worked
    planned = sum(cell.recorded for cell in cells)
    return seconds, worked, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, planned


def in_its_own_process(attempts: int) -> str:
    """The aggregation in words, measured in a process that does nothing else."""
    with tempfile.TemporaryDirectory() as name:
        write = "import runpy,pathlib; runpy.run_path({!r})['write_attempts'](pathlib.Path({!r}), {})"
        read = "import runpy,pathlib,json; print(json.dumps(runpy.run_path({!r})['aggregate'](pathlib.Path({!r}))))"
        subprocess.run([sys.executable, "-c", write.format(__file__, name, attempts)], check=True)
        said = subprocess.run([sys.executable, "-c", read.format(__file__, name)], check=True, capture_output=True)
    seconds, worked, gigabytes, rows = json.loads(said.stdout)
    return f"{rows:,} attempts aggregated to cells in {seconds:.1f} s ({worked:.1f} s of CPU), peak {gigabytes:.2f} GB"


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    size = spec_of(MODELS, HARNESSES, BENCHMARKS, TASKS, REPETITIONS)
    sys.stdout.write(line(compare(size, RESAMPLES)) + "\n")
    sys.stdout.flush()
    sys.stdout.write(in_its_own_process(10_000_000) + "\n")
