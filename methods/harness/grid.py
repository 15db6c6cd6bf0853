"""The planned attempts as dense arrays, filled from records; what no record fills is missing, scores 0, is not clean.

Belongs here: placing each record at its planned attempt, and scores on one scale. Does not belong here: reading files
(`resources.attempts`), what is said about faults (`faults`), any figure (`cells`).

Arrays are (configurations, tasks, repetitions) of one benchmark and condition. Scores are billionths of full marks,
which fit 32 bits, so that ten million attempts take 230 MB. A number never depends on the order of records: of two
records of one attempt that differ the lower score and the less clean flag count, whichever came first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.harness import faults
from methods.harness.numbering import Numbering, Places
from methods.harness.plan import Block, Plan
from methods.harness.records import SCORE_MISSING, SCORE_OK, SCORE_UNREADABLE, Batch, Flags
from methods.harness.status import NO, UNDECIDED, YES, Truth, both, conditions_of, token, unnamed_texts
from methods.statistics.fixed_point import SCALE, Integers, fixed_point
from warehouse.harness_words import STAGES, Fault

NOT_TRACKED: Final = -1
_UNSEEN: Final = -1
_HINT: Final = "outcome-only is the map for records that do not say whether an attempt is clean"


@dataclass
class BlockGrid:
    """The attempts of one benchmark under one condition; every array is (configurations, tasks, repetitions).

    Attributes:
        block: what was planned.
        score: billionths of full marks; 0 where there is no usable score.
        recorded: whether a record was found.
        clean: whether it terminated normally and handed over validly.
        stage: for attempts that are not clean, the place of the stage in `stages`; meaningless for clean ones.
        tokens: whole tokens; -1 where not tracked.
        seconds: NaN where not stated.
        stages: names of stages: those of STAGES, then those that maps or records name.
    """

    block: Block
    score: NDArray[np.int32]
    recorded: NDArray[np.bool_]
    clean: NDArray[np.bool_]
    stage: NDArray[np.int16]
    tokens: NDArray[np.int64]
    seconds: NDArray[np.float64]
    stages: list[str]

    @classmethod
    def empty(cls, block: Block) -> BlockGrid:
        """No record yet."""
        shape = block.shape
        return cls(
            block, np.zeros(shape, np.int32), np.zeros(shape, np.bool_), np.zeros(shape, np.bool_),
            np.full(shape, STAGES.index("no_record"), np.int16), np.full(shape, NOT_TRACKED, np.int64),
            np.full(shape, np.nan), list(STAGES),
        )  # fmt: skip

    @property
    def is_clean_tracked(self) -> bool:
        """Whether records say how an attempt ended."""
        return self.block.status_map.is_clean_tracked


@dataclass
class HarnessEvidence:
    """A panel, its attempts and what is wrong with them.

    Attributes:
        plan: what was planned.
        grids: one a block of the plan.
        rows: records read.
        faults: as `faults.FAULT_SCHEMA`.
        other_statuses: by benchmark, raw statuses that no rule of its map names, and how many records have each.
    """

    plan: Plan
    grids: list[BlockGrid]
    rows: int = 0
    faults: pl.DataFrame = field(default_factory=faults.no_faults)
    other_statuses: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def height(self) -> int:
        """Records read."""
        return self.rows


class GridBuilder:
    """Fills the grids of a plan from batches of records, in any order."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.grids = [BlockGrid.empty(block) for block in plan.blocks]
        self.rows = 0
        self._faults: list[pl.DataFrame] = []
        self._numbering = Numbering(plan)
        self._others: dict[str, dict[str, int]] = {}

    def add(self, batch: Batch) -> None:
        """Places the records of a batch; each of them is counted, at its attempt or as a fault."""
        self.rows += batch.size
        for number, own, places in self._numbering.split(batch):
            is_planned = places >= 0
            self._fault(own, ~is_planned, "unplanned")
            if is_planned.all():
                self._fill(self.grids[number], own, places)
            elif is_planned.any():
                self._fill(self.grids[number], own.take(np.flatnonzero(is_planned)), places[is_planned])

    def finish(self) -> HarnessEvidence:
        """The evidence, with what is missing named."""
        missing = [faults.missing_attempts(grid.block, grid.recorded) for grid in self.grids]
        found = faults.in_order([*self._faults, *missing])
        return HarnessEvidence(self.plan, self.grids, self.rows, found, self._others)

    def _fault(self, batch: Batch, at_fault: Flags, fault: Fault, detail: str = "") -> None:
        if at_fault.any():
            self._faults.append(faults.of_rows(batch, np.flatnonzero(at_fault), fault, detail))

    def _fill(self, grid: BlockGrid, batch: Batch, places: Places) -> None:
        """Puts records of one block at their places."""
        score, is_usable = self._scores(grid, batch)
        for fault, flags in batch.unreadable.items():
            self._fault(batch, flags, fault, f"{fault.partition('_')[0]} is no number from 0; it counts as not tracked")
        normal = conditions_of(grid.block.status_map.normal_termination, batch)
        handed = conditions_of(grid.block.status_map.valid_handoff, batch)
        clean = (both(normal, handed) == YES) & is_usable
        self._tell(grid, batch, normal, handed)
        stage = _stages(grid, batch, normal, handed)
        tokens = np.where(batch.tokens > 0, batch.tokens, NOT_TRACKED)
        self._place(grid, batch, places, _Values(score, clean, stage, tokens, batch.seconds))

    def _scores(self, grid: BlockGrid, batch: Batch) -> tuple[Integers, Flags]:
        """(n) billionths of full marks, 0 where there is no usable score; and where a score can be believed."""
        status_map = grid.block.status_map
        is_unreadable = batch.score_state == SCORE_UNREADABLE
        self._fault(batch, batch.score_state == SCORE_MISSING, "score_missing")
        self._fault(batch, is_unreadable, "score_unreadable")
        stated = np.where(batch.score_state == SCORE_OK, batch.score, 0.0)
        far = ~((stated >= 0) & (stated <= status_map.scale))
        stated = np.where(far, 0.0, stated)
        whole = fixed_point(stated if status_map.scale == 1 else stated / status_map.scale)
        if status_map.success == "full_marks":
            whole = np.where(whole == SCALE, SCALE, 0)
        elif status_map.outcome == "binary":
            far |= (whole != 0) & (whole != SCALE)
        self._fault(batch, far, "score_out_of_range", _range_of(grid))
        return np.where(far, 0, whole), ~(far | is_unreadable)

    def _tell(self, grid: BlockGrid, batch: Batch, normal: Truth, handed: Truth) -> None:
        """Names records whose status or conditions the map cannot read, and those beyond a limit."""
        status_map = grid.block.status_map
        for name in sorted(status_map.known):
            unnamed = unnamed_texts(name, status_map, batch)
            self._fault(batch, unnamed, "status_unknown", f"{name} is none that the map {status_map.id} knows")
        for name, limit in sorted(status_map.limits.items()):
            self._fault(batch, _beyond(batch, name, limit), "over_limit", f"{name} above {limit:g}")
        if not status_map.is_clean_tracked:
            return
        is_open = both(normal, handed) == UNDECIDED
        self._fault(batch, is_open, "field_missing", f"the map {status_map.id} cannot decide; {_HINT}")
        self._note_others(grid.block, batch, normal == NO)

    def _note_others(self, block: Block, batch: Batch, abnormal: Flags) -> None:
        """Counts raw statuses of abnormal ends that no rule names, so that a misspelt normal one is seen."""
        status = batch.column("status")
        counts = np.bincount(status.codes[abnormal] + 1, minlength=len(status.values) + 1)[1:]
        named = _named_statuses(block)
        for text, count in zip(status.values, counts.tolist(), strict=True):
            if count and token(text) not in named:
                of = self._others.setdefault(block.benchmark, {})
                of[text] = of.get(text, 0) + count

    def _place(self, grid: BlockGrid, batch: Batch, places: Places, values: _Values) -> None:
        is_fresh = _fresh(grid, places)
        if is_fresh.all():
            values.write(grid, places)
            return
        values.take(is_fresh).write(grid, places[is_fresh])
        further = np.flatnonzero(~is_fresh)
        is_same = np.zeros(places.size, dtype=np.bool_)
        is_same[further] = [values.merge(grid, int(places[row]), row) for row in further.tolist()]
        self._fault(batch, is_same, "exact_duplicate")
        self._fault(batch, ~is_fresh & ~is_same, "duplicate")


@dataclass(frozen=True, slots=True)
class _Values:
    """What records say of their attempts, a row each."""

    score: Integers
    clean: NDArray[np.bool_]
    stage: NDArray[np.int16]
    tokens: NDArray[np.int64]
    seconds: NDArray[np.float64]

    def take(self, chosen: Flags) -> _Values:
        """Some of the rows."""
        return _Values(
            self.score[chosen], self.clean[chosen], self.stage[chosen], self.tokens[chosen], self.seconds[chosen]
        )

    def write(self, grid: BlockGrid, places: Places) -> None:
        """Puts the rows at their places, none of which has a record yet."""
        grid.score.reshape(-1)[places] = self.score
        grid.recorded.reshape(-1)[places] = True
        grid.clean.reshape(-1)[places] = self.clean
        grid.stage.reshape(-1)[places] = self.stage
        if (self.tokens != NOT_TRACKED).any():
            grid.tokens.reshape(-1)[places] = self.tokens
        if not np.isnan(self.seconds).all():
            grid.seconds.reshape(-1)[places] = self.seconds

    def merge(self, grid: BlockGrid, place: int, row: int) -> bool:
        """Puts a further record of an attempt there; whether it says what is there already.

        The lowest score, the less clean flag and the greatest effort stay, whatever order records come in.
        """
        score, clean = grid.score.reshape(-1), grid.clean.reshape(-1)
        stage, tokens, seconds = grid.stage.reshape(-1), grid.tokens.reshape(-1), grid.seconds.reshape(-1)
        there = (int(score[place]), bool(clean[place]), int(tokens[place]), _text(seconds[place]))
        here = (int(self.score[row]), bool(self.clean[row]), int(self.tokens[row]), _text(self.seconds[row]))
        is_same = there == here and (there[1] or int(stage[place]) == int(self.stage[row]))
        score[place] = min(there[0], here[0])
        if clean[place] and not here[1]:
            stage[place] = self.stage[row]
        elif not here[1]:
            stage[place] = min(int(stage[place]), int(self.stage[row]))
        clean[place] = there[1] and here[1]
        tokens[place] = max(there[2], here[2])
        seconds[place] = np.fmax(seconds[place], self.seconds[row])
        return is_same


def _fresh(grid: BlockGrid, places: Places) -> Flags:
    """(n) whether a row is the first record of its attempt: none stands there, none of the batch comes before it."""
    is_fresh = ~grid.recorded.reshape(-1)[places]
    marked = np.zeros(grid.recorded.size, dtype=np.bool_)
    marked[places] = True
    if np.count_nonzero(marked) < places.size:
        order = np.argsort(places, kind="stable")
        ordered = places[order]
        is_fresh[order[1:]] &= ordered[1:] != ordered[:-1]
    return is_fresh


def _stages(grid: BlockGrid, batch: Batch, normal: Truth, handed: Truth) -> NDArray[np.int16]:
    """(n) where an attempt failed: as the record says, else the map by its status, else by which condition."""
    plain = np.where(normal == NO, STAGES.index("termination"), STAGES.index("undecided"))
    plain = np.where((normal == YES) & (handed == NO), STAGES.index("handoff"), plain)
    by_map = grid.block.status_map.stages
    mapped = batch.column("status").table(lambda text: _stage_number(grid, by_map.get(token(text))), _UNSEEN)
    stated = batch.column("stage").table(lambda text: _stage_number(grid, text.strip()), _UNSEEN)
    return np.where(stated >= 0, stated, np.where(mapped >= 0, mapped, plain)).astype(np.int16)


def _range_of(grid: BlockGrid) -> str:
    status_map = grid.block.status_map
    ends = "0 or" if status_map.outcome == "binary" and status_map.success == "stated" else "from 0 to"
    return f"{grid.block.benchmark} scores {ends} {status_map.scale:g}"


def _beyond(batch: Batch, name: str, limit: float) -> NDArray[np.bool_]:
    if name == "seconds":
        return batch.seconds > limit
    return batch.column(name).table(lambda text: int(_number(text) > limit), 0).astype(np.bool_)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("-inf")


def _named_statuses(block: Block) -> set[str]:
    rules = block.status_map.normal_termination or ()
    named = {text for one in rules if isinstance(some := one.get("status"), tuple) for text in some}
    return named | set(block.status_map.known.get("status", ())) | set(block.status_map.stages)


def _stage_number(grid: BlockGrid, name: str | None) -> int:
    if not name:
        return _UNSEEN
    if name not in grid.stages:
        grid.stages.append(name)
    return grid.stages.index(name)


def _text(value: np.float64) -> str:
    return repr(float(value))
