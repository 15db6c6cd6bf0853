"""The rows of a study of protocol sensitivity, comparison by comparison (METHODS 8).

Belongs here: from figures to columns of `warehouse.tables_protocols`. Does not belong here: the figures (`shifts`,
`control`, `growth`), which sides are compared (`study`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from methods.protocols.control import Control
from methods.protocols.growth import growth, mean_ranks
from methods.protocols.panel import Panel, Side
from methods.protocols.rank_agreement import Agreement, in_common, winners
from methods.protocols.shifts import PanelShift, SiteShifts, drop_reason, resolution
from warehouse.canonical import canonical_sha256
from warehouse.methodology import Methodology
from warehouse.protocol_words import ComparisonKind

Row = dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """Two sides held against each other.

    Attributes:
        kind: across two protocols, or within one. a, b: the sides.
        found: coordinate by coordinate. sites: site by site. panel: over all sites.
        names: candidates that some coordinate compares.
    """

    kind: ComparisonKind
    a: Side
    b: Side
    found: Agreement
    sites: SiteShifts
    panel: PanelShift
    names: tuple[str, ...]


def _key(one: Comparison) -> Row:
    return {
        "comparison": one.kind,
        "protocol_a": one.a.protocol,
        "protocol_b": one.b.protocol,
        "convention": one.b.convention,
    }


def _set_hash(names: Sequence[str]) -> str:
    return canonical_sha256(sorted(names))


def panel_row(one: Comparison) -> Row:
    """The row of out__protocol_panel of two sides."""
    shift = one.panel
    return {
        **_key(one),
        "sites": shift.sites,
        "undefined_sites": shift.undefined_sites,
        "candidates": shift.candidates,
        "coordinates": shift.coordinates,
        "mean_pss": shift.mean_pss,
        "pss_low": shift.pss_interval.low if shift.pss_interval else None,
        "pss_high": shift.pss_interval.high if shift.pss_interval else None,
        "swapped_sites": shift.swapped_sites,
        "swap_share": shift.swap_share,
        "swap_low": shift.swap_interval.low if shift.swap_interval else None,
        "swap_high": shift.swap_interval.high if shift.swap_interval else None,
        "resolution": shift.resolution,
        "is_resolution_exact": shift.is_exact,
        "dropped_coordinates": int(one.sites.dropped.sum()),
        "tied_wins": int(one.sites.tied_wins.sum()),
        "left_out_units": one.a.left_out_units + one.b.left_out_units,
        "candidate_set_sha256": _set_hash(one.names),
        "reason_code": shift.reason,
    }


def bare_row(panel: Panel, side: Side) -> Row:
    """The row of a protocol without conventions: what is within it is not known, which is not the same as nothing."""
    return {
        "comparison": "within",
        "protocol_a": side.protocol,
        "protocol_b": side.protocol,
        "convention": None,
        "sites": 0,
        "undefined_sites": 0,
        **_measured(panel, side),
        "reason_code": "no_conventions",
    }


def control_row(panel: Panel, side: Side, found: Control) -> Row:
    """The row of out__protocol_panel of a control."""
    return {
        "comparison": "control",
        "protocol_a": side.protocol,
        "protocol_b": side.protocol,
        "convention": None,
        "sites": int((~np.isnan(found.site_pss)).sum()),
        "undefined_sites": int(np.isnan(found.site_pss).sum()) if found.pairs else 0,
        **_measured(panel, side),
        "mean_pss": found.mean_pss,
        "pss_low": found.pss_interval.low if found.pss_interval else None,
        "pss_high": found.pss_interval.high if found.pss_interval else None,
        "swap_share": found.swap_share,
        "swap_low": found.swap_interval.low if found.swap_interval else None,
        "swap_high": found.swap_interval.high if found.swap_interval else None,
        "reason_code": found.reason,
    }


def _measured(panel: Panel, side: Side) -> Row:
    """What a side holds, where it is compared with none other."""
    known = ~np.isnan(side.losses)
    names = [panel.candidates[place] for place in np.flatnonzero(known.any(axis=1)).tolist()]
    filled = panel.site[known.any(axis=0)]
    coordinates = int(np.bincount(filled).max(initial=0)) if len(filled) else 0
    return {
        "candidates": len(names),
        "coordinates": coordinates,
        "resolution": resolution(len(names), coordinates),
        "is_resolution_exact": False,
        "dropped_coordinates": 0,
        "tied_wins": 0,
        "left_out_units": side.left_out_units,
        "candidate_set_sha256": _set_hash(names),
    }


def site_rows(panel: Panel, one: Comparison) -> Iterator[Row]:
    """Rows of out__protocol_site of two sides."""
    sites, key = one.sites, _key(one)
    for place, name in enumerate(panel.sites):
        is_defined = bool(sites.is_defined[place])
        candidates, used = int(sites.candidates[place]), int(sites.used[place])
        yield {
            **key,
            "site": name,
            "pss": float(sites.pss[place]) if is_defined else None,
            "swap_share": float(sites.swap_share[place]) if is_defined else None,
            "is_swapped": bool(sites.is_swapped[place]) if is_defined else None,
            "candidates": candidates,
            "coordinates": used,
            "dropped_coordinates": int(sites.dropped[place]),
            "tied_wins": int(sites.tied_wins[place]),
            "resolution": resolution(candidates, used),
            "is_resolution_exact": bool(sites.is_exact[place]) if is_defined else None,
            "reason_code": None if is_defined else "no_defined_coordinate",
        }


def control_sites(panel: Panel, side: Side, found: Control) -> Iterator[Row]:
    """Rows of out__protocol_site of a control; none where it has no figures."""
    if not found.pairs:
        return
    for place, name in enumerate(panel.sites):
        pss, swaps = float(found.site_pss[place]), float(found.site_swaps[place])
        is_defined = not math.isnan(pss)
        yield {
            "comparison": "control",
            "protocol_a": side.protocol,
            "protocol_b": side.protocol,
            "convention": None,
            "site": name,
            "pss": pss if is_defined else None,
            "swap_share": swaps if is_defined else None,
            "reason_code": None if is_defined else "no_defined_coordinate",
        }


def coordinate_frame(panel: Panel, one: Comparison) -> pl.DataFrame:
    """Rows of out__protocol_coordinate of two sides, without the study."""
    found, count = one.found, len(panel.coordinates)
    a, b, _ = in_common(one.a.losses, one.b.losses)
    used = found.is_defined
    known = [_has_units(side) for side in (one.a, one.b)]
    reasons = [
        None if used[place] else drop_reason(found, place, has_units=bool(known[0][place] and known[1][place]))
        for place in range(count)
    ]
    changed = [bool(found.is_swapped[place]) if used[place] else None for place in range(count)]
    key = {name: pl.lit(value, dtype=pl.String) for name, value in _key(one).items()}
    return pl.DataFrame(
        {
            "site": [panel.sites[place] for place in panel.site.tolist()],
            "coordinate": panel.coordinates,
            "weight": panel.weight,
            "candidates": found.candidates,
            "tau": pl.Series(found.tau).fill_nan(None),
            "is_winner_changed": pl.Series(changed, dtype=pl.Boolean),
            "winners_a": _winner_names(panel, winners(a)),
            "winners_b": _winner_names(panel, winners(b)),
            "reason_code": pl.Series(reasons, dtype=pl.String),
        }
    ).with_columns(**key)


def _has_units(side: Side) -> Any:
    """(coordinates) whether the side has units there, or is not given by unit."""
    return np.ones(side.losses.shape[1], dtype=np.bool_) if side.units is None else side.units.set_of >= 0


def _winner_names(panel: Panel, best: Any) -> pl.Series:
    names = np.array(panel.candidates, dtype=object)
    return pl.Series([names[column].tolist() for column in best.T], dtype=pl.List(pl.String))


def growth_rows(panel: Panel, one: Comparison, declared: Sequence[str], methodology: Methodology) -> Iterator[Row]:
    """Rows of out__protocol_growth of two protocols."""
    for step in growth(panel, one.a, one.b, methodology, declared):
        yield {
            "protocol_a": one.a.protocol,
            "protocol_b": one.b.protocol,
            "growth_order": step.order,
            "candidates": step.candidates,
            "joined": list(step.joined),
            "mean_pss": step.mean_pss,
            "swap_share": step.swap_share,
            "resolution": step.resolution,
        }


def candidate_rows(panel: Panel, side: Side) -> Iterator[Row]:
    """Rows of out__protocol_candidate of one side."""
    ranks = mean_ranks(side.losses)
    wins = winners(side.losses).sum(axis=1)
    measured = (~np.isnan(side.losses)).sum(axis=1)
    for place, name in enumerate(panel.candidates):
        is_known = bool(measured[place])
        yield {
            "protocol": side.protocol,
            "convention": side.convention,
            "candidate": name,
            "mean_rank": float(ranks[place]) if is_known else None,
            "place": 1 + int((ranks < ranks[place]).sum()) if is_known else None,
            "wins": int(wins[place]),
            "coordinates": int(measured[place]),
        }
