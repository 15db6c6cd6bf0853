"""One row per model, family, protocol and metric, chosen by source priority; the others name the winner (METHODS 4).

Belongs here: the order of preference and which rule of it decided. Does not belong here: rows equal in everything
(`methods.catalog.received`), or what counts at all (`methods.catalog.eligibility`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import polars as pl

from methods.scoring.kept import KEPT_SCHEMA
from warehouse.reasons import STAGE_OF
from warehouse.tables import CORE_EXCLUSION
from warehouse.vocabulary import TIERS

GROUP: Final = ("model_id", "family", "protocol", "metric_id")
"""Rows equal in these measure the same thing."""

_COMPARED: Final = ("is_copy", "tier", "confidence", "updated_at", "value", "unit")

LOWER_PRIORITY: Final = "lower_priority_duplicate"


class Deduplicated(NamedTuple):
    """One row per group (`KEPT_SCHEMA`, by evidence id), and the rows that lost (`core__exclusion`)."""

    kept: pl.DataFrame
    exclusions: pl.DataFrame


def deduplicate(candidates: pl.DataFrame) -> Deduplicated:
    """Keep one row of each group (METHODS 4).

    Preferred in this order: an original before a copy; tier verified, official, reported, self_reported; higher
    confidence, none last; newer `updated_at`, none last; smaller entry id. The value plays no part.

    Args:
        candidates: rows as `methods.catalog.eligibility.CANDIDATE_SCHEMA` has them, in any order.
    """
    rank = {tier: place for place, tier in enumerate(TIERS)}
    ordered = candidates.with_columns(
        is_copy=pl.col("copied_from").str.strip_chars().fill_null("") != "",
        tier_rank=pl.col("tier").replace_strict(rank, return_dtype=pl.Int8),
    ).sort(
        "is_copy",
        "tier_rank",
        "confidence",
        "updated_at",
        "entry_id",
        descending=[False, False, True, True, False],
        nulls_last=True,
    )
    first = ordered.select(pl.struct(GROUP).is_first_distinct()).to_series()
    kept = ordered.filter(first).select(KEPT_SCHEMA.names()).sort("evidence_id")
    return Deduplicated(kept, _losers(ordered, first))


def _losers(ordered: pl.DataFrame, first: pl.Series) -> pl.DataFrame:
    """The exclusions: every row but the first of its group, with the winner and the rule that decided."""
    decided_by = ("is_copy", "tier", "confidence", "updated_at")
    winner = ordered.filter(first).select(
        *GROUP, pl.col("entry_id").alias("kept_entry_id"), *(pl.col(name).alias(f"kept_{name}") for name in _COMPARED)
    )
    lost = ordered.filter(~first).join(winner, on=GROUP, how="left")
    rule = pl.when(pl.col("is_copy") != pl.col("kept_is_copy")).then(
        pl.format("a copy of {}; the original was kept", pl.col("copied_from").str.slice(0, 80))
    )
    for name in decided_by[1:]:
        rule = rule.when(pl.col(name).ne_missing(pl.col(f"kept_{name}"))).then(  # type: ignore[assignment]
            pl.format(f"{name} {{}} preferred to {{}}", _shown(f"kept_{name}"), _shown(name))
        )
    decided = rule.otherwise(pl.lit("equal in priority; the smaller entry id was kept"))
    worse = pl.when(pl.col("direction") == "lower").then(pl.col("kept_value") > pl.col("value"))
    is_worse = worse.otherwise(pl.col("kept_value") < pl.col("value"))
    values = pl.format(
        "; kept {} {}, this one {} {}{}",
        "kept_value",
        "kept_unit",
        "value",
        "unit",
        # Which is better is said only where the numbers can be compared as they stand.
        pl.when((pl.col("unit") == pl.col("kept_unit")) & is_worse).then(pl.lit(" (better)")).otherwise(pl.lit("")),
    )
    return CORE_EXCLUSION.conform(
        lost.with_columns(
            stage=pl.lit(STAGE_OF[LOWER_PRIORITY]),
            reason_code=pl.lit(LOWER_PRIORITY),
            detail=pl.concat_str(decided, values),
        ).select(CORE_EXCLUSION.columns)
    )


def _shown(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String).fill_null("none")
