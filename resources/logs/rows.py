"""The row that every log is read into: one attempt of one system at one task, as the log states it.

Belongs here: the columns, their meaning, and the words in them. What a log does not state is null: a missing score is
typed by `score_status`, a missing cost by `cost_status`, and neither is ever a zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

import polars as pl

ScoreStatus = Literal["scored", "errored", "not_run", "undefined"]
ParseStatus = Literal["parsed", "failed", "no_answer", "not_tracked"]
CostStatus = Literal["tracked", "not_tracked"]
InfrastructureStatus = Literal["ok", "failed", "not_tracked"]

SLICE_PREFIX: Final = "slice_"
NOT_RUN: Final = "not run"
"""The `status` of an attempt that the log plans and does not hold: the one word that is not the log's."""


@dataclass(slots=True)
class LogRow:
    """One attempt.

    Attributes:
        system: what is compared: `harness / model`, the one of the two that is stated, or as the user names it.
        model, harness: as the log names them.
        benchmark, environment, condition: what was asked; the latter two where a log tells such parts apart.
        task: its id within the benchmark.
        trial: which repetition, from 1.
        score: the chosen score as a number; its bounds are the benchmark's.
        score_status: `scored`; `errored` and `not_run` where the attempt gave nothing to score; `undefined` where the
            log holds a score that is no number.
        raw_score: the score as the log has it, as text.
        scorer: which of the log's scores it is.
        is_higher_better: where the log says so.
        status: how the attempt ended, in the log's own words; what a status map is declared over.
        is_normal_termination: whether it ended by itself, with neither an error nor a limit; null where not stated.
        is_valid_handoff: whether the evaluator had something to judge; null where not stated.
        parse_status: whether an answer was found in the output.
        infrastructure_status: `failed` where the log lays the end to the machinery and not to the system.
        error, stop_reason: the log's words.
        input_tokens, output_tokens, total_tokens: of the system under test; input with what came from a cache.
        steps: turns or calls.
        seconds: wall-clock time of the attempt.
        cost_usd, cost_status: null and `not_tracked` where a log says nothing, or says 0.0.
        started_at, finished_at: as the log has them.
        sample_hash: identity of the task's content, where the log states one.
        trajectory: where the log says the trajectory lies.
        file, locator: the file within what was read, and the place in it.
        slices: values of the named slice columns.
    """

    file: str
    locator: str
    task: str
    benchmark: str | None = None
    environment: str | None = None
    condition: str | None = None
    system: str | None = None
    model: str | None = None
    harness: str | None = None
    trial: int = 1
    score: float | None = None
    score_status: ScoreStatus = "undefined"
    raw_score: str | None = None
    scorer: str | None = None
    is_higher_better: bool | None = None
    status: str | None = None
    is_normal_termination: bool | None = None
    is_valid_handoff: bool | None = None
    parse_status: ParseStatus = "not_tracked"
    infrastructure_status: InfrastructureStatus = "not_tracked"
    error: str | None = None
    stop_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    steps: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    cost_status: CostStatus = "not_tracked"
    started_at: str | None = None
    finished_at: str | None = None
    sample_hash: str | None = None
    trajectory: str | None = None
    slices: dict[str, str | None] = field(default_factory=dict)


LOG_COLUMNS: Final[Mapping[str, type[pl.DataType]]] = {
    "system": pl.String, "model": pl.String, "harness": pl.String, "benchmark": pl.String, "environment": pl.String,
    "condition": pl.String, "task": pl.String, "trial": pl.Int64, "score": pl.Float64, "score_status": pl.String,
    "raw_score": pl.String, "scorer": pl.String, "is_higher_better": pl.Boolean, "status": pl.String,
    "is_normal_termination": pl.Boolean, "is_valid_handoff": pl.Boolean, "parse_status": pl.String,
    "infrastructure_status": pl.String, "error": pl.String, "stop_reason": pl.String, "input_tokens": pl.Int64,
    "output_tokens": pl.Int64, "total_tokens": pl.Int64, "steps": pl.Int64, "seconds": pl.Float64,
    "cost_usd": pl.Float64, "cost_status": pl.String, "started_at": pl.String, "finished_at": pl.String,
    "sample_hash": pl.String, "trajectory": pl.String, "file": pl.String, "locator": pl.String,
}  # fmt: skip
"""The columns of read logs, in order; named slices follow as `slice_<name>`."""

_FIELDS: Final = tuple(name.name for name in fields(LogRow) if name.name != "slices")


@dataclass(frozen=True, slots=True)
class LogTable:
    """What was read.

    Attributes:
        frame: columns `LOG_COLUMNS` and the asked slices; one row an attempt, in order of file and place.
        problems: what could not be read, each naming file and place; such an attempt is in no row.
        notes: what a reader should know and nothing is wrong with: scores not taken, repeats left out.
    """

    frame: pl.DataFrame
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def log_frame(rows: Sequence[LogRow], slices: Sequence[str] = ()) -> pl.DataFrame:
    """Rows as a frame with the columns `LOG_COLUMNS`, and one text column `slice_<name>` for each named slice."""
    data: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in _FIELDS}
    schema: dict[str, Any] = dict(LOG_COLUMNS)
    for name in slices:
        schema[SLICE_PREFIX + name] = pl.String
        data[SLICE_PREFIX + name] = [row.slices.get(name) for row in rows]
    return pl.DataFrame({name: data[name] for name in schema}, schema=schema)
