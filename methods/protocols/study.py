"""A study of protocol sensitivity: every comparison of a panel, as the tables that are published (METHODS 8).

Belongs here: which sides are compared, and the rows. Does not belong here: the figures (`shifts`, `control`,
`growth`), what a gate concludes (`checks`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from methods.protocols.control import Control, control
from methods.protocols.growth import growth, mean_ranks
from methods.protocols.panel import Panel, Side, build_panel
from methods.protocols.rank_agreement import Agreement, in_common, winners
from methods.protocols.shifts import PanelShift, SiteShifts, compare, drop_reason, panel_shift, resolution
from warehouse.canonical import canonical_sha256
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.methodology import Methodology
from warehouse.protocol_words import ComparisonKind
from warehouse.study_options import ProtocolOptions
from warehouse.tables_protocols import (
    OUT_PROTOCOL_CANDIDATE,
    OUT_PROTOCOL_COORDINATE,
    OUT_PROTOCOL_GROWTH,
    OUT_PROTOCOL_PANEL,
    OUT_PROTOCOL_SITE,
)

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


def analyse(losses: pl.DataFrame, study: StudySpec, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """The tables of a study of the catalog (errors as `protocol_tables`)."""
    options = ProtocolOptions.model_validate(study.options)
    return protocol_tables(losses, study.id, options, catalog.methodology)


def protocol_tables(
    losses: pl.DataFrame, study: str, options: ProtocolOptions, methodology: Methodology
) -> dict[str, pl.DataFrame]:
    """Every comparison of tidy losses, as tables by name (METHODS 8).

    Every two protocols are compared, or all with one reference; every convention with its protocol; every protocol
    with itself, its units drawn anew; and every two protocols over growing sets of candidates.

    Args:
        losses: as `warehouse.protocol_words.LOSS_SCHEMA` has them, rows in any order.
        study: id of the study.
        options: reference protocol, order in which candidates joined.
        methodology: constants.

    Raises:
        LossError: if the losses make no panel.
        ValueError: if an option names no protocol, or no candidate, of theirs.
    """
    panel = build_panel(losses)
    across = [_compared(panel, "across", a, b, methodology) for a, b in _pairs(panel, options.reference)]
    within = [
        _compared(panel, "within", side, other, methodology)
        for side in panel.standing()
        for other in panel.conventions(side.protocol)
    ]
    controls = [(side, control(panel, side, methodology)) for side in panel.standing()]
    both = [*across, *within]
    rows: dict[str, list[Row]] = {
        "out__protocol_panel": [
            *(_panel_row(one) for one in both),
            *(_bare_row(panel, side) for side in panel.standing() if not panel.conventions(side.protocol)),
            *(_control_row(panel, side, found) for side, found in controls),
        ],
        "out__protocol_site": [
            *(row for one in both for row in _site_rows(panel, one)),
            *(row for side, found in controls for row in _control_sites(panel, side, found)),
        ],
        "out__protocol_growth": [
            row for one in across for row in _growth_rows(panel, one, options.growth, methodology)
        ],
        "out__protocol_candidate": [row for side in panel.sides for row in _candidate_rows(panel, side)],
    }  # fmt: skip
    coordinates = [_coordinate_frame(panel, one) for one in both]
    tables = {
        contract.name: pl.DataFrame(
            [{"study": study, **row} for row in rows[contract.name]], schema=contract.polars_schema(), orient="row"
        )
        for contract in (OUT_PROTOCOL_PANEL, OUT_PROTOCOL_SITE, OUT_PROTOCOL_GROWTH, OUT_PROTOCOL_CANDIDATE)
    }
    schema = OUT_PROTOCOL_COORDINATE.polars_schema()
    detailed = [frame.with_columns(study=pl.lit(study)).select(schema.names()).cast(schema) for frame in coordinates]
    tables["out__protocol_coordinate"] = pl.concat(detailed) if detailed else OUT_PROTOCOL_COORDINATE.empty()
    return tables


def _pairs(panel: Panel, reference: str | None) -> Iterator[tuple[Side, Side]]:
    standing = panel.standing()
    if reference is None:
        yield from combinations(standing, 2)
        return
    named = [side for side in standing if side.protocol == reference]
    if not named:
        known = ", ".join(side.protocol for side in standing)
        raise ValueError(f"reference {reference!r} is no protocol of the losses; they are {known}")
    yield from ((named[0], side) for side in standing if side is not named[0])


def _compared(panel: Panel, kind: ComparisonKind, a: Side, b: Side, methodology: Methodology) -> Comparison:
    found, sites = compare(panel, a, b, methodology.protocols.swap_share)
    first, _, _ = in_common(a.losses, b.losses)
    present = np.flatnonzero(~np.isnan(first).all(axis=1)).tolist()
    names = tuple(panel.candidates[place] for place in present)
    return Comparison(kind, a, b, found, sites, panel_shift(sites, len(names), methodology), names)


def _key(one: Comparison) -> Row:
    return {
        "comparison": one.kind,
        "protocol_a": one.a.protocol,
        "protocol_b": one.b.protocol,
        "convention": one.b.convention,
    }


def _set_hash(names: Sequence[str]) -> str:
    return canonical_sha256(sorted(names))


def _panel_row(one: Comparison) -> Row:
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


def _bare_row(panel: Panel, side: Side) -> Row:
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


def _control_row(panel: Panel, side: Side, found: Control) -> Row:
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


def _site_rows(panel: Panel, one: Comparison) -> Iterator[Row]:
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


def _control_sites(panel: Panel, side: Side, found: Control) -> Iterator[Row]:
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


def _coordinate_frame(panel: Panel, one: Comparison) -> pl.DataFrame:
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


def _growth_rows(panel: Panel, one: Comparison, declared: Sequence[str], methodology: Methodology) -> Iterator[Row]:
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


def _candidate_rows(panel: Panel, side: Side) -> Iterator[Row]:
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
