"""A bound of a mean that holds at every look, however often and for whatever reason one looks (METHODS 12).

Belongs here: lower and upper confidence sequences of the mean of values between 0 and 1. Does not belong here: which
values (`methods.rollout.monitor`), what is done where a limit is crossed (`methods.rollout.action`).

For values x_1 ... x_n between 0 and 1 with sum S, each with a mean of at most m given those before it, and p above m::

    L(p) = (p / m)^S * ((1 - p) / (1 - m))^(n - S)

has an expectation of at most 1 at every n: x -> (p/m)^x ((1-p)/(1-m))^(1-x) is convex, so it lies below the straight
line between its ends, which rises and is 1 at m. The average over p drawn from Beta(a, a) cut off below m keeps that::

    E(m) = integral over p > m of L(p) p^(a-1) (1-p)^(a-1) / the same integral without L(p)
         = B(a + S, a + n - S) U(m; a + S, a + n - S) / (B(a, a) U(m; a, a)) / (m^S (1 - m)^(n - S))

with U(m; ...) the chance that a Beta variable lies above m. By Ville's inequality E(m) ever reaches 1/alpha with a
chance of at most alpha, over all looks together. The lower bound is the smallest m whose E(m) stays below 1/alpha; the
upper one is that of 1 - x. Both depend on n and S alone, not on the order of values. Nothing is assumed of their
distribution, means may move, and values may hang together as long as each has a mean of at most m given those before.
(Robbins 1970; Howard et al. 2021; for a = 1/2 the Krichevsky-Trofimov mixture, cut off.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from methods.statistics.fixed_point import SCALE

_HALVINGS: Final = 60
"""Halvings of an interval of length 1: 1e-18."""
_DIGITS: Final = 9
"""Significant digits of what is given out: special functions of different machines agree on more, for any traffic."""


@dataclass(frozen=True, slots=True)
class AlwaysValid:
    """A mean with two bounds, each valid at every look together at its own one-sided alpha.

    Attributes:
        n: values.
        mean: None where there are none.
        low, high: the bounds; 0 and 1 where nothing is known yet.
    """

    n: int
    mean: float | None
    low: float
    high: float


def log_evidence(n: int, total: int, limit: float, prior: float) -> float:
    """log E(limit): how strongly the values say that their mean lies above a limit; infinite where it must.

    Args:
        n: values.
        total: their sum, in billionths, 0 to n billion.
        limit: 0 to 1.
        prior: a of the Beta weights, above 0.

    Returns:
        0 where their mean does not lie above the limit: that is no evidence.

    Raises:
        ValueError: for a sum, limit or prior outside these.
    """
    _check(n, total, prior)
    if not 0 <= limit <= 1:
        raise ValueError(f"a limit of {limit} is outside 0 to 1")
    if total <= limit * n * SCALE:
        return 0.0
    if limit == 0:
        return math.inf
    from scipy.special import betaincc

    hits, misses = total / SCALE, (n * SCALE - total) / SCALE
    seen = prior + hits, prior + misses
    mixture = _log_beta(*seen) - _log_beta(prior, prior)
    cut = math.log(float(betaincc(*seen, limit))) - math.log(float(betaincc(prior, prior, limit)))
    return mixture + cut - hits * math.log(limit) - misses * math.log1p(-limit)


def is_above(n: int, total: int, limit: float, alpha: float, prior: float) -> bool:
    """Whether the mean is surely above a limit: the evidence reached 1/alpha.

    Where the mean is within the limit, this ever becomes true with a chance of at most alpha.

    Raises:
        ValueError: as `log_evidence`, or for an alpha outside 0 to 1.
    """
    return log_evidence(n, total, limit, prior) >= -math.log(_alpha(alpha))


def always_valid(n: int, total: int, alpha: float, prior: float) -> AlwaysValid:
    """The bounds of the mean at level 1 - alpha each, over all looks together.

    Args:
        n, total, prior: as `log_evidence`.
        alpha: chance, at most, that the mean is ever below `low`; the same for `high`. Between 0 and 1.

    Raises:
        ValueError: as `log_evidence`, or for another alpha.
    """
    _check(n, total, prior)
    bar = -math.log(_alpha(alpha))
    if n == 0:
        return AlwaysValid(0, None, 0.0, 1.0)
    low, spare = _lower(n, total, bar, prior), _lower(n, n * SCALE - total, bar, prior)
    return AlwaysValid(n, total / (n * SCALE), rounded(low), rounded(1 - spare))


def rounded(value: float) -> float:
    """A number to as many digits as every machine agrees on."""
    return float(f"{value:.{_DIGITS}g}")


def _lower(n: int, total: int, bar: float, prior: float) -> float:
    """The smallest limit that is not surely exceeded, from outside."""
    outside, inside = 0.0, total / (n * SCALE)
    if total == 0:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        if middle > 0 and log_evidence(n, total, middle, prior) >= bar:
            outside = middle
        else:
            inside = middle
    return outside


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _alpha(alpha: float) -> float:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha {alpha} is outside 0 to 1")
    return alpha


def _check(n: int, total: int, prior: float) -> None:
    if n < 0 or not 0 <= total <= n * SCALE:
        raise ValueError(f"a sum of {total} billionths over {n} values is no sum of values from 0 to 1")
    if not 0 < prior < math.inf:
        raise ValueError(f"prior {prior} is not positive")
