"""Wilson's interval: published values, scipy, coverage, and ends that are exact at 0 and n."""

from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.statistics.wilson import Proportion, wilson_interval

Z = 1.959963984540054


def interval(successes: int, n: int) -> Proportion:
    found = wilson_interval(successes, n, Z)
    assert found is not None
    return found


def test_144_of_200() -> None:
    """METHODS 12: 72.0%, 65.4% to 77.8%."""
    found = interval(144, 200)
    assert [round(100 * end, 1) for end in (found.share, found.low, found.high)] == [72.0, 65.4, 77.8]


def test_published_example() -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 857-872, table I: 81/263, 15/148, 0/20, 1/29 by the score method."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, n), ends in published.items():
        found = interval(successes, n)
        assert (round(found.low, 4), round(found.high, 4)) == ends


@pytest.mark.parametrize("n", [1, 20, 38, 77, 10**6])
def test_ends_are_exact(n: int) -> None:
    """E10: 0/77 begins at 0 and 38/38 ends at 1, to the last bit."""
    none, every = interval(0, n), interval(n, n)
    assert (none.share, none.low) == (0.0, 0.0)
    assert (every.share, every.high) == (1.0, 1.0)
    assert 0 < none.high < 1
    assert 0 < every.low < 1


def test_nothing_observed_has_no_interval() -> None:
    """E13: 0/0 is no proportion."""
    assert wilson_interval(0, 0, Z) is None


@given(st.integers(1, 3000), st.data())
@settings(deadline=None)
def test_equals_scipy_and_holds_the_share(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    found = interval(successes, n)
    theirs = scipy.stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert 0 <= found.low <= found.share <= found.high <= 1


def test_covers_the_truth_at_about_its_level() -> None:
    """Exact coverage over all outcomes of 30 trials, on average over the proportion."""
    covered = []
    for tenths in range(1, 20):
        truth = tenths / 20
        chances = [math.comb(30, k) * truth**k * (1 - truth) ** (30 - k) for k in range(31)]
        covered.append(
            sum(chance for k, chance in enumerate(chances) if interval(k, 30).low <= truth <= interval(k, 30).high)
        )
    assert sum(covered) / len(covered) == pytest.approx(0.953, abs=0.01)
    assert min(covered) > 0.92


@pytest.mark.parametrize(("successes", "n", "z"), [(-1, 3, Z), (4, 3, Z), (1, 3, 0.0), (1, 3, math.inf)])
def test_nonsense_is_refused(successes: int, n: int, z: float) -> None:
    with pytest.raises(ValueError, match=r"proportion|positive"):
        wilson_interval(successes, n, z)
