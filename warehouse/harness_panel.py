"""The shapes of a declared panel and of a status map: what was planned, and when an attempt is clean (METHODS 11).

Belongs here: the two declarations and what each may say on its own. Does not belong here: reading the files
(`resources.attempts`), applying them to records (`methods.harness`). The six maps of the source stand as data in
`warehouse/status_maps/`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from warehouse.harness_words import ALL, ONE_CONDITION, ONE_ENVIRONMENT
from warehouse.source_model import Entry, Slug, Stated

PANEL_SCHEMA: Final = "scoretrail.panel/1"
MAP_SCHEMA: Final = "scoretrail.status-map/1"

Count = Annotated[int, Field(ge=1)]
Repeats = Annotated[int, Field(ge=1, le=10_000)]


class Within(Entry):
    """Holds where a path of this field equals, or lies below, a path that another field lists."""

    within: Stated


Condition = Annotated[tuple[Stated, ...], Field(min_length=1)] | Literal["finite", "stated", "absent"] | Within
"""What a field of a record says: one of these texts, a finite number, anything, nothing, a path within another's."""
Alternative = Annotated[dict[Stated, Condition], Field(min_length=1)]
"""Conditions that must hold together, by field."""
Alternatives = Annotated[tuple[Alternative, ...], Field(min_length=1)]
"""Alternatives, of which one is enough."""


class StatusMap(Entry):
    """How the records of one benchmark are read: score, normal termination, valid handoff.

    Attributes:
        outcome: `binary` scores are 0 or full; `continuous` ones lie between.
        scale: full marks as the records state scores; they are divided by it.
        report_scale: full marks of the benchmark's own reports, for readers who compare.
        success: `full_marks`: anything below full marks scores 0; `stated`: the score counts as it is.
        normal_termination, valid_handoff: when each holds; None where the records do not say, so that no attempt of
            the benchmark can be called clean or unclean. Correctness is no part of either.
        known: by field, every raw text that occurs; a field that is not listed here takes any.
        stages: by raw status, the stage of execution at which such an attempt failed.
        limits: by field, the most that every configuration was given.
        tasks, environments, conditions: what the benchmark has, for whoever writes a panel.
    """

    schema_: Literal["scoretrail.status-map/1"] = Field(alias="schema")
    id: Slug
    title: Stated
    notes: str = ""
    outcome: Literal["binary", "continuous"]
    scale: Annotated[float, Field(gt=0)] = 1
    report_scale: Annotated[float, Field(gt=0)] = 1
    success: Literal["stated", "full_marks"] = "stated"
    normal_termination: Alternatives | None
    valid_handoff: Alternatives | None
    known: dict[Stated, tuple[Stated, ...]] = Field(default_factory=dict)
    stages: dict[Stated, Stated] = Field(default_factory=dict)
    limits: dict[Stated, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    tasks: Count | None = None
    environments: tuple[Stated, ...] = ()
    conditions: tuple[Stated, ...] = ()

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        if (self.normal_termination is None) != (self.valid_handoff is None):
            raise ValueError("state both `normal_termination` and `valid_handoff`, or null for both")
        return self

    @property
    def is_clean_tracked(self) -> bool:
        """Whether the records say how an attempt ended."""
        return self.normal_termination is not None

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field of a record that the map reads beside score, tokens and seconds; sorted."""
        conditions = [one for some in (self.normal_termination, self.valid_handoff) for one in some or ()]
        named = {name for one in conditions for name in one}
        named |= {rule.within for one in conditions for rule in one.values() if isinstance(rule, Within)}
        return tuple(sorted({*named, *self.known, *self.limits, *({"status"} if self.stages else ())}))


class PlannedEnvironment(Entry):
    """One environment of a benchmark and its tasks: their ids, or only how many there are."""

    id: Stated
    tasks: tuple[Stated, ...] | Count

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if isinstance(self.tasks, tuple):
            if not self.tasks:
                raise ValueError("an environment has at least one task")
            _refuse_repeats(self.tasks, f"tasks of {self.id}")
        return self

    @property
    def count(self) -> int:
        """How many tasks are planned."""
        return self.tasks if isinstance(self.tasks, int) else len(self.tasks)


ConfigurationPair = tuple[Stated, Stated]
"""(model, harness)."""


class PlannedBenchmark(Entry):
    """One benchmark of the panel: its map, tasks, repetitions, conditions and, where not all, its configurations."""

    id: Stated
    map: Slug
    tasks: tuple[Stated, ...] | Count | None = None
    environments: tuple[PlannedEnvironment, ...] = ()
    repetitions: Repeats | tuple[Stated, ...] = 1
    conditions: tuple[Stated, ...] = (ONE_CONDITION,)
    primary: str | None = None
    configurations: tuple[ConfigurationPair, ...] | None = None

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if (self.tasks is None) == (not self.environments):
            raise ValueError("state either `tasks`, or `environments` with tasks of their own")
        _refuse_repeats([one.id for one in self.environments], "environments")
        _refuse_repeats(self.conditions, "conditions")
        if isinstance(self.repetitions, tuple):
            _refuse_repeats(self.repetitions, "repetitions")
        if not self.conditions or (self.primary is not None and self.primary not in self.conditions):
            raise ValueError("`primary` must be one of `conditions`")
        if self.primary is None and len(self.conditions) > 1:
            raise ValueError("several `conditions` need a `primary`: only that one enters figures across benchmarks")
        return self

    @property
    def planned_environments(self) -> tuple[PlannedEnvironment, ...]:
        """The environments; the one that stands for all tasks where none is declared."""
        if self.environments:
            return self.environments
        assert self.tasks is not None
        return (PlannedEnvironment(id=ONE_ENVIRONMENT, tasks=self.tasks),)

    @property
    def primary_condition(self) -> str:
        """The condition that enters figures across benchmarks."""
        return self.primary or self.conditions[0]

    @property
    def repetition_names(self) -> tuple[str, ...]:
        """The repetitions as records name them: 1, 2, ... where only their number is declared."""
        if isinstance(self.repetitions, tuple):
            return self.repetitions
        return tuple(str(number) for number in range(1, self.repetitions + 1))


class Reference(Entry):
    """A complete system outside the crossing, measured on the same tasks of all or some benchmarks."""

    model: Stated
    harness: Stated
    benchmarks: tuple[Stated, ...] | None = None


class PanelSpec(Entry):
    """A declared panel: models × harnesses × benchmarks, and references outside it."""

    schema_: Literal["scoretrail.panel/1"] = Field(alias="schema")
    title: Stated
    models: Annotated[tuple[Stated, ...], Field(min_length=1)]
    harnesses: Annotated[tuple[Stated, ...], Field(min_length=1)]
    benchmarks: Annotated[tuple[PlannedBenchmark, ...], Field(min_length=1)]
    configurations: tuple[ConfigurationPair, ...] | None = None
    references: tuple[Reference, ...] = ()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        _refuse_repeats(self.models, "models")
        _refuse_repeats(self.harnesses, "harnesses")
        names = [one.id for one in self.benchmarks]
        _refuse_repeats(names, "benchmarks")
        _refuse_repeats([(one.model, one.harness) for one in self.references], "references")
        environments = [own.id for one in self.benchmarks for own in one.planned_environments]
        if ALL in {*self.models, *self.harnesses, *names, *environments}:
            raise ValueError(f"{ALL!r} stands for all of them and can name none")
        for listed in (self.configurations, *(one.configurations for one in self.benchmarks)):
            _refuse_repeats(listed or (), "configurations")
            for model, harness in listed or ():
                if model not in self.models or harness not in self.harnesses:
                    raise ValueError(f"configuration [{model}, {harness}] names no declared model and harness")
        for one in self.references:
            if (one.model, one.harness) in self.crossing:
                raise ValueError(f"reference {one.model} + {one.harness} is a configuration of the panel itself")
            strangers = [name for name in one.benchmarks or () if name not in names]
            if strangers:
                raise ValueError(f"reference {one.model} + {one.harness} names unknown benchmarks {strangers}")
        return self

    @property
    def crossing(self) -> tuple[ConfigurationPair, ...]:
        """The configurations planned where a benchmark does not say otherwise, in declared order."""
        if self.configurations is not None:
            return self.configurations
        return tuple((model, harness) for model in self.models for harness in self.harnesses)

    def configurations_of(self, benchmark: PlannedBenchmark) -> tuple[ConfigurationPair, ...]:
        """The configurations planned on a benchmark, references last, sorted by name within each."""
        own = self.crossing if benchmark.configurations is None else benchmark.configurations
        extra = [
            (one.model, one.harness)
            for one in self.references
            if one.benchmarks is None or benchmark.id in one.benchmarks
        ]
        return (*sorted(own), *sorted(extra))

    @property
    def reference_pairs(self) -> frozenset[ConfigurationPair]:
        """The references as (model, harness)."""
        return frozenset((one.model, one.harness) for one in self.references)


def _refuse_repeats(names: Iterable[object], what: str) -> None:
    repeated = sorted(str(name) for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise ValueError(f"{what} repeat: {', '.join(repeated[:5])}")
