"""The promise of a gate: where the truth lies exactly at the margin it passes at most alpha of the time, at every n.

Simulated through the same functions that `decide` calls, with fewer resamples; limits allow three Monte-Carlo errors.
Beside it the percentile bootstrap alone is shown to break the promise, which is why it does not decide alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from decision_cases import methodology
from numpy.typing import NDArray

from methods.decision.exact_pairs import exact_p
from methods.decision.mean_bounds import Ends, mean_bounds
from methods.decision.tango import scores as scores_of
from methods.decision.units import make_units
from methods.statistics.fixed_point import SCALE

ALPHA, SIMULATED = 0.05, 200
LIMIT = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / SIMULATED)
RULES = methodology().decision.model_copy(update={"resamples": 250})

Draw = Callable[[np.random.Generator], tuple[NDArray[np.float64], NDArray[np.int64] | None]]


def trials(n: int, count: int) -> Draw:
    """Tasks of very different difficulty, right or wrong in each of several trials; the candidate loses 5 points."""

    def draw(rng: np.random.Generator) -> tuple[NDArray[np.float64], None]:
        rate = rng.beta(0.7, 0.3, n)[:, None]
        old = rng.random((n, count)) < rate
        new = (rng.random((n, count)) < rate) & (rng.random((n, count)) >= 0.05 / 0.7)
        return new.mean(axis=1) - old.mean(axis=1), None

    return draw


def rare(n: int) -> Draw:
    """Nothing ever changes but for one task in twenty, which is lost: most small samples show no loss at all."""
    return lambda rng: (-(rng.random(n) < 0.05).astype(np.float64), None)


def clustered(count: int) -> Draw:
    """Clusters of unequal size whose tasks gain or lose together; 5 points are lost on average."""

    def draw(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        codes = np.repeat(np.arange(count), rng.geometric(0.2, count))
        rate = (0.2 + 0.6 * rng.beta(1, 1, count))[codes]
        shift = (rng.choice([-0.15, 0.15], count) - 0.05)[codes]
        new, old = rng.random(codes.size) < rate + shift, rng.random(codes.size) < rate
        return new.astype(np.float64) - old, codes.astype(np.int64)

    return draw


def scores(n: int) -> Draw:
    """Differences of a bounded score, skewed: many small gains, few large losses."""

    def draw(rng: np.random.Generator) -> tuple[NDArray[np.float64], None]:
        lost = rng.random(n) < 0.1
        return np.where(lost, -0.95, 0.05), None  # mean 0.9 * 0.05 - 0.1 * 0.95 = -0.05

    return draw


def shipped(draw: Draw, seed: int) -> tuple[float, float, float]:
    """How often both bounds pass, how often the percentiles alone do, and how often the interval covers the truth."""
    rng = np.random.default_rng(seed)
    both = alone = covered = 0
    for number in range(SIMULATED):
        differences, codes = draw(rng)
        units = make_units(np.rint(differences * SCALE).astype(np.int64), codes, None)
        found = mean_bounds(units, Ends(-1, 1), ALPHA, -0.05, seed=number, rules=RULES)
        if found.low is None or found.high is None or found.bootstrap is None:
            continue
        both += found.low > -0.05
        alone += found.bootstrap.low > -0.05
        covered += found.low <= -0.05 <= found.high
    return both / SIMULATED, alone / SIMULATED, covered / SIMULATED


CASES = {
    "6 tasks": trials(6, 4), "30 tasks": trials(30, 4), "60 tasks": trials(60, 2), "10 rare": rare(10),
    "60 rare": rare(60), "5 clusters": clustered(5), "30 clusters": clustered(30), "12 scores": scores(12),
    "40 scores": scores(40),
}  # fmt: skip


@pytest.mark.parametrize("draw", CASES.values(), ids=CASES)
def test_false_ship_rate_and_coverage(draw: Draw) -> None:
    both, _, covered = shipped(draw, 11)
    assert both <= LIMIT
    assert covered >= 1 - 2 * ALPHA - 3 * math.sqrt(2 * ALPHA * (1 - 2 * ALPHA) / SIMULATED)


@pytest.mark.parametrize("draw", [rare(10), scores(12)], ids=["rare10", "scores12"])
def test_percentiles_alone_would_ship_far_too_often(draw: Draw) -> None:
    _, alone, _ = shipped(draw, 12)
    assert alone > 0.25


@pytest.mark.parametrize(("n", "discordant"), [(20, 0.05), (40, 0.3), (60, 0.06), (150, 0.15)])
def test_false_ship_rate_of_pairs(n: int, discordant: float) -> None:
    """One binary trial a task: Tango's bound and the exact test at a margin of 5 points, over thousands of samples."""
    many, margin = 20_000, -0.05
    losing = (discordant - margin) / 2
    rng = np.random.default_rng(13)
    drawn = rng.multinomial(n, [losing + margin, losing, 1 - 2 * losing - margin], size=many)
    tables, times = np.unique(drawn[:, :2], axis=0, return_counts=True)
    # the lower bound lies above the margin where the margin's own score exceeds z
    tango = scores_of(tables[:, 0].astype(float), tables[:, 1].astype(float), n, margin) > 1.6448536269514722
    passed = sum(
        int(count)
        for (wins, losses), count in zip(tables[tango].tolist(), times[tango], strict=True)
        if exact_p(wins, losses, n, margin, points=30, risk=0.001) <= ALPHA
    )
    assert passed / many <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / many)
