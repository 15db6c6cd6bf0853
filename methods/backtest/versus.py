"""The linked score against every other method, result by result: `out__backtest_versus` (METHODS 7b).

Whether a median is lower by chance is told by which method came nearer to each withheld result: equal methods come
nearer in half of them. Belongs here: that count and its Wilson interval. Ratings have no points and take no part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from methods.backtest.report import Answer, points_off
from methods.linked.cells import Floats
from methods.scoring.standardize import quantile
from methods.statistics.wilson import wilson_interval
from warehouse.linked_words import CALIBRATED_METHOD, LINKED_METHOD
from warehouse.tables_linked import OUT_BACKTEST_VERSUS


def versus_frame(answers: Sequence[Answer], level_z: float) -> pl.DataFrame:
    """`out__backtest_versus`: one row a split and other method.

    Args:
        answers: of all methods, those of one split in the same order of questions.
        level_z: normal quantile of the interval's level.
    """
    errors: dict[tuple[str, str], list[Floats]] = {}
    for one in answers:
        errors.setdefault((one.split, one.method), []).append(points_off(one.question, one.forecast))
    rows = []
    for (split, method), parts in errors.items():
        if method in {LINKED_METHOD, CALIBRATED_METHOD} or (split, LINKED_METHOD) not in errors:
            continue
        other, ours = np.concatenate(parts), np.concatenate(errors[split, LINKED_METHOD])
        known = np.isfinite(other)
        other, ours = other[known], ours[known]
        nearer, farther = int(np.sum(ours < other)), int(np.sum(ours > other))
        interval = wilson_interval(nearer, nearer + farther, level_z)
        if interval is None:
            continue
        rows.append({
            "split": split,
            "method": method,
            "n": len(other),
            "nearer": nearer,
            "farther": farther,
            "nearer_share": interval.share,
            "wilson_low": interval.low,
            "wilson_high": interval.high,
            "median_gap_pp": quantile(np.sort(ours), 0.5) - quantile(np.sort(other), 0.5),
        })  # fmt: skip
    return OUT_BACKTEST_VERSUS.conform(pl.DataFrame(rows, schema=OUT_BACKTEST_VERSUS.polars_schema()))
