"""Model or harness: how the differences between configurations of one benchmark divide (METHODS 11).

Belongs here: interaction residuals, sums of squares and their shares, what of them is chance, and which part is surely
the largest. Does not belong here: the sentence about it (`sentences`).

Shares of sums of squares are descriptive: tasks drawn anew would move every cell, and such noise counts as model,
harness and interaction alike, most of it as interaction, which has the most degrees of freedom. Therefore each sum of
squares comes with the part to be expected from the choice of tasks alone (`chance`), estimated from the tasks, and with
a share freed of it. A resample carries that noise twice, once from the tasks and once from drawing them again: its sums
are freed of it twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from methods.harness.crossed import Crossed
from methods.harness.exact import mean
from methods.harness.grid import BlockGrid
from methods.harness.resampled import Samples, interval
from methods.statistics.bootstrap import Interval
from methods.statistics.fixed_point import SCALE
from warehouse.harness_words import PARTS, Blame, Part

Matrix = Sequence[Sequence[Fraction]]
"""[model][harness]."""


@dataclass(frozen=True, slots=True)
class PartOfDifference:
    """One part of the differences on one benchmark.

    Attributes:
        part: model, harness or interaction.
        squares: its sum of squares.
        share: of the whole; None where all configurations score the same.
        share_interval: of the share as it stands, chance included.
        chance: what the choice of tasks alone would lead one to expect of `squares`; None for a single task.
        freed: the share of squares beyond chance; None where nothing is beyond it.
        freed_interval: its interval.
    """

    part: Part
    squares: Fraction
    share: Fraction | None
    share_interval: Interval | None
    chance: float | None
    freed: float | None
    freed_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Division:
    """How the differences of one benchmark divide.

    Attributes:
        benchmark: its id.
        parts: in the order of PARTS.
        verdict: the part that is surely the largest; `undecided` where none is, `nothing` where nothing differs.
        lead: model minus harness, in squares of score beyond chance, with its interval.
    """

    benchmark: str
    parts: tuple[PartOfDifference, ...]
    verdict: Blame
    lead: float | None
    lead_interval: Interval | None


def residuals(matrix: Matrix) -> list[list[Fraction]]:
    """[m][h] r = S - mean of the model - mean of the harness + mean of all."""
    by_model = [mean(row) for row in matrix]
    by_harness = [mean(column) for column in zip(*matrix, strict=True)]
    whole = mean(by_model)
    return [
        [value - by_model[m] - by_harness[h] + whole for h, value in enumerate(row)] for m, row in enumerate(matrix)
    ]


def aggregate_residuals(figures: Crossed) -> list[list[Fraction]]:
    """[m][h] the mean over benchmarks of their residuals."""
    each = [residuals(block) for block in figures.exact["score"]]
    models, harnesses = len(each[0]), len(each[0][0])
    return [[mean(block[m][h] for block in each) for h in range(harnesses)] for m in range(models)]


def squares_of(matrix: Matrix) -> dict[Part, Fraction]:
    """The sums of squares over cells; together they are that of the scores about their mean."""
    by_model = [mean(row) for row in matrix]
    by_harness = [mean(column) for column in zip(*matrix, strict=True)]
    whole = mean(by_model)
    return {
        "model": len(by_harness) * sum(((value - whole) ** 2 for value in by_model), Fraction(0)),
        "harness": len(by_model) * sum(((value - whole) ** 2 for value in by_harness), Fraction(0)),
        "interaction": sum((value**2 for row in residuals(matrix) for value in row), Fraction(0)),
    }


def division(figures: Crossed, place: int, grid: BlockGrid, level: float) -> Division:
    """How the differences of one benchmark divide.

    Args:
        figures: the crossing.
        place: number of the benchmark in it.
        grid: its attempts.
        level: of the intervals.
    """
    squares = squares_of(figures.exact["score"][place])
    whole = sum(squares.values(), Fraction(0))
    chance = chance_of(grid, figures)
    samples = figures.samples.get("score")
    drawn = None if samples is None else _drawn_squares(samples[place])
    freed = None if chance is None else {part: max(0.0, float(squares[part]) - chance[part]) for part in PARTS}
    beyond = None if freed is None else freed["model"] + freed["harness"] + freed["interaction"]
    parts = tuple(
        PartOfDifference(
            part, squares[part], squares[part] / whole if whole else None,
            _share_interval(drawn, part, level) if drawn and whole else None,
            None if chance is None else chance[part],
            freed[part] / beyond if freed and beyond else None,
            _freed_interval(drawn, chance, part, level) if drawn and chance and beyond else None,
        )
        for part in PARTS
    )  # fmt: skip
    lead = None if chance is None else _lead(squares, chance, "model", "harness")
    lead_interval = _lead_interval(drawn, chance, "model", "harness", level) if drawn and chance else None
    verdict = _verdict(drawn, chance, level) if whole else "nothing"
    return Division(figures.crossing.benchmarks[place], parts, verdict, lead, lead_interval)


def chance_of(grid: BlockGrid, figures: Crossed) -> dict[Part, float] | None:
    """What each sum of squares would be expected to be if only the choice of tasks moved the cells.

    From the variance, over tasks, of each task's own model, harness and interaction contrasts. None where an
    environment has a single task.
    """
    places = {pair: place for place, pair in enumerate(grid.block.configurations)}
    rows = [[places[model, harness] for harness in figures.crossing.harnesses] for model in figures.crossing.models]
    ranges = list(pairwise(grid.block.starts))
    if any(last - first < 2 for first, last in ranges):
        return None
    found: dict[Part, float] = dict.fromkeys(PARTS, 0.0)
    for first, last in ranges:
        sums = grid.score[np.array(rows), first:last].sum(axis=3, dtype=np.int64)
        tasks = np.moveaxis(sums, 2, 0) / float(SCALE * grid.score.shape[2])
        for part, variance in _contrast_variances(tasks).items():
            found[part] += variance / (last - first) / len(ranges) ** 2
    return found


def _contrast_variances(tasks: NDArray[np.float64]) -> dict[Part, float]:
    """By part, the sum over cells of the variance over tasks of (T, M, H) scores' contrasts."""
    by_model = tasks.mean(axis=2, keepdims=True)
    by_harness = tasks.mean(axis=1, keepdims=True)
    whole = by_model.mean(axis=1, keepdims=True)
    contrasts: dict[Part, NDArray[np.float64]] = {
        "model": by_model - whole,
        "harness": by_harness - whole,
        "interaction": tasks - by_model - by_harness + whole,
    }
    repeats = {"model": tasks.shape[2], "harness": tasks.shape[1], "interaction": 1}
    found: dict[Part, float] = {}
    for part, values in contrasts.items():
        apart = values - values.mean(axis=0, keepdims=True)
        found[part] = float((apart**2).sum()) * repeats[part] / (tasks.shape[0] - 1)
    return found


def _drawn_squares(samples: Samples) -> dict[Part, NDArray[np.float64]]:
    """By part, its sum of squares in each resample of (M, H, b) scores, added in a fixed order."""
    models, harnesses, _ = samples.shape
    by_model = _mean_in_turn([samples[:, h] for h in range(harnesses)])
    by_harness = _mean_in_turn([samples[m] for m in range(models)])
    whole = _mean_in_turn([by_model[m] for m in range(models)])
    return {
        "model": harnesses * _squares_in_turn([by_model[m] - whole for m in range(models)]),
        "harness": models * _squares_in_turn([by_harness[h] - whole for h in range(harnesses)]),
        "interaction": _squares_in_turn(
            [samples[m, h] - by_model[m] - by_harness[h] + whole for m in range(models) for h in range(harnesses)]
        ),
    }


def _mean_in_turn(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    found: NDArray[np.float64] = total / float(len(parts))
    return found


def _squares_in_turn(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    total = parts[0] ** 2
    for part in parts[1:]:
        total += part**2
    return total


def _share_interval(drawn: dict[Part, NDArray[np.float64]], part: Part, level: float) -> Interval:
    return _of_whole(drawn, part, level)


def _freed_interval(
    drawn: dict[Part, NDArray[np.float64]], chance: dict[Part, float], part: Part, level: float
) -> Interval:
    freed = {name: np.maximum(drawn[name] - 2 * chance[name], 0.0) for name in PARTS}
    return _of_whole(freed, part, level)


def _of_whole(squares: dict[Part, NDArray[np.float64]], part: Part, level: float) -> Interval:
    """The interval of a share; where a resample leaves nothing to share out, its share may be anything from 0 to 1."""
    whole = squares["model"] + squares["harness"] + squares["interaction"]
    low = np.divide(squares[part], whole, out=np.zeros_like(whole), where=whole > 0)
    high = np.divide(squares[part], whole, out=np.ones_like(whole), where=whole > 0)
    return Interval(interval(low, level).low, interval(high, level).high)


def _lead(squares: dict[Part, Fraction], chance: dict[Part, float], one: Part, other: Part) -> float:
    return (float(squares[one]) - chance[one]) - (float(squares[other]) - chance[other])


def _lead_interval(
    drawn: dict[Part, NDArray[np.float64]], chance: dict[Part, float], one: Part, other: Part, level: float
) -> Interval:
    return interval((drawn[one] - 2 * chance[one]) - (drawn[other] - 2 * chance[other]), level)


def _verdict(drawn: dict[Part, NDArray[np.float64]] | None, chance: dict[Part, float] | None, level: float) -> Blame:
    if drawn is None or chance is None:
        return "undecided"
    for part in PARTS:
        others = [other for other in PARTS if other != part]
        if all(_lead_interval(drawn, chance, part, other, level).low > 0 for other in others):
            return part
    return "undecided"
