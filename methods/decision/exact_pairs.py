"""An exact unconditional test of paired proportions at a margin, ordered by Tango's score (METHODS 12, Choice).

Belongs here: the p of "the difference is at most the margin" for counts of wins and losses. Does not belong here:
Tango's interval (`tango`), exact McNemar, which is the sign test of `methods.statistics.sign_test`.

At the margin the counts (wins, losses) of n pairs are multinomial with one unknown, the share of discordant pairs. The
p is the chance, at most, of a score as great as the observed one, over all values of the unknown in its exact
interval at level 1 - `risk`, plus `risk` (Berger and Boos, Journal of the American Statistical Association 89 (1994)
1012-1016). So the chance of p <= alpha never exceeds alpha, at any n. The largest chance is looked for on a grid and
again around its best point.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from methods.decision.tango import scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
TIE: Final = 1e-9
"""Scores nearer than this count as equal: they differ by rounding."""
_DIGITS: Final = 9
_REACH: Final = 9.0
"""Standard deviations of the number of wins beyond which nothing of weight lies."""


def exact_p(wins: int, losses: int, n: int, margin: float, *, points: int, risk: float) -> float:
    """The p of "candidate minus baseline is at most `margin`", rounded to a billionth.

    Args:
        wins, losses: pairs that only the candidate, only the baseline got right.
        n: all pairs.
        margin: -1 to 1, exclusive, as a fraction.
        points: values of the unknown that are tried, twice.
        risk: chance that the unknown lies outside the values tried; added to p.

    Raises:
        ValueError: for counts that are none, or a margin that leaves nothing unknown.
    """
    if not (wins >= 0 and losses >= 0 and n >= 1 and wins + losses <= n):
        raise ValueError(f"{wins} wins and {losses} losses of {n} pairs are no counts")
    if not -1 < margin < 1:
        raise ValueError(f"margin {margin} lies outside -1 to 1")
    most = _most_losses(wins, losses, n, margin)
    low, high = _discordant(wins + losses, n, risk)
    # the share of losses that goes with a share of discordant pairs at the margin
    least, greatest = max(0.0, -margin), (1 - margin) / 2
    first, last = (min(max((share - margin) / 2, least), greatest) for share in (low, high))
    grid = first + (last - first) * (np.arange(points) / (points - 1)) ** 2
    chances = _chances(grid, most, n, margin)
    best = int(np.argmax(chances))
    around = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, points - 1)], points)
    found = max(float(chances[best]), float(_chances(around, most, n, margin).max()))
    return round(min(found + risk, 1.0), _DIGITS)


def _discordant(discordant: int, n: int, risk: float) -> tuple[float, float]:
    """The exact (Clopper-Pearson) interval of the share of discordant pairs."""
    low = float(special.betaincinv(discordant, n - discordant + 1, risk / 2)) if discordant else 0.0
    high = float(special.betaincinv(discordant + 1, n - discordant, 1 - risk / 2)) if discordant < n else 1.0
    return low, high


def _most_losses(wins: int, losses: int, n: int, margin: float) -> Integers:
    """For 0 to n wins, the most losses at which the score is still as great as observed; -1 where none is."""
    observed = float(scores(np.array([float(wins)]), np.array([float(losses)]), n, margin)[0]) - TIE
    counts = np.arange(n + 1, dtype=np.float64)
    inside, outside = np.full(n + 1, -1.0), n + 1 - counts
    while np.any(outside - inside > 1):
        middle = np.floor((inside + outside) / 2)
        tried = np.maximum(middle, 0.0)
        is_inside = (scores(counts, tried, n, margin) >= observed) & (middle >= 0)
        open_ = outside - inside > 1
        inside = np.where(open_ & is_inside, middle, inside)
        outside = np.where(open_ & ~is_inside, middle, outside)
    return inside.astype(np.int64)


def _chances(shares: Floats, most: Integers, n: int, margin: float) -> Floats:
    """The chance of the region for each share of losses: sums over wins, the tail over losses in closed form."""
    chances = np.empty(shares.size)
    for place, losing in enumerate(shares.tolist()):
        winning = min(max(losing + margin, 0.0), 1.0)
        centre, reach = n * winning, _REACH * (n * winning * (1 - winning)) ** 0.5 + _REACH
        wins = np.arange(max(0, int(centre - reach)), min(n, int(centre + reach)) + 1)
        wins = wins[most[wins] >= 0]
        rest = min(losing / (1 - winning), 1.0) if winning < 1 else 0.0
        log_weight = special.xlogy(wins, winning) + special.xlog1py(n - wins, -winning)
        log_weight += special.gammaln(n + 1) - special.gammaln(wins + 1) - special.gammaln(n - wins + 1)
        tail = special.bdtr(most[wins].astype(np.float64), n - wins, rest)
        chances[place] = float(np.sum(np.exp(log_weight) * tail))
    return chances
