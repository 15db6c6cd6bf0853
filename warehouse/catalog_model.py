"""The catalog folder as typed values: sources, models, decisions, corrections, waivers, studies, gates, and the whole.

Belongs here: shapes and what a single entry may say. Reading the files is `resources.catalog_files`; what entries
mean together is `methods.catalog`. Metrics stand in `warehouse.metric_model`, constants in `warehouse.methodology`.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from warehouse.canonical import canonical_sha256
from warehouse.identity import is_slug
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec, MetricSpec
from warehouse.pairing_words import PairDecision
from warehouse.vocabulary import Severity, SourceType, Tier


def _slug(text: str) -> str:
    if not is_slug(text):
        raise ValueError("must be lower-case letters, digits, '.', '_' or '-', at most 80, beginning with no sign")
    return text


Slug = Annotated[str, AfterValidator(_slug)]
Stated = Annotated[str, Field(min_length=1)]


class Entry(BaseModel):
    """Base of every catalog entry: immutable, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class SourceSpec(Entry):
    """One leaderboard of sources.yaml.

    `url` is https, `file://` or a path relative to the file; `path` is its place in a mirror. `max_drop` is the share
    of rows that may vanish against the last release; `max_age_days` the age beyond which a snapshot is stale.
    """

    id: Slug
    title: Stated
    connector: Stated
    url: Stated
    path: str | None = None
    source_type: SourceType
    tier: Tier | None = None
    license: str | None = None
    min_rows: int = Field(default=1, ge=1)
    max_drop: float = Field(default=0.2, ge=0, le=1)
    max_age: int | None = Field(default=None, ge=1, description="days")
    allow_private: bool = False
    secret_env: str | None = Field(default=None, pattern=r"^SCORETRAIL_SECRET_[A-Z0-9_]+$")
    options: dict[str, Any] = Field(default_factory=dict)


class ModelSpec(Entry):
    """One model of the registry: its id, name, developer, exact aliases and links."""

    id: Slug
    name: Stated
    developer: str | None = None
    aliases: tuple[Stated, ...] = ()
    urls: tuple[Stated, ...] = ()


class Decision(Entry):
    """One reviewed decision about a candidate pair (decisions.csv)."""

    entry_id_a: Stated
    entry_id_b: Stated
    decision: PairDecision
    reason: Stated
    reviewer: Stated
    reviewed_at: date


class PairAlias(Entry):
    """One hand-registered pair of entries (pair_aliases.csv)."""

    entry_id_a: Stated
    entry_id_b: Stated
    reason: Stated


class Correction(Entry):
    """One correction: the old value it expects to find, and a new value or an exclusion. Append-only."""

    id: Slug
    entry_id: Stated
    reason: Stated
    expected: float | None
    value: float | None = None
    exclude: bool = False
    who: Stated
    approved_by: str | None = None
    when: date

    @model_validator(mode="after")
    def _one_remedy(self) -> Self:
        if self.exclude == (self.value is not None):
            raise ValueError("a correction gives either a new `value` or `exclude: true`")
        return self


class Waiver(Entry):
    """One waiver: lets a failed gate publish until a moment, for a reason, approved by a second person."""

    gate: Stated
    reason: Stated
    who: Stated
    approved_by: Stated
    until: datetime

    @model_validator(mode="after")
    def _two_people(self) -> Self:
        if self.who == self.approved_by:
            raise ValueError("`approved_by` must be someone other than `who`")
        if self.until.tzinfo is None:
            raise ValueError("`until` must state its time zone, for example 2026-11-01T00:00:00Z")
        return self


class StudySpec(Entry):
    """One analysis of registered evidence, and whether it is published."""

    id: Slug
    kind: Stated
    evidence: Stated
    options: dict[str, Any] = Field(default_factory=dict)
    publish: bool = False


class GateSpec(Entry):
    """One gate of gates.yaml: what it guards and its limit. A product goes out only if its `required` gates stand."""

    id: Slug
    product: Slug
    table: Stated
    severity: Severity = "blocking"
    required: bool = True
    baseline: bool = False
    threshold: float | None = None


class Catalog(Entry):
    """The whole catalog folder."""

    version: Stated
    sources: tuple[SourceSpec, ...]
    broken_sources: tuple[str, ...] = ()
    metrics: tuple[MetricSpec, ...]
    benchmarks: tuple[BenchmarkSpec, ...] = ()
    models: tuple[ModelSpec, ...]
    organization_prefixes: tuple[Stated, ...] = ()
    methodology: Methodology
    decisions: tuple[Decision, ...] = ()
    pair_aliases: tuple[PairAlias, ...] = ()
    corrections: tuple[Correction, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    studies: tuple[StudySpec, ...] = ()
    gates: tuple[GateSpec, ...]

    @cached_property
    def sha256(self) -> str:
        """The catalog hash: over the values of every file, not over comments, layout or file bytes."""
        return canonical_sha256(self.model_dump(mode="json", by_alias=True, exclude_unset=True))

    @cached_property
    def source_by_id(self) -> dict[str, SourceSpec]:
        """Sources by leaderboard id."""
        return {source.id: source for source in self.sources}

    @cached_property
    def metric_by_id(self) -> dict[str, MetricSpec]:
        """Metrics by id."""
        return {metric.id: metric for metric in self.metrics}

    @cached_property
    def model_by_id(self) -> dict[str, ModelSpec]:
        """Models by id."""
        return {model.id: model for model in self.models}

    @cached_property
    def gate_by_id(self) -> dict[str, GateSpec]:
        """Gates by id."""
        return {gate.id: gate for gate in self.gates}
