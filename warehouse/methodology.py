"""methodology.yaml as typed values: every constant and every Choice of METHODS that the program uses, by name.

No constant of a method is a literal in code: it is read from here, so that an edited methodology runs as written.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from warehouse.vocabulary import SOURCE_TYPES, TIERS, SourceType, Tier

Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


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
    rated: Threshold
    estimated: Threshold


class Methodology(Group):
    """The whole of methodology.yaml."""

    version: Annotated[str, Field(min_length=1)]
    seed: int
    evidence: EvidenceRules
    names: NameRules
    standardization: Standardization
    latent: LatentModel
    category: CategoryScale
