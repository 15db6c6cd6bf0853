"""The shape of an explanation of a linked score: centre, parts by category of evidence, own results (METHODS 7b).

Belongs here: values only. How they are gathered is `methods.lineage.explain_linked`; how they are shown is the
command's.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from methods.lineage.explanation import ExcludedRow, ExplainedScore, Origin


@dataclass(frozen=True, slots=True)
class LinkedResult:
    """One result of the model: what it adds, the metric as the linked model sees it, and where the row stands.

    Attributes:
        weight: derivative of the category ability by z. contribution: in score points.
        slope, offset, noise_sd, cohort_score: of the metric, as `out__linked_metric` publishes them.
        is_clamped: z stands at the methodology's limit.
    """

    evidence_id: str
    metric_id: str
    dimension: str
    family: str
    tier: str
    value: float
    z: float
    q: float
    is_clamped: bool
    weight: float
    contribution: float
    slope: float
    offset: float
    noise_sd: float
    cohort_score: float
    origin: Origin
    duplicates: tuple[ExcludedRow, ...]


@dataclass(frozen=True, slots=True)
class LinkedPart:
    """What the evidence of one category adds: the model's own results, and all others' through the offsets.

    `own_points` and `cohort_points` are those of `out__linked_part`; `own` sums to the former.
    """

    source_category: str
    own_points: float
    cohort_points: float
    own: tuple[LinkedResult, ...]


@dataclass(frozen=True, slots=True)
class LinkedExplanation(ExplainedScore):
    """One linked score of one release, whole.

    Attributes:
        slope: score points of one unit of μ, 15 in methodology 3.0.
        unclamped: 50 + 15 μ before clamping, also for unrated models, whose `score` is null.
        total: the centre plus every part; equals `unclamped` to 1e-9.
        board_score: 3.0's own score beside it.
        missing_for_estimated: what an unrated model lacks for a score, in words; empty for one that has it.
        missing_for_rated: what would have to be added, in words; empty for a rated model.
    """

    board_score: float | None
    centre: float
    slope: float
    unclamped: float
    missing_for_estimated: tuple[str, ...]
    missing_for_rated: tuple[str, ...]
    parts: tuple[LinkedPart, ...]

    @property
    def total(self) -> float:
        """The centre plus every part."""
        points = [points for part in self.parts for points in (part.own_points, part.cohort_points)]
        return math.fsum([self.centre, *points])

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain JSON values, with the sums an auditor checks first."""
        return {**asdict(self), "total": self.total, "difference": self.total - self.unclamped}
