"""Corpus metrics, BLEU and chrF, recomputed in every resample from the statistics of each unit (METHODS 12).

Belongs here: sacrebleu's statistics summed by unit, its formula over their totals, bounds of the difference. Does not
belong here: which rows count (`outcomes`).

A corpus metric is no mean of per-task values, so no per-task value is made. Its statistics (lengths and n-gram counts)
are whole numbers that add up: a resample adds those of the drawn units and applies the metric's own formula once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.decision.effects import Spread
from methods.decision.mean_bounds import Bounds
from methods.decision.paired_bounds import Compared
from methods.statistics.bootstrap import Interval
from methods.statistics.fixed_point import Integers
from methods.statistics.keyed_random import draws, resample_keys
from methods.statistics.quantiles import quantile
from warehouse.decision_rules import DecisionRules
from warehouse.decision_words import OutcomeKind
from warehouse.methodology import exactly

Floats = NDArray[np.float64]
_CHUNK = 1 << 20


def corpus_statistics(kind: OutcomeKind, hypotheses: pl.Series, references: pl.Series) -> Integers:
    """(k, s) the statistics of each answer by sacrebleu, with its default settings for the metric.

    Raises:
        ValueError: for a kind that is no corpus metric.
    """
    given: list[list[int]] = _metric(kind)._extract_corpus_statistics(hypotheses.to_list(), [references.to_list()])
    return np.array(given, dtype=np.int64)


def corpus_score(kind: OutcomeKind, totals: Integers) -> float:
    """The metric, 0 to 100, of summed statistics."""
    return float(_metric(kind)._compute_score_from_stats(totals.tolist()).score)


def compare_corpus(
    kind: OutcomeKind, baseline: Integers, candidate: Integers, units: Integers, threshold: float, alpha: float, *,
    seed: int, rules: DecisionRules,
) -> Compared:  # fmt: skip
    """The difference of a corpus metric, as fractions of its range, with percentile bounds over units.

    Args:
        baseline, candidate: (t, s) statistics of each paired task.
        units: (t) code of the unit a task belongs to, from 0.
        threshold: what p refers to, as a fraction.
        alpha: one-sided.
    """
    count = int(units.max()) + 1
    both = np.zeros((count, 2 * baseline.shape[1]), dtype=np.int64)
    np.add.at(both, units, np.hstack([baseline, candidate]))
    metric = _metric(kind)
    width = baseline.shape[1]

    def difference(totals: Any) -> float:
        new = metric._compute_score_from_stats(totals[width:]).score
        return float(new - metric._compute_score_from_stats(totals[:width]).score) / 100

    totals = both.sum(axis=0)
    estimate = difference(totals.tolist())
    levels = tuple(
        float(metric._compute_score_from_stats(side.tolist()).score) / 100 for side in (totals[:width], totals[width:])
    )
    per_task = [difference(row) for row in np.hstack([baseline, candidate]).tolist()]
    wins, losses = sum(value > 0 for value in per_task), sum(value < 0 for value in per_task)
    ties = len(per_task) - wins - losses
    if count < 2:
        bounds = Bounds(estimate, None, None, None, None, "bootstrap")
        return Compared(
            bounds, None, None, None, wins, losses, ties, Spread(0.0, count, len(per_task) / count), *levels
        )
    found = np.array([difference(row) for row in _resampled_totals(both, seed, rules.resamples)])
    ascending = np.sort(found)
    low, high = quantile(ascending, exactly(alpha)), quantile(ascending, 1 - exactly(alpha))
    p = (int(np.searchsorted(ascending, threshold, side="right")) + 1) / (ascending.size + 1)
    bounds = Bounds(estimate, low, high, Interval(low, high), p, "bootstrap")
    spread = Spread(float(np.std(found)) * count**0.5, count, len(per_task) / count)
    return Compared(bounds, p, None, None, wins, losses, ties, spread, *levels)


def task_statistics(kind: OutcomeKind, answers: pl.DataFrame) -> tuple[Integers, Integers]:
    """(t, s) statistics of each task, baseline and candidate: sums over their answers, tasks in the order of names.

    Args:
        answers: `task`, `_candidate`, `hypothesis`, `reference`; an answer that is missing is null and counts as empty.
    """
    ordered = answers.sort("task")
    codes = ordered["task"].rank("dense").to_numpy().astype(np.int64) - 1
    given = corpus_statistics(kind, ordered["hypothesis"].fill_null(""), ordered["reference"])
    sides = ordered["_candidate"].to_numpy()
    found = [np.zeros((int(codes.max()) + 1, given.shape[1]), dtype=np.int64) for _ in range(2)]
    for side in (False, True):
        np.add.at(found[side], codes[sides == side], given[sides == side])
    return found[0], found[1]


def _resampled_totals(statistics: Integers, seed: int, resamples: int) -> list[list[int]]:
    """The summed statistics of each resample of units."""
    count = statistics.shape[0]
    keys = resample_keys(seed, 0, resamples)
    totals: list[list[int]] = []
    whole = statistics.astype(np.float64)  # counts far below 2^53: the products are exact in any order
    step = max(1, _CHUNK // count)
    for start in range(0, resamples, step):
        part = keys[start : start + step]
        rows = np.arange(part.size, dtype=np.int64)[:, None] * count
        times = np.bincount((draws(part, count) + rows).ravel(), minlength=part.size * count)
        sums = times.reshape(part.size, count).astype(np.float64) @ whole
        totals.extend(np.rint(sums).astype(np.int64).tolist())
    return totals


def _metric(kind: OutcomeKind) -> Any:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    if kind == "bleu":
        return BLEU()
    if kind == "chrf":
        return CHRF()
    raise ValueError(f"{kind} is no corpus metric")
