"""The exact two-sided sign test of paired differences (METHODS 6).

Belongs here: counting signs and the binomial tail. Does not belong here: shares and their intervals (`wilson`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class SignTest:
    """Signs of the differences and the test's p.

    Attributes:
        positive, negative, zeros: how many differences have each sign.
        p: exact two-sided p of the non-zero ones; None where all are zero or there are none.
    """

    positive: int
    negative: int
    zeros: int
    p: float | None


def sign_test(differences: Iterable[int | float | Decimal]) -> SignTest:
    """The sign test of differences: zeros take no part, and are counted.

    Raises:
        ValueError: for NaN.
    """
    positive = negative = zeros = 0
    for difference in differences:
        if difference != difference:  # noqa: PLR0124
            raise ValueError("NaN has no sign")
        positive += difference > 0
        negative += difference < 0
        zeros += difference == 0
    return SignTest(positive, negative, zeros, two_sided_p(positive, negative))


def two_sided_p(positive: int, negative: int) -> float | None:
    """P of a split at least as uneven as this, were both signs equally likely: min(1, 2 P(X <= min)), X ~ Bin(n, 1/2).

    Computed in whole numbers and divided once, so that it is the correctly rounded double of the exact fraction.

    Args:
        positive, negative: counts of each sign, zeros left out.

    Returns:
        The p; None where both are 0.

    Raises:
        ValueError: for a negative count.
    """
    if positive < 0 or negative < 0:
        raise ValueError(f"{positive} and {negative} are no counts")
    n = positive + negative
    if n == 0:
        return None
    ways = term = 1
    for k in range(1, min(positive, negative) + 1):
        term = term * (n - k + 1) // k
        ways += term
    return 1.0 if 2 * ways >= 1 << n else 2 * ways / (1 << n)
