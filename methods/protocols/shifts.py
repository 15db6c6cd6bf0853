"""How far a ranking shifts between two sides: PSS and winner swap of every site, and of the panel (METHODS 8).

Belongs here: the two figures, their weights, what is dropped, the resolution. Does not belong here: counting pairs
(`rank_agreement`), which sides are compared (`study`).

PSS of a site = sum of w (1 - tau) / sum of w over its coordinates, 0 (same order) to 2 (reversed). A site is swapped
where coordinates whose best candidate differs weigh more than half. A coordinate whose tau is undefined is dropped
from both figures, its weight goes to the others, and the drop is counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from methods.protocols.panel import Integers, Panel, Side
from methods.protocols.rank_agreement import Agreement, Flags, Floats, agreement
from methods.statistics.bootstrap import BootstrapRules, Interval, in_total_order, mean_interval
from methods.statistics.fixed_point import LARGEST, fixed_point
from methods.statistics.wilson import wilson_interval
from warehouse.methodology import Methodology, exactly
from warehouse.protocol_words import DropReason, PanelReason


@dataclass(frozen=True)
class SiteShifts:
    """One comparison, site by site.

    Attributes:
        pss: (sites) NaN where every coordinate was dropped.
        swap_share: (sites) weighted share of coordinates whose best candidate differs; NaN as `pss`.
        is_swapped: (sites) whether that share exceeds the methodology's.
        candidates: (sites) most candidates that any of its coordinates compares.
        used, dropped: (sites) coordinates that count, and those dropped.
        tied_wins: (sites) used coordinates where either side has several best candidates.
        is_exact: (sites) whether its smallest step is the resolution: complete, untied, equal weights.
    """

    pss: Floats
    swap_share: Floats
    is_swapped: Flags
    candidates: Integers
    used: Integers
    dropped: Integers
    tied_wins: Integers
    is_exact: Flags

    @property
    def is_defined(self) -> Flags:
        """(sites) whether anything of the site is left."""
        return self.used > 0


@dataclass(frozen=True, slots=True)
class PanelShift:
    """One comparison over all sites.

    Attributes:
        sites: sites with a PSS. undefined_sites: those without.
        candidates: M, candidates that any coordinate compares. coordinates: H, most coordinates that any site uses.
        mean_pss: mean over sites; None where there is none. pss_interval: of the mean, over sites drawn anew.
        swapped_sites: how many are swapped. swap_share, swap_interval: their share with its Wilson interval.
        resolution: 4 / (M (M - 1) H), the smallest step of a site's PSS. is_exact: whether it holds for every site.
        reason: why a figure is missing.
    """

    sites: int
    undefined_sites: int
    candidates: int
    coordinates: int
    mean_pss: float | None
    pss_interval: Interval | None
    swapped_sites: int
    swap_share: float | None
    swap_interval: Interval | None
    resolution: float | None
    is_exact: bool
    reason: PanelReason | None


def compare(panel: Panel, a: Side, b: Side, swap_share: float) -> tuple[Agreement, SiteShifts]:
    """Two sides of a panel, coordinate by coordinate and site by site."""
    found = agreement(a.losses, b.losses)
    return found, site_shifts(found, panel.site, len(panel.sites), panel.weight, panel.whole_weight, swap_share)


def site_shifts(
    found: Agreement, site: Integers, sites: int, weight: Floats, whole_weight: Integers, swap_share: float
) -> SiteShifts:
    """PSS and winner swap of every site (METHODS 8).

    Args:
        found: agreement of the two sides, coordinate by coordinate.
        site: (coordinates) the site each belongs to, ascending; every site has one. sites: how many there are.
        weight: (coordinates) positive. whole_weight: (coordinates) the same in billionths: shares are exact.
        swap_share: a site is swapped where a larger share of its weight has another best candidate.
    """
    used = found.is_defined
    weighed = np.where(used, weight, 0.0)
    moved = np.where(used, weight * (1.0 - np.where(used, found.tau, 0.0)), 0.0)
    total, shift = _sums(site, weighed, sites), _sums(site, moved, sites)
    whole = np.where(used, whole_weight, 0)
    whole_total = _whole_sums(site, whole, sites)
    swapped = _whole_sums(site, np.where(found.is_swapped, whole, 0), sites)
    pss, share = np.full(sites, np.nan), np.full(sites, np.nan)
    np.divide(shift, total, out=pss, where=total > 0)
    np.divide(swapped, whole_total, out=share, where=whole_total > 0)
    limit = exactly(swap_share)
    candidates = np.maximum.reduceat(np.where(used, found.candidates, 0), np.searchsorted(site, np.arange(sites)))
    return SiteShifts(
        pss=pss,
        swap_share=share,
        is_swapped=_exceeds(swapped, whole_total, limit),
        candidates=candidates,
        used=_whole_sums(site, used.astype(np.int64), sites),
        dropped=_whole_sums(site, (~used).astype(np.int64), sites),
        tied_wins=_whole_sums(site, (used & found.is_tied_win).astype(np.int64), sites),
        is_exact=_is_exact(found, site, sites, whole_weight, candidates),
    )


def panel_shift(shifts: SiteShifts, candidates: int, methodology: Methodology) -> PanelShift:
    """Mean PSS and share of swapped sites, with intervals over sites (METHODS 8).

    Args:
        shifts: of every site.
        candidates: M, candidates that any coordinate compares.
        methodology: seed, resamples, level.
    """
    defined = shifts.is_defined
    pss = shifts.pss[defined].tolist()
    sites, swapped = len(pss), int(shifts.is_swapped[defined].sum())
    coordinates = int(shifts.used.max()) if len(shifts.used) else 0
    reason: PanelReason | None = "no_defined_site" if sites == 0 else "one_site" if sites == 1 else None
    rules, level = methodology.protocols, methodology.source_statistics
    swap = wilson_interval(swapped, sites, level.level_z)
    spread = None
    if sites > 1:
        drawn = in_total_order(fixed_point(pss))
        spread = mean_interval(drawn, BootstrapRules(methodology.seed, rules.site_resamples, level.level))
    return PanelShift(
        sites=sites,
        undefined_sites=len(defined) - sites,
        candidates=candidates,
        coordinates=coordinates,
        mean_pss=math.fsum(pss) / sites if sites else None,
        pss_interval=spread,
        swapped_sites=swapped,
        swap_share=swap.share if swap else None,
        swap_interval=Interval(swap.low, swap.high) if swap else None,
        resolution=resolution(candidates, coordinates),
        is_exact=bool(sites and shifts.is_exact[defined].all() and (shifts.candidates[defined] == candidates).all()
                      and (shifts.used == coordinates).all()),
        reason=reason,
    )  # fmt: skip


def resolution(candidates: int, coordinates: int) -> float | None:
    """4 / (M (M - 1) H): the smallest step of a PSS where nothing is missing or tied and weights are equal.

    Args:
        candidates: M. coordinates: H.

    Returns:
        None where fewer than two candidates, or no coordinate, leave nothing to step.
    """
    if candidates < 2 or coordinates < 1:
        return None
    return 4.0 / (candidates * (candidates - 1) * coordinates)


def drop_reason(found: Agreement, coordinate: int, *, has_units: bool) -> DropReason | None:
    """Why a coordinate is dropped; None where it counts.

    Args:
        found: agreement of the two sides. coordinate: its number.
        has_units: whether both sides have a common unit there, or none that are given by unit.
    """
    if found.is_defined[coordinate]:
        return None
    if not has_units:
        return "no_common_unit"
    return "too_few_candidates" if found.candidates[coordinate] < 2 else "all_tied"


def _is_exact(found: Agreement, site: Integers, sites: int, whole_weight: Integers, candidates: Integers) -> Flags:
    """(sites) every coordinate is used, untied, of all the site's candidates, and weighs the same."""
    first = np.searchsorted(site, np.arange(sites))
    odd = ~found.is_defined | found.is_tied | (found.candidates != candidates[site])
    odd |= whole_weight != whole_weight[np.minimum(first, len(site) - 1)][site]
    exact: Flags = _whole_sums(site, odd.astype(np.int64), sites) == 0
    return exact


def _exceeds(part: Integers, whole: Integers, limit: Fraction) -> Flags:
    """part / whole > limit, exactly; false where the whole is 0."""
    if int(whole.max(initial=0)) * max(limit.numerator, limit.denominator) < LARGEST:
        larger: Flags = part * limit.denominator > whole * limit.numerator
        return larger
    pairs = zip(part.tolist(), whole.tolist(), strict=True)
    return np.array([own * limit.denominator > of * limit.numerator for own, of in pairs], dtype=np.bool_)


def _sums(site: Integers, values: Floats, sites: int) -> Floats:
    """Sums by site, one addition after the other in the order of coordinates."""
    return np.bincount(site, values, minlength=sites).astype(np.float64, copy=False)


def _whole_sums(site: Integers, values: Integers, sites: int) -> Integers:
    """Sums by site of whole numbers, which stay exact as floats: the panel refuses weights whose sum would not."""
    return np.bincount(site, values, minlength=sites).astype(np.int64)
