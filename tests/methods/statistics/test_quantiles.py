"""Type 7: worked example, numpy, exact tails."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.statistics.quantiles import quantile, tails


def test_worked_example() -> None:
    """h = 3 x 0.25 = 0.75 between 10 and 20, the first and second of four."""
    assert quantile([10.0, 20.0, 30.0, 40.0], Fraction(1, 4)) == 17.5
    assert quantile([10.0, 20.0, 30.0, 40.0], Fraction(1)) == 40.0
    assert quantile([3.0], Fraction(1, 3)) == 3.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), st.fractions(0, 1, max_denominator=1000))
@settings(deadline=None)
def test_equals_numpy(values: list[float], probability: Fraction) -> None:
    ascending = np.sort(values)
    assert quantile(ascending, probability) == pytest.approx(np.quantile(ascending, float(probability)), abs=1e-7)


def test_tails_are_exact() -> None:
    assert tails(0.95) == (Fraction(1, 40), Fraction(39, 40))
    assert tails(0.8) == (Fraction(1, 10), Fraction(9, 10))


def test_nothing_and_nonsense_are_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        quantile([], Fraction(1, 2))
    with pytest.raises(ValueError, match="outside 0 to 1"):
        quantile([1.0], Fraction(3, 2))
