"""Every planned attempt of a panel, numbered: configurations × tasks × repetitions of each benchmark and condition.

Belongs here: the declared panel joined with the tasks that were found, where only their number is declared. Does not
belong here: records (`grid`), reading the declaration (`resources.attempts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from warehouse.harness_panel import ConfigurationPair, PanelSpec, PlannedBenchmark, StatusMap

TaskKey = tuple[str, str]
"""(benchmark, environment)."""


class PanelError(ValueError):
    """A panel and its records or maps that do not go together: says which benchmark and what next."""


@dataclass(frozen=True)
class Block:
    """The planned attempts of one benchmark under one condition.

    Attributes:
        benchmark, condition: which.
        is_primary: whether it enters figures across benchmarks.
        status_map: how its records are read.
        configurations: (C) planned on it, the crossing's first, each part sorted by name.
        environments: (E) ids, in declared order.
        tasks: (E) the tasks of each, sorted.
        repetitions: (R) as records name them.
    """

    benchmark: str
    condition: str
    is_primary: bool
    status_map: StatusMap
    configurations: tuple[ConfigurationPair, ...]
    environments: tuple[str, ...]
    tasks: tuple[tuple[str, ...], ...]
    repetitions: tuple[str, ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """(E + 1) the first task of each environment when all stand in one row, and their number."""
        places = [0]
        for some in self.tasks:
            places.append(places[-1] + len(some))
        return tuple(places)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(configurations, tasks of all environments, repetitions)."""
        return len(self.configurations), self.starts[-1], len(self.repetitions)

    @cached_property
    def task_names(self) -> tuple[tuple[str, str], ...]:
        """(environment, task) of every task, in order."""
        pairs = zip(self.environments, self.tasks, strict=True)
        return tuple((environment, task) for environment, some in pairs for task in some)


@dataclass(frozen=True)
class Plan:
    """A declared panel with everything named.

    Attributes:
        spec: the declaration.
        blocks: one a (benchmark, condition), in declared order.
    """

    spec: PanelSpec
    blocks: tuple[Block, ...]

    @cached_property
    def primary(self) -> tuple[Block, ...]:
        """The blocks that enter figures across benchmarks."""
        return tuple(block for block in self.blocks if block.is_primary)


def counted_environments(spec: PanelSpec) -> dict[TaskKey, int]:
    """The environments that declare only how many tasks they have, with that number."""
    return {
        (benchmark.id, one.id): one.tasks
        for benchmark in spec.benchmarks
        for one in benchmark.planned_environments
        if isinstance(one.tasks, int)
    }


def plan_of(spec: PanelSpec, maps: Mapping[str, StatusMap], found: Mapping[TaskKey, Set[str]]) -> Plan:
    """The plan of a panel.

    Args:
        spec: the declaration.
        maps: status maps by id.
        found: tasks that records name, for the environments of `counted_environments`.

    Raises:
        PanelError: for a map that is not there, or more tasks in the records than the panel plans.
    """
    blocks = []
    for benchmark in spec.benchmarks:
        status_map = maps.get(benchmark.map)
        if status_map is None:
            raise PanelError(
                f"benchmark {benchmark.id}: no status map {benchmark.map}; there are {', '.join(sorted(maps))}"
            )
        tasks = tuple(
            _tasks(benchmark, one.id, one.tasks, found.get((benchmark.id, one.id), frozenset()))
            for one in benchmark.planned_environments
        )
        blocks += [
            Block(
                benchmark.id, condition, condition == benchmark.primary_condition, status_map,
                spec.configurations_of(benchmark), tuple(one.id for one in benchmark.planned_environments), tasks,
                benchmark.repetition_names,
            )
            for condition in benchmark.conditions
        ]  # fmt: skip
    return Plan(spec, tuple(blocks))


def _tasks(
    benchmark: PlannedBenchmark, environment: str, planned: Sequence[str] | int, found: Set[str]
) -> tuple[str, ...]:
    """The tasks' ids, sorted; those that only were counted and that no record names get ids of their own."""
    if not isinstance(planned, int):
        return tuple(sorted(planned))
    if len(found) > planned:
        raise PanelError(
            f"benchmark {benchmark.id}, environment {environment}: the panel plans {planned} tasks, the records name "
            f"{len(found)}, such as {', '.join(sorted(found)[:3])}; correct the number, or list the tasks"
        )
    unseen = [f"(unseen {number})" for number in range(1, planned - len(found) + 1)]
    return tuple(sorted([*found, *unseen]))
