"""Hand-made rules of the tables of reproductions: METHODS 9, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_scored import close
from warehouse.catalog_model import Catalog


def run_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A run is marked exactly where no whole manifest stands behind it."""
    yield rule(
        "marked-unless-whole",
        "is_marked exactly where the manifest is not whole, and a whole one leaves nothing unstated",
        (pl.col("is_marked") == (pl.col("run_standing") != "whole"))
        & ((pl.col("run_standing") == "whole") == (pl.col("unstated").list.len() == 0)),
        columns=("is_marked", "run_standing", "unstated"),
    )


def pair_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Standing follows from the fields; shares from counts; an audit that is not there says why."""
    yield rule(
        "standing-from-fields",
        "matches where nothing differs or is missing, differs where something stated differs",
        pl.when(pl.col("pair_standing") != "no_manifest").then(
            ((pl.col("pair_standing") == "differs") == (pl.col("different_fields") > 0))
            & (
                (pl.col("pair_standing") == "matches")
                == ((pl.col("different_fields") == 0) & (pl.col("unstated_fields") == 0))
            )
        ),
        columns=("pair_standing", "different_fields", "unstated_fields"),
    )
    yield rule(
        "first-difference-named",
        "first_difference is null exactly where every field is equal",
        pl.col("first_difference").is_null() == ((pl.col("different_fields") == 0) & (pl.col("unstated_fields") == 0)),
        columns=("first_difference", "different_fields", "unstated_fields"),
    )
    yield rule(
        "divergence-counted",
        "divergence_share is diverging/prompts, exact_agreement the rest",
        pl.when(pl.col("divergence_share").is_not_null()).then(
            close(pl.col("divergence_share"), pl.col("diverging") / pl.col("prompts"))
            & close(pl.col("exact_agreement"), 1 - pl.col("divergence_share"))
        ),
        columns=("divergence_share", "diverging", "prompts", "exact_agreement"),
    )
    yield rule(
        "interval-holds-share",
        "the share lies in its interval",
        pl.when(pl.col("divergence_share").is_not_null()).then(
            pl.col("divergence_share").is_between("divergence_low", "divergence_high")
        ),
        columns=("divergence_share", "divergence_low", "divergence_high"),
    )
    yield rule(
        "audit-or-reason",
        "reason_code says why exactly where there is no audit",
        pl.col("divergence_share").is_null() == pl.col("reason_code").is_not_null(),
        columns=("divergence_share", "reason_code"),
    )
    yield rule(
        "flips-among-diverging",
        "flips and early ends do not exceed the diverging prompts",
        pl.when(pl.col("diverging").is_not_null()).then(pl.col("flips") + pl.col("ended_early") <= pl.col("diverging")),
        columns=("flips", "ended_early", "diverging"),
    )


def field_rules(_catalog: Catalog) -> Iterator[Clause]:
    """A field's state is what its two values say."""
    a, b = pl.col("value_a"), pl.col("value_b")
    said = (
        pl.when(a.is_null() & b.is_null())
        .then(pl.lit("missing_both"))
        .when(a.is_null())
        .then(pl.lit("missing_a"))
        .when(b.is_null())
        .then(pl.lit("missing_b"))
        .when(a == b)
        .then(pl.lit("equal"))
        .otherwise(pl.lit("different"))
    )
    yield rule(
        "state-from-values",
        "field_state is what value_a and value_b say",
        pl.col("field_state") == said,
        columns=("field_state", "value_a", "value_b"),
    )
