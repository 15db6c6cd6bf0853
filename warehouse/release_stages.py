"""The way of a candidate from offline evidence to everybody, as a release contract states it (METHODS 12).

Belongs here: shadow, canary, stop rules, rollback. Does not belong here: the rest of a contract
(`warehouse.release_contract`), what is done about a rule (`methods.rollout`).
"""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from warehouse.decision_words import StopAction
from warehouse.source_model import Entry, Slug, Stated

Texts = tuple[Stated, ...]


ENTRY_FLAGS: Final[dict[str, str]] = {
    "is_data_minimized": "data is minimized",
    "are_write_tools_off": "write tools are off",
    "is_provider_checked": "the provider is checked",
    "is_residency_checked": "data residency is checked",
    "is_baseline_independent": "the baseline is independent and stable",
}
"""What must be true before a request is copied, beside purpose, recipient and retention, which must be stated."""


class ShadowEntry(Entry):
    """What must hold before requests are copied to the candidate: texts say who answers for it, flags say yes or no."""

    purpose: Stated
    recipient: Stated
    retention: Stated
    is_data_minimized: bool
    are_write_tools_off: bool
    is_provider_checked: bool
    is_residency_checked: bool
    is_baseline_independent: bool


class CanaryPlan(Entry):
    """Small real traffic: how much, how assigned, and by which columns cohorts are compared.

    Attributes:
        is_randomized: eligible units are assigned at random; otherwise the reading is operational only.
        unit: what is assigned: user, session, request.
        exposure_frac: share planned for the candidate.
        cohorts: columns along which the two groups are compared where assignment is not random.
    """

    is_randomized: bool
    unit: Stated
    exposure_frac: Annotated[float, Field(gt=0, lt=1)]
    cohorts: Texts = ()


class StopRule(Entry):
    """A condition checked on each batch by an always-valid bound: the candidate's mean of a column stays in bounds.

    Attributes:
        column: between `lowest` and `highest`; a binary harm, an error, an escalation.
        at_most: limit of the candidate's mean.
        alpha: chance, at most, of ever stopping where the mean is within the limit.
        is_proxy: a short-term proxy is kept apart from an outcome.
        action: what is written for the deploy tool.
    """

    id: Slug
    column: Stated
    at_most: float
    lowest: float = 0.0
    highest: float = 1.0
    alpha: Annotated[float, Field(gt=0, lt=0.5)]
    is_proxy: bool = False
    action: StopAction

    @model_validator(mode="after")
    def _inside(self) -> Self:
        if not self.lowest <= self.at_most < self.highest:
            raise ValueError("`at_most` must lie between `lowest` and `highest`")
        return self


class Rollback(Entry):
    """Where to return to, how, who does it, and how soon."""

    to: Stated
    how: Stated
    owner: Stated
    within_minutes: Annotated[int, Field(ge=1)]


class Stages(Entry):
    """The way from offline evidence to everybody."""

    is_shadow_needed: bool
    shadow: ShadowEntry | None = None
    canary: CanaryPlan
    stop: tuple[StopRule, ...] = Field(min_length=1)
    rollback: Rollback

    @model_validator(mode="after")
    def _shadow(self) -> Self:
        if self.is_shadow_needed and self.shadow is None:
            raise ValueError("`shadow` must be given where `is_shadow_needed` is true")
        return self
