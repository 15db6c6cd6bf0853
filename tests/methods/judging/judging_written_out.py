"""Judging written out naively, item by item, in fractions: what the fast code is held against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

HALF = Fraction(1, 2)


def auroc(right: Sequence[object], wrong: Sequence[object]) -> Fraction | None:
    """Every right verdict against every wrong one."""
    if not right or not wrong:
        return None
    wins = [Fraction(int(a > b)) if a != b else HALF for a, b in product(right, wrong)]  # type: ignore[operator]
    return sum(wins, Fraction(0)) / len(wins)


def two_orders(p_ab: Fraction, p_ba: Fraction) -> tuple[Fraction, str, Fraction, bool]:
    """(p, verdict, q, discordant) of METHODS 10, as written there."""
    p = HALF * (p_ab + 1 - p_ba)
    verdict = "A" if p > HALF else "B" if p < HALF else "tie"
    return p, verdict, max(p, 1 - p), (p_ab - HALF) * (HALF - p_ba) < 0


Item = tuple[Fraction | None, Fraction, Fraction]
"""q (None: always escalated), credit of the judge, credit of the fallback."""


def cascade_accuracy(items: Sequence[Item], tau: Fraction) -> Fraction:
    """Each item decided by the judge where q reaches tau, else by the fallback."""
    return sum((j if q is not None and q >= tau else f for q, j, f in items), Fraction(0)) / len(items)


def point_tau(items: Sequence[Item], grid: Sequence[Fraction], tolerance: Fraction) -> Fraction | None:
    """The threshold of the largest coverage whose cascade is within the tolerance; the lowest of several."""
    fallback = sum((f for _, _, f in items), Fraction(0)) / len(items)
    kept = [
        (sum(q is not None and q >= tau for q, _, _ in items), -tau)
        for tau in grid
        if cascade_accuracy(items, tau) - fallback >= -tolerance
    ]
    best = max((one for one in kept if one[0] > 0), default=None)
    return None if best is None else -best[1]
