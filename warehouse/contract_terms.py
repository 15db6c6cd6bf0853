"""What a release contract compares: population, task, systems, ruler, outcome, objective, sampling (METHODS 12).

Belongs here: these parts. Does not belong here: limits beside the comparison (`warehouse.contract_limits`), the whole
contract (`warehouse.release_contract`).
"""

from __future__ import annotations

import math
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from warehouse.decision_words import InfrastructureRule, ObjectiveKind, OutcomeKind, Resampling, ScorerType
from warehouse.source_model import Entry, Share, Stated

LEAST_ALPHA: Final = 1e-9
"""The least one-sided level: one minus a far smaller one is 1 to a machine, and has no quantile."""
MOST_ALPHA: Final = 0.5
"""A one-sided level lies below this."""
Points = Annotated[float, Field(ge=0, le=100)]
Tasks = Annotated[int, Field(ge=2, le=10**9)]
Alpha = Annotated[float, Field(ge=LEAST_ALPHA, lt=MOST_ALPHA)]
"""A one-sided level."""


def check_range(lowest: float, highest: float) -> None:
    """Refuses a range that has no width, or one so narrow or wide that no value has a place in it."""
    if not lowest < highest:
        raise ValueError("`lowest` must lie below `highest`")
    width = highest - lowest
    if not (math.isfinite(width) and math.isfinite(1 / width)):
        raise ValueError(f"a range from {lowest:g} to {highest:g} cannot be computed with; state the score's own range")


class Population(Entry):
    """Which requests are eligible: the denominator. `any` is a statement, an empty text is none."""

    language: Stated
    region: Stated
    tenant: Stated
    permission: Stated
    entrance: Stated
    window: Stated
    fallback_routes: Stated


class TaskUnit(Entry):
    """What one task is, and what it weighs.

    Attributes:
        unit: in words: a question, a conversation, a ticket.
        weight: column with a task's weight, positive and the same in all its rows; None: tasks weigh alike.
    """

    unit: Stated
    weight: Stated | None = None


class Systems(Entry):
    """The two systems as the evidence names them."""

    baseline: Stated
    candidate: Stated

    @model_validator(mode="after")
    def _two(self) -> Self:
        if self.baseline == self.candidate:
            raise ValueError("baseline and candidate must be two systems")
        return self


class Scorer(Entry):
    """The ruler: its type and version, as every row of the evidence must state them."""

    type: ScorerType
    version: Stated


class Outcome(Entry):
    """What is compared: a column, its kind, and the ends of its range.

    Attributes:
        column: of a binary or score outcome.
        kind: `binary`, `score`, or a corpus metric over `hypothesis` and `reference`.
        lowest, highest: ends of the range of a score; a value outside is refused. Binary: 0 and 1.
        higher_is_better: False turns the difference round.
        hypothesis, reference: columns of a corpus metric.
    """

    column: Stated | None = None
    kind: OutcomeKind = "binary"
    lowest: float = 0.0
    highest: float = 1.0
    higher_is_better: bool = True
    hypothesis: Stated | None = None
    reference: Stated | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.is_corpus:
            if self.hypothesis is None or self.reference is None or self.column is not None:
                raise ValueError(f"a corpus metric ({self.kind}) has `hypothesis` and `reference`, and no `column`")
        elif self.column is None or self.hypothesis is not None or self.reference is not None:
            raise ValueError(f"a {self.kind} outcome has `column`, and neither `hypothesis` nor `reference`")
        check_range(self.lowest, self.highest)
        if self.kind == "binary" and (self.lowest, self.highest) != (0.0, 1.0):
            raise ValueError("a binary outcome lies between 0 and 1")
        if (self.is_corpus or self.kind == "binary") and not self.higher_is_better:
            raise ValueError(f"for a {self.kind} outcome higher is better")
        return self

    @property
    def is_corpus(self) -> bool:
        """Whether the outcome is no mean of per-task values."""
        return self.kind in {"bleu", "chrf"}


class Objective(Entry):
    """What must be shown, and at which one-sided level.

    Attributes:
        kind: `superiority`: the lower bound lies above `delta_ship_pp`; `non_inferiority`: above -`delta_regress_pp`.
        delta_ship_pp: the smallest improvement worth the move.
        delta_regress_pp: the largest loss that can be borne.
        alpha: chance, at most, of passing where the truth lies exactly at the margin.
        expected_pp: the true difference that planning assumes, and that the number of tasks to decide refers to.
    """

    kind: ObjectiveKind
    delta_ship_pp: Points | None = None
    delta_regress_pp: Points | None = None
    alpha: Alpha
    expected_pp: Annotated[float, Field(ge=-100, le=100)]

    @model_validator(mode="after")
    def _margin(self) -> Self:
        needed, other = self.delta_ship_pp, self.delta_regress_pp
        if self.kind == "non_inferiority":
            needed, other = other, needed
        name = "delta_ship_pp" if self.kind == "superiority" else "delta_regress_pp"
        if needed is None or other is not None:
            raise ValueError(f"{self.kind} has `{name}` and not the other margin")
        if self.kind == "non_inferiority" and needed == 0:
            raise ValueError("`delta_regress_pp` must be positive: a margin of 0 is superiority")
        if self.expected_pp <= self.margin_pp:
            raise ValueError(f"`expected_pp` must lie above the margin ({self.margin_pp:g}), else no n would decide")
        return self

    @property
    def margin_pp(self) -> float:
        """What the lower bound must exceed: delta_ship_pp, or minus delta_regress_pp."""
        return self.delta_ship_pp if self.delta_ship_pp is not None else -(self.delta_regress_pp or 0.0)


class Sampling(Entry):
    """How tasks hang together, and how many there must be.

    Attributes:
        cluster: column of what is sampled as a whole (a repository, a customer, a document); None: tasks.
        resampling: `task`, or `two_stage` where trials are resampled too.
        minimum_tasks: paired tasks below which nothing is decided.
        minimum_clusters: the same for clusters; asked for where `cluster` is given.
        minimum_trials: trials of each task and system.
        max_unpaired_frac: largest share of tasks that one system lacks.
    """

    cluster: Stated | None = None
    resampling: Resampling = "task"
    minimum_tasks: Tasks
    minimum_clusters: Tasks | None = None
    minimum_trials: Annotated[int, Field(ge=1, le=10**6)] = 1
    max_unpaired_frac: Share = 0.0

    @model_validator(mode="after")
    def _clusters(self) -> Self:
        if (self.cluster is None) != (self.minimum_clusters is None):
            raise ValueError("`cluster` and `minimum_clusters` belong together")
        if self.cluster is not None and self.resampling == "two_stage":
            raise ValueError("`two_stage` resamples trials within tasks; with clusters use `task`")
        return self


class Failures(Entry):
    """How rows count that carry no answer.

    Attributes:
        infrastructure: `exclude` leaves such rows out, `fail` counts them as failures.
        max_infrastructure_frac: largest share of such rows in either system.
        max_parse_frac: largest share of unparsed answers in either system; they are always counted both ways.
    """

    infrastructure: InfrastructureRule
    max_infrastructure_frac: Share
    max_parse_frac: Share
