"""Two releases compared: basis, inputs, every score's exact change, and per board what moved most (METHODS 7, 14).

Belongs here: the shape of a comparison and its assembly. The parts of a single score are `change`, its sentence is
`movement_text`; reading releases and showing the comparison is the command's and the site's.

Scores of different runs are compared only with both versions stated, so both bases stand in every comparison. Where
catalog, methodology or code differ, `differs_in` names them and `warnings` says what that means: the two numbers are
then not one measurement repeated, and only the parts say which of it the evidence did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import polars as pl

from methods.lineage.change import Comparison, PublishedBoard
from methods.lineage.input_changes import BoardInput, input_changes
from methods.lineage.movement_text import sentence
from methods.lineage.release_basis import ReleaseFacts, differences, facts_json, warnings
from methods.lineage.score_change import ScoreChange
from warehouse.catalog_model import Catalog

MOVEMENTS: Final = 10
SCHEMA: Final = "scoretrail.diff/1"


@dataclass(frozen=True)
class DiffSide:
    """One release as `release_diff` reads it: facts, its own catalog, and three of its tables."""

    facts: ReleaseFacts
    catalog: Catalog
    raw_rows: pl.DataFrame
    results: pl.DataFrame
    category_scores: pl.DataFrame


@dataclass(frozen=True, slots=True)
class BoardChange:
    """One category between two releases; members are model ids.

    Attributes:
        former_counts, latter_counts: models by status.
        movements: the largest changes of published scores, at most `MOVEMENTS`, largest first.
        statuses: models whose status changed. ranks: models whose rank changed, rated in both.
        appeared, disappeared: models that only the latter, or only the former release has.
        unchanged: how many published scores are equal to the last bit.
    """

    category: str
    former_counts: dict[str, int]
    latter_counts: dict[str, int]
    movements: tuple[ScoreChange, ...]
    statuses: tuple[ScoreChange, ...]
    ranks: tuple[ScoreChange, ...]
    appeared: tuple[ScoreChange, ...]
    disappeared: tuple[ScoreChange, ...]
    unchanged: int


@dataclass(frozen=True)
class ReleaseDiff:
    """The whole comparison.

    Attributes:
        former, latter: what each is to be quoted with.
        differs_in: which of methodology, catalog and code differ; empty for one basis.
        warnings: what that means, in sentences; also withdrawn releases and an order against time.
        inputs: what changed in each leaderboard.
        boards: one a category.
        scores: every (category, model) of either release.
    """

    former: ReleaseFacts
    latter: ReleaseFacts
    differs_in: tuple[str, ...]
    warnings: tuple[str, ...]
    inputs: tuple[BoardInput, ...]
    boards: tuple[BoardChange, ...]
    scores: tuple[ScoreChange, ...]

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain JSON values. Boards name models; everything about a score stands in `scores`."""
        return {
            "schema": SCHEMA,
            "former": facts_json(self.former),
            "latter": facts_json(self.latter),
            "same_basis": not self.differs_in,
            "differs_in": list(self.differs_in),
            "warnings": list(self.warnings),
            "inputs": [asdict(board) for board in self.inputs],
            "boards": [_board_json(board) for board in self.boards],
            "scores": [score_json(score) for score in self.scores],
        }


def score_json(score: ScoreChange) -> dict[str, Any]:
    """A score's change as JSON values: both sides stand beside every difference (a difference alone says nothing)."""
    plain = asdict(score)
    plain["parts"] = None if score.parts is None else {**score.parts.by_name(), "total": score.parts.total}
    return plain


def _board_json(board: BoardChange) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "category": board.category,
        "former_counts": board.former_counts,
        "latter_counts": board.latter_counts,
        "unchanged": board.unchanged,
    }
    for name in ("movements", "statuses", "ranks", "appeared", "disappeared"):
        items: Sequence[ScoreChange] = getattr(board, name)
        plain[name] = [{"model_id": item.model_id, "change": item.change, "sentence": item.sentence} for item in items]
    return plain


def release_diff(
    former: DiffSide, latter: DiffSide, reread: pl.DataFrame | None = None, note: str | None = None
) -> ReleaseDiff:
    """Compare two releases.

    Args:
        former, latter: the releases; the parts tell the way from the first to the second, whatever their dates.
        reread: `raw__row` of the former snapshots as the latter's catalog reads them; None where it reads alike.
        note: a warning of the reader's, said with the others.

    Raises:
        CatalogConflict: if a catalog is applied to rows that two of its metrics claim in one place.
    """
    comparison = compare(former, latter, reread)
    scores = [comparison.change(place) for place in comparison.places]
    largest = {
        (score.category, score.model_id)
        for category in sorted({score.category for score in scores})
        for score in _largest(score for score in scores if score.category == category)
    }
    told = tuple(
        with_sentence(
            comparison.change(place, by_metric=True)
            if (place := (score.category, score.model_id)) in largest
            else score
        )
        for score in scores
    )
    differs = differences(former.facts, latter.facts)
    return ReleaseDiff(
        former=former.facts,
        latter=latter.facts,
        differs_in=differs,
        warnings=(*warnings(former.facts, latter.facts, differs), *([note] if note else [])),
        inputs=input_changes(former.results, latter.results, former.facts.snapshots, latter.facts.snapshots),
        boards=tuple(_board(category, told) for category in sorted({score.category for score in told})),
        scores=told,
    )


def unmoved_diff(
    former: ReleaseFacts, latter: ReleaseFacts, results: pl.DataFrame, category_scores: pl.DataFrame
) -> ReleaseDiff:
    """What `release_diff` says of two releases of one basis whose rows, results and scores are the same.

    Its `scores` are left out: each would say that it did not change.

    Args:
        former, latter: the releases.
        results, category_scores: core__result and out__category_score of either.
    """
    counted = category_scores.group_by("category", "status").agg(pl.len(), published=pl.col("score").count())
    boards: dict[str, tuple[dict[str, int], int]] = {}
    for category, status, models, published in counted.sort("category", "status").rows():
        counts, unchanged = boards.get(category, ({}, 0))
        boards[category] = ({**counts, status: models}, unchanged + published)
    return ReleaseDiff(
        former=former,
        latter=latter,
        differs_in=(),
        warnings=tuple(warnings(former, latter, ())),
        inputs=input_changes(results, results, former.snapshots, latter.snapshots),
        boards=tuple(
            BoardChange(category, counts, counts, (), (), (), (), (), unchanged)
            for category, (counts, unchanged) in boards.items()
        ),
        scores=(),
    )


def compare(former: DiffSide, latter: DiffSide, reread: pl.DataFrame | None = None) -> Comparison:
    """The comparison of single scores behind `release_diff`, for one score alone."""
    sides = [
        PublishedBoard(side.catalog, side.raw_rows, side.category_scores, side.results) for side in (former, latter)
    ]
    return Comparison(sides[0], sides[1], reread)


def with_sentence(score: ScoreChange) -> ScoreChange:
    """A score's change with its sentence."""
    return replace(score, sentence=sentence(score))


def _largest(scores: Iterable[ScoreChange]) -> list[ScoreChange]:
    """The largest changes that are not zero, at most ten, largest first, then by model id."""
    moved = [score for score in scores if score.change is not None and score.change != 0.0]
    return sorted(moved, key=lambda score: (-abs(score.change or 0.0), score.model_id))[:MOVEMENTS]


def _board(category: str, scores: Iterable[ScoreChange]) -> BoardChange:
    mine = [score for score in scores if score.category == category]
    both = [(score, score.former, score.latter) for score in mine]
    return BoardChange(
        category=category,
        former_counts=_counts(score.former.status for score in mine if score.former),
        latter_counts=_counts(score.latter.status for score in mine if score.latter),
        movements=tuple(_largest(mine)),
        statuses=tuple(score for score, a, b in both if a and b and a.status != b.status),
        ranks=tuple(score for score, a, b in both if a and b and a.rank and b.rank and a.rank != b.rank),
        appeared=tuple(score for score, a, b in both if a is None and b is not None),
        disappeared=tuple(score for score, a, b in both if a is not None and b is None),
        unchanged=sum(score.change == 0.0 for score in mine),
    )


def _counts(statuses: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for status in statuses:
        found[status] = found.get(status, 0) + 1
    return dict(sorted(found.items()))
