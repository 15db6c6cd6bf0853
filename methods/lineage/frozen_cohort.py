"""A score while its cohort is held still: only the model's own rows may move (METHODS 7, "Exact change", steps 3 to 5).

  z = clamp((x - median)/scale) ;  variance = max(stderr_x/scale, floor)^2 / q ;  p = family cap over the own rows
  theta_d = sum_b a_b (z_b - beta_b),  a_b = p_b/(1/prior + sum_b p_b) ;  score = center + slope * mean_d theta_d

Frozen are, for every metric, the median, the robust scale, q, and the offset beta: numbers of the whole cohort. Not
frozen are z, variance, family cap and gain of the model's own rows, which depend on nothing else. With the rows of the
board the cohort comes from this is that board's own score, since its posterior mean has exactly this form.

Belongs here: the formula above on given rows. Which rows and whose cohort is `change`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from methods.scoring.precision import capped_precision
from methods.scoring.standardize import normalized_stderr, observation_variance
from warehouse.methodology import Methodology
from warehouse.vocabulary import Tier


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A model's kept row on one metric: what of it enters a score, and where it stands.

    Attributes:
        evidence_id, entry_id, leaderboard, snapshot_sha256, row_locator: which row.
        metric_id, dimension, family: where it counts.
        tier: evidence tier. value, stderr: as stated, in `unit`; a correction's value where one applies.
        x, stderr_x: value and standard error on the transformed scale, higher is better.
    """

    evidence_id: str
    entry_id: str
    metric_id: str
    dimension: str
    family: str
    tier: Tier
    leaderboard: str
    value: float
    unit: str
    stderr: float | None
    snapshot_sha256: str
    row_locator: str
    x: float
    stderr_x: float

    @property
    def content(self) -> tuple[object, ...]:
        """What must be equal for the row to count as unchanged: the entry, its value, unit, error and tier."""
        return (self.evidence_id, self.value, self.unit, self.stderr, self.tier, self.x, self.stderr_x)


@dataclass(frozen=True, slots=True)
class MetricCohort:
    """One metric's cohort: median and robust scale of x, quality q, posterior mean offset beta (robust SD)."""

    center: float
    scale: float
    quality: float
    offset: float


@dataclass(frozen=True)
class FrozenCohort:
    """Every scored metric's cohort on one board, and the methodology it was computed with."""

    metrics: Mapping[str, MetricCohort]
    methodology: Methodology

    def with_new(self, other: FrozenCohort) -> FrozenCohort:
        """This cohort, and the other's for metrics that this one does not score."""
        return FrozenCohort({**other.metrics, **self.metrics}, self.methodology)

    def points(self, rows: Iterable[OwnRow]) -> float:
        """The unclamped score of a model that has these rows; rows of metrics without cohort do not count.

        Without any row that counts the model stands at its prior mean: the centre of the scale.
        """
        return self.methodology.category.center + math.fsum(self.contributions(rows).values())

    def contributions(self, rows: Iterable[OwnRow]) -> dict[str, float]:
        """What each metric adds to the score, in score points: slope * a_b (z_b - beta_b) / observed dimensions."""
        counted = sorted((row for row in rows if row.metric_id in self.metrics), key=lambda row: row.metric_id)
        if not counted:
            return {}
        rules, scale = self.methodology.standardization, self.methodology.category
        cohorts = [self.metrics[row.metric_id] for row in counted]
        stderr = normalized_stderr(
            np.array([row.stderr_x for row in counted]), np.array([cohort.scale for cohort in cohorts])
        )
        quality = np.array([cohort.quality for cohort in cohorts])
        variance = observation_variance(stderr, [row.tier for row in counted], quality, rules)
        groups = [(row.dimension, row.family) for row in counted]
        precision = capped_precision(groups, variance, rules.family_precision_cap).tolist()
        total = {row.dimension: 1.0 / self.methodology.latent.ability_variance for row in counted}
        for row, own in zip(counted, precision, strict=True):
            total[row.dimension] += own
        observed = len(total)
        return {
            row.metric_id: scale.slope * own / total[row.dimension] * (self._z(row, cohort) - cohort.offset) / observed
            for row, cohort, own in zip(counted, cohorts, precision, strict=True)
        }

    def _z(self, row: OwnRow, cohort: MetricCohort) -> float:
        limit = self.methodology.standardization.z_limit
        return max(-limit, min(limit, (row.x - cohort.center) / cohort.scale))
