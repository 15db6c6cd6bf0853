"""The exact one-sided limit of a proportion (Clopper and Pearson 1934; METHODS 10).

Belongs here: this limit, in decimals of fixed precision, so that it has the same bits on every machine. Does not belong
here: Wilson's interval (`wilson`).
"""

from __future__ import annotations

import functools
import math
from decimal import Context, Decimal, localcontext
from typing import Final

_CONTEXT: Final = Context(prec=40)
_HALVINGS: Final = 60


@functools.lru_cache(65536)
def upper_limit(successes: int, n: int, level: float) -> float:
    """The largest chance under which so few successes are not yet rarer than 1 - level: P(X <= k) = 1 - level.

    0 of n gives 1 - (1 - level)^(1/n); n of n gives exactly 1.

    Args:
        successes: k, 0 to n.
        n: trials, at least 1.
        level: one-sided, 0.95 for 95%.

    Raises:
        ValueError: for k outside 0 to n, no trials, or a level outside 0 to 1.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no proportion")
    if not 0 < level < 1:
        raise ValueError(f"level {level} lies outside 0 to 1")
    if successes == n:
        return 1.0
    with localcontext(_CONTEXT):
        rest = 1 - Decimal(repr(level))
        if successes == 0:
            return float(1 - rest ** (Decimal(1) / n))
        low, high = Decimal(successes) / n, Decimal(1)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if _at_most(successes, n, middle) > rest:
                low = middle
            else:
                high = middle
        return float((low + high) / 2)


def _at_most(successes: int, n: int, chance: Decimal) -> Decimal:
    """P(X <= k) of a binomial, each term made from the one before."""
    other = 1 - chance
    term = other**n
    total = term
    for k in range(1, successes + 1):
        term = term * (n - k + 1) / k * chance / other
        total += term
    return total


def trials_for_limit(successes: int, limit: float, level: float) -> int:
    """The fewest trials in which so many successes still keep the upper limit at or below a limit.

    149 for none at 2% and 95%.

    Raises:
        ValueError: as `upper_limit`, or for a limit outside 0 to 1.
    """
    if not 0 < limit < 1:
        raise ValueError(f"limit {limit} lies outside 0 to 1")
    low, high = successes, max(1, math.ceil(successes / limit))
    while upper_limit(successes, high, level) > limit:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if middle >= 1 and upper_limit(successes, middle, level) <= limit:
            high = middle
        else:
            low = middle
    return high
