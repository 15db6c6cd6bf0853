"""The rows of logs as the evidence that other commands read: samples of a decision, attempts of a crossing.

Belongs here: which column becomes which, and nothing new: what a log does not state stays null there too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

import polars as pl

from resources.logs.rows import SLICE_PREFIX

Unscored = Literal["null", "infrastructure", "zero"]

_FAILED_PARSES: Final = ("failed", "no_answer")
_PLACE: Final = ("error", "file", "locator")


def as_rows(frame: pl.DataFrame, unscored: Unscored = "null") -> pl.DataFrame:
    """The rows as they are read; `unscored` is of samples alone."""
    del unscored
    return frame


def as_attempts(frame: pl.DataFrame, unscored: Unscored = "null") -> pl.DataFrame:
    """Attempt records (METHODS 11), for a panel whose status map is `stated`, or `outcome-only` where the logs do not
    say how an attempt ended.

    Columns: model, harness, benchmark, environment, condition, task, repetition, score, status, normal_termination and
    valid_handoff (`true`, `false`, null), tokens, seconds, cost_usd, trajectory, error, file, locator, slices.
    """
    del unscored
    return frame.select(
        "model", "harness", "benchmark", "environment", "condition", "task",
        pl.col("trial").cast(pl.String).alias("repetition"), "score", "status",
        _flag("is_normal_termination").alias("normal_termination"), _flag("is_valid_handoff").alias("valid_handoff"),
        pl.col("total_tokens").alias("tokens"), "seconds", "cost_usd", "trajectory", *_PLACE, *_slices(frame),
    )  # fmt: skip


def as_samples(frame: pl.DataFrame, unscored: Unscored = "null") -> pl.DataFrame:
    """Samples of a decision (METHODS 12).

    A task is named with its benchmark where there are several. An answer that was not found counts as a parse failure.

    Args:
        frame: rows, as read.
        unscored: what to state of an attempt without a score whose infrastructure is not said to have failed: nothing,
            so that a contract refuses it; that the infrastructure failed; or a score of 0.
    """
    task = pl.col("task")
    if frame["benchmark"].n_unique() > 1:
        task = pl.concat_str(pl.col("benchmark").fill_null(""), pl.lit("/"), task)
    lacks = pl.col("score").is_null() & (pl.col("infrastructure_status") != "failed")
    infrastructure = pl.col("infrastructure_status").replace({"not_tracked": None})
    not_run = pl.col("score_status") == "not_run"
    if unscored == "infrastructure":
        not_run = not_run | lacks
    score = pl.when(lacks & ~not_run).then(0.0).otherwise(pl.col("score")) if unscored == "zero" else pl.col("score")
    return frame.select(
        "system", task.alias("task"), "trial", score.alias("score"), pl.col("raw_score").alias("raw_verdict"), "scorer",
        pl.when(pl.col("parse_status").is_in(_FAILED_PARSES)).then(pl.lit("failed"))
        .when(pl.col("parse_status") == "parsed").then(pl.lit("ok")).alias("parse_status"),
        pl.when(not_run).then(pl.lit("failed")).otherwise(infrastructure).alias("infrastructure_status"),
        pl.col("total_tokens").alias("tokens"), "steps", pl.col("cost_usd").alias("cost"),
        pl.col("seconds").alias("latency_s"), "trajectory", pl.col("model").alias("requested_model"),
        pl.coalesce("finished_at", "started_at").alias("recorded_at"), "model", "harness", "benchmark", "status",
        "sample_hash", *_PLACE, *_slices(frame),
    )  # fmt: skip


def _flag(column: str) -> pl.Expr:
    return pl.when(pl.col(column)).then(pl.lit("true")).when(~pl.col(column)).then(pl.lit("false"))


def _slices(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if name.startswith(SLICE_PREFIX)]


SHAPES: Final[Mapping[str, Callable[[pl.DataFrame, Unscored], pl.DataFrame]]] = {
    "rows": as_rows,
    "samples": as_samples,
    "attempts": as_attempts,
}
"""Shape by the name that a user gives it."""
