"""Differences of any two configurations, with paired intervals over tasks, on each benchmark and over all (METHODS 11).

Belongs here: every pair of configurations that were planned on the same tasks, references among them. Does not belong
here: the resamples (`resampled`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.harness.cells import Cell
from methods.harness.exact import mean
from methods.harness.grid import BlockGrid
from methods.harness.references import solved_tasks
from methods.harness.resampled import Resampled, Samples, difference_ends
from warehouse.harness_panel import ConfigurationPair
from warehouse.harness_words import ALL, MEASURES, Measure

POINTS: Final = 100.0
"""Percentage points in one: differences of fractions are published in points."""


def block_differences(grid: BlockGrid, cells: Sequence[Cell], drawn: Resampled, level: float) -> pl.DataFrame:
    """Every pair of configurations of a block, on every tracked measure.

    Args:
        grid: the block.
        cells: over all environments, in the order of its configurations.
        drawn: its resamples.
        level: of the intervals.
    """
    solved = solved_tasks(grid)
    shared = solved.astype(np.int64) @ solved.astype(np.int64).T
    own = np.diag(shared)
    frames = []
    for measure in drawn.means:
        values = [_value(cell, measure) for cell in cells]
        frame = _pairs(grid.block.benchmark, measure, grid.block.configurations, values, grid.block.starts[-1])
        if frame.height:
            first, second = _places(len(values))
            samples = drawn.means[measure] if drawn.has_spread else None
            alone = (own[first] - shared[first, second], own[second] - shared[first, second])
            frames.append(_with_ends(frame, samples, level).with_columns(a_alone=alone[0], b_alone=alone[1]))
    return pl.concat(frames) if frames else pl.DataFrame()


def mean_differences(
    grids: Sequence[BlockGrid], cells: Sequence[Sequence[Cell]], drawn: Sequence[Resampled], level: float
) -> pl.DataFrame:
    """Every pair of configurations that all benchmarks have, on the mean over benchmarks of each measure all track."""
    common = [
        pair for pair in grids[0].block.configurations if all(pair in grid.block.configurations for grid in grids)
    ]
    tasks = sum(grid.block.starts[-1] for grid in grids)
    frames = []
    for measure in MEASURES:
        if len(grids) < 2 or len(common) < 2 or not all(measure in one.means for one in drawn):
            continue
        by_pair = [{cell.configuration: _value(cell, measure) for cell in own} for own in cells]
        values = [mean(own[pair] for own in by_pair) for pair in common]
        samples = _mean_samples(grids, drawn, common, measure) if all(one.has_spread for one in drawn) else None
        frame = _with_ends(_pairs(ALL, measure, common, values, tasks), samples, level)
        nothing = pl.lit(None, dtype=pl.Int64)
        frames.append(frame.with_columns(a_alone=nothing, b_alone=nothing))
    return pl.concat(frames) if frames else pl.DataFrame()


def _value(cell: Cell, measure: Measure) -> Fraction:
    value: Fraction | None = getattr(cell, measure)
    assert value is not None
    return value


def _mean_samples(
    grids: Sequence[BlockGrid], drawn: Sequence[Resampled], common: Sequence[ConfigurationPair], measure: Measure
) -> Samples:
    total: Samples | None = None
    for grid, one in zip(grids, drawn, strict=True):
        places = {pair: place for place, pair in enumerate(grid.block.configurations)}
        own = one.means[measure][[places[pair] for pair in common]]
        total = own if total is None else total + own
    assert total is not None
    found: Samples = total / float(len(grids))
    return found


def _places(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.triu_indices(count, 1)
    return first, second


def _pairs(
    benchmark: str,
    measure: Measure,
    configurations: Sequence[ConfigurationPair],
    values: Sequence[Fraction],
    tasks: int,
) -> pl.DataFrame:
    first, second = (some.tolist() for some in _places(len(values)))
    columns: dict[str, Any] = {
        "benchmark": [benchmark] * len(first),
        "measure": [measure] * len(first),
        "model_a": [configurations[place][0] for place in first],
        "harness_a": [configurations[place][1] for place in first],
        "model_b": [configurations[place][0] for place in second],
        "harness_b": [configurations[place][1] for place in second],
        "difference_pp": [float(100 * (values[a] - values[b])) for a, b in zip(first, second, strict=True)],
        "tasks": [tasks] * len(first),
    }
    return pl.DataFrame(columns)


def _with_ends(frame: pl.DataFrame, samples: Samples | None, level: float) -> pl.DataFrame:
    """The pairs of a frame with the interval of each; null where there are no resamples."""
    if samples is None:
        nothing = pl.lit(None, dtype=pl.Float64)
        return frame.with_columns(low_pp=nothing, high_pp=nothing)
    first, second = _places(samples.shape[0])
    found = difference_ends(samples, first, second, level)
    found *= POINTS
    return frame.with_columns(low_pp=found[:, 0], high_pp=found[:, 1])
