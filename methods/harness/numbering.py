"""Which planned attempt a record is of: its block and its flat place there, from its key fields.

Belongs here: looking key fields up, each distinct text once. Does not belong here: what the record says (`grid`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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

    def split(self, batch: Batch) -> Iterator[tuple[int, Batch, Places]]:
        """The records by block: its number, its records, and of each the flat place of its attempt, -1 for none.

        Records of no block come with the number -1.
        """
        blocks = np.full(batch.size, -1, dtype=np.int64)
        benchmark = batch.column("benchmark").table(lambda text: self.benchmarks.get(text, -1), self._only_benchmark())
        for number, block in enumerate(self.blocks):
            condition = _codes(batch, "condition", (block.condition,), self._only_condition(block))
            blocks[(benchmark == self.benchmarks[block.benchmark]) & (condition == 0)] = number
        for number in np.unique(blocks).tolist():
            rows = np.flatnonzero(blocks == number)
            own = batch if rows.size == batch.size else batch.take(rows)
            yield number, own, self._places(number, own) if number >= 0 else np.full(own.size, -1, dtype=np.int64)

    def _only_benchmark(self) -> int:
        return 0 if len(self.benchmarks) == 1 else -1

    def _only_condition(self, block: Block) -> str | None:
        own = [other.condition for other in self.blocks if other.benchmark == block.benchmark]
        return own[0] if len(own) == 1 else None

    def _places(self, number: int, batch: Batch) -> Places:
        block = self.blocks[number]
        configuration = _configurations(block, batch)
        only = block.environments[0] if len(block.environments) == 1 else None
        environment = _codes(batch, "environment", block.environments, only)
        task = self._tasks(number, batch, environment)
        single = block.repetitions[0] if len(block.repetitions) == 1 else None
        repetition = _codes(batch, "repetition", block.repetitions, single)
        _, tasks, repetitions = block.shape
        places = (configuration * tasks + task) * repetitions + repetition
        return np.where((configuration < 0) | (task < 0) | (repetition < 0), -1, places)

    def _tasks(self, number: int, batch: Batch, environment: Places) -> Places:
        """(n) place of the task among all of the block: looked up once per environment and distinct text."""
        block, known = self.blocks[number], self.tasks[number]
        column = batch.column("task")
        table = np.full((len(block.environments) + 1, len(column.values) + 1), -1, dtype=np.int64)
        for place, name in enumerate(block.environments):
            for code, text in enumerate(column.values):
                table[place, code] = known.get((name, text), -1)
        return table[environment, column.codes]


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
