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

What breaks later than the first batch would hide behind a good beginning. A stop rule therefore weighs every beginning:
with E_s over the values from batch s on (1 before there are any) and weights 1/(s (s + 1)), which sum to 1, the sum of
all weights times E_s has a mean of at most 1 too, and the same guarantee holds for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    _check_limit(limit)
    return 0.0 if total <= limit * n * SCALE else _log_e(n, total, limit, prior)


@dataclass(frozen=True, slots=True)
class StopEvidence:
    """How strongly batches say that the mean lies above a limit, whenever that began.

    Attributes:
        log: log of the sum over all beginnings; infinite where it must lie above.
        since: the batch (from 1) whose beginning says so most strongly.
    """

    log: float
    since: int


def stop_evidence(batches: Sequence[tuple[int, int]], limit: float, prior: float) -> StopEvidence:
    """The evidence of every beginning together.

    Args:
        batches: (n, total) of each batch in order of arrival: values, and their sum in billionths.
        limit: 0 to 1.
        prior: a of the Beta weights, above 0.

    Raises:
        ValueError: as `log_evidence`.
    """
    _check_limit(limit)
    looks, n, total = len(batches), 0, 0
    terms: list[float] = []
    for start in range(looks, 0, -1):
        count, value = batches[start - 1]
        n, total = n + count, total + value
        _check(n, total, prior)
        terms.append(_log_e(n, total, limit, prior) - math.log(start * (start + 1)))
    terms.reverse()
    # Beginnings still to come count 1 each: their weights sum to 1 / (looks + 1).
    largest = max([*terms, -math.log(looks + 1)])
    since = terms.index(max(terms)) + 1 if terms else 1
    if math.isinf(largest):
        return StopEvidence(math.inf, since)
    together = math.fsum(math.exp(term - largest) for term in [*terms, -math.log(looks + 1)])
    return StopEvidence(largest + math.log(together), since)


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


def _log_e(n: int, total: int, limit: float, prior: float) -> float:
    """log E(limit), also where it is below 0."""
    if n == 0 or limit == 1:
        return 0.0
    if limit == 0 and total > 0:
        return math.inf
    from scipy.special import betaincc

    hits, misses = total / SCALE, (n * SCALE - total) / SCALE
    seen = prior + hits, prior + misses
    above = float(betaincc(*seen, limit))
    if above == 0.0:
        return -math.inf
    mixture = _log_beta(*seen) - _log_beta(prior, prior)
    cut = math.log(above) - math.log(float(betaincc(prior, prior, limit)))
    power = (hits * math.log(limit) if hits else 0.0) + misses * math.log1p(-limit)
    return mixture + cut - power


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _alpha(alpha: float) -> float:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha {alpha} is outside 0 to 1")
    return alpha


def _check_limit(limit: float) -> None:
    if not 0 <= limit <= 1:
        raise ValueError(f"a limit of {limit} is outside 0 to 1")


def _check(n: int, total: int, prior: float) -> None:
    if n < 0 or not 0 <= total <= n * SCALE:
        raise ValueError(f"a sum of {total} billionths over {n} values is no sum of values from 0 to 1")
    if not 0 < prior < math.inf:
        raise ValueError(f"prior {prior} is not positive")
