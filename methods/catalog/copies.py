"""Results that look like copies of another board's: the same value of the same thing, from the same page.

A copy is no second measurement (METHODS 1), but only a source can say that it copied. Where two boards state the same
value for one model, benchmark, version, subset and metric, and cite one page for it, a person should look: proposals,
never decisions. Belongs here: finding them. Marking a row as a copy is the mapping's (`copied_from`).
"""

from __future__ import annotations

from typing import Final

import polars as pl

from methods.names.spelling import normalize
from methods.pairing.links import normalize_url
from warehouse.vocabulary import PERCENT_UNITS

COPY_SCHEMA: Final = pl.Schema(
    {
        "entry_id": pl.String(),
        "leaderboard": pl.String(),
        "other_entry_id": pl.String(),
        "other_leaderboard": pl.String(),
        "model": pl.String(),
        "benchmark": pl.String(),
        "metric": pl.String(),
        "value": pl.Float64(),
        "link": pl.String(),
    }
)
_LINKS: Final = ("source_url", "model_url", "copied_from")
_SAME: Final = ("link", "name", "benchmark", "benchmark_version", "subset", "metric", "amount")


def propose_copies(results: pl.DataFrame) -> pl.DataFrame:
    """Pairs of results of two leaderboards that are alike in value and link (`COPY_SCHEMA`), by entry ids.

    Values are compared as fractions, so that 74.9 percent meets 0.749. A row that says itself that it is a copy is
    never proposed; it is what others may be proposed to have copied, or to have been copied by. Of two rows that say
    nothing, the later one (by `updated_at`, then entry id) is proposed.

    Args:
        results: `core__result`.
    """
    scale = pl.col("unit").replace_strict(PERCENT_UNITS, default=1.0, return_dtype=pl.Float64)
    told = (
        results.filter(pl.col("value").is_not_null())
        .with_columns(
            # Nine places: what is left of a percentage after the division is no difference.
            amount=(pl.col("value") / scale).round(9),
            name=_each("model", results, normalize),
            link=pl.concat_list(*_LINKS).list.drop_nulls(),
        )
        .explode("link", empty_as_null=True)
        .filter(pl.col("link").is_not_null() & (pl.col("name") != ""))
    )
    told = told.with_columns(link=_each("link", told, normalize_url)).filter(pl.col("link") != "")
    told = told.unique(["entry_id", "link"], keep="first", maintain_order=True)
    columns = ["entry_id", "leaderboard", "model", "value", "copied_from", "updated_at", *_SAME]
    pairs = (
        told.select(columns)
        .join(told.select(columns), on=list(_SAME), suffix="_other", nulls_equal=True)
        .filter(pl.col("leaderboard") != pl.col("leaderboard_other"), pl.col("copied_from").is_null())
        .filter(pl.col("copied_from_other").is_not_null() | _is_later())
    )
    found = pairs.select(
        "entry_id",
        "leaderboard",
        other_entry_id="entry_id_other",
        other_leaderboard="leaderboard_other",
        model="model",
        benchmark="benchmark",
        metric="metric",
        value="value",
        link="link",
    )
    return found.unique(["entry_id", "other_entry_id"], keep="first").sort("entry_id", "other_entry_id")


def _is_later() -> pl.Expr:
    mine = pl.col("updated_at").fill_null(pl.lit(0).cast(pl.Datetime("us", "UTC")))
    theirs = pl.col("updated_at_other").fill_null(pl.lit(0).cast(pl.Datetime("us", "UTC")))
    return (mine > theirs) | ((mine == theirs) & (pl.col("entry_id") > pl.col("entry_id_other")))


def _each(column: str, frame: pl.DataFrame, change: object) -> pl.Expr:
    """A column with each distinct text changed once."""
    assert callable(change)
    texts = frame[column].drop_nulls().unique().to_list()
    return pl.col(column).replace_strict(texts, [change(text) for text in texts], default=None, return_dtype=pl.String)
