"""Means, ratios and roots of exact fractions, so that a tie is a tie and a figure is rounded once (METHODS 11).

Belongs here: arithmetic that figures of the panel share. Does not belong here: any figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

_DIGITS: Final = Context(prec=60)


def mean(values: Iterable[Fraction]) -> Fraction:
    """The mean of at least one value."""
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)


def mean_or_none(values: Iterable[Fraction | None]) -> Fraction | None:
    """The mean; None for no values, or where one of them is unknown."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return mean(known) if known and len(known) == len(listed) else None


def ratio(part: Fraction, whole: Fraction) -> Fraction:
    """part / whole; 0 of 0 is 0."""
    return part / whole if whole else Fraction(0)


def geometric_mean(values: Sequence[Fraction]) -> float:
    """The geometric mean of at least one value, none negative; 0 if any is 0. Correct to the last bit but one."""
    product = Fraction(1)
    for value in values:
        product *= value
    return root(product, len(values))


def root(value: Fraction | float, degree: int) -> float:
    """The root of a value that is not negative, in decimals of 60 digits: the same on every machine."""
    exact = Fraction(value)
    if exact == 0:
        return 0.0
    if degree == 1:
        return float(exact)
    decimal = _DIGITS.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return float(_DIGITS.exp(_DIGITS.divide(_DIGITS.ln(decimal), Decimal(degree))))


def number(value: Fraction | float | None) -> float | None:
    """A figure as it is published: the nearest double; None stays None."""
    return None if value is None else float(value)
