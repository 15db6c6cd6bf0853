"""methodology.yaml as typed values: every constant and every Choice of METHODS that the program uses, by name.

No constant of a method is a literal in code: it is read from here, so that an edited methodology runs as written.
"""

from __future__ import annotations

import functools
import itertools
import re
from fractions import Fraction
from statistics import NormalDist
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from warehouse.decision_rules import DecisionRules
from warehouse.linked_rules import BacktestRules, LinkedModel
from warehouse.manifest_rules import ManifestRules
from warehouse.pairing_words import ALIGNMENT_FIELDS
from warehouse.rollout_rules import RegressionRules, RolloutRules
from warehouse.vocabulary import SOURCE_TYPES, TIERS, SourceType, Tier

Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
_NORMAL: Final = NormalDist()


class Group(BaseModel):
    """Base of a group of constants: immutable, an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidenceRules(Group):
    """METHODS 1: which tier a source type gives where the row records none."""

    source_tiers: dict[SourceType, Tier]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if set(self.source_tiers) != set(SOURCE_TYPES):
            raise ValueError(f"needs exactly the source types {', '.join(SOURCE_TYPES)}")
        return self


class NameRules(Group):
    """METHODS 2, 3 and 5: the effort levels a name or setting may state."""

    effort_levels: tuple[str, ...]


class Standardization(Group):
    """METHODS 7: from values to z, q and variance."""

    epsilon: Annotated[float, Field(gt=0, lt=0.5)]
    mad_factor: Positive
    iqr_divisor: Positive
    z_limit: Positive
    minimum_models: Count
    quality_models: Count
    quality_developers: Count
    source_floors: dict[Tier, Positive]
    family_precision_cap: Positive

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if set(self.source_floors) != set(TIERS):
            raise ValueError(f"source_floors needs exactly the tiers {', '.join(TIERS)}")
        return self


class LatentModel(Group):
    """METHODS 7: prior variances of ability and cohort, and up to how many metrics arithmetic is fixed-order."""

    ability_variance: Positive
    cohort_variance: Positive
    exact_metrics_limit: Count


class Threshold(Group):
    """What a status asks for."""

    dimensions: Count
    families: Count
    overlap_dimensions: Annotated[int, Field(ge=0)] = 0


class CategoryScale(Group):
    """METHODS 7: from posterior to score, interval and status."""

    dimensions: Count
    center: float
    slope: Positive
    lowest: float
    highest: float
    interval_z: Positive
    overlap_families: Count
    rated: Threshold
    estimated: Threshold


def _pattern(text: str) -> str:
    try:
        re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error
    return text


def _planner_pattern(text: str) -> str:
    if re.compile(_pattern(text)).groups != 1:
        raise ValueError("must hold exactly one group: the planner's slug")
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]
PlannerPattern = Annotated[str, AfterValidator(_planner_pattern)]
Similarity = Annotated[float, Field(gt=0, le=1)]
Jaccard = Annotated[float, Field(gt=0.5, le=1)]
"""A bound on the Jaccard index of two token sets. Above one half, any two different sets that reach it share at least
two tokens: what the fast generator rests on."""


class PairingRules(Group):
    """METHODS 5: the bounds and lists of the pairing rules and of alignment.

    Patterns are regular expressions, read without regard to case, on NFKC text.
    """

    suffix_patterns: tuple[Pattern, ...]
    planner_patterns: tuple[PlannerPattern, ...]
    not_model_words: tuple[str, ...]
    wrapper_head_jaccard: Jaccard
    containment_length: Count
    containment_jaccard: Jaccard
    sequence_jaccard: Jaccard
    sequence_similarity: Similarity
    token_jaccard: Jaccard
    shared_backend_jaccard: Jaccard
    alignment_fields: tuple[str, ...]
    unstated_words: tuple[str, ...]

    @model_validator(mode="after")
    def _known_fields(self) -> Self:
        strangers = [name for name in self.alignment_fields if name not in ALIGNMENT_FIELDS]
        if strangers or not self.alignment_fields:
            raise ValueError(f"alignment_fields {strangers}: fields are {', '.join(ALIGNMENT_FIELDS)}")
        return self


class SourceStatistics(Group):
    """METHODS 6: resamples, levels with their normal quantiles, and what a reading asks for."""

    resamples: Count
    level: Annotated[float, Field(gt=0.5, lt=1)]
    level_z: Positive
    power: Annotated[float, Field(gt=0.5, lt=1)]
    power_z: Positive
    minimum_models: Count

    @model_validator(mode="after")
    def _quantiles_agree(self) -> Self:
        for name, z, below in (("level_z", self.level_z, (1 + self.level) / 2), ("power_z", self.power_z, self.power)):
            if abs(_NORMAL.cdf(z) - below) > 1e-9:
                raise ValueError(f"{name} {z} is not the normal quantile of {below}: that is {_NORMAL.inv_cdf(below)}")
        return self


class ProtocolRules(Group):
    """METHODS 8: what swaps a site, and how often the control, the sites and the orders of candidates are drawn."""

    swap_share: Annotated[float, Field(ge=0, lt=1)]
    site_resamples: Count
    control_pairs: Count
    growth_orders: Annotated[int, Field(ge=0)]
    growth_sizes: Count


class Judging(Group):
    """METHODS 10: bins of confidence, the grid of thresholds, and what a cascade must keep."""

    bins: Annotated[tuple[Annotated[float, Field(ge=0.5, le=1)], ...], Field(min_length=2)]
    tau_lowest: Annotated[float, Field(ge=0.5, le=1)]
    tau_highest: Annotated[float, Field(ge=0.5, le=1)]
    tau_step: Annotated[float, Field(gt=0, le=0.5)]
    tolerance: Annotated[float, Field(gt=0, lt=1)]
    bound_level: Annotated[float, Field(gt=0.5, lt=1)]
    bound_z: Positive
    exact_below: Annotated[int, Field(ge=2)]
    auroc_least: Annotated[float, Field(ge=0.5, le=1)]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if any(low >= high for low, high in itertools.pairwise(self.bins)) or self.bins[0] != 0.5:
            raise ValueError("bins are lower ends in ascending order that begin at 0.5")
        if self.tau_lowest > self.tau_highest:
            raise ValueError("tau_lowest lies above tau_highest")
        if abs(_NORMAL.cdf(self.bound_z) - self.bound_level) > 1e-4:
            raise ValueError(f"bound_z {self.bound_z} is not the normal quantile of {self.bound_level}")
        return self


class HarnessRules(Group):
    """METHODS 11: resamples of tasks, level, the quartile of clean ends, and how far the search for balance goes."""

    resamples: Count
    level: Annotated[float, Field(gt=0.5, lt=1)]
    lower_quartile: Annotated[float, Field(gt=0, lt=1)]
    search_limit: Count


class BoardSensitivity(Group):
    """METHODS 8: the lawful variants of our own board, and how often its evidence is drawn anew for the reference."""

    epsilons: tuple[Annotated[float, Field(gt=0, lt=0.5)], ...]
    family_precision_caps: tuple[Positive, ...]
    cohort_variances: tuple[Positive, ...]
    minimum_models: Count
    resamples: Annotated[int, Field(ge=2)]


@functools.cache
def exactly(bound: float) -> Fraction:
    """A bound as the decimal it was written as, so that 0.60 means three fifths and a border case is no accident."""
    return Fraction(repr(bound))


class Methodology(Group):
    """The whole of methodology.yaml."""

    version: Annotated[str, Field(min_length=1)]
    seed: int
    evidence: EvidenceRules
    names: NameRules
    standardization: Standardization
    latent: LatentModel
    category: CategoryScale
    pairing: PairingRules
    source_statistics: SourceStatistics
    decision: DecisionRules
    protocols: ProtocolRules
    manifests: ManifestRules
    judging: Judging
    rollout: RolloutRules
    regression: RegressionRules
    harness: HarnessRules
    sensitivity: BoardSensitivity
    linked: LinkedModel
    backtest: BacktestRules
