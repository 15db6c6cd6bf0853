"""Where attempts cease to be clean: by stage of execution, macro-averaged (METHODS 11).

Belongs here: shares of attempts that were not clean by stage, for a harness over benchmarks and for a benchmark over
harnesses. Does not belong here: which stage an attempt failed at (`grid`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np

from methods.harness.exact import mean
from methods.harness.grid import BlockGrid
from warehouse.harness_panel import ConfigurationPair

StageSide = Literal["harness", "benchmark"]


@dataclass(frozen=True, slots=True)
class StageShare:
    """Attempts of one harness or benchmark that were not clean and failed at one stage.

    Attributes:
        side, one: whose.
        stage: its name.
        rate: of planned attempts; benchmarks (or harnesses) weigh the same.
        share: of attempts that were not clean; over the benchmarks (harnesses) that have any; None where none has.
        attempts: how many there are.
    """

    side: StageSide
    one: str
    stage: str
    rate: Fraction
    share: Fraction | None
    attempts: int


Rates = dict[str, Fraction]
StageKey = tuple[StageSide, str, str]
"""(side, whose, stage)."""


def stage_shares(grids: Sequence[BlockGrid], references: frozenset[ConfigurationPair]) -> list[StageShare]:
    """Every stage of every harness and benchmark whose records say how attempts ended; references aside.

    Args:
        grids: the primary blocks.
        references: configurations outside the panel.
    """
    tracked = [grid for grid in grids if grid.is_clean_tracked]
    cells: dict[tuple[str, str], list[Rates]] = {}
    counts: dict[StageKey, int] = {}
    for grid in tracked:
        for place, (model, harness) in enumerate(grid.block.configurations):
            if (model, harness) in references:
                continue
            rates, numbers = _cell(grid, place)
            cells.setdefault((grid.block.benchmark, harness), []).append(rates)
            for stage, number in numbers.items():
                keys: tuple[StageKey, ...] = (("harness", harness, stage), ("benchmark", grid.block.benchmark, stage))
                for key in keys:
                    counts[key] = counts.get(key, 0) + number
    met = {key: _averaged(found) for key, found in cells.items()}
    benchmarks = dict.fromkeys(benchmark for benchmark, _ in met)
    harnesses = sorted({harness for _, harness in met})
    shares: list[StageShare] = []
    for harness in harnesses:
        shares += _of("harness", harness, [met[b, harness] for b in benchmarks if (b, harness) in met], counts)
    for benchmark in benchmarks:
        shares += _of("benchmark", benchmark, [met[benchmark, h] for h in harnesses if (benchmark, h) in met], counts)
    return shares


def _cell(grid: BlockGrid, place: int) -> tuple[Rates, dict[str, int]]:
    """Rates of planned attempts by stage, environments weighing the same; and counts."""
    rates: Rates = {}
    numbers: dict[str, int] = {}
    repetitions, environments = grid.score.shape[2], len(grid.block.environments)
    for first, last in pairwise(grid.block.starts):
        unclean = ~grid.clean[place, first:last]
        found = np.bincount(grid.stage[place, first:last][unclean], minlength=len(grid.stages))
        for stage, number in zip(grid.stages, found.tolist(), strict=True):
            if number:
                numbers[stage] = numbers.get(stage, 0) + number
                weight = Fraction(number, (last - first) * repetitions * environments)
                rates[stage] = rates.get(stage, Fraction(0)) + weight
    return rates, numbers


def _averaged(parts: Sequence[Rates]) -> Rates:
    stages = sorted({stage for part in parts for stage in part})
    return {stage: mean(part.get(stage, Fraction(0)) for part in parts) for stage in stages}


def _of(side: StageSide, one: str, parts: Sequence[Rates], counts: dict[StageKey, int]) -> Iterable[StageShare]:
    failing = [(part, sum(part.values(), Fraction(0))) for part in parts if part]
    for stage in sorted({stage for part in parts for stage in part}):
        shares = [part.get(stage, Fraction(0)) / whole for part, whole in failing]
        rate = mean(part.get(stage, Fraction(0)) for part in parts)
        yield StageShare(side, one, stage, rate, mean(shares) if shares else None, counts[side, one, stage])
