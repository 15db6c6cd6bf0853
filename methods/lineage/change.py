"""The exact change of a score between two releases, telescoped in the order of METHODS 7, "Exact change".

Seven boards stand between the two published numbers; each part is the difference of neighbours, so that the parts sum
to the change whatever the boards are:

  F   the former release as published
  F'  the former rows under the former catalog, as this program computes them                    program (first half)
  M   the former rows under the former catalog with the new methodology                          (1) methodology
  C   the former rows under the new catalog, its sources, metrics, models and corrections        (2) catalog
      from here on the cohort of C is held: for every metric median, scale, q and offset beta
  R   the model's own rows of C without those that the new release no longer keeps               (3) removed
  K   ... those kept on the same metric replaced by the new release's                            (4) changed
  A   ... and those of metrics where it had none added                                           (5) added
  L'  the new rows under the new catalog, as this program computes them                          (6) cohort
  L   the new release as published                                                               program (second half)

"Own rows" are the deduplicated rows of the model, one a metric: another entry that wins on the same metric is a changed
row. An added row on a metric that C does not score uses the new release's cohort of that metric. A row that stood in
both and counts only because its metric became scorable, or no longer counts because it stopped being so, is cohort; so
is what the model's own rows do to medians, scales, q and offsets. Without any own row that counts a model stands at the
prior mean, the centre of the scale: that is the board R of a model all of whose rows were replaced.

Received rows and results are taken as each release read and stored them; with `reread` the former snapshots as the new
catalog's sources read them, where it maps their columns otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from methods.lineage.board_state import BoardState, Place, board_state
from methods.lineage.frozen_cohort import FrozenCohort, OwnRow
from methods.lineage.score_change import (
    ChangeParts,
    CohortMove,
    OwnRowChange,
    RowSide,
    RowStep,
    ScoreChange,
    ScoreSide,
)
from warehouse.catalog_model import Catalog

Rows = dict[str, OwnRow]


@dataclass(frozen=True)
class PublishedBoard:
    """One release as a comparison reads it.

    Attributes:
        catalog: the release's own.
        raw_rows: `raw__row`. category_scores: `out__category_score`.
        results: `core__result` as the release stored it; None: made again from the rows.
    """

    catalog: Catalog
    raw_rows: pl.DataFrame
    category_scores: pl.DataFrame
    results: pl.DataFrame | None = None


@dataclass(frozen=True)
class Comparison:
    """Two releases, and every board between them, made when asked for.

    Attributes:
        former, latter: the releases, the earlier one first.
        reread: the former release's snapshots as the new catalog reads them (`raw__row`); None: as the release did.
    """

    former: PublishedBoard
    latter: PublishedBoard
    reread: pl.DataFrame | None = None

    @cached_property
    def former_state(self) -> BoardState:
        """F': the former release made again."""
        return board_state(self.former.raw_rows, self.former.catalog, self.former.results)

    @cached_property
    def methodology_state(self) -> BoardState:
        """M: its rows under the new methodology."""
        if self.former.catalog.methodology == self.latter.catalog.methodology:
            return self.former_state
        changed = self.former.catalog.model_copy(update={"methodology": self.latter.catalog.methodology})
        return board_state(self.former.raw_rows, changed, self.former.results)

    @cached_property
    def catalog_state(self) -> BoardState:
        """C: its rows under the new catalog. Its cohort is the one that is held."""
        if self.former.catalog.sha256 == self.latter.catalog.sha256 and self.reread is None:
            return self.former_state
        if self.reread is not None:
            return board_state(self.reread, self.latter.catalog)
        reads_alike = states_alike(self.former.catalog, self.latter.catalog)
        return board_state(self.former.raw_rows, self.latter.catalog, self.former.results if reads_alike else None)

    @cached_property
    def latter_state(self) -> BoardState:
        """L': the new release made again."""
        return board_state(self.latter.raw_rows, self.latter.catalog, self.latter.results)

    @cached_property
    def _held(self) -> FrozenCohort:
        return self.catalog_state.cohort

    @cached_property
    def _held_with_new(self) -> FrozenCohort:
        return self.catalog_state.cohort.with_new(self.latter_state.cohort)

    @cached_property
    def _sides(self) -> tuple[dict[Place, ScoreSide], dict[Place, ScoreSide]]:
        return _sides(self.former, self.former_state), _sides(self.latter, self.latter_state)

    @cached_property
    def _names(self) -> dict[Place, str]:
        frames = [board.category_scores.select("category", "model_id", "model_name") for board in (
            self.former, self.latter,
        )]  # fmt: skip
        return {(category, model): name for category, model, name in pl.concat(frames).iter_rows()}

    @property
    def places(self) -> list[Place]:
        """Every (category, model) that either release has, sorted."""
        former, latter = self._sides
        return sorted({*former, *latter})

    def change(self, place: Place, *, by_metric: bool = False) -> ScoreChange:
        """One score's change.

        Args:
            place: (category, model id).
            by_metric: whether the cohort's part is split by metric as well.

        Raises:
            KeyError: if neither release has the place.
        """
        former, latter = (sides.get(place) for sides in self._sides)
        own = tuple(self._own_rows(place))
        change = parts = None
        moves: tuple[CohortMove, ...] = ()
        if former is not None and latter is not None and former.score is not None and latter.score is not None:
            change = latter.unclamped - former.unclamped
            parts = self._parts(place, former, latter, own)
            if by_metric and parts.cohort != 0.0:
                moves = tuple(self._cohort_moves(place))
        category, model_id = place
        return ScoreChange(category, model_id, self._names[place], former, latter, change, parts, own, moves)

    def _parts(self, place: Place, former: ScoreSide, latter: ScoreSide, own: tuple[OwnRowChange, ...]) -> ChangeParts:
        again = [state.points for state in (
            self.former_state, self.methodology_state, self.catalog_state, self.latter_state,
        )]  # fmt: skip
        centre = self.latter.catalog.methodology.category.center
        first, second, third, last = (points.get(place, centre) for points in again)
        removed, changed, added = (sum_of(own, step) for step in ("removed", "changed", "added"))
        return ChangeParts(
            program=(first - former.unclamped) + (latter.unclamped - last),
            methodology=second - first,
            catalog=third - second,
            removed=removed,
            changed=changed,
            added=added,
            cohort=(last - third) - (removed + changed + added),
        )

    def _own_rows(self, place: Place) -> Iterator[OwnRowChange]:
        before, after = self.catalog_state.rows.get(place, {}), self.latter_state.rows.get(place, {})
        steps: list[tuple[RowStep, list[str]]] = [
            ("removed", sorted(set(before) - set(after))),
            ("changed", sorted(m for m in set(before) & set(after) if before[m].content != after[m].content)),
            ("added", sorted(set(after) - set(before))),
        ]
        rows = dict(before)
        for step, metrics in steps:
            cohort = self._held_with_new if step == "added" else self._held
            for metric_id in metrics:
                start = cohort_points(cohort, rows, before, self._held)
                was, now = rows.pop(metric_id, None), after.get(metric_id)
                if now is not None:
                    rows[metric_id] = now
                end = cohort_points(cohort, rows, before, self._held)
                known = now or before[metric_id]
                yield OwnRowChange(step, metric_id, known.dimension, _row_side(was), _row_side(now), end - start)

    def _cohort_moves(self, place: Place) -> Iterator[CohortMove]:
        """The part `cohort` by metric: each metric's contribution on L' minus that on A. Largest first."""
        before, after = self.catalog_state.rows.get(place, {}), self.latter_state.rows.get(place, {})
        held = counted(after, before, self._held)
        start = self._held_with_new.contributions(held.values())
        end = self.latter_state.cohort.contributions(after.values())
        moved = {name: end.get(name, 0.0) - start.get(name, 0.0) for name in {*start, *end}}
        for name in sorted(moved, key=lambda name: (-abs(moved[name]), name)):
            if moved[name] != 0.0:
                yield CohortMove(name, moved[name], *self._others(name, place[1]))

    def _others(self, metric_id: str, model_id: str) -> tuple[int, int, int]:
        """How many other models joined a metric, left it, and have another row there."""
        former, latter = (
            {name: row for name, row in state.models_on.get(metric_id, {}).items() if name != model_id}
            for state in (self.catalog_state, self.latter_state)
        )
        changed = sum(former[name] != latter[name] for name in set(former) & set(latter))
        return len(set(latter) - set(former)), len(set(former) - set(latter)), changed


def states_alike(former: Catalog, latter: Catalog) -> bool:
    """Whether the sources of both catalogs state the same of their rows, so that results need not be made again."""
    ours, theirs = former.source_by_id, latter.source_by_id
    return all(
        (ours[name].source_type, ours[name].tier) == (theirs[name].source_type, theirs[name].tier)
        for name in ours.keys() & theirs.keys()
    )


def sum_of(own: Iterable[OwnRowChange], step: str) -> float:
    """What one step's rows moved together, in score points."""
    return sum(row.points for row in own if row.step == step)


def counted(rows: Rows, before: Rows, held: FrozenCohort) -> Rows:
    """The rows that count while a cohort is held.

    A row that stood before on a metric without cohort does not: it would count only because others joined, which is
    not the model's own doing.
    """
    return {name: row for name, row in rows.items() if name not in before or name in held.metrics}


def cohort_points(cohort: FrozenCohort, rows: Rows, before: Rows, held: FrozenCohort) -> float:
    """The unclamped score of a model with these rows while a cohort is held."""
    return cohort.points(counted(rows, before, held).values())


def _row_side(row: OwnRow | None) -> RowSide | None:
    if row is None:
        return None
    return RowSide(
        row.evidence_id, row.entry_id, row.leaderboard, row.value, row.unit, row.stderr, row.tier,
        row.snapshot_sha256, row.row_locator,
    )  # fmt: skip


def _sides(board: PublishedBoard, state: BoardState) -> dict[Place, ScoreSide]:
    scale = board.catalog.methodology.category
    observations = {
        (category, model): count
        for category, model, count in state.evidence.group_by("category", "model_id").len().iter_rows()
    }
    copied = (
        "status", "score", "low80", "high80", "mu", "sigma", "rank", "rank_low", "rank_high", "observed_dimensions",
        "families", "reason_code",
    )  # fmt: skip
    return {
        (row["category"], row["model_id"]): ScoreSide(
            **{name: row[name] for name in copied},
            unclamped=scale.center + scale.slope * row["mu"],
            rows=observations.get((row["category"], row["model_id"]), 0),
        )
        for row in board.category_scores.rows(named=True)
    }
