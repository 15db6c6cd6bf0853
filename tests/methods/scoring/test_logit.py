"""Reading values in their unit and the logit (METHODS 3 and 7)."""

from __future__ import annotations

import math
from decimal import Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.scoring.logit import logit, read_value, read_values, transform_values


def test_percent_is_divided_as_the_decimal_that_was_stated() -> None:
    # 0.57 * 100 is 56.99999999999999 in floats; the other way round, 1.1 / 100 differs from 0.011 in floats
    assert read_value(57.0, "score") == 0.57
    assert read_value(1.1, "score") == 0.011
    assert 1.1 / 100 != 0.011
    assert read_value(0.27, "score_fraction") == 0.27
    assert read_value(1304.5, "rating") == 1304.5


def test_worked_logits() -> None:
    # ln(0.8/0.2) = ln 4 ; slope 1/(0.8*0.2) = 6.25
    assert logit(0.8, "higher", 0.005) == (1.3862943611198906, 6.25)
    assert logit(0.8, "lower", 0.005) == (-1.3862943611198906, 6.25)
    assert logit(0.5, "higher", 0.005) == (0.0, 4.0)


def test_zero_and_one_are_evidence_at_the_clip() -> None:
    # ln(0.995/0.005) = ln 199
    assert logit(0.0, "higher", 0.005)[0] == -math.log(199)
    assert logit(1.0, "higher", 0.005)[0] == math.log(199)
    assert logit(0.0, "lower", 0.005)[0] == math.log(199)
    assert logit(0.004, "higher", 0.005) == logit(0.0, "higher", 0.005)


@given(st.floats(0.0, 1.0), st.sampled_from(["higher", "lower"]))
def test_correctly_rounded_against_more_digits(fraction: float, direction: str) -> None:
    wide = Context(prec=120)
    exact = Decimal(repr(fraction))
    exact = 1 - exact if direction == "lower" else exact
    exact = min(max(exact, Decimal("0.005")), Decimal("0.995"))
    x, slope = logit(fraction, direction, 0.005)  # type: ignore[arg-type]
    assert x == float(wide.ln(wide.divide(exact, 1 - exact)))
    assert slope == float(wide.divide(Decimal(1), wide.multiply(exact, 1 - exact)))
    assert x == pytest.approx(math.log(float(exact) / (1 - float(exact))), abs=1e-14)


def test_arrays_equal_scalars_and_ratings_only_flip() -> None:
    values = np.array([0.2, 0.0, 0.2, 1.0, 0.7312])
    x, slope = transform_values(values, direction="lower", transform="logit", epsilon=0.005)
    assert list(zip(x, slope, strict=True)) == [logit(v, "lower", 0.005) for v in values.tolist()]
    assert read_values(np.array([12.5, 0.0]), "score").tolist() == [0.125, 0.0]
    x, slope = transform_values(np.array([1200.0, 0.0]), direction="lower", transform="identity", epsilon=0.005)
    assert x.tolist() == [-1200.0, 0.0]
    assert not np.signbit(x[1])
    assert slope.tolist() == [1.0, 1.0]


def test_a08_a_percentage_declared_as_fraction_is_refused() -> None:
    """A08: 58.4 among fractions is out of range; it is never rescaled by its size."""
    with pytest.raises(ValueError, match="outside 0 to 1"):
        transform_values(np.array([0.52, 0.61, 58.4]), direction="higher", transform="logit", epsilon=0.005)


def test_a38_a_metric_without_direction_has_no_scale() -> None:
    """A38: no direction, no standardization; "higher" is never assumed."""
    with pytest.raises(ValueError, match="unknown"):
        transform_values(np.array([0.5]), direction="unknown", transform="logit", epsilon=0.005)


@given(
    st.one_of(
        st.floats(1e-6, 1 - 1e-6), st.floats(0.5 - 1e-9, 0.5 + 1e-9), st.integers(0, 10_000).map(lambda n: n / 10_000)
    )
)
def test_the_short_way_and_the_long_one_give_the_same_bits(fraction: float) -> None:
    """Naive against fast: 24 digits decide only where 50 could not say otherwise."""
    digits = Context(prec=60)
    exact = min(max(Decimal(repr(fraction)), Decimal("1e-6")), Decimal("0.999999"))
    long = float(digits.ln(digits.divide(exact, digits.subtract(Decimal(1), exact))))
    assert logit(fraction, "higher", 1e-6)[0].hex() == long.hex()
