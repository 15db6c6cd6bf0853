"""Complete systems outside the crossing, against every core configuration on the same tasks (METHODS 11).

Belongs here: wins, ties and losses of a reference on S and V, which configurations it Pareto-dominates, tasks that one
alone solves, the Pareto front. Does not belong here: differences with intervals (`differences`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from methods.harness.cells import Cell
from methods.harness.grid import BlockGrid
from methods.statistics.fixed_point import SCALE
from warehouse.harness_panel import ConfigurationPair

Point = tuple[Fraction, Fraction]
"""(S, V)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A reference on one benchmark.

    Attributes:
        configuration: the reference.
        benchmark: its id.
        score, clean: wins, ties, losses on S, and on V; V's None where not tracked.
        dominated: core configurations it Pareto-dominates; None where V is not tracked.
        alone: tasks that it solves and no core configuration does.
        against: core configurations.
    """

    configuration: ConfigurationPair
    benchmark: str
    score: tuple[int, int, int]
    clean: tuple[int, int, int] | None
    dominated: int | None
    alone: int
    against: int


def win_rate(record: tuple[int, int, int]) -> Fraction:
    """(W + T/2) / comparisons."""
    wins, ties, losses = record
    return Fraction(2 * wins + ties, 2 * (wins + ties + losses))


def standings(grid: BlockGrid, cells: Sequence[Cell], references: frozenset[ConfigurationPair]) -> list[Standing]:
    """Every reference of a block against its core configurations; none where it has no such.

    Args:
        grid: the block.
        cells: of the block, over all environments, in the order of its configurations.
        references: configurations outside the panel.
    """
    core = [cell for cell in cells if cell.configuration not in references]
    if not core:
        return []
    solved = solved_tasks(grid)
    places = {pair: place for place, pair in enumerate(grid.block.configurations)}
    by_core = solved[[places[cell.configuration] for cell in core]].any(axis=0)
    found = []
    for cell in cells:
        if cell.configuration not in references:
            continue
        alone = int((solved[places[cell.configuration]] & ~by_core).sum())
        own = _point(cell)
        others = [_point(other) for other in core]
        clean = None if cell.clean is None else _record(cell.clean, [other.clean for other in core])
        dominated = None if own is None else sum(other is not None and dominates(own, other) for other in others)
        score = _record(cell.score, [other.score for other in core])
        found.append(Standing(cell.configuration, grid.block.benchmark, score, clean, dominated, alone, len(core)))
    return found


def dominates(one: Point, other: Point) -> bool:
    """Whether one is no worse in outcome and clean ends, and better in one of them."""
    return one[0] >= other[0] and one[1] >= other[1] and one != other


def pareto_front(cells: Sequence[Cell], references: frozenset[ConfigurationPair]) -> list[bool | None]:
    """For each cell whether no core configuration dominates it on (S, V); None where V is not tracked."""
    core = [point for cell in cells if cell.configuration not in references and (point := _point(cell)) is not None]
    points = [_point(cell) for cell in cells]
    return [None if point is None else not any(dominates(other, point) for other in core) for point in points]


def solved_tasks(grid: BlockGrid) -> NDArray[np.bool_]:
    """(C, T) whether a configuration reached full marks at a task in at least one repetition."""
    found: NDArray[np.bool_] = grid.score.max(axis=2) == SCALE
    return found


def unique_tasks(grid: BlockGrid, references: frozenset[ConfigurationPair]) -> list[tuple[str, str, ConfigurationPair]]:
    """(environment, task, configuration) of every task that one configuration alone solves.

    Core configurations are held against each other, a reference against the core.
    """
    solved = solved_tasks(grid)
    is_core = np.array([pair not in references for pair in grid.block.configurations])
    by_core = solved[is_core].sum(axis=0)
    found = []
    for place, pair in enumerate(grid.block.configurations):
        others = by_core - (solved[place] if is_core[place] else 0)
        for task in np.flatnonzero(solved[place] & (others == 0)).tolist():
            environment, name = grid.block.task_names[task]
            found.append((environment, name, pair))
    return found


def _point(cell: Cell) -> Point | None:
    return None if cell.clean is None else (cell.score, cell.clean)


def _record(own: Fraction, others: Sequence[Fraction | None]) -> tuple[int, int, int]:
    known = [other for other in others if other is not None]
    wins = sum(own > other for other in known)
    ties = sum(own == other for other in known)
    return wins, ties, len(known) - wins - ties
