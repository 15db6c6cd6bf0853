"""The exact sign test: worked by hand, scipy, the other definition of two-sided, and zeros."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from written_out import sign_p

from methods.statistics.sign_test import SignTest, sign_test, two_sided_p


def test_worked_by_hand() -> None:
    """8 of 10 positive: 1 + 10 + 45 = 56 of 1,024 splits lie at or beyond on one side, so p = 112/1024 = 0.109."""
    assert two_sided_p(8, 2) == 112 / 1024


def test_zeros_are_dropped_and_counted() -> None:
    """E21: 15 wins, 15 losses, 40 ties: p = 1; the ties make nothing significant."""
    assert sign_test([1] * 15 + [-1] * 15 + [0] * 40) == SignTest(15, 15, 40, 1.0)


def test_all_zero_has_no_p() -> None:
    assert sign_test([0.0, 0, Decimal("0.0")]) == SignTest(0, 0, 3, None)
    assert sign_test([]) == SignTest(0, 0, 0, None)


@given(st.integers(0, 150), st.integers(0, 150))
@settings(deadline=None)
def test_equals_scipy_and_the_naive_sum(positive: int, negative: int) -> None:
    p = two_sided_p(positive, negative)
    if positive + negative == 0:
        assert p is None
        return
    assert p == float(sign_p(positive, negative))
    assert p == pytest.approx(scipy.stats.binomtest(positive, positive + negative).pvalue, rel=1e-9)


def test_level_holds_under_the_null() -> None:
    """Of all outcomes of 25 fair signs, those with p <= 0.05 have probability at most 0.05, and not much less."""
    chances = scipy.stats.binom.pmf(np.arange(26), 25, 0.5)
    rejected = sum(chance for k, chance in enumerate(chances) if (two_sided_p(k, 25 - k) or 1) <= 0.05)
    assert 0.03 < rejected <= 0.05


def test_very_many_signs_stay_exact_enough_to_order() -> None:
    assert two_sided_p(5000, 5000) == 1.0
    assert 0.0 < (two_sided_p(4500, 5500) or 0) < 1e-22
    assert two_sided_p(0, 5000) == 0.0  # 2^-4999 is below the least double


@pytest.mark.parametrize("counts", [(-1, 2), (2, -1)])
def test_negative_counts_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no counts"):
        two_sided_p(*counts)


def test_nan_has_no_sign() -> None:
    with pytest.raises(ValueError, match="NaN"):
        sign_test([1.0, float("nan")])
