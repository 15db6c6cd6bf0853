"""What an edited catalog would move, before it is merged: a release's rows scored again under it (METHODS 3 and 7).

Belongs here: the comparison with a board that nobody published. It is the same exact change as between two releases;
since the rows are the same, all of it is methodology or catalog. Nothing is written anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import polars as pl

from methods.catalog.corrections import UnmetCorrection, unmet_corrections
from methods.lineage.board_state import BoardState, board_state
from methods.lineage.change import states_alike
from methods.lineage.release_basis import ReleaseFacts
from methods.lineage.release_diff import DiffSide, ReleaseDiff, release_diff
from methods.scoring.board import category_frame
from warehouse.catalog_model import Catalog

PREVIEW: Final = "preview"


@dataclass(frozen=True, slots=True)
class MetricCount:
    """One metric's evidence in the release and in the preview; 0 where it does not count there."""

    metric_id: str
    former: int
    latter: int


@dataclass(frozen=True)
class Preview:
    """What an edited catalog would do to a release.

    Attributes:
        diff: the release against the board under the edited catalog.
        metrics: metrics whose evidence would be another.
        reasons: exclusions by reason code: in the release, in the preview.
        unmet: corrections of the edited catalog that would not apply.
        absent_sources: leaderboards of the release that the edited catalog does not have: their rows would be gone.
        unread_sources: leaderboards of the edited catalog that the release has no bytes of: unknown here.
    """

    diff: ReleaseDiff
    metrics: tuple[MetricCount, ...]
    reasons: Mapping[str, tuple[int, int]]
    unmet: tuple[UnmetCorrection, ...]
    absent_sources: tuple[str, ...]
    unread_sources: tuple[str, ...]

    @property
    def moves_nothing(self) -> bool:
        """Whether no published score, status or rank would differ."""
        return not any(score.is_moved for score in self.diff.scores)

    def as_json(self) -> dict[str, Any]:
        """The preview as plain JSON values."""
        return {
            **self.diff.as_json(),
            "schema": "scoretrail.preview/1",
            "moves_nothing": self.moves_nothing,
            "metrics": [asdict(metric) for metric in self.metrics],
            "exclusions": {code: {"former": a, "latter": b} for code, (a, b) in self.reasons.items()},
            "unmet_corrections": [asdict(item) for item in self.unmet],
            "absent_sources": list(self.absent_sources),
            "unread_sources": list(self.unread_sources),
        }


def preview(
    release: DiffSide, evidence: pl.DataFrame, exclusions: pl.DataFrame, edited: Catalog, rows: pl.DataFrame, code: str
) -> Preview:
    """Score a release's rows under an edited catalog and compare.

    Args:
        release: the release.
        evidence, exclusions: its `core__evidence` and `core__exclusion`.
        edited: the catalog to try.
        rows: `raw__row` of the release's snapshots as the edited catalog reads them.
        code: version of the program that computes the preview.

    Raises:
        CatalogConflict: if two metrics of the edited catalog claim one result in one place.
    """
    reads_alike = rows is release.raw_rows and states_alike(release.catalog, edited)
    board = board_state(rows, edited, release.results if reads_alike else None)
    as_of = release.facts.as_of
    facts = ReleaseFacts(
        release_id=PREVIEW,
        as_of=as_of,
        created_at=None,
        status=PREVIEW,
        catalog_version=edited.version,
        catalog_sha256=edited.sha256,
        methodology_version=edited.methodology.version,
        code_version=code,
        snapshots={name: sha for name, sha in release.facts.snapshots.items() if name in edited.source_by_id},
    )
    scores = category_frame(board.fits, edited, release_id=PREVIEW, as_of=as_of)
    latter = DiffSide(facts, edited, rows, board.results, scores)
    reread = None if rows is release.raw_rows else rows
    return Preview(
        diff=release_diff(release, latter, reread),
        metrics=_metrics(evidence, board),
        reasons=_reasons(exclusions, board.exclusions),
        unmet=tuple(unmet_corrections(board.results, edited)),
        absent_sources=tuple(sorted(set(release.facts.snapshots) - set(edited.source_by_id))),
        unread_sources=tuple(sorted(set(edited.source_by_id) - set(release.facts.snapshots))),
    )


def _metrics(evidence: pl.DataFrame, board: BoardState) -> tuple[MetricCount, ...]:
    former, latter = (dict(frame.group_by("metric_id").len().rows()) for frame in (evidence, board.evidence))
    return tuple(
        MetricCount(name, former.get(name, 0), latter.get(name, 0))
        for name in sorted({*former, *latter})
        if former.get(name, 0) != latter.get(name, 0)
    )


def _reasons(before: pl.DataFrame, after: pl.DataFrame) -> dict[str, tuple[int, int]]:
    former, latter = (dict(frame.group_by("reason_code").len().rows()) for frame in (before, after))
    return {code: (former.get(code, 0), latter.get(code, 0)) for code in sorted({*former, *latter})}
