"""Exposure against plan: sample-ratio mismatch, looked at on every batch (METHODS 12).

Belongs here: the test of how many units each group got. Does not belong here: what happened to them. Where the plan
gives the candidate a share p, every unit is the candidate's with chance p, whatever came before. The plan is held
against every other share at once, weighed by Beta(c p, c (1 - p)); c says how closely mismatches are expected around
the plan. For k of n units::

    E = B(c p + k, c (1 - p) + n - k) / B(c p, c (1 - p)) / (p^k (1 - p)^(n - k))

has mean 1 at every n where the plan holds, so its largest value so far reaches 1/alpha with a chance of at most alpha,
over all looks together (Ville; Lindon and Malek 2022). 1 over that largest value is a p-value that may be looked at
after every batch. The chi-squared p beside it is the familiar one; it is meant for a single look.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from methods.rollout.always_valid import rounded


@dataclass(frozen=True, slots=True)
class Exposure:
    """How units were assigned up to one look.

    Attributes:
        candidate, baseline: units of each.
        planned: share planned for the candidate.
        observed: its share; None of no units.
        log_evidence: log E at this look.
        p_always: valid however often one looks: 1 over the largest E so far, at most 1.
        p_single: chi-squared, one degree of freedom; valid for one look alone; None of no units.
        is_mismatch: p_always is at most alpha.
    """

    candidate: int
    baseline: int
    planned: float
    observed: float | None
    log_evidence: float
    p_always: float
    p_single: float | None
    is_mismatch: bool


def exposure_log_evidence(candidate: int, baseline: int, planned: float, concentration: float) -> float:
    """log E: how strongly the units speak against the planned share.

    Args:
        candidate, baseline: units of each so far.
        planned: the candidate's share, between 0 and 1.
        concentration: c above; above 0.

    Raises:
        ValueError: for negative counts, or a share or concentration outside these.
    """
    if candidate < 0 or baseline < 0 or not 0 < planned < 1 or not 0 < concentration < math.inf:
        raise ValueError(f"{candidate} and {baseline} units for a planned share of {planned} are no exposure")
    a, b = concentration * planned, concentration * (1 - planned)
    mixture = math.lgamma(a + candidate) + math.lgamma(b + baseline) - math.lgamma(a + b + candidate + baseline)
    mixture -= math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return mixture - candidate * math.log(planned) - baseline * math.log1p(-planned)


def exposure(
    candidate: int, baseline: int, planned: float, *, largest: float, alpha: float, concentration: float
) -> Exposure:
    """The exposure at one look.

    Args:
        candidate, baseline, planned, concentration: as `exposure_log_evidence`.
        largest: the largest log E of former looks; 0 before the first.
        alpha: chance, at most, of ever calling a mismatch where the plan holds.

    Raises:
        ValueError: as `exposure_log_evidence`.
    """
    # To the millionth: special functions of different machines agree on more, for any traffic.
    now = round(exposure_log_evidence(candidate, baseline, planned, concentration), 6)
    p_always, n = rounded(math.exp(-max(largest, now, 0.0))), candidate + baseline
    single = None
    if n:
        apart = candidate - n * planned
        single = rounded(math.erfc(math.sqrt(apart * apart / (n * planned * (1 - planned)) / 2)))
    return Exposure(
        candidate, baseline, planned, candidate / n if n else None, now, p_always, single, p_always <= alpha
    )
