"""The shape of an explanation: one score taken apart, from the number down to bytes (METHODS 7 and 14).

Belongs here: values only. How they are gathered is `methods.lineage.explain`; how they are shown is the command's.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a result comes from: the row, the snapshot and the link."""

    entry_id: str
    leaderboard: str
    benchmark: str
    subset: str | None
    metric: str
    model: str
    raw_value: float | None
    unit: str
    source_type: str
    setting: str | None
    source_url: str | None
    snapshot_sha256: str
    snapshot_path: str | None
    row_locator: str


@dataclass(frozen=True, slots=True)
class ExcludedRow:
    """A row that did not count, and why."""

    metric_id: str | None
    stage: str
    reason_code: str
    raw_value: str | None
    detail: str
    kept_entry_id: str | None
    leaderboard: str
    snapshot_sha256: str
    row_locator: str
    entry_id: str | None


@dataclass(frozen=True, slots=True)
class OwnEvidence:
    """One observation of the model: its figures, its weight, what it adds, where it stands, what it won against.

    `contribution` is in score points: the methodology's slope (15) times `weight` times `z`; `weight` is the derivative
    of the category mean by z. `is_clamped` says that z stands at the methodology's limit: the value lies at least that
    far from the others.
    """

    evidence_id: str
    metric_id: str
    family: str
    protocol: str
    tier: str
    value: float
    x: float
    z: float
    n_models: int
    q: float
    variance: float
    precision: float
    is_clamped: bool
    weight: float
    contribution: float
    origin: Origin
    duplicates: tuple[ExcludedRow, ...]


@dataclass(frozen=True, slots=True)
class CohortEffect:
    """What the other models' observations on one metric add, in score points, through the cohort offset β."""

    metric_id: str
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class DimensionPart:
    """One observed dimension: posterior, evidence, cohort, and its share of the interval's variance."""

    dimension: str
    mu: float
    sigma: float
    families: int
    observations: int
    is_overlap_calibrated: bool
    variance_share: float
    own: tuple[OwnEvidence, ...]
    cohort: tuple[CohortEffect, ...]

    @property
    def own_points(self) -> float:
        """Score points of the model's own observations."""
        return sum(item.contribution for item in self.own)

    @property
    def cohort_points(self) -> float:
        """Score points of the others' observations."""
        return sum(item.contribution for item in self.cohort)


@dataclass(frozen=True, slots=True)
class ExplainedScore:
    """The score that an explanation takes apart, by whatever method: whose, of which release, and how sure it is.

    `mu` and `sigma` are the category ability's posterior mean and standard deviation; `score`, interval and ranks are
    null where the status gives none, and `reason_code` says why.
    """

    release_id: str
    as_of: str
    catalog_version: str
    methodology_version: str
    category: str
    model_id: str
    model_name: str
    developer: str | None
    status: str
    reason_code: str | None
    score: float | None
    low80: float | None
    high80: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Explanation(ExplainedScore):
    """One score of one release, whole.

    Attributes:
        slope: score points of one unit of μ, 15 in methodology 3.0.
        unclamped: 50 + 15 μ before clamping, also for unrated models, whose `score` is null.
        total: the centre plus every contribution; equals `unclamped` to 1e-9.
        missing_variance: the part of σ² that unobserved dimensions add, (4 − k)/16.
        missing_for_estimated: what an unrated model lacks for a score, in words; empty for one that has it.
        missing_for_rated: what would have to be added, in words; empty for a rated model.
    """

    effective_coverage: float
    centre: float
    slope: float
    unclamped: float
    total: float
    missing_variance: float
    missing_dimensions: tuple[str, ...]
    missing_for_estimated: tuple[str, ...]
    missing_for_rated: tuple[str, ...]
    dimensions: tuple[DimensionPart, ...]
    excluded: tuple[ExcludedRow, ...]

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain JSON values, with the sums an auditor checks first."""
        plain = asdict(self)
        for part, source in zip(plain["dimensions"], self.dimensions, strict=True):
            part["own_points"] = source.own_points
            part["cohort_points"] = source.cohort_points
        plain["difference"] = self.total - self.unclamped
        return plain
