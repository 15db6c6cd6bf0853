"""From rows to paired tasks: whole-number sums a (task, system), then both systems side by side (METHODS 12).

Belongs here: sums, what must be the same in all rows of a task, pairs and those that lack one. Does not belong here:
what a row counts for (`outcomes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.decision.samples import SampleError
from methods.decision.units import Floats, divided
from methods.statistics.fixed_point import SCALE, Integers
from warehouse.release_contract import ReleaseContract

Booleans = NDArray[np.bool_]

VIEWS: Final = ("as_failures", "left_out")


@dataclass(frozen=True)
class TaskTotals:
    """One row a (task, system): sums over its rows.

    Attributes:
        frame: `task`, `_candidate`, `rows`, `n_<view>`, `sum_<view>` (billionths) for both views, `parse`,
            `infrastructure`, `voided`, `ineligible`; what is the same in all rows of a task: `_cluster`, `_weight`, and
            each slice column as `_slice_<column>`.
    """

    frame: pl.DataFrame

    @cached_property
    def tasks(self) -> int:
        """How many tasks either system has."""
        return int((self.frame["task"] != self.frame["task"].shift()).fill_null(value=True).sum())


def task_totals(contract: ReleaseContract, rows: pl.LazyFrame) -> TaskTotals:
    """The sums of each task and system.

    Args:
        rows: as `outcomes.counted_rows` gives them.

    Raises:
        SampleError: where a cluster, a weight or a slice is not the same in all rows of a task, or is missing.
    """
    parsed = pl.col("_counts") & ~pl.col("_parse")
    kept = {"_cluster": contract.sampling.cluster, "_weight": contract.task.weight}
    same = {name: pl.col(column) for name, column in kept.items() if column is not None}
    same |= {
        f"_slice_{name}": pl.col(name).cast(pl.String) for name in dict.fromkeys(s.column for s in contract.slices)
    }
    sums = {
        "rows": pl.len(),
        "n_as_failures": pl.col("_counts").sum(),
        "sum_as_failures": pl.col("_value").filter(pl.col("_counts")).sum(),
        "n_left_out": parsed.sum(),
        "sum_left_out": pl.col("_value").filter(parsed).sum(),
        "parse": (pl.col("_parse") & pl.col("_counts")).sum(),
        "infrastructure": (pl.col("_infrastructure") & pl.col("_eligible")).sum(),
        "voided": (pl.col("_broke") & pl.col("_counts") & (pl.col("_outcome") > 0)).fill_null(value=False).sum(),
        "ineligible": (~pl.col("_eligible")).sum(),
    }
    firsts = {name: expression.first() for name, expression in same.items()}
    varies = {f"{name}_varies": _varies(expression, name) for name, expression in same.items()}
    found = (
        rows.group_by("task", "_candidate")
        .agg(**{name: one.cast(pl.Int64) for name, one in sums.items()}, **firsts, **varies)
        .collect(engine="streaming")
        .sort("task", "_candidate")
    )
    for name in same:
        _check_same(found, name)
    return TaskTotals(found.drop(list(varies)))


def _varies(expression: pl.Expr, name: str) -> pl.Expr:
    """Whether a column has more than one value, or none, within a group."""
    code = expression.cast(pl.Float64) if name == "_weight" else expression.cast(pl.Categorical).to_physical()
    return (code.min() != code.max()) | code.is_null().any()


def _check_same(frame: pl.DataFrame, name: str) -> None:
    # rows stand by task: both systems of one task follow each other
    differs = (frame["task"] == frame["task"].shift()) & (frame[name] != frame[name].shift())
    bad = frame.filter(frame[f"{name}_varies"].fill_null(value=True) | differs.fill_null(value=False))["task"].to_list()
    if bad:
        column = name.removeprefix("_slice_").removeprefix("_")
        raise SampleError(
            f"task {min(bad)}: its {column} is missing or differs between its rows; a task has one, the same for both "
            "systems and all trials"
        )
    if name == "_weight" and not (frame[name].cast(pl.Float64) > 0).all():
        raise SampleError("a task's weight must be a positive number")
    if name == "_weight" and not np.isfinite(float(frame[name].cast(pl.Float64).max() or 0.0) * frame.height):  # type: ignore[arg-type]
        raise SampleError("the weights of tasks are too large to be added up; state them in a larger unit")


@dataclass(frozen=True)
class PairedTasks:
    """Tasks that both systems have, in the order of their names.

    Attributes:
        tasks: (t) their names.
        baseline, candidate: (t) mean over trials, in billionths.
        baseline_trials, candidate_trials: (t) how many.
        clusters: (t) codes from 0; None where tasks stand alone.
        weights: (t); None where they weigh alike.
        slices: values of each slice column, by column.
        unpaired: tasks that one system lacks.
    """

    tasks: pl.Series
    baseline: Integers
    candidate: Integers
    baseline_trials: Integers
    candidate_trials: Integers
    clusters: Integers | None
    weights: Floats | None
    slices: dict[str, pl.Series]
    unpaired: int

    @property
    def size(self) -> int:
        """How many tasks."""
        return int(self.baseline.size)

    @property
    def differences(self) -> Integers:
        """(t) candidate minus baseline, in billionths."""
        return self.candidate - self.baseline

    @cached_property
    def is_one_trial(self) -> bool:
        """Whether every task has one trial of each system."""
        return bool((self.baseline_trials == 1).all() and (self.candidate_trials == 1).all())

    @property
    def cluster_count(self) -> int:
        """How many units: clusters where declared, else tasks."""
        return self.size if self.clusters is None else int(np.unique(self.clusters).size)

    @property
    def rows(self) -> int:
        """Rows behind the tasks."""
        return int(self.baseline_trials.sum() + self.candidate_trials.sum())

    def within(self, column: str, value: str) -> PairedTasks:
        """The tasks of a slice."""
        return self.chosen((self.slices[column] == value).fill_null(value=False).to_numpy())

    def chosen(self, mask: Booleans) -> PairedTasks:
        """The tasks under a mask."""
        return PairedTasks(
            self.tasks.filter(pl.Series(mask)), self.baseline[mask], self.candidate[mask], self.baseline_trials[mask],
            self.candidate_trials[mask], None if self.clusters is None else self.clusters[mask],
            None if self.weights is None else self.weights[mask],
            {name: values.filter(pl.Series(mask)) for name, values in self.slices.items()}, self.unpaired,
        )  # fmt: skip


def paired_tasks(totals: TaskTotals, view: str) -> PairedTasks:
    """The tasks that have rows of both systems under a view of parse failures."""
    counted = totals.frame.filter(pl.col(f"n_{view}") > 0)
    chosen = ["task", f"n_{view}", f"sum_{view}"]
    right = counted.filter(pl.col("_candidate")).select(chosen)
    left = counted.filter(~pl.col("_candidate"))
    both = left.join(right, on="task", how="inner", suffix="_candidate").sort("task")
    unpaired = totals.tasks - both.height
    counts = [both[name].to_numpy() for name in (f"n_{view}", f"n_{view}_candidate")]
    sums = [both[name].to_numpy() for name in (f"sum_{view}", f"sum_{view}_candidate")]
    means = [divided(total, count) for total, count in zip(sums, counts, strict=True)]
    clusters = (
        both["_cluster"].cast(pl.String).rank("dense").to_numpy().astype(np.int64) - 1
        if "_cluster" in both.columns
        else None
    )
    weights = both["_weight"].cast(pl.Float64).to_numpy() if "_weight" in both.columns else None
    slices = {name.removeprefix("_slice_"): both[name] for name in both.columns if name.startswith("_slice_")}
    return PairedTasks(both["task"], means[0], means[1], counts[0], counts[1], clusters, weights, slices, unpaired)


def mean_share(values: Integers, weights: Floats | None) -> float:
    """The (weighted) mean of task values, as a fraction."""
    if weights is None:
        return int(values.sum()) / (values.size * SCALE)
    return float(np.cumsum(values * weights)[-1] / np.cumsum(weights)[-1]) / SCALE
