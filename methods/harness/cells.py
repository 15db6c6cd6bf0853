"""What one configuration did on one benchmark: S, best-of-R, V, J and their parts, exactly (METHODS 11).

Belongs here: figures of a cell, all with one weight: the mean within each environment, then over environments. Does not
belong here: intervals (`resampled`), figures that compare configurations (`fit`, `wins`, `blame`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from methods.harness.exact import mean, mean_or_none, number
from methods.harness.grid import NOT_TRACKED, BlockGrid
from methods.statistics.fixed_point import SCALE
from warehouse.harness_panel import ConfigurationPair
from warehouse.harness_words import ALL


@dataclass(frozen=True, slots=True)
class Cell:
    """One configuration on one benchmark under one condition, in one environment or over all.

    Attributes:
        configuration: (model, harness).
        environment: its id, or ALL.
        tasks, planned, recorded: counts.
        score: S.
        best: best-of-R, the mean over tasks of the maximum.
        clean: V; None where not tracked, as all that follows.
        joint: J, the mean of score times clean.
        score_if_clean: S if every attempt that was not clean had done as clean ones do (`if_clean`).
        tokens: mean over attempts that state them; None where none does.
        tracked: attempts that state tokens.
        seconds: mean over attempts that state them.
    """

    configuration: ConfigurationPair
    environment: str
    tasks: int
    planned: int
    recorded: int
    score: Fraction
    best: Fraction
    clean: Fraction | None
    joint: Fraction | None
    score_if_clean: float | None
    tokens: Fraction | None
    tracked: int
    seconds: float | None

    @property
    def unclean_score(self) -> Fraction | None:
        """S - J: what attempts that were not clean added to the score, over all planned attempts."""
        return None if self.joint is None else self.score - self.joint

    @property
    def within_clean(self) -> Fraction | None:
        """The mean score of clean attempts, J / V; None where there is none."""
        return None if self.joint is None or not self.clean else self.joint / self.clean

    @property
    def within_unclean(self) -> Fraction | None:
        """The mean score of attempts that were not clean, (S - J) / (1 - V); None where there is none."""
        if self.joint is None or self.clean is None or self.clean == 1:
            return None
        return (self.score - self.joint) / (1 - self.clean)

    @property
    def loss_unclean(self) -> Fraction | None:
        """The part of 1 - S that attempts lost which were not clean: (1 - V) - (S - J)."""
        if self.joint is None or self.clean is None:
            return None
        return (1 - self.clean) - (self.score - self.joint)

    @property
    def loss_clean(self) -> Fraction | None:
        """The part of 1 - S that clean attempts lost by being wrong: V - J."""
        return None if self.joint is None or self.clean is None else self.clean - self.joint

    @property
    def score_at_most(self) -> Fraction | None:
        """S if every attempt that was not clean had scored full marks: what clean ends could bring at the very most."""
        lost = self.loss_unclean
        return None if lost is None else self.score + lost


def cells_of(grid: BlockGrid) -> list[Cell]:
    """The cells of a block: for each configuration one an environment, where there are several, and one over all."""
    block = grid.block
    hoped = if_clean(grid) if grid.is_clean_tracked else None
    sums = [_environment_cells(grid, first, last, hoped) for first, last in _ranges(grid)]
    found = []
    for number_of, configuration in enumerate(block.configurations):
        parts = [cells[number_of] for cells in sums]
        named = [
            _named(part, configuration, environment)
            for part, environment in zip(parts, block.environments, strict=True)
        ]
        found += named if len(named) > 1 else []
        found.append(_over_all(named, configuration))
    return found


def if_clean(grid: BlockGrid) -> NDArray[np.float64]:
    """(C, T) the score to be expected of an attempt at a task, had it been clean; NaN where nothing says.

    The mean of the configuration's own clean attempts at the task; else of the same model's clean attempts at it under
    any harness; else of anybody's; else of the configuration's clean attempts in the environment.
    """
    configurations, tasks, _ = grid.score.shape
    joint = np.where(grid.clean, grid.score, 0).sum(axis=2, dtype=np.int64)
    counts = grid.clean.sum(axis=2, dtype=np.int64)
    expected = np.full((configurations, tasks), np.nan)
    models = [model for model, _ in grid.block.configurations]
    expected = _filled(expected, joint, counts)
    for model in dict.fromkeys(models):
        own = [place for place, name in enumerate(models) if name == model]
        expected[own] = _filled(expected[own], joint[own].sum(axis=0), counts[own].sum(axis=0))
    expected = _filled(expected, joint.sum(axis=0), counts.sum(axis=0))
    for first, last in _ranges(grid):
        part = slice(first, last)
        whole, some = joint[:, part].sum(axis=1), counts[:, part].sum(axis=1)
        expected[:, part] = _filled(expected[:, part], whole[:, None], some[:, None])
    return expected


def _filled(expected: NDArray[np.float64], joint: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expectations, gaps filled by joint / counts where anything was counted."""
    means = joint / np.maximum(counts, 1) / float(SCALE)
    found: NDArray[np.float64] = np.where(np.isnan(expected) & (counts > 0), means, expected)
    return found


def _ranges(grid: BlockGrid) -> list[tuple[int, int]]:
    starts = grid.block.starts
    return list(pairwise(starts))


@dataclass(frozen=True, slots=True)
class _Sums:
    """Whole numbers of one configuration in one environment."""

    tasks: int
    planned: int
    recorded: int
    score: int
    best: int
    clean: int | None
    joint: int | None
    if_clean: float | None
    tokens: int
    tracked: int
    seconds: float
    timed: int


def _environment_cells(grid: BlockGrid, first: int, last: int, expected: NDArray[np.float64] | None) -> list[_Sums]:
    score = grid.score[:, first:last]
    clean = grid.clean[:, first:last]
    tokens, seconds = grid.tokens[:, first:last], grid.seconds[:, first:last]
    is_tracked, is_timed = tokens != NOT_TRACKED, ~np.isnan(seconds)
    joint = np.where(clean, score, 0).sum(axis=(1, 2), dtype=np.int64)
    hoped = None if expected is None else _hoped(grid, first, last, joint, expected[:, first:last])
    planned = score.shape[1] * score.shape[2]
    columns = (
        grid.recorded[:, first:last].sum(axis=(1, 2)),
        score.sum(axis=(1, 2), dtype=np.int64),
        score.max(axis=2).sum(axis=1, dtype=np.int64),
        clean.sum(axis=(1, 2)),
        joint,
        np.where(is_tracked, tokens, 0).sum(axis=(1, 2), dtype=np.int64),
        is_tracked.sum(axis=(1, 2)),
        np.where(is_timed, seconds, 0.0).sum(axis=(1, 2)),
        is_timed.sum(axis=(1, 2)),
    )
    found = []
    for place in range(score.shape[0]):
        recorded, total, best, ended, both, used, tracked, lasted, timed = (column[place].item() for column in columns)
        found.append(
            _Sums(
                score.shape[1], planned, recorded, total, best,
                ended if grid.is_clean_tracked else None, both if grid.is_clean_tracked else None,
                None if hoped is None or np.isnan(hoped[place]) else float(hoped[place]), used, tracked, lasted, timed,
            )
        )  # fmt: skip
    return found


def _hoped(
    grid: BlockGrid, first: int, last: int, joint: NDArray[np.int64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(C) the mean score in one environment had every attempt been clean; NaN where nothing says for some task."""
    repetitions = grid.score.shape[2]
    open_ends = repetitions - grid.clean[:, first:last].sum(axis=2)
    gained = np.where(open_ends > 0, open_ends * expected, 0.0).sum(axis=1)
    whole: NDArray[np.float64] = (joint / float(SCALE) + gained) / ((last - first) * repetitions)
    return np.minimum(whole, 1.0)  # a sum of shares rounded up is still no more than full marks


def _named(sums: _Sums, configuration: ConfigurationPair, environment: str) -> Cell:
    whole = sums.planned
    return Cell(
        configuration, environment, sums.tasks, whole, sums.recorded,
        Fraction(sums.score, whole * SCALE), Fraction(sums.best, sums.tasks * SCALE),
        None if sums.clean is None else Fraction(sums.clean, whole),
        None if sums.joint is None else Fraction(sums.joint, whole * SCALE),
        sums.if_clean,
        Fraction(sums.tokens, sums.tracked) if sums.tracked else None, sums.tracked,
        sums.seconds / sums.timed if sums.timed else None,
    )  # fmt: skip


def _over_all(parts: Sequence[Cell], configuration: ConfigurationPair) -> Cell:
    """One weight for every figure: the mean over environments of the means within each."""
    hoped = [part.score_if_clean for part in parts]
    seconds = [part.seconds for part in parts]
    return Cell(
        configuration, ALL, sum(part.tasks for part in parts), sum(part.planned for part in parts),
        sum(part.recorded for part in parts), mean(part.score for part in parts), mean(part.best for part in parts),
        mean_or_none(part.clean for part in parts), mean_or_none(part.joint for part in parts),
        _float_mean(hoped), mean_or_none(part.tokens for part in parts), sum(part.tracked for part in parts),
        _float_mean(seconds),
    )  # fmt: skip


def _float_mean(values: Sequence[float | None]) -> float | None:
    return number(mean_or_none(None if value is None else Fraction(value) for value in values))
