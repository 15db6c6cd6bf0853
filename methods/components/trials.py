"""pass@k and pass^k: the chance that one of k trials succeeds, and that all do (METHODS 13).

Belongs here: both shares of a task and their mean over tasks, exact for any number of trials. Does not belong here:
what counts as a success, intervals. C(a, b) is 0 for b > a. A task with n < k trials has no value: it is left out and
counted. Binomials are whole numbers of any length, divided once, so nothing overflows or cancels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from methods.statistics.fixed_point import Integers

_GUARD_BITS: Final = 256
"""Binary places of a task's share in the sum over tasks: the mean is right to the last bit of a double."""

LARGEST_TRIALS: Final = 10**9
_DENSE: Final = 8
"""Places per task up to which counting beats sorting. It moves time only."""

NoTrials = Literal["no_tasks", "too_few_trials"]
Kind = Literal["pass_at_k", "pass_hat_k"]


@dataclass(frozen=True, slots=True)
class TrialShare:
    """A mean over tasks of the chance that one (pass@k) or every one (pass^k) of k trials succeeds.

    Attributes:
        k: trials spoken of.
        value: 0 to 1; None where `reason` says why.
        tasks: tasks with at least k trials, over which the mean goes.
        left_out: tasks with fewer.
        reason: `no_tasks`, or `too_few_trials` where every task has fewer than k.
    """

    k: int
    value: float | None
    tasks: int
    left_out: int
    reason: NoTrials | None


def pass_at_k(trials: ArrayLike, successes: ArrayLike, k: int) -> TrialShare:
    """pass@k = 1 - mean over tasks of C(n - c, k) / C(n, k): at least one of k independent trials succeeds.

    Args:
        trials: (t) n of each task, any number from 0.
        successes: (t) c of each task, 0 to n.
        k: at least 1.

    Raises:
        ValueError: for k below 1, lengths that differ, or c outside 0 to n.
    """
    return _mean(trials, successes, k, "pass_at_k")


def pass_hat_k(trials: ArrayLike, successes: ArrayLike, k: int) -> TrialShare:
    """pass^k = mean over tasks of C(c, k) / C(n, k): every one of k independent trials succeeds.

    Arguments and errors as `pass_at_k`.
    """
    return _mean(trials, successes, k, "pass_hat_k")


def task_share(n: int, c: int, k: int, kind: Kind) -> float | None:
    """pass@k or pass^k of one task, rounded once; None where n < k.

    Raises:
        ValueError: for k below 1, or c outside 0 to n.
    """
    _checked(np.array([n]), np.array([c]), k)
    if n < k:
        return None
    every = math.comb(n, k)
    return _hits(every, n, c, k, kind) / every


def task_shares(trials: ArrayLike, successes: ArrayLike, k: int, kind: Kind) -> NDArray[np.float64]:
    """pass@k or pass^k of each task; NaN where it has fewer than k trials. For resampling over tasks.

    Arguments and errors as `pass_at_k`.
    """
    counts, wins = _checked(np.asarray(trials), np.asarray(successes), k)
    codes, places = np.unique(_codes(counts, wins), return_inverse=True)
    found = [task_share(*_pair(code), k, kind) for code in codes.tolist()]
    return np.array([math.nan if share is None else share for share in found], dtype=np.float64)[places.reshape(-1)]


def _mean(trials: ArrayLike, successes: ArrayLike, k: int, kind: Kind) -> TrialShare:
    counts, wins = _checked(np.asarray(trials), np.asarray(successes), k)
    enough = counts >= k
    tasks, left_out = int(enough.sum()), int((~enough).sum())
    if tasks == 0:
        return TrialShare(k, None, 0, left_out, "too_few_trials" if left_out else "no_tasks")
    by_trials: dict[int, int] = {}
    binomials: dict[int, int] = {}
    for code, number in _counted(_codes(counts[enough], wins[enough])):
        n, c = _pair(code)
        # C(n - c, k) depends on n - c alone: thousands of trials need thousands of binomials, not millions.
        drawn_from = c if kind == "pass_hat_k" else n - c
        if drawn_from not in binomials:
            binomials[drawn_from] = math.comb(drawn_from, k)
        by_trials[n] = by_trials.get(n, 0) + number * binomials[drawn_from]
    scaled = sum((total << _GUARD_BITS) // math.comb(n, k) for n, total in sorted(by_trials.items()))
    whole = tasks << _GUARD_BITS
    value = scaled / whole if kind == "pass_hat_k" else (whole - scaled) / whole
    return TrialShare(k, value, tasks, left_out, None)


def _codes(trials: Integers, successes: Integers) -> Integers:
    """Each (n, c) as one whole number: c after all pairs of fewer trials."""
    return trials * (trials + 1) // 2 + successes


def _pair(code: int) -> tuple[int, int]:
    """The (n, c) of a code."""
    n = (math.isqrt(8 * code + 1) - 1) // 2
    return n, code - n * (n + 1) // 2


def _counted(codes: Integers) -> list[tuple[int, int]]:
    """Each code and how often it stands there, ascending; counted in place where the codes are dense."""
    if int(codes.max()) <= _DENSE * codes.size:
        times = np.bincount(codes)
        found = np.flatnonzero(times)
        return list(zip(found.tolist(), times[found].tolist(), strict=True))
    distinct, times = np.unique(codes, return_counts=True)
    return list(zip(distinct.tolist(), times.tolist(), strict=True))


def _hits(every: int, n: int, c: int, k: int, kind: Kind) -> int:
    """Of the C(n, k) choices of k trials, those that succeed."""
    return math.comb(c, k) if kind == "pass_hat_k" else every - math.comb(n - c, k)


def _checked(trials: NDArray[np.generic], successes: NDArray[np.generic], k: int) -> tuple[Integers, Integers]:
    if k < 1:
        raise ValueError(f"k {k}: at least one trial is meant")
    if trials.size and float(np.abs(trials).max()) > LARGEST_TRIALS:
        raise ValueError(f"more than {LARGEST_TRIALS} trials of one task cannot be counted")
    if trials.shape != successes.shape or trials.ndim != 1:
        raise ValueError(f"{trials.shape} tasks have trials, but {successes.shape} have successes")
    counts, wins = trials.astype(np.int64), successes.astype(np.int64)
    if trials.size and (np.any(counts != trials) or np.any(wins != successes)):
        raise ValueError("trials and successes are whole numbers")
    wrong = np.flatnonzero((wins < 0) | (wins > counts))
    if wrong.size:
        raise ValueError(f"task {wrong[0]}: {wins[wrong[0]]} of {counts[wrong[0]]} trials cannot succeed")
    return counts, wins
