"""Ablations: what a system loses where part of its input is taken away, task by task (METHODS 13).

Belongs here: paired differences to the full input, and whether the frames that were shown are those that the ablation
promises. Does not belong here: the end-to-end result, which stays a gate. Frame indexes, times and sampling of every
task stay beside its difference, since another preprocessor is another measurement.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import polars as pl

from methods.components.declared import ComponentError
from methods.statistics.bootstrap import BootstrapRules, paired_bootstrap
from methods.statistics.fixed_point import SCALE, Integers, fixed_point
from warehouse.component_words import ABLATIONS, EXPECTED_FRAMES, FULL

FrameState = Literal["as_named", "not_as_named", "not_tracked"]
_POINTS: Final = 100
_BY_TASK: Final[dict[str, Any]] = {
    "condition": pl.String,
    "task": pl.String,
    "cluster": pl.String,
    "full": pl.Float64,
    "ablated": pl.Float64,
    "difference_pp": pl.Float64,
    "frames": pl.String,
    "sampling": pl.String,
    "full_sampling": pl.String,
    "frame_indexes": pl.List(pl.Int64),
    "frame_times_s": pl.List(pl.Float64),
}
_BY_CONDITION: Final[dict[str, Any]] = {
    "condition": pl.String,
    "tasks": pl.Int64,
    "unpaired": pl.Int64,
    "mean_full": pl.Float64,
    "mean_ablated": pl.Float64,
    "difference_pp": pl.Float64,
    "low_pp": pl.Float64,
    "high_pp": pl.Float64,
    "interval_method": pl.String,
    "reason_code": pl.String,
    "frames_as_named": pl.Int64,
    "frames_not_as_named": pl.Int64,
    "frames_not_tracked": pl.Int64,
    "samplings": pl.List(pl.String),
    "is_controlled": pl.Boolean,
}


@dataclass(frozen=True)
class Ablations:
    """Ablations against the full input.

    Attributes:
        by_condition: a row for each ablation: `tasks` paired, `unpaired` (on one side only), both means,
            `difference_pp` = full minus ablated in percentage points with its interval (null where `reason_code` says
            why), how many tasks showed the frames that the name promises, `samplings` used, and `is_controlled`: every
            task showed them, by the sampling of its full input (null where not all of that is stated).
        by_task: a row for each ablation and paired task, with sampling, frame indexes and times kept.
    """

    by_condition: pl.DataFrame
    by_task: pl.DataFrame


def ablations(samples: pl.DataFrame, rules: BootstrapRules) -> Ablations:
    """Every ablation against the full input, over the tasks that have both.

    Args:
        samples: `task`, `condition` (a word of `ABLATIONS`), `score` (0 to 1, higher is better; no null), and where
            stated `cluster`, `sampling` (text), `frame_indexes` (whole numbers), `frame_times_s` (seconds). Several
            rows of a task and condition are its trials: their mean is taken.
        rules: seed, resamples and level of the intervals; tasks are resampled, or clusters where stated.

    Raises:
        ComponentError: for an unknown condition, a missing score, or one outside 0 to 1, naming the row.
    """
    _check(samples)
    tasks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in samples.rows(named=True):
        tasks.setdefault((row["condition"], row["task"]), []).append(row)
    conditions = sorted({condition for condition, _ in tasks if condition != FULL}, key=ABLATIONS.index)
    found = [_one(condition, tasks, rules) for condition in conditions]
    return Ablations(
        pl.DataFrame([row for row, _ in found], schema=_BY_CONDITION, orient="row"),
        pl.DataFrame([row for _, rows in found for row in rows], schema=_BY_TASK, orient="row"),
    )


def _one(
    condition: str, tasks: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]], rules: BootstrapRules
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    mine = {task for named, task in tasks if named == condition}
    full = {task for named, task in tasks if named == FULL}
    paired = sorted(mine & full)
    sides = [(tasks[FULL, task], tasks[condition, task]) for task in paired]
    means = np.array([[_mean(a), _mean(b)] for a, b in sides], dtype=np.int64).reshape(len(paired), 2)
    differences: Integers = means[:, 0] - means[:, 1]
    clusters: list[Hashable] | None = [a[0]["cluster"] for a, _ in sides] if sides and _clustered(sides) else None
    boot = paired_bootstrap(differences, rules, clusters)
    rows = [
        _task(condition, task, a, b, pair) for task, (a, b), pair in zip(paired, sides, means.tolist(), strict=True)
    ]
    states = [row["frames"] for row in rows]
    interval = boot.mean_interval
    summary = {
        "condition": condition,
        "tasks": len(paired),
        "unpaired": len(mine ^ full),
        "mean_full": _over(means[:, 0]),
        "mean_ablated": _over(means[:, 1]),
        "difference_pp": None if boot.mean is None else boot.mean * _POINTS,
        "low_pp": None if interval is None else interval.low * _POINTS,
        "high_pp": None if interval is None else interval.high * _POINTS,
        "interval_method": boot.method,
        "reason_code": boot.reason,
        "frames_as_named": states.count("as_named"),
        "frames_not_as_named": states.count("not_as_named"),
        "frames_not_tracked": states.count("not_tracked"),
        "samplings": sorted({row["sampling"] for row in rows if row["sampling"] is not None}),
        "is_controlled": _controlled(condition, rows),
    }
    return summary, rows


def _task(
    condition: str,
    task: str,
    full: Sequence[Mapping[str, Any]],
    ablated: Sequence[Mapping[str, Any]],
    means: Sequence[int],
) -> dict[str, Any]:
    frames = {_state(condition, first.get("frame_indexes"), row.get("frame_indexes"))
              for first in full for row in ablated}  # fmt: skip
    state = next(word for word in ("not_as_named", "not_tracked", "as_named") if word in frames)
    shown = ablated[0]
    return {
        "condition": condition,
        "task": task,
        "cluster": full[0].get("cluster"),
        "full": means[0] / SCALE,
        "ablated": means[1] / SCALE,
        "difference_pp": (means[0] - means[1]) * _POINTS / SCALE,
        "frames": state,
        "sampling": shown.get("sampling"),
        "full_sampling": full[0].get("sampling"),
        "frame_indexes": shown.get("frame_indexes"),
        "frame_times_s": shown.get("frame_times_s"),
    }


def _state(condition: str, full: Sequence[int] | None, shown: Sequence[int] | None) -> FrameState:
    """Whether the frames shown are those that the ablation's name promises; unknown is not as named."""
    expected = EXPECTED_FRAMES[condition]
    if expected == "any":
        return "as_named"
    if shown is None or (full is None and expected != "none"):
        return "not_tracked"
    if expected == "none":
        return "not_as_named" if len(shown) else "as_named"
    same = list(shown) == list(full or ())
    if expected == "same":
        return "as_named" if same else "not_as_named"
    return "as_named" if not same and sorted(shown) == sorted(full or ()) else "not_as_named"


def _mean(rows: Sequence[Mapping[str, Any]]) -> int:
    """The mean score of a task's trials, in whole billionths, halves to even."""
    total, count = int(fixed_point([row["score"] for row in rows]).sum()), len(rows)
    whole, rest = divmod(total, count)
    return whole + (2 * rest > count or (2 * rest == count and whole % 2 == 1))


def _over(billionths: Integers) -> float | None:
    return sum(billionths.tolist()) / (billionths.size * SCALE) if billionths.size else None


def _clustered(sides: Sequence[tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]]) -> bool:
    """Whether clusters are stated: for every task or for none.

    Raises:
        ComponentError: where some tasks state one and others do not, or a task stands in two.
    """
    stated = {row.get("cluster") is not None for pair in sides for side in pair for row in side}
    if len(stated) > 1:
        raise ComponentError("cluster: stated for some tasks and not for others; state it for all or for none")
    for full, ablated in sides:
        if len({row.get("cluster") for row in (*full, *ablated)}) > 1:
            raise ComponentError(f"task {full[0]['task']!r} stands in more than one cluster")
    return stated == {True}


def _controlled(condition: str, rows: Sequence[Mapping[str, Any]]) -> bool | None:
    """Whether nothing but the ablation differs, as far as frames and sampling tell; None where they are not stated."""
    if not rows:
        return None
    if any(row["frames"] == "not_as_named" for row in rows):
        return False
    pairs = [(row["sampling"], row["full_sampling"]) for row in rows]
    if EXPECTED_FRAMES[condition] != "none":
        if any(None not in pair and pair[0] != pair[1] for pair in pairs):
            return False
        if any(None in pair for pair in pairs):
            return None
    return True if all(row["frames"] == "as_named" for row in rows) else None


def _check(samples: pl.DataFrame) -> None:
    numbered = samples.with_row_index("row", offset=1)
    strange = numbered.filter(pl.col("condition").is_null() | ~pl.col("condition").is_in(ABLATIONS))
    if strange.height:
        row, stated = strange.select("row", "condition").row(0)
        raise ComponentError(f"row {row}, condition: {stated!r} is none of {', '.join(ABLATIONS)}")
    wrong = numbered.filter(pl.col("score").is_null() | ~pl.col("score").is_between(0, 1) | pl.col("task").is_null())
    if wrong.height:
        row, task, score = wrong.select("row", "task", "score").row(0)
        raise ComponentError(
            f"row {row}: task {task!r} with score {score!r}; every row needs a task and a score from 0 to 1"
        )
