"""From a value as stated to the scale metrics are standardized on: fraction to logit, rating as it is (METHODS 7).

Belongs here: reading a value in its unit, the transform, and its slope for the delta method. Does not belong here:
which units or values are admitted (`methods.catalog.eligibility`), medians and scales (`standardize`).

Everything is computed in decimal arithmetic of 50 digits and rounded once, so that the bits depend on no mathematics
library, processor or vector unit. Values repeat, so each distinct one is computed once.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warehouse.vocabulary import PERCENT_UNITS, Direction, Transform

Floats = NDArray[np.float64]

_DIGITS: Final = decimal.Context(prec=50, rounding=decimal.ROUND_HALF_EVEN, Emin=-999999, Emax=999999)
_SHORT: Final = decimal.Context(prec=24, rounding=decimal.ROUND_HALF_EVEN, Emin=-999999, Emax=999999)
_MARGIN: Final = Decimal("1e-22")
_ONE: Final = Decimal(1)


def read_value(value: float, unit: str) -> float:
    """A value read in its unit: the exact decimal as stated over 100 for `score`, rounded once; else as it is.

    Args:
        value: finite number as stated.
        unit: `score`, `score_fraction` or `rating`; never guessed from the size of the number (METHODS 3).
    """
    return float(_DIGITS.divide(Decimal(repr(value)), Decimal(PERCENT_UNITS.get(unit, 1))))


def logit(fraction: float, direction: Direction, epsilon: float) -> tuple[float, float]:
    """The clipped logit of a fraction, higher being better, and its slope there.

    Args:
        fraction: in [0, 1], the shortest decimal that gives this float.
        direction: `lower` flips first: 1 - fraction.
        epsilon: the fraction is clipped to [epsilon, 1 - epsilon] before the logit.

    Returns:
        ln(f / (1 - f)) and 1 / (f (1 - f)), each rounded once from 50 digits.
    """
    exact, edge = Decimal(repr(fraction)), Decimal(repr(epsilon))
    if direction == "lower":
        exact = _DIGITS.subtract(_ONE, exact)
    exact = min(max(exact, edge), _DIGITS.subtract(_ONE, edge))
    rest = _DIGITS.subtract(_ONE, exact)
    x = _log_ratio(exact, rest)
    slope = float(_DIGITS.divide(_ONE, _DIGITS.multiply(exact, rest)))
    return x, slope


def _log_ratio(exact: Decimal, rest: Decimal) -> float:
    """ln(exact / rest), rounded once from 50 digits; from 24, at half the cost, where these decide every bit.

    At 24 digits the error stays below 1e-22 (division and ln are each right to half a unit, and |ln| below 100): where
    both ends of that margin round to one float, so does the value of 50 digits, which lies between them.
    """
    near = _SHORT.ln(_SHORT.divide(exact, rest))
    low, high = float(_DIGITS.subtract(near, _MARGIN)), float(_DIGITS.add(near, _MARGIN))
    return low if low == high else float(_DIGITS.ln(_DIGITS.divide(exact, rest)))


def read_values(values: Floats, unit: str) -> Floats:
    """`read_value` for an array."""
    return _by_distinct(values, lambda value: (read_value(value, unit),))[0]


def transform_values(
    values: Floats, *, direction: Direction, transform: Transform, epsilon: float
) -> tuple[Floats, Floats]:
    """Values on the transformed scale, higher being better, and the size of dx/dvalue at each (METHODS 7).

    Args:
        values: (n,) fractions in [0, 1] for `logit`, ratings for `identity`.
        direction: `higher` or `lower`; anything else has no place on a scale.
        transform: `logit` or `identity`.
        epsilon: clip of the logit.

    Raises:
        ValueError: for another direction, or a fraction outside [0, 1].
    """
    if direction not in {"higher", "lower"}:
        raise ValueError(f"direction {direction!r} cannot be standardized")
    if transform == "identity":
        return (0.0 - values if direction == "lower" else values.copy()), np.ones(len(values))
    if not np.all((values >= 0.0) & (values <= 1.0)):
        raise ValueError("a fraction lies outside 0 to 1")
    x, slope = _by_distinct(values, partial(logit, direction=direction, epsilon=epsilon))
    return x, slope


def _by_distinct(values: Floats, compute: Callable[[float], tuple[float, ...]]) -> tuple[Floats, ...]:
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) == 0:
        return (np.empty(0), np.empty(0))
    columns = zip(*(compute(value) for value in distinct.tolist()), strict=True)
    return tuple(np.array(column)[place] for column in columns)
