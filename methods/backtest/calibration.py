"""Calibrated intervals: how many times wider an interval must be to cover as often as it says (METHODS 7b).

Split-conformal in kind: on results withheld from a training of their own (the inner split) the ratios |error| / (z SD)
are taken, and the factor is their quantile at the level: had the intervals been that many times wider, that share would
have been covered. One factor a category with enough such results, else one for all. It is checked on the outer split,
which chose nothing. The factor found on results is applied to the interval of the ability: an approximation, since a
result has noise of its own, and stated as one wherever the interval is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from methods.backtest.forecasts import Forecast
from methods.backtest.questions import Question
from methods.backtest.training import category_numbers
from methods.linked.cells import Floats
from methods.scoring.categories import UNRATED, unclamped
from methods.scoring.standardize import quantile
from warehouse.linked_rules import BacktestRules
from warehouse.methodology import CategoryScale
from warehouse.tables_linked import OUT_CALIBRATED_INTERVAL
from warehouse.vocabulary import CATEGORIES


def widening(question: Question, forecast: Forecast, rules: BacktestRules) -> Floats:
    """(categories,) factor of each category; 1 everywhere where nothing was withheld or no interval is stated."""
    found = np.ones(len(CATEGORIES))
    if forecast.sd is None or len(question.place) == 0:
        return found
    ratio = np.abs(question.place - forecast.mean) / (rules.levels["cover80"] * forecast.sd)
    found[:] = quantile(np.sort(ratio), rules.calibrated_level)
    category = category_numbers(question.asked.frame)
    for number in range(len(CATEGORIES)):
        own = ratio[category == number]
        if len(own) >= rules.least_cells:
            found[number] = quantile(np.sort(own), rules.calibrated_level)
    return found


def widened(forecast: Forecast, frame: pl.DataFrame, factor: Floats) -> Forecast:
    """The forecast with every SD times its category's factor."""
    return Forecast(forecast.mean, None if forecast.sd is None else forecast.sd * factor[category_numbers(frame)])


def calibrated_intervals(board: pl.DataFrame, factors: Mapping[str, float], scale: CategoryScale) -> pl.DataFrame:
    """`out__calibrated_interval`: 3.0's interval, widened by the factor of its category, clamped as 3.0's own.

    Args:
        board: `out__category_score`. factors: of the categories whose intervals did not cover as they say.
        scale: 3.0's centre, slope, interval and limits.
    """
    rows = []
    for one in board.filter(pl.col("status") != UNRATED).rows(named=True):
        factor = factors.get(one["category"])
        if factor is None:
            continue
        reach = scale.interval_z * one["sigma"] * factor
        low, high = _clamped(one["mu"] - reach, scale), _clamped(one["mu"] + reach, scale)
        rows.append((one["category"], one["model_id"], factor, low, high))
    return OUT_CALIBRATED_INTERVAL.conform(
        pl.DataFrame(rows, schema=OUT_CALIBRATED_INTERVAL.polars_schema(), orient="row")
    )


def _clamped(mu: float, scale: CategoryScale) -> float:
    return min(max(unclamped(mu, scale), scale.lowest), scale.highest)
