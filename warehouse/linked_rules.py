"""The constants of the linked score and of the proof on withheld results (METHODS 7b)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Positive = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(gt=0, lt=1)]
Count = Annotated[int, Field(ge=1)]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LinkedVariant(_Group):
    """Which parts a linked model has beside the model's own ability, its dimensions, offsets and noise.

    Attributes:
        slopes: a discrimination of its own for each metric. category, family: effects of a model in a category, and on
            a benchmark family within a dimension. noise_by_metric: noise of its own for each metric.
        by_category: variances of effects by category. wide: a prior of the model's own effect wider than the models of
            the run lie apart (`LinkedModel.prior_width`). units: slopes and noise are drawn to each other in a steadier
            unit than a cohort's own scale.
    """

    slopes: bool
    category: bool
    family: bool
    noise_by_metric: bool
    by_category: bool
    wide: bool
    units: bool


class LinkedStart(_Group):
    """Where the search for the variances begins: the variance of each level's effects, and the noise."""

    model: Positive
    category: Positive
    dimension: Positive
    family: Positive
    noise: Positive


class LinkedModel(_Group):
    """Priors, penalties and the search of the linked model, its variants by name and the one that is published."""

    cohort_variance: Positive
    prior_width: Annotated[float, Field(ge=1)]
    slope_spread: Positive
    least_slope: Share
    least_signal: Share
    scale_observations: Positive
    noise_observations: Positive
    category_observations: Positive
    tier_observations: Positive
    start: LinkedStart
    cycles: Count
    tolerance: Positive
    resolution: Positive
    longest_step: Annotated[float, Field(gt=1)]
    variants: dict[str, LinkedVariant]
    published: str

    @model_validator(mode="after")
    def _names_a_variant(self) -> Self:
        if self.published not in self.variants:
            raise ValueError(f"published: {self.published} is no variant; they are {', '.join(self.variants)}")
        return self

    @property
    def chosen(self) -> LinkedVariant:
        """The variant that is published."""
        return self.variants[self.published]


class BacktestRules(_Group):
    """METHODS 7b: what is withheld, how often, and how baselines are fitted.

    Attributes:
        share: of cells, of (model, family) blocks and of families withheld in one repetition.
        repetitions: of a split in the whole proof. nightly_repetitions: of withheld cells in a release.
        inner_share: of the training cells, withheld once more to choose and calibrate.
        levels: of predictive intervals, with the normal quantile of (1 + level) / 2.
        least_cells: cells from which a category's figure is held against its limits, or has a factor of its own.
        ability_penalties, slope_penalties: ridges among which baselines are chosen, on the inner split.
        fit_rounds: rounds of alternating least squares. loading_start: size of the second factor's loadings at first.
        least_steepness: p (1 - p) below which no logistic observation is weighed down further.
        calibrated_level: of the intervals that are calibrated; its quantile is among `levels`.
        coverage_low, coverage_high: what an interval of that level may cover without being calibrated.
    """

    share: Share
    repetitions: Count
    nightly_repetitions: Count
    inner_share: Share
    levels: dict[str, Positive]
    least_cells: Count
    ability_penalties: tuple[Positive, ...]
    slope_penalties: tuple[Positive, ...]
    fit_rounds: Count
    loading_start: Positive
    least_steepness: Share
    calibrated_level: Share
    coverage_low: Share
    coverage_high: Share
