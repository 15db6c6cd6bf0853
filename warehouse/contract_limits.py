"""What a release contract limits beside its objective: red lines, budgets, critical slices, metrics (METHODS 12).

Belongs here: these parts. Does not belong here: what is compared (`warehouse.contract_terms`), the whole contract
(`warehouse.release_contract`).
"""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from warehouse.contract_terms import Points, Tasks, check_range
from warehouse.decision_words import BudgetStatistic
from warehouse.source_model import Entry, Share, Slug, Stated


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
        check_range(self.lowest, self.highest)
        return self
