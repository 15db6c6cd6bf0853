"""A study of protocol sensitivity: every comparison of a panel, as the tables that are published (METHODS 8).

Belongs here: which sides are compared. Does not belong here: the figures (`shifts`, `control`, `growth`), their rows
(`study_rows`), what a gate concludes (`checks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import polars as pl

from methods.protocols.control import control
from methods.protocols.panel import Panel, Side, build_panel
from methods.protocols.rank_agreement import in_common
from methods.protocols.shifts import compare, panel_shift
from methods.protocols.study_rows import (
    Comparison,
    Row,
    bare_row,
    candidate_rows,
    control_row,
    control_sites,
    coordinate_frame,
    growth_rows,
    panel_row,
    site_rows,
)
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
            *(panel_row(one) for one in both),
            *(bare_row(panel, side) for side in panel.standing() if not panel.conventions(side.protocol)),
            *(control_row(panel, side, found) for side, found in controls),
        ],
        "out__protocol_site": [
            *(row for one in both for row in site_rows(panel, one)),
            *(row for side, found in controls for row in control_sites(panel, side, found)),
        ],
        "out__protocol_growth": [
            row for one in across for row in growth_rows(panel, one, options.growth, methodology)
        ],
        "out__protocol_candidate": [row for side in panel.sides for row in candidate_rows(panel, side)],
    }  # fmt: skip
    coordinates = [coordinate_frame(panel, one) for one in both]
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
