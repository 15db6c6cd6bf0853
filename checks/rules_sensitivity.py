"""Hand-made rules of the board's own sensitivity: METHODS 8, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_protocols import resolution_formula
from checks.rules_scored import close
from warehouse.catalog_model import Catalog


def sensitivity_rules(catalog: Catalog) -> Iterator[Clause]:
    """Every category has its reference, figures stand together, and a swap follows from its share."""
    is_reference = pl.col("variant_kind") == "reference"
    limit = catalog.methodology.protocols.swap_share
    yield resolution_formula()
    yield rule(
        "reference-in-category",
        "every category has one row of evidence drawn anew",
        is_reference.sum().over("category") == 1,
        columns=("category", "variant_kind"),
    )
    yield rule(
        "figures-together",
        "pss and swap_share are known together, and reason_code exactly where they are not",
        (pl.col("pss").is_null() == pl.col("swap_share").is_null())
        & (pl.col("pss").is_null() == pl.col("reason_code").is_not_null()),
        columns=("pss", "swap_share", "reason_code"),
    )
    yield rule(
        "swapped-by-share",
        f"is_swapped where swap_share exceeds {limit:g}, and null for the reference",
        pl.when(is_reference | pl.col("pss").is_null())
        .then(pl.col("is_swapped").is_null())
        .otherwise(pl.col("is_swapped") == (pl.col("swap_share") > limit)),
        columns=("variant_kind", "is_swapped", "swap_share"),
    )
    yield rule(
        "interval-of-reference",
        "pss_low and pss_high are known for the reference alone",
        (pl.col("pss_low").is_not_null() == (is_reference & pl.col("pss").is_not_null()))
        & (pl.col("pss_low").is_null() == pl.col("pss_high").is_null()),
        columns=("variant_kind", "pss_low", "pss_high"),
    )
    yield rule(
        "lost-change-status",
        "a model without evidence left has changed its status",
        pl.when(pl.col("models_lost").is_not_null()).then(pl.col("models_lost") <= pl.col("status_changes")),
        columns=("models_lost", "status_changes"),
    )


def separation_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Shares follow from counts."""
    yield rule(
        "neighbours-counted",
        "adjacent_pairs are one less than rated",
        pl.col("adjacent_pairs") == (pl.col("rated") - 1).clip(lower_bound=0),
    )
    yield rule(
        "separated-counted",
        "separated_share is separated_pairs/adjacent_pairs, null without any",
        pl.when(pl.col("adjacent_pairs") > 0)
        .then(close(pl.col("separated_share"), pl.col("separated_pairs") / pl.col("adjacent_pairs")))
        .otherwise(pl.col("separated_share").is_null()),
    )
    yield rule(
        "longest-within", "longest_unseparated lies within rated", pl.col("longest_unseparated") <= pl.col("rated")
    )
