"""Hand-made rules of the tables of protocol sensitivity: METHODS 8, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_scored import close
from warehouse.catalog_model import Catalog


def panel_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Shares follow from counts, figures lie in their intervals, and what is missing says why."""
    two_sides = pl.col("comparison") == "across"
    yield resolution_formula()
    yield rule(
        "swap-share-counted",
        "swap_share is swapped_sites/sites",
        pl.when(pl.col("swapped_sites").is_not_null() & pl.col("swap_share").is_not_null()).then(
            close(pl.col("swap_share"), pl.col("swapped_sites") / pl.col("sites"))
        ),
    )
    yield rule(
        "swaps-among-sites",
        "swapped_sites do not exceed sites",
        pl.when(pl.col("swapped_sites").is_not_null()).then(pl.col("swapped_sites") <= pl.col("sites")),
    )
    yield rule(
        "intervals-in-order",
        "the lower end of an interval does not exceed its upper end",
        pl.col("pss_low").le(pl.col("pss_high")).fill_null(value=True)
        & pl.col("swap_low").le(pl.col("swap_high")).fill_null(value=True),
        columns=("pss_low", "pss_high", "swap_low", "swap_high"),
    )
    yield rule(
        "figures-together",
        "mean_pss and swap_share are known together: neither is reported alone",
        pl.col("mean_pss").is_null() == pl.col("swap_share").is_null(),
    )
    yield rule(
        "reason-where-missing",
        "reason_code says why mean_pss is missing",
        pl.when(pl.col("mean_pss").is_null()).then(pl.col("reason_code").is_not_null()),
        columns=("mean_pss", "reason_code"),
    )
    yield rule(
        "two-protocols-differ",
        "two protocols differ exactly across protocols",
        (pl.col("protocol_a") != pl.col("protocol_b")) == two_sides,
    )


def site_rules(catalog: Catalog) -> Iterator[Clause]:
    """A swap follows from its share; PSS is a multiple of the resolution where that is exact."""
    limit = catalog.methodology.protocols.swap_share
    yield resolution_formula()
    yield rule(
        "swapped-by-share",
        f"is_swapped where swap_share exceeds {limit:g}",
        pl.when(pl.col("is_swapped").is_not_null() & (pl.col("swap_share") - limit).abs().gt(1e-9)).then(
            pl.col("is_swapped") == (pl.col("swap_share") > limit)
        ),
        columns=("is_swapped", "swap_share"),
    )
    yield rule(
        "figures-together",
        "pss and swap_share are known together, and reason_code exactly where they are not",
        (pl.col("pss").is_null() == pl.col("swap_share").is_null())
        & (pl.col("pss").is_null() == pl.col("reason_code").is_not_null()),
        columns=("pss", "swap_share", "reason_code"),
    )
    steps = pl.col("pss") / pl.col("resolution")
    yield rule(
        "whole-steps",
        "pss is a whole number of steps of the resolution where that is exact",
        pl.when(pl.col("is_resolution_exact").fill_null(value=False)).then((steps - steps.round()).abs() < 1e-6),
        columns=("pss", "resolution", "is_resolution_exact"),
    )


def coordinate_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A dropped coordinate says why, and a counted one has tau and winners on both sides."""
    dropped = pl.col("reason_code").is_not_null()
    yield rule(
        "dropped-with-reason",
        "tau and is_winner_changed are null exactly where reason_code says why",
        (pl.col("tau").is_null() == dropped) & (pl.col("is_winner_changed").is_null() == dropped),
        columns=("tau", "is_winner_changed", "reason_code"),
    )
    shared = pl.col("winners_a").list.set_intersection("winners_b").list.len() > 0
    yield rule(
        "winner-changed",
        "is_winner_changed where the winners share no name",
        pl.when(~dropped).then(pl.col("is_winner_changed") == ~shared),
        columns=("is_winner_changed", "winners_a", "winners_b"),
    )


def resolution_formula() -> Clause:
    """The resolution is the one of its M and H."""
    candidates, coordinates = pl.col("candidates"), pl.col("coordinates")
    return rule(
        "resolution-formula",
        "resolution = 4/(M(M − 1)H)",
        pl.when(pl.col("resolution").is_not_null()).then(
            close(pl.col("resolution"), 4 / (candidates * (candidates - 1) * coordinates))
        ),
        columns=("resolution", "candidates", "coordinates"),
    )
