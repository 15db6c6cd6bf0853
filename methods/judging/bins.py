"""Accuracy by confidence: the bins of q, with the fallback's accuracy on the same items (METHODS 10).

Belongs here: binning and what each bin says. Does not belong here: figures drawn from it (`resources.site`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from methods.judging.comparison import Credits
from methods.judging.orders import WHOLE, Flags
from methods.statistics.fixed_point import Integers
from methods.statistics.wilson import wilson_interval
from warehouse.methodology import exactly


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of q.

    Attributes:
        label: as the source writes it: <0.6, [0.6,0.7), ..., 1.
        low, high: its ends; the last holds its one value.
        n: judged items with a gold label and a valid verdict.
        mean_q: mean confidence of these; None where there are none.
        accuracy, accuracy_low, accuracy_high: of the judge, with its Wilson interval.
        fallback_n, fallback: of these items, those with a decision of the fallback, and its accuracy there.
    """

    label: str
    low: float
    high: float
    n: int
    mean_q: float | None
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    fallback_n: int
    fallback: float | None


def bins(
    q: Integers, judge: Credits, fallback: Credits, has_fallback: Flags, edges: Sequence[float], level_z: float
) -> list[Bin]:
    """The bins of q, in ascending order, empty ones included.

    Args:
        q: (n) half-billionths, of valid verdicts with a gold label.
        judge: (n) twice the credit of each.
        fallback: (n) twice the fallback's; read only where there is a decision.
        has_fallback: (n).
        edges: lower ends, ascending; the last bin holds q equal to the last.
        level_z: normal quantile of the interval's level.
    """
    lower = np.array([int(exactly(edge) * WHOLE) for edge in edges], dtype=np.int64)
    place = np.maximum(np.searchsorted(lower, q, side="right") - 1, 0)
    found = []
    for number, label in enumerate(labels(edges)):
        inside = place == number
        found.append(
            _bin(label, (edges[number], edges[min(number + 1, len(edges) - 1)]), q[inside], judge[inside],
                 fallback[inside & has_fallback], level_z)
        )  # fmt: skip
    return found


def labels(edges: Sequence[float]) -> list[str]:
    """What the bins are called."""
    inner = [f"[{low:g},{high:g})" for low, high in pairwise(edges)]
    return [f"<{edges[1]:g}", *inner[1:], f"{edges[-1]:g}"]


def calibration_error(found: Sequence[Bin]) -> float | None:
    """The mean distance of accuracy from confidence, bins weighed by their n; None without items."""
    total = sum(one.n for one in found)
    if not total:
        return None
    return math.fsum(one.n * abs(one.accuracy - one.mean_q) for one in found if one.accuracy is not None
                     and one.mean_q is not None) / total  # fmt: skip


def _bin(label: str, ends: tuple[float, float], q: Integers, judge: Credits, fallback: Credits, level_z: float) -> Bin:
    n, credit = int(q.size), int(judge.sum())
    # Half credits count as two trials of half the weight each: the same interval where there are none.
    share = wilson_interval(credit, 2 * n, level_z * math.sqrt(2))
    return Bin(
        label, *ends, n, int(q.sum()) / (n * WHOLE) if n else None, share.share if share else None,
        share.low if share else None, share.high if share else None, int(fallback.size),
        int(fallback.sum()) / (2 * fallback.size) if fallback.size else None,
    )  # fmt: skip
