"""The catalog folder as typed values: sources, models, decisions, corrections, waivers, studies, gates, and the whole.

Belongs here: shapes and what a single entry may say. Reading the files is `resources.catalog_files`; what entries
mean together is `methods.catalog`. Sources stand in `warehouse.source_model`, metrics in `warehouse.metric_model`,
constants in `warehouse.methodology`.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cached_property
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from warehouse.canonical import canonical_sha256
from warehouse.identity import is_slug
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec, MetricSpec
from warehouse.pairing_words import PairDecision
from warehouse.source_model import Entry, Slug, SourceSpec, Stated
from warehouse.study_options import STUDY_OPTIONS
from warehouse.study_words import SOURCE_STUDY_KIND
from warehouse.two_people import is_name, same_person
from warehouse.vocabulary import Severity

__all__ = [
    "Catalog", "Correction", "Decision", "Entry", "GateSpec", "ModelSpec", "PairAlias", "Slug", "SourceSpec",
    "SourceStudyOptions", "Stated", "StudySpec", "Waiver",
]  # fmt: skip


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


def _second_person(who: str, approved_by: str, reason: str) -> None:
    """Refuses a change that one person approved alone, however they spelled themselves, or that says no reason.

    Raises:
        ValueError: naming what is missing.
    """
    for name, stated in (("who", who), ("approved_by", approved_by)):
        if not is_name(stated):
            raise ValueError(f"`{name}` must be a name")
    if same_person(who, approved_by):
        raise ValueError("`approved_by` must be someone other than `who`")
    if not is_name(reason):
        raise ValueError("`reason` must say something")


class Correction(Entry):
    """One correction: the old value it expects to find, and a new value or an exclusion. Append-only; two names.

    `leaderboard` says whose entry it is: a run that received nothing of it is not asked to meet the correction.
    `mended_upstream` is the day since which the source no longer holds the old value: the correction stays for days
    that do hold it, and being unmet is no fault any more.
    """

    id: Slug
    entry_id: Stated
    reason: Stated
    expected: float | None
    value: float | None = None
    exclude: bool = False
    who: Stated
    approved_by: Stated
    when: date
    leaderboard: Slug | None = None
    mended_upstream: date | None = None

    @model_validator(mode="after")
    def _one_remedy(self) -> Self:
        if self.exclude == (self.value is not None):
            raise ValueError("a correction gives either a new `value` or `exclude: true`")
        _second_person(self.who, self.approved_by, self.reason)
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
        _second_person(self.who, self.approved_by, self.reason)
        if self.until.tzinfo is None:
            raise ValueError("`until` must state its time zone, for example 2026-11-01T00:00:00Z")
        return self


class SourceStudyOptions(Entry):
    """Options of the study of source differences.

    `decisions_until`: decisions reviewed later belong to pairs that came after the freeze, and are left aside.
    """

    decisions_until: date | None = None


def _checked(shape: type[Entry], options: dict[str, Any]) -> None:
    """Refuses options that do not fit the kind of study.

    Raises:
        ValueError: naming the option.
    """
    try:
        shape.model_validate(options)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"options.{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


class StudySpec(Entry):
    """One analysis of registered evidence, and whether it is published."""

    id: Slug
    kind: Stated
    evidence: Stated
    options: dict[str, Any] = Field(default_factory=dict)
    publish: bool = False

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        if self.kind == SOURCE_STUDY_KIND:
            _checked(SourceStudyOptions, self.options)
            if not is_slug(self.evidence):
                raise ValueError("`evidence` is the name of a registered freeze: lower case, digits, . _ -")
        elif self.kind in STUDY_OPTIONS:
            _checked(STUDY_OPTIONS[self.kind], self.options)
        return self

    @property
    def source_options(self) -> SourceStudyOptions:
        """The options of a study of source differences."""
        return SourceStudyOptions.model_validate(self.options)


class GateSpec(Entry):
    """One gate of gates.yaml: what it guards and its limit. A product goes out only if its `required` gates stand.

    `study` is never written by hand: a gate whose product is a kind of study stands once for every study of that kind,
    and sees that study's rows alone (`methods.catalog.study_gates`).
    """

    id: Slug
    product: Slug
    table: Stated
    severity: Severity = "blocking"
    required: bool = True
    baseline: bool = False
    threshold: float | None = None
    study: Slug | None = None

    @property
    def judged_as(self) -> str:
        """The id of the gate function: the gate's own, without the study it stands for."""
        return self.id if self.study is None else self.id.removesuffix(f".{self.study}")


class Catalog(Entry):
    """The whole catalog folder. `study_gates` are those of kinds of study, as written; `gates` holds one a study.

    `broken_sources` and `broken_corrections` name the entries that cannot be read: their absence must not pass unseen.
    """

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
    broken_corrections: tuple[str, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    studies: tuple[StudySpec, ...] = ()
    gates: tuple[GateSpec, ...]
    study_gates: tuple[GateSpec, ...] = ()

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
