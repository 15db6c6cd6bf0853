"""Error and coverage as tables: of every method on every split, by category, tier and number of results (METHODS 7b).

Belongs here: the figures. A median is type 7; a rank correlation is Spearman's, on places on the metrics' scales, where
results of different metrics may stand beside each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from methods.backtest.forecasts import Forecast
from methods.backtest.questions import Question
from methods.backtest.steady import logistic
from methods.backtest.training import Flags
from methods.linked.cells import Floats
from methods.scoring.standardize import quantile
from warehouse.linked_rules import BacktestRules
from warehouse.linked_words import ALL, OBSERVATIONS
from warehouse.tables_linked import OUT_BACKTEST, OUT_BACKTEST_SLICE, OUT_BACKTEST_SPLIT
from warehouse.vocabulary import CATEGORIES, TIERS


@dataclass(frozen=True)
class Answer:
    """What one method said of one question."""

    method: str
    split: str
    question: Question
    forecast: Forecast


@dataclass(frozen=True)
class _Pooled:
    """All answers of one method on one split, one after the other."""

    frame: pl.DataFrame
    error: Floats
    place: Floats
    mean: Floats
    sd: Floats | None
    observations: Floats


def points_off(question: Question, forecast: Forecast) -> Floats:
    """(asked,) absolute error in percentage points; NaN for ratings, which have none."""
    x = question.center + question.scale * forecast.mean
    fraction = logistic(np.where(question.is_fraction, np.where(question.is_lower, -x, x), 0.0))
    return np.where(question.is_fraction, np.abs(fraction - question.value) * 100.0, np.nan)


def backtest_frame(answers: Sequence[Answer], rules: BacktestRules) -> pl.DataFrame:
    """`out__backtest`: one row a method, split and category, and one for all categories."""
    rows = []
    for (method, split), pooled in _pooled(answers).items():
        of = pooled.frame["category"].to_numpy()
        for category in (ALL, *CATEGORIES):
            here = np.ones(len(of), dtype=bool) if category == ALL else of == category
            if np.any(here):
                rows.append({"method": method, "split": split, "category": category, **_figures(pooled, here, rules)})
    return OUT_BACKTEST.conform(pl.DataFrame(rows, schema=OUT_BACKTEST.polars_schema()))


def slice_frame(answers: Sequence[Answer], rules: BacktestRules) -> pl.DataFrame:
    """`out__backtest_slice`: by tier of the withheld result, and by how many results of the model were at hand."""
    rows = []
    for (method, split), pooled in _pooled(answers).items():
        tier = pooled.frame["tier"].to_numpy()
        cuts: list[tuple[str, str, Flags]] = [("tier", name, tier == name) for name in TIERS]
        for first, last, name in OBSERVATIONS:
            inside = pooled.observations >= first
            cuts.append(("observations", name, inside if last is None else inside & (pooled.observations <= last)))
        for sliced_by, name, here in cuts:
            if np.any(here):
                key = {"method": method, "split": split, "sliced_by": sliced_by, "slice": name}
                rows.append({**key, **_figures(pooled, here, rules)})
    return OUT_BACKTEST_SLICE.conform(pl.DataFrame(rows, schema=OUT_BACKTEST_SLICE.polars_schema()))


def split_frame(questions: Sequence[tuple[str, Question]]) -> pl.DataFrame:
    """`out__backtest_split`: what was withheld, and what of it nobody could predict."""
    rows = []
    for split in dict.fromkeys(name for name, _ in questions):
        own = [question for name, question in questions if name == split]
        rows.append({
            "split": split,
            "repetitions": len(own),
            "withheld": sum(one.withheld for one in own),
            "without_metric": sum(one.without_metric for one in own),
            "without_model": sum(one.without_model for one in own),
            "predicted": sum(len(one.place) for one in own),
        })  # fmt: skip
    return OUT_BACKTEST_SPLIT.conform(pl.DataFrame(rows, schema=OUT_BACKTEST_SPLIT.polars_schema()))


def median_error(question: Question, forecast: Forecast) -> float:
    """Median absolute error in points; infinite where no fraction was withheld."""
    off = points_off(question, forecast)
    known = np.sort(off[np.isfinite(off)])
    return quantile(known, 0.5) if len(known) else math.inf


def _pooled(answers: Sequence[Answer]) -> dict[tuple[str, str], _Pooled]:
    found = {}
    for key in dict.fromkeys((one.method, one.split) for one in answers):
        own = [one for one in answers if (one.method, one.split) == key and len(one.question.place)]
        if not own:
            continue
        spreads = [one.forecast.sd for one in own]
        found[key] = _Pooled(
            frame=pl.concat([one.question.asked.frame for one in own]),
            error=np.concatenate([points_off(one.question, one.forecast) for one in own]),
            place=np.concatenate([one.question.place for one in own]),
            mean=np.concatenate([one.forecast.mean for one in own]),
            sd=None if any(sd is None for sd in spreads) else np.concatenate([sd for sd in spreads if sd is not None]),
            observations=np.concatenate([one.question.observations for one in own]).astype(np.float64),
        )
    return found


def _figures(pooled: _Pooled, here: Flags, rules: BacktestRules) -> dict[str, float | int | None]:
    error = pooled.error[here]
    known = np.sort(error[np.isfinite(error)])
    figures: dict[str, float | int | None] = {
        "n": int(np.sum(here)),
        "median_error_pp": quantile(known, 0.5) if len(known) else None,
        "mean_error_pp": math.fsum(known.tolist()) / len(known) if len(known) else None,
        "rank_correlation": spearman(pooled.mean[here], pooled.place[here]),
    }
    for name, z in rules.levels.items():
        if pooled.sd is None:
            figures[name] = None
            continue
        inside = np.abs(pooled.place[here] - pooled.mean[here]) <= z * pooled.sd[here]
        figures[name] = int(np.sum(inside)) / len(inside)
    return figures


def spearman(first: Floats, second: Floats) -> float | None:
    """Spearman's rank correlation, ties at their mean rank; None where either side is constant.

    Ranks are doubled whole numbers, so that every sum is exact.
    """
    one, two = _doubled_ranks(first), _doubled_ranks(second)
    total = len(one) + 1
    a, b = one - total, two - total
    squares = int(np.sum(a * a)) * int(np.sum(b * b))
    return None if squares == 0 else int(np.sum(a * b)) / math.sqrt(squares)


def _doubled_ranks(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    upto = np.searchsorted(ordered, values, side="right")
    return (below + upto + 1).astype(np.int64)
