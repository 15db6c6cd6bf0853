"""Bounds of a quantile of one system's values, such as P95 latency (METHODS 12).

Belongs here: exact bounds from ranks where values are independent, resampled ones where tasks have several. Does not
belong here: what limit it is held against (`budget_gates`).

Of n independent values the number below the quantile of probability p is binomial, so the order statistics at its alpha
and 1 - alpha quantiles bound it, whatever the distribution. Too few values have no bound above: for P99 at 5% that is
fewer than 299. Where a task has several values, tasks are resampled with all of them; such a bound stands only where
there are as many tasks as independent values would have to be. Where that would take too many draws, the error of the
share of values below the quantile is turned back into values.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from methods.decision.mean_bounds import Bounds
from methods.decision.units import Units
from methods.statistics.bootstrap import Interval
from methods.statistics.fixed_point import SCALE, Integers
from methods.statistics.keyed_random import draws, resample_keys
from methods.statistics.quantiles import quantile
from warehouse.decision_rules import normal_quantile
from warehouse.methodology import exactly

Floats = NDArray[np.float64]
_CHUNK: Final = 1 << 20
_REACH: Final = 100
"""Values counted at least; then twice as many as usually lie above the quantile."""


def needed_values(probability: Fraction, alpha: float) -> int:
    """The least number of independent values whose greatest bounds the quantile from above."""
    return math.ceil(math.log(alpha) / math.log(float(probability)))


def quantile_bounds(
    values: Floats, owners: Integers, probability: Fraction, alpha: float, *, seed: int, resamples: int,
    draws_limit: int,
) -> Bounds:  # fmt: skip
    """The type-7 quantile of at least one value, with one-sided bounds.

    Args:
        values: (k).
        owners: (k) the unit of each, codes from 0.
        probability: of the quantile.
        alpha: of each bound.
        seed, resamples: of the draws.
        draws_limit: the most values times resamples that are drawn.
    """
    order = np.argsort(values, kind="stable")
    ascending, owned = values[order], owners[order]
    units = int(owners.max()) + 1
    estimate = quantile(ascending, probability)
    if units == values.size:
        low, high = _ranks(values.size, probability, alpha)
        return Bounds(
            estimate, None if low < 0 else float(ascending[low]),
            None if high >= values.size else float(ascending[high]), None, None, "order_statistic",
        )  # fmt: skip
    if values.size * resamples > draws_limit:
        return _woodruff(ascending, owned, probability, alpha, estimate)
    if units < 2:
        return Bounds(estimate, None, None, None, None, "bootstrap")
    found = np.sort(_resampled(ascending, owned, units, probability, seed, resamples))
    interval = Interval(quantile(found, exactly(alpha)), quantile(found, 1 - exactly(alpha)))
    is_high, is_low = (units >= needed_values(share, alpha) for share in (probability, 1 - probability))
    return Bounds(
        estimate, interval.low if is_low else None, interval.high if is_high else None, interval, None, "bootstrap"
    )


def _woodruff(ascending: Floats, owners: Integers, probability: Fraction, alpha: float, estimate: float) -> Bounds:
    """Bounds from the share of values at most the quantile: its error over units, turned back into values (Woodruff,
    Journal of the American Statistical Association 47 (1952) 635-646)."""
    below = int(np.searchsorted(ascending, estimate, side="right"))
    counts = np.bincount(owners).astype(np.int64)
    under = np.bincount(owners[:below], minlength=counts.size).astype(np.int64)
    error = Units(under * SCALE, counts, 1, counts.size).squared_error ** 0.5
    reach = normal_quantile(1 - alpha) * error
    ends = [Fraction(float(probability) + side * reach) for side in (-1, 1)]
    low, high = (quantile(ascending, end) if 0 < end < 1 else None for end in ends)
    return Bounds(estimate, low, high, None, None, "woodruff")


def _ranks(n: int, probability: Fraction, alpha: float) -> tuple[int, int]:
    """Places, from 0, of the order statistics that bound the quantile; -1 and n where there is none."""
    counts = np.arange(n + 1, dtype=np.float64)
    below = special.bdtr(counts, n, float(probability))
    # P(at most k values below) <= alpha: the value at place k lies under the quantile with that chance at most
    low = int(np.searchsorted(below, alpha, side="right")) - 1
    high = int(np.searchsorted(below, 1 - alpha, side="left"))
    return low, high if high < n else n


def _resampled(
    ascending: Floats, owners: Integers, units: int, probability: Fraction, seed: int, resamples: int
) -> Floats:
    """The quantile of each resample of units with all their values.

    Values are counted from the top down, and only as far as the quantile can lie: a resample that needs more is done
    again with all of them.
    """
    keys = resample_keys(seed, 0, resamples)
    found = np.empty(resamples)
    sizes = np.bincount(owners, minlength=units)
    top_down, owned = ascending[::-1], owners[::-1]
    near = min(owners.size, _REACH + _REACH * int((1 - probability) * owners.size) // 50)
    step = max(1, _CHUNK // max(near, units))
    for start in range(0, resamples, step):
        part = keys[start : start + step]
        rows = np.arange(part.size, dtype=np.int64)[:, None] * units
        times = np.bincount((draws(part, units) + rows).ravel(), minlength=part.size * units).reshape(part.size, units)
        total = times @ sizes
        # position (total - 1) p: its whole part and the rest, in whole numbers
        below, rest = np.divmod((total - 1) * probability.numerator, probability.denominator)
        above = np.minimum(below + 1, total - 1)
        places = np.vstack([total - 1 - below, total - 1 - above])
        values = _counted_down(top_down, times[:, owned[:near]], places)
        lost = np.isnan(values).any(axis=0)
        if lost.any():
            values[:, lost] = _counted_down(top_down, times[lost][:, owned], places[:, lost])
        found[start : start + part.size] = values[0] + rest / probability.denominator * (values[1] - values[0])
    return found


def _counted_down(top_down: Floats, times: Integers, places: Integers) -> Floats:
    """(2, b) the values at two places from the top; NaN where they lie further down than was counted."""
    seen = np.cumsum(times, axis=1)
    found = np.empty(places.shape)
    for row, place in enumerate(places):
        reached = seen[:, -1] > place
        where = np.argmax(seen > place[:, None], axis=1)
        found[row] = np.where(reached, top_down[where], np.nan)
    return found
