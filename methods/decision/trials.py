"""Trials of paired tasks one by one: for two-stage resampling, and for drawing them again (METHODS 12).

Belongs here: values of single trials in a fixed order. Does not belong here: sums by task (`reduction`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from methods.decision.reduction import PairedTasks
from methods.decision.two_stage import Trials
from methods.decision.units import divided
from methods.statistics.fixed_point import SCALE, Integers


@dataclass(frozen=True, slots=True)
class TrialValues:
    """Every counted trial of the paired tasks.

    Attributes:
        values: (k) billionths; per task (in the order of names) the candidate's trials, then the baseline's, each
            ascending.
        starts: (2 t) place of the first trial of each (task, side).
        counts: (2 t) trials of each.
    """

    values: Integers
    starts: Integers
    counts: Integers


def trial_values(rows: pl.LazyFrame, pairs: PairedTasks, view: str) -> TrialValues:
    """The trials behind pairs, under the view of parse failures that the pairs were made in.

    Args:
        rows: as `outcomes.counted_rows` gives them.
        view: `as_failures` or `left_out`.
    """
    kept = pl.col("_counts") if view == "as_failures" else pl.col("_counts") & ~pl.col("_parse")
    found = (
        rows.filter(kept)
        .select("task", "_candidate", "_value")
        .join(pairs.tasks.to_frame("task").lazy(), on="task", how="semi")
        .sort(["task", "_candidate", "_value"], descending=[False, True, False])
        .collect()
    )
    counts = np.empty(2 * pairs.size, dtype=np.int64)
    counts[0::2], counts[1::2] = pairs.candidate_trials, pairs.baseline_trials
    return TrialValues(found["_value"].to_numpy(), np.cumsum(counts) - counts, counts)


def two_stage_trials(rows: pl.LazyFrame, pairs: PairedTasks, view: str) -> Trials:
    """The trials of pairs as parts of their tasks' differences."""
    found = trial_values(rows, pairs, view)
    signs = np.tile(np.array([1, -1], dtype=np.int64), pairs.size)
    each = np.repeat(found.counts, found.counts)
    parts = np.repeat(signs, found.counts) * divided(found.values, each)
    masses, scale = np.ones(pairs.size, dtype=np.int64), 1
    if pairs.weights is not None:
        relative = pairs.weights / (float(np.cumsum(pairs.weights)[-1]) / pairs.size)
        masses, scale = np.maximum(np.rint(relative * SCALE).astype(np.int64), 1), SCALE
        parts = np.rint(parts * np.repeat(np.repeat(relative, 2), found.counts)).astype(np.int64)
    return Trials(parts, found.starts[0::2], found.counts[0::2], found.counts[1::2], masses, scale)
