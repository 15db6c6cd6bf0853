"""Fit: how near a harness comes to the best one for the same model on the same benchmark (METHODS 11).

Belongs here: rho, F_mh, F_h in its four variants, with intervals that find the best harness again in every resample.
Does not belong here: other orders of harnesses (`wins`), choosing one (`selection`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from methods.harness.crossed import Crossed, Exact
from methods.harness.exact import geometric_mean, mean, ratio, root
from methods.harness.resampled import Samples, ends
from methods.statistics.bootstrap import Interval
from methods.statistics.quantiles import tails
from warehouse.harness_words import Measure


@dataclass(frozen=True)
class Fit:
    """The fit of one measure (J, or S in its place) over a crossing.

    Attributes:
        rho: [b][m][h] the value over the block's best; 0 where the best is 0.
        by_pair: [m][h] F_mh, the mean of rho over benchmarks.
        geometric: [h] F_h, the geometric mean of F_mh over models; 0 if any is 0.
        arithmetic: [h] the arithmetic mean over models.
        rho_intervals, by_pair_intervals, geometric_intervals, arithmetic_intervals: the same shapes; None where there
            are no resamples.
    """

    rho: Exact
    by_pair: list[list[Fraction]]
    geometric: list[float]
    arithmetic: list[Fraction]
    rho_intervals: list[list[list[Interval]]] | None = None
    by_pair_intervals: list[list[Interval]] | None = None
    geometric_intervals: list[Interval] | None = None
    arithmetic_intervals: list[Interval] | None = None


def fit_of(figures: Crossed, measure: Measure, level: float) -> Fit | None:
    """The fit of a crossing; None where a benchmark does not track the measure.

    Args:
        figures: the crossing.
        measure: `joint` for fit as defined, `score` for its variant.
        level: of the intervals.
    """
    point = point_fit(figures, measure)
    samples = figures.samples.get(measure)
    return point if point is None or samples is None else _with_intervals(point, samples, level)


def point_fit(figures: Crossed, measure: Measure) -> Fit | None:
    """The fit without intervals; None where a benchmark does not track the measure."""
    values = figures.exact.get(measure)
    if values is None:
        return None
    rho = ratios(values)
    by_pair = over_benchmarks(rho)
    columns = [list(column) for column in zip(*by_pair, strict=True)]
    return Fit(rho, by_pair, [geometric_mean(column) for column in columns], [mean(column) for column in columns])


def ratios(values: Exact) -> Exact:
    """[b][m][h] each value over the greatest of its (benchmark, model); 0 where that is 0."""
    return [[[ratio(value, max(row)) for value in row] for row in block] for block in values]


def over_benchmarks(rho: Exact) -> list[list[Fraction]]:
    """[m][h] the mean over benchmarks."""
    models, harnesses = len(rho[0]), len(rho[0][0])
    return [[mean(block[m][h] for block in rho) for h in range(harnesses)] for m in range(models)]


def _with_intervals(point: Fit, samples: Samples, level: float) -> Fit:
    best = samples.max(axis=2, keepdims=True)
    rho = np.divide(samples, best, out=np.zeros_like(samples), where=best > 0)
    by_pair = in_turn_mean(rho)
    product, total = by_pair[0].copy(), by_pair[0].copy()
    for row in by_pair[1:]:
        product *= row
        total += row
    models = by_pair.shape[0]
    return Fit(
        point.rho, point.by_pair, point.geometric, point.arithmetic,
        rho_intervals=[[_intervals(row, level) for row in block] for block in rho],
        by_pair_intervals=[_intervals(row, level) for row in by_pair],
        geometric_intervals=[_root_interval(row, models, level) for row in product],
        arithmetic_intervals=_intervals(total / float(models), level),
    )  # fmt: skip


def in_turn_mean(parts: Samples) -> Samples:
    """The mean over the first axis, added one after the other, so that its bits depend on nothing else."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    found: Samples = total / float(parts.shape[0])
    return found


def _intervals(samples: Samples, level: float) -> list[Interval]:
    return [Interval(low, high) for low, high in ends(samples, level).tolist()]


def _root_interval(products: Samples, degree: int, level: float) -> Interval:
    """The interval of roots: a root keeps order, so only those next to the two quantiles are taken."""
    last = products.size - 1
    found = []
    for probability in tails(level):
        place = last * probability
        low = place.numerator // place.denominator
        high = min(low + 1, last)
        ordered = np.partition(products, [low, high])
        below, above = root(float(ordered[low]), degree), root(float(ordered[high]), degree)
        found.append(below + float(place - low) * (above - below))
    return Interval(*found)
