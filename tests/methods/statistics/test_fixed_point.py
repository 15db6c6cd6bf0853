"""Billionths are those of the exact decimal, rounded half to even once, or refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.statistics.fixed_point import (
    LARGEST,
    FixedPointError,
    assert_sums_fit,
    exact_sum,
    fixed_decimal,
    fixed_point,
)


@given(st.lists(st.floats(-9e9, 9e9) | st.integers(-(10**12), 10**12).map(lambda n: (2 * n + 1) / 2e9), max_size=30))
@settings(deadline=None)
def test_floats_equal_their_shortest_decimal_rounded_half_to_even(values: list[float]) -> None:
    assert fixed_point(values).tolist() == [round(Fraction(repr(value)) * 10**9) for value in values]


def test_worked_values() -> None:
    assert fixed_point([0.1, -2.5, 27.0, 1e-10, 5e-10, 1.5e-9, 4.06]).tolist() == [
        100_000_000, -2_500_000_000, 27_000_000_000, 0, 0, 2, 4_060_000_000,
    ]  # fmt: skip
    assert fixed_decimal(Decimal("0.0000000025")) == 2


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 9.3e9])
def test_what_has_no_place_is_refused(value: float) -> None:
    with pytest.raises(FixedPointError):
        fixed_point([value])
    with pytest.raises(FixedPointError):
        fixed_decimal(Decimal(value))


def test_bounds_hold_to_the_last_unit() -> None:
    largest = np.array([LARGEST // 4, -1], dtype=np.int64)
    assert_sums_fit(largest, 4)
    with pytest.raises(FixedPointError):
        assert_sums_fit(largest, 5)
    assert exact_sum(np.array([LARGEST, LARGEST], dtype=np.int64)) == 2 * LARGEST
