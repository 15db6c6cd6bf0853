"""Two-stage resampling, tasks and then trials within them, in plain loops for the compiler (METHODS 12).

Belongs here: the loop and its call. It counts the variance of trials twice, once within and once between tasks, so it
is used only where a contract declares it.

Slot i of a resample draws a task as `methods.statistics.keyed_random` says; its trials are drawn from words of resample
number + 2^41, two 32-bit draws a word, the candidate's trials first. Tasks stand in the order of their names, trials in
that of their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from methods.decision.units import Floats
from methods.statistics.compiling import compiled
from methods.statistics.fixed_point import SCALE, Integers
from methods.statistics.keyed_random import (
    FIRST_FACTOR,
    FIRST_SHIFT,
    HALF_BITS,
    LOW_HALF,
    SECOND_FACTOR,
    SECOND_SHIFT,
    THIRD_SHIFT,
    WORD_STEP,
    Words,
    resample_keys,
)

TRIALS_FROM: Final = 1 << 41


@dataclass(frozen=True, slots=True)
class Trials:
    """Trials of paired tasks, each as its part of the task's difference.

    Attributes:
        parts: (k) weight times value over the number of the system's trials, in billionths, negative for the baseline;
            per task the candidate's trials, then the baseline's.
        starts: (t) place of a task's first part.
        candidates, baselines: (t) trials of each system.
        masses: (t) weights, as of `units.Units`.
        mass_scale: as of `units.Units`.
    """

    parts: Integers
    starts: Integers
    candidates: Integers
    baselines: Integers
    masses: Integers
    mass_scale: int


def two_stage_means(trials: Trials, seed: int, resamples: int) -> Floats:
    """The mean difference of each resample, in order of their numbers."""
    keys, inner = resample_keys(seed, 0, resamples), resample_keys(seed, TRIALS_FROM, TRIALS_FROM + resamples)
    sums, masses = np.empty(resamples, dtype=np.int64), np.empty(resamples, dtype=np.int64)
    compiled(draw_two_stage)(
        trials.parts, trials.starts, trials.candidates, trials.baselines, trials.masses, keys, inner, sums, masses
    )
    return sums.astype(np.float64) * trials.mass_scale / (masses.astype(np.float64) * SCALE)


def draw_two_stage(
    parts: Integers, starts: Integers, candidates: Integers, baselines: Integers, masses: Integers, keys: Words,
    inner: Words, out_sums: Integers, out_masses: Integers,
) -> None:  # fmt: skip
    """Writes, for each key, the sum of the drawn tasks' drawn parts, and of their masses."""
    count = starts.size
    size = np.uint64(count)
    for r in range(keys.size):
        total = np.int64(0)
        mass = np.int64(0)
        drawn = 0
        outer_word = np.uint64(0)
        word = np.uint64(0)
        for i in range(count):
            if i % 2 == 0:
                outer_word = keys[r] + np.uint64(i // 2 + 1) * WORD_STEP
                outer_word = (outer_word ^ (outer_word >> FIRST_SHIFT)) * FIRST_FACTOR
                outer_word = (outer_word ^ (outer_word >> SECOND_SHIFT)) * SECOND_FACTOR
                outer_word = outer_word ^ (outer_word >> THIRD_SHIFT)
                task = np.int64(((outer_word & LOW_HALF) * size) >> HALF_BITS)
            else:
                task = np.int64(((outer_word >> HALF_BITS) * size) >> HALF_BITS)
            mass += masses[task]
            start = starts[task]
            for side in range(2):
                trials = candidates[task] if side == 0 else baselines[task]
                among = np.uint64(trials)
                for _ in range(trials):
                    if drawn % 2 == 0:
                        word = inner[r] + np.uint64(drawn // 2 + 1) * WORD_STEP
                        word = (word ^ (word >> FIRST_SHIFT)) * FIRST_FACTOR
                        word = (word ^ (word >> SECOND_SHIFT)) * SECOND_FACTOR
                        word = word ^ (word >> THIRD_SHIFT)
                        total += parts[start + np.int64(((word & LOW_HALF) * among) >> HALF_BITS)]
                    else:
                        total += parts[start + np.int64(((word >> HALF_BITS) * among) >> HALF_BITS)]
                    drawn += 1
                start += trials
        out_sums[r] = total
        out_masses[r] = mass
