"""The words of protocol sensitivity: columns of the losses a user brings, kinds of comparison, reasons (METHODS 8).

Belongs here: closed sets and their meaning. Does not belong here: what is computed (`methods.protocols`), variants of
our own board (`warehouse.board_words`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import polars as pl

LOSS_SCHEMA: Final = pl.Schema(
    {
        "site": pl.String(),
        "coordinate": pl.String(),
        "protocol": pl.String(),
        "convention": pl.String(),
        "candidate": pl.String(),
        "unit": pl.String(),
        "loss": pl.Float64(),
        "weight": pl.Float64(),
    }
)
"""Losses in tidy form, one row a measurement; smaller is better.

site: the population that one champion is chosen for; coordinate: what is measured there (horizon, task, metric);
protocol: the lawful way of measuring; convention: a declared variation within the protocol, null for the protocol as it
stands; candidate: what is ranked; unit: the repeat, task or window that a resample draws, null where only one loss is
known; loss: null where it was not measured; weight: of the coordinate within its site.
"""
REQUIRED_COLUMNS: Final = ("site", "coordinate", "protocol", "candidate", "loss")
LOSS_KEY: Final = ("site", "coordinate", "protocol", "convention", "candidate", "unit")

ComparisonKind = Literal["across", "within", "control"]
COMPARISON_KINDS: Final[tuple[ComparisonKind, ...]] = get_args(ComparisonKind)
"""across: two protocols; within: a protocol and a declared convention of it; control: one protocol, its units drawn
anew twice (an A/A test)."""

GrowthOrder = Literal["declared", "best_first", "random"]
GROWTH_ORDERS: Final[tuple[GrowthOrder, ...]] = get_args(GrowthOrder)
"""In which order candidates join: as declared; by mean rank over both protocols, best first; averaged over keyed
random orders."""

DropReason = Literal["too_few_candidates", "no_common_unit", "all_tied"]
DROP_REASONS: Final[tuple[DropReason, ...]] = get_args(DropReason)
"""Why a coordinate is dropped: fewer than two candidates with a loss on both sides; losses by unit, and no unit that
all of them share; or one ranking ties every pair, so that tau is undefined."""

PanelReason = Literal["no_conventions", "no_units", "one_unit", "no_defined_site", "one_site"]
PANEL_REASONS: Final[tuple[PanelReason, ...]] = get_args(PanelReason)
"""Why a comparison lacks figures:

no_conventions: the evidence declares no convention of the protocol;
no_units: its losses are not given by unit, so that nothing can be drawn anew;
one_unit: every loss rests on one unit: drawing it anew changes nothing;
no_defined_site: every coordinate was dropped;
one_site: figures are given, an interval over sites is not.
"""
SITE_REASONS: Final = ("no_defined_coordinate",)
"""no_defined_coordinate: every coordinate of the site was dropped; it enters no mean."""
