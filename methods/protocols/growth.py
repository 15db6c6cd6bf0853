"""The two figures over growing candidate sets: they can move apart, so neither stands alone (METHODS 8).

Belongs here: in which order candidates join, and the figures of every size. Does not belong here: the figures
themselves (`shifts`). Without ties the mean PSS over all sets of one size is the same for every size, since tau is a
mean over pairs; winner swap is not. It is the order of joining that moves PSS: candidates whose places nobody disputes
dilute it, while the dispute about the first place goes on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from methods.protocols.panel import Integers, Panel, Side
from methods.protocols.rank_agreement import Floats, agreement, in_common
from methods.protocols.shifts import SiteShifts, resolution, site_shifts
from methods.statistics.keyed_random import WORD_STEP, mix, resample_keys
from warehouse.methodology import Methodology
from warehouse.protocol_words import GrowthOrder


@dataclass(frozen=True, slots=True)
class GrowthStep:
    """The figures of one comparison among the first candidates of an order.

    Attributes:
        order: how candidates join.
        candidates: how many have joined.
        joined: names of those that joined since the step before; empty for random orders.
        mean_pss, swap_share: over sites that are left defined; None where none is.
        resolution: smallest step of a site's PSS at this size.
    """

    order: GrowthOrder
    candidates: int
    joined: tuple[str, ...]
    mean_pss: float | None
    swap_share: float | None
    resolution: float | None


def growth(panel: Panel, a: Side, b: Side, methodology: Methodology, declared: Sequence[str] = ()) -> list[GrowthStep]:
    """Mean PSS and share of swapped sites as candidates join (METHODS 8).

    Candidates join as `declared` (those not named there follow by name); without a declared order, best mean rank over
    both sides first. Beside it the mean over keyed random orders.

    Args:
        panel: the panel. a, b: the sides compared.
        methodology: seed, number of random orders, of sizes.
        declared: candidates in the order in which they joined.

    Raises:
        ValueError: if a name is no candidate of the panel, or stands twice.
    """
    numbers = {name: place for place, name in enumerate(panel.candidates)}
    unknown = [name for name in declared if name not in numbers]
    if unknown or len(set(declared)) < len(declared):
        raise ValueError(f"growth order: {unknown[0]!r} is no candidate" if unknown else "growth order names one twice")
    first, second, _ = in_common(a.losses, b.losses)
    present = np.flatnonzero(~np.isnan(first).all(axis=1))
    ranked = _best_first(first, second, present)
    order, places = ("declared", _declared(declared, numbers, present)) if declared else ("best_first", ranked)
    sizes = _sizes(len(present), methodology.protocols.growth_sizes)
    steps = []
    before = 0
    for size, figures in zip(sizes, _figures(panel, first, second, places, sizes, methodology), strict=True):
        joined = tuple(panel.candidates[place] for place in places[before:size])
        steps.append(_step("declared" if order == "declared" else "best_first", joined, size, [figures]))
        before = size
    randomly = [
        _figures(panel, first, second, _shuffled(present, methodology.seed, number), sizes, methodology)
        for number in range(methodology.protocols.growth_orders)
    ]
    if not randomly:
        return steps
    return steps + [_step("random", (), size, [run[place] for run in randomly]) for place, size in enumerate(sizes)]


def mean_ranks(losses: Floats) -> Floats:
    """(candidates) mean over coordinates of the rank, 1 the best, ties sharing their mean; NaN without a loss.

    Args:
        losses: (candidates, coordinates) NaN where there is none.
    """
    measured = ~np.isnan(losses)
    doubled = np.zeros(losses.shape[0], dtype=np.int64)
    for place, own in enumerate(losses):
        smaller = (losses < own).sum(axis=0, dtype=np.int64)
        equal = (losses == own).sum(axis=0, dtype=np.int64)
        doubled[place] = (2 * smaller + equal + 1)[measured[place]].sum()
    count = measured.sum(axis=1)
    ranks = np.full(losses.shape[0], np.nan)
    np.divide(doubled, 2 * count, out=ranks, where=count > 0)
    return ranks


def _declared(declared: Sequence[str], numbers: dict[str, int], present: Integers) -> Integers:
    named = [numbers[name] for name in declared]
    rest = [place for place in present.tolist() if place not in set(named)]
    return np.array([place for place in named if place in set(present.tolist())] + rest, dtype=np.int64)


def _best_first(a: Floats, b: Floats, present: Integers) -> Integers:
    ranks = mean_ranks(np.concatenate([a, b], axis=1))[present]
    return present[np.argsort(ranks, kind="stable")]


def _shuffled(present: Integers, seed: int, number: int) -> Integers:
    """Candidates in the order of the words that key `number` gives to their places."""
    key = resample_keys(seed, number, number + 1)
    with np.errstate(over="ignore"):
        words = mix(key + np.arange(1, len(present) + 1, dtype=np.uint64) * WORD_STEP)
    return present[np.argsort(words, kind="stable")]


def _sizes(candidates: int, most: int) -> list[int]:
    """From 2 to all candidates; where they are many, evenly spaced."""
    if candidates < 2:
        return []
    steps = min(most, candidates - 1)
    return sorted({2 + (candidates - 2) * step // max(1, steps - 1) for step in range(steps)} | {candidates})


def _figures(
    panel: Panel, a: Floats, b: Floats, places: Integers, sizes: Sequence[int], methodology: Methodology
) -> list[tuple[float | None, float | None, int]]:
    """(mean PSS, share of swapped sites, coordinates) of each size."""
    found = []
    for size in sizes:
        chosen = places[:size]
        shifts = site_shifts(
            agreement(a[chosen], b[chosen]), panel.site, len(panel.sites), panel.weight, panel.whole_weight,
            methodology.protocols.swap_share,
        )  # fmt: skip
        found.append(_over_sites(shifts))
    return found


def _over_sites(shifts: SiteShifts) -> tuple[float | None, float | None, int]:
    defined = shifts.is_defined
    count = int(defined.sum())
    if not count:
        return None, None, 0
    mean = math.fsum(shifts.pss[defined].tolist()) / count
    return mean, int(shifts.is_swapped[defined].sum()) / count, int(shifts.used.max())


def _step(
    order: GrowthOrder, joined: tuple[str, ...], size: int, runs: Sequence[tuple[float | None, float | None, int]]
) -> GrowthStep:
    pss = [mean for mean, _, _ in runs if mean is not None]
    swaps = [share for _, share, _ in runs if share is not None]
    return GrowthStep(
        order=order,
        candidates=size,
        joined=joined,
        mean_pss=math.fsum(pss) / len(pss) if pss else None,
        swap_share=math.fsum(swaps) / len(swaps) if swaps else None,
        resolution=resolution(size, max(coordinates for _, _, coordinates in runs)),
    )
