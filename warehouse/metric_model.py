"""Entries of metrics.yaml as typed values: metrics, their matchers, and what applies to a benchmark (METHODS 3)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from warehouse.identity import is_slug
from warehouse.vocabulary import (
    CATEGORIES,
    MODEL_FIELDS,
    PROTOCOL_FIELDS,
    PROTOCOL_INTEGERS,
    Direction,
    MetricStatus,
    Transform,
)


def _metric_id(text: str) -> str:
    if not is_slug(text):
        raise ValueError("must be lower-case letters, digits, '.', '_' or '-', at most 80, beginning with no sign")
    return text


class Matcher(BaseModel):
    """Which rows a metric is read from, on exact strings.

    A key that is left out matches anything; `benchmark_version: null` and `subset: null` match rows that state none.
    `match` holds protocol fields to a value; `requires` names fields that must be stated. Both read the protocol
    field, else the setting, else the model name (METHODS 3).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    leaderboard: str | None = None
    benchmark: str
    benchmark_version: str | None = None
    subset: str | None = None
    metric: str
    match: dict[str, int | str] = Field(default_factory=dict)
    requires: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known_fields(self) -> Self:
        for name in (*self.match, *self.requires):
            if name not in PROTOCOL_FIELDS and not name.startswith("extra."):
                raise ValueError(f"{name} is no protocol field; fields are {', '.join(PROTOCOL_FIELDS)} and extra.NAME")
        for name, value in self.match.items():
            if name in PROTOCOL_INTEGERS and not isinstance(value, int):
                raise ValueError(f"match.{name} must be a whole number")
            if name not in PROTOCOL_INTEGERS and not name.startswith("extra.") and not isinstance(value, str):
                raise ValueError(f"match.{name} must be text: put it in quotes")
        return self

    @property
    def constrains_version(self) -> bool:
        """Whether the matcher says anything about the benchmark version (null included)."""
        return "benchmark_version" in self.model_fields_set

    @property
    def constrains_subset(self) -> bool:
        """Whether the matcher says anything about the subset (null included)."""
        return "subset" in self.model_fields_set


class MetricSpec(BaseModel):
    """One registered metric: where it counts, how it is read, and from which rows."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: Annotated[str, AfterValidator(_metric_id)]
    category: str
    dimension: str
    family: Annotated[str, Field(min_length=1)]
    protocol: Annotated[str, Field(min_length=1)]
    direction: Direction
    transform: Transform
    status: MetricStatus
    from_: tuple[Matcher, ...] = Field(alias="from", min_length=1)

    @model_validator(mode="after")
    def _known_place(self) -> Self:
        if self.category not in CATEGORIES:
            raise ValueError(f"category {self.category!r} is none of {', '.join(CATEGORIES)}")
        if self.dimension not in CATEGORIES[self.category]:
            raise ValueError(
                f"dimension {self.dimension!r} is none of {self.category}'s: {', '.join(CATEGORIES[self.category])}"
            )
        return self


class BenchmarkSpec(BaseModel):
    """Which fields apply to a benchmark; a field that does not apply counts as stated (METHODS 5).

    `applies` lists the protocol fields that do. `lacks` lists what a benchmark has none of: `benchmark_version` where
    there is one question set for ever, `subset` where it is always run whole.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    benchmark: Annotated[str, Field(min_length=1)]
    applies: tuple[str, ...]
    lacks: tuple[Literal["benchmark_version", "subset"], ...] = ()

    @model_validator(mode="after")
    def _known_fields(self) -> Self:
        for name in self.applies:
            if name not in PROTOCOL_FIELDS:
                raise ValueError(f"{name} is no protocol field; fields are {', '.join(PROTOCOL_FIELDS)}")
        return self

    def has(self, field: str) -> bool:
        """Whether a field applies. What a model is always does: it is no matter of the benchmark."""
        if field in PROTOCOL_FIELDS and field not in MODEL_FIELDS:
            return field in self.applies
        return field not in self.lacks
