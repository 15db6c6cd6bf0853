"""Numbers as whole billionths, so that sums over resamples are exact and do not depend on their order (PERFORMANCE).

Belongs here: the scale, the way into it and its limits. Does not belong here: what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]

SCALE: Final = 10**9
"""Whole units in one: a value is kept as the nearest billionth."""
LARGEST: Final = 2**63 - 1
_EXACT: Final = Context(prec=400, rounding=ROUND_HALF_EVEN)


class FixedPointError(ValueError):
    """A number that has no place among 64-bit billionths: not finite, or too large, alone or summed."""


def fixed_point(values: ArrayLike) -> Integers:
    """Floats as billionths: each one's shortest decimal, times 1e9, rounded half to even once.

    The product in floating point is within 2^-51 of the decimal one, relatively. Where that cannot move the nearest
    whole number it decides; the few values near a half are decided in decimals.

    Args:
        values: (n) finite numbers, in any unit.

    Raises:
        FixedPointError: for NaN, an infinity or a magnitude of 9.2e9 and more.
    """
    floats = np.asarray(values, dtype=np.float64)
    if not np.isfinite(floats).all():
        raise FixedPointError("NaN or infinity has no fixed-point form")
    products = floats * float(SCALE)
    if floats.size and np.abs(products).max() >= 2.0**63 * (1 - 2.0**-50):
        raise FixedPointError("a magnitude of 9.2e9 and more does not fit 64-bit billionths")
    nearest = np.rint(products)
    whole = nearest.astype(np.int64)
    margin = 0.5 - np.abs(products - nearest)
    for position in np.flatnonzero(margin <= np.abs(products) * 2.0**-51):
        whole[position] = fixed_decimal(Decimal(repr(float(floats[position]))))
    return whole


def fixed_decimal(value: Decimal) -> int:
    """One exact decimal as billionths, rounded half to even.

    Raises:
        FixedPointError: as `fixed_point`.
    """
    if not value.is_finite():
        raise FixedPointError("NaN or infinity has no fixed-point form")
    whole = int((value * SCALE).to_integral_value(ROUND_HALF_EVEN, _EXACT))
    if abs(whole) > LARGEST:
        raise FixedPointError("a magnitude of 9.2e9 and more does not fit 64-bit billionths")
    return whole


def fixed_decimals(values: Iterable[Decimal]) -> Integers:
    """Exact decimals as billionths."""
    return np.array([fixed_decimal(value) for value in values], dtype=np.int64)


def exact_sum(values: Integers) -> int:
    """The sum as a Python integer, whatever its size."""
    return sum(values.tolist())


def assert_sums_fit(values: Integers, draws: int) -> None:
    """Makes sure that no sum of `draws` of these values leaves 64 bits: engines wrap without a word (SCALE).

    Raises:
        FixedPointError: where one could.
    """
    largest = max(abs(int(values.max())), abs(int(values.min()))) if values.size else 0
    if largest * draws > LARGEST:
        raise FixedPointError(f"{draws} draws of values up to {largest} could leave 64 bits")
