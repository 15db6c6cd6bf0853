"""How often a verdict turns when trials are drawn again: measured, not declared (METHODS 12).

Belongs here: the flip rate. Does not belong here: the decision itself (`decide`).

In every redraw each task and system draws as many of its own trials as it has, with replacement, and objective and
slices are judged anew by both bounds of `mean_bounds` with fewer resamples; so is the evidence as it stands, which the
redraws are held against. What does not depend on outcomes (red lines, budgets) stays. All redraws share the resamples
of tasks, so that only the trials differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.decision.bounded import FIRST_RESAMPLE, exponential_weights
from methods.decision.objective_gates import Question
from methods.decision.reduction import PairedTasks
from methods.decision.trials import TrialValues
from methods.decision.units import summed
from methods.decision.verdict import Instability
from methods.statistics.fixed_point import SCALE, Integers
from methods.statistics.keyed_random import HALF_BITS, LOW_HALF, WORD_STEP, draws, mix, resample_keys
from warehouse.decision_rules import DecisionRules

Floats = NDArray[np.float64]
REDRAWS_FROM: Final = 1 << 42
"""Numbers of the resamples that draw trials."""
MILLION: Final = 10**6


def flip_rate(
    pairs: PairedTasks, trials: TrialValues, asked: Sequence[tuple[Question, NDArray[np.bool_]]], alpha: float, *,
    seed: int, rules: DecisionRules,
) -> Instability:  # fmt: skip
    """The share of redraws whose verdict on objective and slices differs from that of the evidence itself.

    Args:
        pairs: paired tasks.
        trials: theirs.
        asked: each question with the mask of its tasks.
        alpha: one-sided.
    """
    if pairs.is_one_trial:
        return Instability(0, 0, None, "one_trial")
    if max(pairs.rows, pairs.size * rules.redraw_resamples) * rules.redraws > rules.two_stage_draws_limit:
        return Instability(0, 0, None, "too_many_rows")
    drawn = np.vstack([pairs.differences, *redrawn_differences(trials, seed, rules.redraws)])
    outcomes = np.zeros((drawn.shape[0], len(asked)), dtype=np.int64)
    for place, (question, mask) in enumerate(asked):
        outcomes[:, place] = _outcomes(drawn[:, mask], pairs.chosen(mask), question, alpha, seed, rules)
    # one that fails blocks, one that cannot tell is insufficient: the verdict is the least of them
    verdicts = outcomes.min(axis=1)
    flips = int((verdicts[1:] != verdicts[0]).sum())
    return Instability(rules.redraws, flips, flips / rules.redraws, None)


def redrawn_differences(trials: TrialValues, seed: int, redraws: int) -> list[Integers]:
    """The tasks' differences of each redraw, in billionths."""
    size = trials.values.size
    counts = np.repeat(trials.counts, trials.counts).astype(np.uint64)
    bases = np.repeat(trials.starts, trials.counts)
    owners = np.repeat(np.arange(trials.counts.size, dtype=np.int64), trials.counts)
    steps = np.arange(1, (size + 1) // 2 + 1, dtype=np.uint64) * WORD_STEP
    found = []
    for key in resample_keys(seed, REDRAWS_FROM, REDRAWS_FROM + redraws):
        with np.errstate(over="ignore"):
            words = mix(key + steps)
            halves = np.empty((words.size, 2), dtype=np.uint64)
            halves[:, 0], halves[:, 1] = words & LOW_HALF, words >> HALF_BITS
            picked = bases + ((halves.ravel()[:size] * counts) >> HALF_BITS).astype(np.int64)
        sums = np.add.reduceat(trials.values[picked], trials.starts) if size else owners
        # billionths of a mean, to the nearest below: a redraw is no published number
        means = sums // trials.counts
        found.append(means[0::2] - means[1::2])
    return found


def _outcomes(
    drawn: Integers, pairs: PairedTasks, question: Question, alpha: float, seed: int, rules: DecisionRules
) -> Integers:
    """(d) 1 pass, -1 fail, 0 inconclusive for each row of differences."""
    none = np.zeros(drawn.shape[0], dtype=np.int64)
    if pairs.size < max(2, question.minimum_tasks) or pairs.cluster_count < 2:
        return none
    sums, masses = _units(drawn, pairs)
    units = masses.size
    keys = resample_keys(seed, 0, rules.redraw_resamples)
    rows = np.arange(keys.size, dtype=np.int64)[:, None] * units
    times = np.bincount((draws(keys, units) + rows).ravel(), minlength=keys.size * units).reshape(keys.size, units)
    counts = times.astype(np.float64)
    low, high = _ends((sums @ counts.T) / (counts @ masses), alpha)
    if units <= rules.bounded_units_limit:
        inner = exponential_weights(resample_keys(seed, FIRST_RESAMPLE, FIRST_RESAMPLE + keys.size), units + 1)
        shares = inner.astype(np.float64)
        above, below = sums @ shares[:, :-1].T, shares[:, :-1] @ masses
        more = shares[:, -1] * (float(np.cumsum(masses)[-1]) / units)
        wide_low, _ = _ends((above - more) / (below + more), alpha)
        _, wide_high = _ends((above + more) / (below + more), alpha)
        low, high = np.minimum(low, wide_low), np.maximum(high, wide_high)
    margin = question.margin_pp / 100
    found = none.copy()
    found[low > margin] = 1
    found[high < margin] = -1
    return found


def _units(drawn: Integers, pairs: PairedTasks) -> tuple[Floats, Floats]:
    """(d, u) sums and (u) masses of units, in the order of their names, for every row of differences.

    Whole millionths as doubles far below 2^53, so that products with whole weights are exact in any order.
    """
    weights = np.ones(pairs.size) if pairs.weights is None else pairs.weights / pairs.weights.mean()
    codes = np.arange(pairs.size, dtype=np.int64) if pairs.clusters is None else pairs.clusters
    masses = summed(np.rint(weights * MILLION).astype(np.int64), codes).astype(np.float64)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    parts = np.rint(drawn * (weights * (MILLION / SCALE)))
    return np.add.reduceat(parts[:, order], starts, axis=1), masses


def _ends(means: Floats, alpha: float) -> tuple[Floats, Floats]:
    """The alpha and 1 - alpha quantiles of each row, to the nearest resample."""
    places = [round(share * (means.shape[1] - 1)) for share in (alpha, 1 - alpha)]
    found = np.partition(means, places, axis=1)
    return found[:, places[0]], found[:, places[1]]
