"""Which planned attempt a record is of: its block and its flat place there, from its key fields.

Belongs here: looking key fields up, each distinct text once. Does not belong here: what the record says (`grid`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from methods.harness.plan import Block, Plan
from methods.harness.records import Batch

Places = NDArray[np.int64]


class Numbering:
    """Finds the block and the planned attempt of every record of a batch."""

    def __init__(self, plan: Plan) -> None:
        self.blocks = plan.blocks
        self.benchmarks = {name: number for number, name in enumerate(dict.fromkeys(b.benchmark for b in plan.blocks))}
        self.tasks = [{pair: place for place, pair in enumerate(block.task_names)} for block in plan.blocks]

    def find(self, batch: Batch) -> tuple[Places, Places]:
        """(n) number of the block, and flat place of the attempt within it; -1 where nothing is planned."""
        blocks = np.full(batch.size, -1, dtype=np.int64)
        places = np.full(batch.size, -1, dtype=np.int64)
        benchmark = batch.column("benchmark").table(lambda text: self.benchmarks.get(text, -1), -1)
        for number, block in enumerate(self.blocks):
            condition = _codes(batch, "condition", (block.condition,), self._only_condition(block))
            rows = np.flatnonzero((benchmark == self.benchmarks[block.benchmark]) & (condition == 0))
            if rows.size:
                blocks[rows] = number
                places[rows] = self._places(number, block, batch, rows)
        return blocks, places

    def _only_condition(self, block: Block) -> str | None:
        own = [other.condition for other in self.blocks if other.benchmark == block.benchmark]
        return own[0] if len(own) == 1 else None

    def _places(self, number: int, block: Block, batch: Batch, rows: Places) -> Places:
        configuration = _configurations(block, batch)[rows]
        only = block.environments[0] if len(block.environments) == 1 else None
        environment = _codes(batch, "environment", block.environments, only)[rows]
        task = self._tasks(number, block, batch, environment, rows)
        single = block.repetitions[0] if len(block.repetitions) == 1 else None
        repetition = _codes(batch, "repetition", block.repetitions, single)[rows]
        _, tasks, repetitions = block.shape
        places = (configuration * tasks + task) * repetitions + repetition
        return np.where((configuration < 0) | (task < 0) | (repetition < 0), -1, places)

    def _tasks(self, number: int, block: Block, batch: Batch, environment: Places, rows: Places) -> Places:
        """(rows) place of the task among all of the block: looked up once per environment and distinct text."""
        column = batch.column("task")
        known = self.tasks[number]
        width = len(column.values) + 1
        table = np.full((len(block.environments) + 1, width), -1, dtype=np.int64)
        for place, name in enumerate(block.environments):
            for code, text in enumerate(column.values):
                table[place, code] = known.get((name, text), -1)
        return table[environment, column.codes[rows]]


def _configurations(block: Block, batch: Batch) -> Places:
    """(n) place of the configuration, -1 where it is not planned."""
    models = {name: n for n, name in enumerate(dict.fromkeys(model for model, _ in block.configurations))}
    harnesses = {name: n for n, name in enumerate(dict.fromkeys(harness for _, harness in block.configurations))}
    table = np.full((len(models) + 1, len(harnesses) + 1), -1, dtype=np.int64)
    for place, (model, harness) in enumerate(block.configurations):
        table[models[model], harnesses[harness]] = place
    return table[_codes(batch, "model", tuple(models), None), _codes(batch, "harness", tuple(harnesses), None)]


def _codes(batch: Batch, name: str, known: tuple[str, ...], only: str | None) -> Places:
    """(n) place of a field's text among the known ones; -1 for another, or for none unless only one can be meant."""
    places: Mapping[str, int] = {text: place for place, text in enumerate(known)}
    missing = places.get(only, -1) if only is not None else -1
    return batch.column(name).table(lambda text: places.get(text, -1), missing)
