"""What is fixed of a run before it begins, and what went wrong in its steps.

Belongs here: plain facts. Does not belong here: the home that a run reads and writes (`resources.workspace`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from methods.lineage.baseline import BaselineFigures


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How sources are read in this run.

    Attributes:
        offline: no network source is asked; last good snapshots serve.
        mirror: every source is read from this folder, at its `path`, in place of its `url`.
        only: the leaderboards to sync; None for all.
        as_of: the day the run is for, where it is not today: a past day asks no network source.
    """

    offline: bool = False
    mirror: Path | None = None
    only: frozenset[str] | None = None
    as_of: date | None = None

    def asks(self, leaderboard: str) -> bool:
        """Whether this run syncs a leaderboard."""
        return self.only is None or leaderboard in self.only


@dataclass(frozen=True, slots=True)
class PinnedRun:
    """A release to be made again: what its manifest fixed, which nothing of today may replace.

    Attributes:
        release_id, as_of, decided_at: as the manifest states them.
        code_version: the code the release states; the recomputing code may differ, which `verify` reports.
        snapshots: SHA-256 by leaderboard. evidence: SHA-256 by (kind, name).
        baseline_release_id, baseline: the release it was compared with, and its figures.
    """

    release_id: str
    as_of: date
    decided_at: datetime
    code_version: str
    snapshots: Mapping[str, str]
    baseline_release_id: str | None
    baseline: BaselineFigures | None
    evidence: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepProblem:
    """An exception a step ended with, kept so that the command can say it plainly."""

    step: str
    error: BaseException
