"""The shape of a score's change between two releases: both sides, the parts, the rows behind them (METHODS 7 and 14).

Belongs here: values only. How they are computed is `methods.lineage.change`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

RowStep = Literal["removed", "changed", "added"]


@dataclass(frozen=True, slots=True)
class ScoreSide:
    """One release's side of a score, as published. `unclamped` is center + slope * mu, also where `score` is null.

    `rows` counts the model's observations behind it.
    """

    status: str
    score: float | None
    low80: float | None
    high80: float | None
    unclamped: float
    mu: float
    sigma: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    observed_dimensions: int
    families: int
    rows: int
    reason_code: str | None


@dataclass(frozen=True, slots=True)
class ChangeParts:
    """The change of an unclamped score, telescoped in the order of METHODS 7, in score points.

    Attributes:
        program: both releases recomputed by this program, minus what they published: 0 where nothing but data differs.
        methodology: (1) the former rows under the new methodology.
        catalog: (2) the former rows under the new catalog and corrections.
        removed: (3) own rows removed, the cohort held. changed: (4) own rows changed. added: (5) own rows added.
        cohort: (6) all the rest: the others' rows, and what the own rows do to medians, scales, q and offsets.
    """

    program: float
    methodology: float
    catalog: float
    removed: float
    changed: float
    added: float
    cohort: float

    @property
    def total(self) -> float:
        """The sum of the parts."""
        return math.fsum(self.by_name().values())

    @property
    def own(self) -> float:
        """What the model's own rows did: removed, changed and added."""
        return math.fsum([self.removed, self.changed, self.added])

    def by_name(self) -> dict[str, float]:
        """The parts by name, in order."""
        return {
            "program": self.program,
            "methodology": self.methodology,
            "catalog": self.catalog,
            "removed": self.removed,
            "changed": self.changed,
            "added": self.added,
            "cohort": self.cohort,
        }


@dataclass(frozen=True, slots=True)
class RowSide:
    """An own row on one side: what it states and where it stands."""

    evidence_id: str
    entry_id: str
    leaderboard: str
    value: float
    unit: str
    stderr: float | None
    tier: str
    snapshot_sha256: str
    row_locator: str


@dataclass(frozen=True, slots=True)
class OwnRowChange:
    """A metric on which the model's own row was removed, changed (another value, error, tier or entry) or added.

    `points` is what it moved with the cohort held, rows of one step taken in the order of their metrics: together they
    are the step's part. 0 where the metric has no cohort in either release.
    """

    step: RowStep
    metric_id: str
    dimension: str
    former: RowSide | None
    latter: RowSide | None
    points: float


@dataclass(frozen=True, slots=True)
class CohortMove:
    """What the cohort of one metric moved in a score, and what changed there.

    Attributes:
        metric_id: the metric.
        points: its share of the part `cohort`; the shares of all metrics sum to it.
        joined, left, changed: other models that came, went, or whose kept row is another.
    """

    metric_id: str
    points: float
    joined: int
    left: int
    changed: int


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One score in two releases.

    Attributes:
        former, latter: both sides as published; None where the release has no row.
        change: latter minus former, unclamped, in score points; None where either side has no published score.
        parts: what makes it up; their sum is `change`. None where `change` is.
        own_rows: the model's own rows that differ.
        cohort_moves: the part `cohort` by metric, largest first; only where it was asked for.
        sentence: the change in plain words.
    """

    category: str
    model_id: str
    model_name: str
    former: ScoreSide | None
    latter: ScoreSide | None
    change: float | None
    parts: ChangeParts | None
    own_rows: tuple[OwnRowChange, ...] = ()
    cohort_moves: tuple[CohortMove, ...] = ()
    sentence: str = ""

    @property
    def is_moved(self) -> bool:
        """Whether anything published differs: number, status or rank."""
        if self.former is None or self.latter is None:
            return True
        return (self.former.score, self.former.unclamped, self.former.status, self.former.rank) != (
            self.latter.score,
            self.latter.unclamped,
            self.latter.status,
            self.latter.rank,
        )
