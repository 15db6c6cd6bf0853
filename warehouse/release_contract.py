"""The release contract: what is asked of a candidate before anybody sees its results (METHODS 12).

Belongs here: the shape of a contract, what its parts may say together, and its hash. Does not belong here: its parts
(`warehouse.contract_terms`, `warehouse.contract_limits`, `warehouse.release_stages`), reading the file
(`resources.contract_files`), judging evidence by it (`methods.decision`).

Differences of a success rate or a bounded score are stated in percentage points of the range of the outcome (`_pp`),
shares as fractions (`_frac`). A column named anywhere in the contract is a column of the evidence; component metrics
of METHODS 13 are such columns too.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from warehouse.canonical import canonical_sha256
from warehouse.contract_limits import Budget, MetricGate, RedLine, SampleBudget, Slice
from warehouse.contract_terms import (
    LEAST_ALPHA,
    MOST_ALPHA,
    Failures,
    Objective,
    Outcome,
    Population,
    Sampling,
    Scorer,
    Systems,
    TaskUnit,
)
from warehouse.decision_words import Modality, Risk
from warehouse.release_stages import CanaryPlan, Rollback, ShadowEntry, Stages, StopRule
from warehouse.source_model import Entry, Slug, Stated

__all__ = [
    "CONTRACT_SCHEMA", "LEAST_ALPHA", "MOST_ALPHA", "Budget", "CanaryPlan", "Failures", "MetricGate", "Objective",
    "Outcome", "Population", "RedLine", "ReleaseContract", "Rollback", "SampleBudget", "Sampling", "Scorer", "Seal",
    "ShadowEntry", "Slice", "Stages", "StopRule", "Systems", "TaskUnit",
]  # fmt: skip

CONTRACT_SCHEMA: Final = "scoretrail.contract/1"
Texts = tuple[Stated, ...]


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
