"""The A/A control: one protocol, measured twice on units drawn anew (METHODS 8).

Belongs here: the keyed draws and the figures of each pair of resamples. Does not belong here: the figures of two
protocols (`shifts`). What a control shows is the shift that the choice of units alone makes: two protocols whose shift
is no larger cannot be told apart from one measured twice.

Draws (generator: `methods.statistics.keyed_random`). Groups are the coordinates of one site that are measured on the
same units, numbered from 0 by site and then by their first coordinate. With G groups, pair k draws the units of group g
as resamples number 2 k G + g and (2 k + 1) G + g. Units stand in the order of their names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from methods.protocols.panel import Integers, Panel, Side, Units
from methods.protocols.rank_agreement import Floats, agreement
from methods.protocols.shifts import site_shifts
from methods.statistics.bootstrap import Interval
from methods.statistics.keyed_random import draws, resample_keys
from methods.statistics.quantiles import quantile, tails
from warehouse.methodology import Methodology
from warehouse.protocol_words import PanelReason


@dataclass(frozen=True)
class Control:
    """What measuring one protocol twice gives.

    Attributes:
        pairs: pairs of resamples.
        mean_pss, swap_share: mean over pairs of the panel's mean PSS and of its share of swapped sites; None where
            `reason` says why.
        pss_interval, swap_interval: the central share of pairs.
        site_pss, site_swaps: (sites) mean PSS of each site, and the share of pairs that swap it; NaN where undefined.
        reason: no_units, one_unit or no_defined_site.
    """

    pairs: int
    mean_pss: float | None
    swap_share: float | None
    pss_interval: Interval | None
    swap_interval: Interval | None
    site_pss: Floats
    site_swaps: Floats
    reason: PanelReason | None


def control(panel: Panel, side: Side, methodology: Methodology) -> Control:
    """The A/A control of one side (METHODS 8).

    Args:
        panel: the panel. side: one of its protocols.
        methodology: seed, number of pairs, level, the share that swaps a site.
    """
    units = side.units
    if units is None:
        return _none(panel, "no_units")
    if np.diff(units.start).max(initial=0) < 2:
        return _none(panel, "one_unit")
    rules = methodology.protocols
    groups, group_of = _groups(panel, units)
    pss, swaps = [], []
    for pair in range(rules.control_pairs):
        a = _drawn(units, group_of, groups, methodology.seed, 2 * pair)
        b = _drawn(units, group_of, groups, methodology.seed, 2 * pair + 1)
        found = agreement(a, b)
        shifts = site_shifts(
            found, panel.site, len(panel.sites), panel.weight, panel.whole_weight, rules.swap_share
        )  # fmt: skip
        pss.append(shifts.pss)
        swaps.append(np.where(shifts.is_defined, shifts.is_swapped.astype(np.float64), np.nan))
    return _summed(np.array(pss), np.array(swaps), methodology.source_statistics.level)


def _groups(panel: Panel, units: Units) -> tuple[int, Integers]:
    """How many groups are drawn, and the group of each coordinate; -1 where it has no unit."""
    numbers: dict[tuple[int, int], int] = {}
    group_of = np.full(len(panel.site), -1, dtype=np.int64)
    for column, key in enumerate(zip(panel.site.tolist(), units.set_of.tolist(), strict=True)):
        if key[1] >= 0:
            group_of[column] = numbers.setdefault(key, len(numbers))
    return len(numbers), group_of


def _drawn(units: Units, group_of: Integers, groups: int, seed: int, resample: int) -> Floats:
    """(candidates, coordinates) the sums of one resample; the sums are whole numbers, so their order is no matter."""
    keys = resample_keys(seed, resample * groups, (resample + 1) * groups)
    sizes = np.diff(units.start)
    block = np.full((units.losses.shape[1], len(sizes)), np.nan)
    for size in np.unique(sizes[sizes > 0]).tolist():
        columns = np.flatnonzero(sizes == size)
        members, place = np.unique(group_of[columns], return_inverse=True)
        chosen = draws(keys[members], size)[place] + units.start[columns][:, None]
        block[:, columns] = units.losses[chosen].sum(axis=1).T
    return block


def _none(panel: Panel, reason: PanelReason) -> Control:
    nothing = np.full(len(panel.sites), np.nan)
    return Control(0, None, None, None, None, nothing, nothing, reason)


def _summed(pss: Floats, swaps: Floats, level: float) -> Control:
    """From (pairs, sites) to what is reported; a pair counts the sites that it leaves defined."""
    means = [mean for mean in map(_mean, pss) if mean is not None]
    shares = [mean for mean in map(_mean, swaps) if mean is not None]
    per_site = [_column_means(block) for block in (pss, swaps)]
    if not means:
        return Control(len(pss), None, None, None, None, per_site[0], per_site[1], "no_defined_site")
    return Control(
        pairs=len(pss),
        mean_pss=math.fsum(means) / len(means),
        swap_share=math.fsum(shares) / len(shares),
        pss_interval=_between(means, level),
        swap_interval=_between(shares, level),
        site_pss=per_site[0],
        site_swaps=per_site[1],
        reason=None,
    )


def _column_means(block: Floats) -> Floats:
    means = map(_mean, block.T)
    return np.array([math.nan if mean is None else mean for mean in means])


def _mean(values: Floats) -> float | None:
    """The mean of what is defined, its sum rounded once; None where nothing is."""
    known = values[~np.isnan(values)].tolist()
    return math.fsum(known) / len(known) if known else None


def _between(values: list[float], level: float) -> Interval:
    ascending = sorted(values)
    low, high = tails(level)
    return Interval(quantile(ascending, low), quantile(ascending, high))
