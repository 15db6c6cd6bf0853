"""The release contract: what is asked of a candidate before anybody sees its results (METHODS 12).

Belongs here: the shape of a contract, what its parts may say together, and its hash. Does not belong here: the stages
after offline evidence (`warehouse.release_stages`), reading the file (`resources.contract_files`), judging evidence by
it (`methods.decision`).

Differences of a success rate or a bounded score are stated in percentage points of the range of the outcome (`_pp`),
shares as fractions (`_frac`). A column named anywhere in the contract is a column of the evidence; component metrics
of METHODS 13 are such columns too.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from warehouse.canonical import canonical_sha256
from warehouse.decision_words import (
    BudgetStatistic,
    InfrastructureRule,
    Modality,
    ObjectiveKind,
    OutcomeKind,
    Resampling,
    Risk,
    ScorerType,
)
from warehouse.release_stages import CanaryPlan, Rollback, ShadowEntry, Stages, StopRule
from warehouse.source_model import Entry, Share, Slug, Stated

__all__ = [
    "CONTRACT_SCHEMA", "Budget", "CanaryPlan", "Failures", "MetricGate", "Objective", "Outcome", "Population",
    "RedLine", "ReleaseContract", "Rollback", "SampleBudget", "Sampling", "Scorer", "Seal", "ShadowEntry", "Slice",
    "Stages", "StopRule", "Systems", "TaskUnit",
]  # fmt: skip

CONTRACT_SCHEMA: Final = "scoretrail.contract/1"
LEAST_ALPHA: Final = 1e-9
"""The least one-sided level: one minus a far smaller one is 1 to a machine, and has no quantile."""
MOST_ALPHA: Final = 0.5
"""A one-sided level lies below this."""
Points = Annotated[float, Field(ge=0, le=100)]
Tasks = Annotated[int, Field(ge=2, le=10**9)]
Alpha = Annotated[float, Field(ge=LEAST_ALPHA, lt=MOST_ALPHA)]
"""A one-sided level."""
Texts = tuple[Stated, ...]


def _check_range(lowest: float, highest: float) -> None:
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
        _check_range(self.lowest, self.highest)
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


class RedLine(Entry):
    """What must never happen: a column that is true where it did; one true row of the candidate blocks."""

    id: Slug
    column: Stated
    harm: Stated


class SampleBudget(Entry):
    """A limit on every single sample: a success beyond it is no success."""

    column: Stated
    at_most: float


class Budget(Entry):
    """A limit on a statistic of the candidate over all its samples, bounded at the contract's level."""

    id: Slug
    column: Stated
    statistic: BudgetStatistic
    at_most: float
    unit: Stated


class Slice(Entry):
    """A critical part of the population with its own margin and minimum: rows where `column` is `value`.

    Attributes:
        delta_pp: margin of the same kind as the objective's: the loss that can be borne, or the gain asked for.
    """

    id: Slug
    column: Stated
    value: Stated
    delta_pp: Points
    minimum_tasks: Tasks


class MetricGate(Entry):
    """A gate on a numeric column, such as a component metric: on the candidate's level, or on the paired difference.

    The value of a task is the mean over its trials, a null value takes no part (not applicable is not zero), and
    coverage is stated. With `divide_by` the metric is the sum of `column` over the sum of `divide_by`, recomputed in
    every resample, and has no ends.

    Attributes:
        at_least, at_most: limit of the candidate's level.
        delta_pp: largest loss against the baseline, in points of the range `lowest` to `highest`.
        minimum_tasks: tasks with a value.
        lowest, highest: ends of its range.
        minimum_coverage_frac: least share of the candidate's rows that have a value.
    """

    id: Slug
    column: Stated
    divide_by: Stated | None = None
    at_least: float | None = None
    at_most: float | None = None
    delta_pp: Points | None = None
    higher_is_better: bool = True
    minimum_tasks: Tasks
    lowest: float = 0.0
    highest: float = 1.0
    minimum_coverage_frac: Share = 0.0

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        if sum(limit is not None for limit in (self.at_least, self.at_most, self.delta_pp)) != 1:
            raise ValueError("give exactly one of `at_least`, `at_most`, `delta_pp`")
        if self.divide_by is not None and self.delta_pp is not None:
            raise ValueError("a metric with `divide_by` is held against `at_least` or `at_most`")
        _check_range(self.lowest, self.highest)
        return self


class Seal(Entry):
    """The hash fixed before evidence exists, and when."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    sealed_at: datetime


class ReleaseContract(Entry):
    """The whole contract. Lists that have nothing to say are written `[]`: leaving them out is an error.

    Attributes:
        must_state: columns that every row must state, such as where a sample is from and what it may be used for.
    """

    contract: Literal["scoretrail.contract/1"]
    id: Slug
    title: Stated
    modality: Modality
    risk: Risk
    population: Population
    task: TaskUnit
    acceptable_behaviours: Texts
    required_evidence: Texts
    allowed_refusals: Texts
    end_state: Stated
    forbidden_side_effects: Texts
    harms: Texts
    systems: Systems
    scorer: Scorer
    outcome: Outcome
    objective: Objective
    sampling: Sampling
    failures: Failures
    must_state: Texts = ()
    red_lines: tuple[RedLine, ...]
    sample_budgets: tuple[SampleBudget, ...]
    budgets: tuple[Budget, ...]
    slices: tuple[Slice, ...]
    metrics: tuple[MetricGate, ...]
    stages: Stages
    seal: Seal | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        named = [one.id for one in self.red_lines] + [one.id for one in self.budgets]
        named += [one.id for one in self.slices] + [one.id for one in self.metrics]
        named += [one.id for one in self.stages.stop]
        twice = sorted(name for name, count in Counter(named).items() if count > 1)
        if twice:
            raise ValueError(f"ids of red lines, budgets, slices, metrics and stop rules repeat: {', '.join(twice)}")
        if self.outcome.is_corpus and (self.sampling.resampling == "two_stage" or self.sample_budgets):
            raise ValueError("a corpus metric has no two-stage resampling and no budget of single samples")
        if self.outcome.is_corpus and self.task.weight is not None:
            raise ValueError("a corpus metric weighs tasks by their length: give no `task.weight`")
        if self.objective.kind == "non_inferiority" and any(one.delta_pp == 0 for one in self.slices):
            raise ValueError("the `delta_pp` of a slice must be positive for non_inferiority")
        return self

    @property
    def sha256(self) -> str:
        """The contract's hash: over every value but the seal, not over comments, layout or file bytes."""
        return canonical_sha256(self.model_dump(mode="json", exclude={"seal"}))

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column of the evidence that the contract names, in the order it names them, once each."""
        outcome, sampling = self.outcome, self.sampling
        named: list[str | None] = [outcome.column, outcome.hypothesis, outcome.reference]
        named += [self.task.weight, sampling.cluster]
        named += [one.column for one in self.red_lines] + [one.column for one in self.sample_budgets]
        named += [one.column for one in self.budgets] + [one.column for one in self.slices]
        named += self.must_state
        for metric in self.metrics:
            named += [metric.column, metric.divide_by]
        return tuple(dict.fromkeys(name for name in named if name is not None))
