"""The always-valid bound: by hand, simulated under continuous looks, and beside plain fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.rollout.always_valid import (
    AlwaysValid,
    StopEvidence,
    always_valid,
    is_above,
    log_evidence,
    stop_evidence,
)
from methods.rollout.exposure import exposure, exposure_log_evidence
from methods.statistics.fixed_point import SCALE


def test_by_hand() -> None:
    # Even weights above 1/20: one of one gives (1 - m^2)/2 over 1 - m, over m: (1 + m) / (2 m) = 10.5.
    assert math.exp(log_evidence(1, SCALE, 0.05, 1.0)) == pytest.approx(10.5, rel=1e-13)
    # Two of two: (1 - m^3)/3 over 1 - m, over m^2; at one half 7/3.
    assert math.exp(log_evidence(2, 2 * SCALE, 0.5, 1.0)) == pytest.approx(7 / 3, rel=1e-13)
    # The first unit is harmed where one in fifty may be: (1 + m) / (2 m) = 25.5 against 1/alpha = 20. Its chance is 2%.
    assert is_above(1, SCALE, 0.02, 0.05, 1.0)
    assert not is_above(1, SCALE, 0.03, 0.05, 1.0)
    assert log_evidence(10, SCALE, 0.2, 0.5) == 0.0, "a mean within the limit is no evidence"


def test_edges() -> None:
    assert always_valid(0, 0, 0.05, 0.5) == AlwaysValid(0, None, 0.0, 1.0)
    clean, broken = always_valid(50, 0, 0.05, 0.5), always_valid(50, 50 * SCALE, 0.05, 0.5)
    assert (clean.mean, clean.low) == (0.0, 0.0)
    assert (broken.mean, broken.high) == (1.0, 1.0)
    assert clean.high == pytest.approx(1 - broken.low, abs=1e-8)
    # Where nothing may ever happen, the first that does is enough, and nothing before it is.
    assert is_above(1000, 1, 0.0, 1e-9, 0.5)
    assert not is_above(1000, 0, 0.0, 0.5, 0.5)
    assert log_evidence(3, 3 * SCALE, 1.0, 0.5) == 0.0


@pytest.mark.parametrize(
    ("n", "total", "alpha", "prior"),
    [
        (-1, 0, 0.05, 0.5),
        (1, 2 * SCALE, 0.05, 0.5),
        (1, -1, 0.05, 0.5),
        (1, 0, 0.0, 0.5),
        (1, 0, 1.0, 0.5),
        (1, 0, 0.05, 0.0),
    ],
)
def test_what_cannot_be_is_refused(n: int, total: int, alpha: float, prior: float) -> None:
    with pytest.raises(ValueError, match=r"sum|alpha|prior"):
        always_valid(n, total, alpha, prior)
    with pytest.raises(ValueError, match=r"sum|alpha|prior"):
        is_above(n, total, 0.5, alpha, prior)
    with pytest.raises(ValueError, match="outside 0 to 1"):
        log_evidence(1, 0, 1.5, 0.5)


def exact_evidence(n: int, k: int, limit: Fraction) -> Fraction:
    """E for binary values and even weights, by integrating a polynomial term by term, in fractions."""

    def above(power: int, other: int) -> Fraction:
        terms = [
            (-1) ** j * math.comb(other, j) * (1 - limit ** (power + j + 1)) / (power + j + 1) for j in range(other + 1)
        ]
        return sum(terms, Fraction(0))

    return above(k, n - k) / (1 - limit) / (limit**k * (1 - limit) ** (n - k))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.data(), st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50))
def test_as_plain_fractions(n: int, data: st.DataObject, limit: Fraction) -> None:
    k = data.draw(st.integers(0, n))
    found = always_valid(n, k * SCALE, 0.05, 1.0)
    if k > n * limit:
        exact = exact_evidence(n, k, limit)
        assert log_evidence(n, k * SCALE, float(limit), 1.0) == pytest.approx(math.log(exact), abs=1e-8)
        assert (found.low > float(limit)) == (exact >= 20)
    else:
        assert log_evidence(n, k * SCALE, float(limit), 1.0) == 0.0
    assert found.low <= k / n <= found.high


def ever_above(values: np.ndarray, limit: float, alpha: float, prior: float = 0.5) -> float:
    """Share of worlds in which a look after each single value would ever have stopped (written anew, vectorised)."""
    from scipy.special import betaincc, betaln, xlogy

    n = np.arange(1, values.shape[1] + 1)[None, :]
    hits = np.cumsum(values, axis=1)
    over = hits > limit * n
    n, hits = np.broadcast_to(n, hits.shape)[over], hits[over]
    logs = betaln(prior + hits, prior + n - hits) - betaln(prior, prior)
    logs += np.log(betaincc(prior + hits, prior + n - hits, limit)) - np.log(betaincc(prior, prior, limit))
    logs -= xlogy(hits, limit) + xlogy(n - hits, 1 - limit)
    reached = np.zeros(over.shape, dtype=bool)
    reached[over] = logs >= -math.log(alpha)
    return float(np.mean(np.any(reached, axis=1)))


@pytest.mark.parametrize("limit", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_false_stops_under_continuous_looks(limit: float, alpha: float) -> None:
    """At the limit itself, a look after every one of 1,000 units stops in at most alpha + 3 Monte-Carlo errors."""
    worlds = 400
    values = np.random.default_rng(int(1000 * limit)).random((worlds, 1000)) < limit
    assert ever_above(values, limit, alpha) <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / worlds)


def test_false_stops_of_values_that_are_not_binary_and_hang_together() -> None:
    """Fractions; a chance that swings with what came before while each mean stays at the limit; means that move."""
    draw, limit, worlds = np.random.default_rng(5), 0.2, 400
    values = draw.beta(0.2, 0.8, (worlds, 400))
    swinging = np.empty((worlds, 400))
    bold = np.zeros(worlds, dtype=bool)
    for n in range(400):
        swinging[:, n] = np.where(bold, draw.random(worlds) < limit, draw.uniform(0, 2 * limit, worlds))
        bold = swinging[:, n] > limit
    moving = draw.random((worlds, 400)) < np.where(np.arange(400) < 100, 0.01, limit)[None, :]
    for one in (values, swinging, moving):
        assert ever_above(one, limit, 0.05) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / worlds)


def test_the_plain_version_is_ours() -> None:
    values = np.random.default_rng(2).random((1, 300)) < 0.3
    hits = np.cumsum(values)
    ours = any(is_above(n + 1, int(hits[n]) * SCALE, 0.2, 0.05, 0.5) for n in range(300))
    assert ours == bool(ever_above(values, 0.2, 0.05))


def test_a_real_excess_is_found() -> None:
    """Four times the limit of 2% is stopped before 400 units nearly always."""
    values = np.random.default_rng(8).random((400, 400)) < 0.08
    assert ever_above(values, 0.02, 0.05) >= 0.97


def test_repeated_ordinary_tests_would_stop_too_often() -> None:
    """Why: an ordinary one-sided 5% test looked at after every unit stops a sound candidate several times as often."""
    worlds, limit = 400, 0.1
    values = np.random.default_rng(1).random((worlds, 1000)) < limit
    n = np.arange(1, 1001)[None, :]
    z = (np.cumsum(values, axis=1) - n * limit) / np.sqrt(n * limit * (1 - limit))
    ordinary = np.mean(np.any(z[:, 30:] > 1.645, axis=1))
    assert ordinary > 0.2 > 3 * ever_above(values, limit, 0.05)


def test_interval_covers_at_every_look_together() -> None:
    """Both bounds at 5% each: in 60 worlds at most as many misses as 10% and three Monte-Carlo errors."""
    covered = 0
    draw = np.random.default_rng(4)
    for _ in range(60):
        hits = np.cumsum(draw.random(200) < 0.15)
        looks = [always_valid(n, int(hits[n - 1]) * SCALE, 0.05, 0.5) for n in range(10, 201, 19)]
        covered += all(look.low <= 0.15 <= look.high for look in looks)
    assert covered >= 60 * 0.9 - 3 * math.sqrt(60 * 0.09)


def test_exposure_by_hand() -> None:
    # Even plan, c = 2: weights are even, 2 of 2 give 1/3 against 1/4.
    assert math.exp(exposure_log_evidence(2, 0, 0.5, 2.0)) == pytest.approx(4 / 3, rel=1e-14)
    even = exposure(50, 50, 0.5, largest=0.0, alpha=0.001, concentration=100.0)
    assert (even.observed, even.p_single, even.p_always, even.is_mismatch) == (0.5, 1.0, 1.0, False)
    # 5,300 of 10,000 where half was planned: six standard deviations.
    off = exposure(5300, 4700, 0.5, largest=0.0, alpha=0.001, concentration=100.0)
    assert off.is_mismatch
    assert off.p_single == pytest.approx(1.97e-9, rel=0.01)
    # What was once found stays found, though later batches make up for it.
    later = exposure(5300, 5300, 0.5, largest=off.log_evidence, alpha=0.001, concentration=100.0)
    assert later.is_mismatch
    nothing = exposure(0, 0, 0.1, largest=0.0, alpha=0.001, concentration=100.0)
    assert (nothing.observed, nothing.p_single, nothing.is_mismatch) == (None, None, False)
    with pytest.raises(ValueError, match="no exposure"):
        exposure(1, 1, 1.0, largest=0.0, alpha=0.001, concentration=100.0)


@pytest.mark.parametrize("planned", [0.5, 0.05])
def test_false_mismatches_under_continuous_looks(planned: float) -> None:
    from scipy.special import betaln

    worlds, c, alpha = 800, 100.0, 0.05
    k = np.cumsum(np.random.default_rng(3).random((worlds, 1200)) < planned, axis=1)
    n = np.arange(1, 1201)[None, :]
    logs = betaln(c * planned + k, c * (1 - planned) + n - k) - betaln(c * planned, c * (1 - planned))
    logs -= k * math.log(planned) + (n - k) * math.log(1 - planned)
    assert logs[7, 400] == pytest.approx(
        exposure_log_evidence(int(k[7, 400]), int(401 - k[7, 400]), planned, c), abs=1e-9
    )
    assert np.mean(np.any(logs >= -math.log(alpha), axis=1)) <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / worlds)


def test_every_beginning_by_hand() -> None:
    # Even weights, limit 1/2: nothing in two, then two of two. From batch 2 on E is 7/3; from batch 1 on it is
    # 2 of 4: integral of p^2 (1-p)^2 above 1/2 is 1/60, over 1/2, over 1/16: 8/15. Weights 1/2, 1/6, and 1/3 to come.
    found = stop_evidence([(2, 0), (2, 2 * SCALE)], 0.5, 1.0)
    assert math.exp(found.log) == pytest.approx(8 / 15 / 2 + 7 / 3 / 6 + 1 / 3, rel=1e-12)
    assert found.since == 2
    assert stop_evidence([], 0.5, 1.0) == StopEvidence(0.0, 1)
    assert stop_evidence([(5, 0), (1, 1)], 0.0, 0.5).log == math.inf
    assert stop_evidence([(1000, 0)] * 3, 0.5, 0.5).log == pytest.approx(math.log(1 / 4), abs=1e-3)


def test_false_stops_of_every_beginning_together() -> None:
    """Ten batches of 60 at the limit: at most alpha and three Monte-Carlo errors, however late it seems to begin."""
    worlds, alpha, stopped = 250, 0.1, 0
    draw = np.random.default_rng(9)
    for hits in draw.binomial(60, 0.1, (worlds, 10)).tolist():
        batches = [(60, k * SCALE) for k in hits]
        stopped += any(stop_evidence(batches[:look], 0.1, 0.5).log >= -math.log(alpha) for look in range(1, 11))
    assert stopped / worlds <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / worlds)
