"""The exact upper limit: the closed form at 0, scipy everywhere, and 149 items before anything opens."""

from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.statistics.clopper_pearson import trials_for_limit, upper_limit


def test_149_items_before_a_limit_of_two_points_holds() -> None:
    """METHODS 10: 0.05^(1/149) leaves 0.0199, one item fewer 0.0200."""
    assert upper_limit(0, 149, 0.95) <= 0.02 < upper_limit(0, 148, 0.95)
    assert trials_for_limit(0, 0.02, 0.95) == 149


@given(st.integers(0, 5), st.integers(1, 400))
@settings(max_examples=60, deadline=None)
def test_equals_scipy(successes: int, n: int) -> None:
    if successes >= n:
        assert upper_limit(min(successes, n), n, 0.95) == 1.0
        return
    theirs = scipy.stats.beta.ppf(0.95, successes + 1, n - successes)
    assert upper_limit(successes, n, 0.95) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(("n", "level"), [(500, 1 - 2e-6), (77, 0.95), (1, 0.95), (10**6, 0.95)])
def test_closed_form_of_none(n: int, level: float) -> None:
    """E12: no jump to almost 1 for no successes and a tiny tail."""
    assert upper_limit(0, n, level) == pytest.approx(-math.expm1(math.log1p(-level) / n), rel=1e-9)


@given(st.integers(0, 4), st.integers(1, 30).map(lambda tenths: tenths / 100))
@settings(max_examples=30, deadline=None)
def test_fewest_trials_is_the_fewest(successes: int, limit: float) -> None:
    n = trials_for_limit(successes, limit, 0.95)
    assert upper_limit(successes, n, 0.95) <= limit
    assert n - 1 < max(successes, 1) or upper_limit(successes, n - 1, 0.95) > limit


def test_covers_at_least_its_level() -> None:
    """An exact limit covers too often rather than too rarely."""
    for chance in (0.005, 0.01, 0.02, 0.05):
        covered = sum(
            math.comb(120, k) * chance**k * (1 - chance) ** (120 - k)
            for k in range(30)
            if upper_limit(k, 120, 0.95) >= chance
        )
        assert covered >= 0.95


@pytest.mark.parametrize(("successes", "n", "level"), [(-1, 3, 0.95), (4, 3, 0.95), (0, 0, 0.95), (1, 3, 1.0)])
def test_nonsense_is_refused(successes: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"proportion|level"):
        upper_limit(successes, n, level)
