"""What rows say about two names besides the names: the same id, the same page, the same values in the same places.

Belongs here: evidence for a proposal that is read out of results. It is never enough to identify a model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set

import polars as pl

from methods.names.proposals import Evidence
from methods.names.registry import ModelRegistry
from methods.names.spelling import normalize
from methods.pairing.links import normalize_url
from warehouse.catalog_model import ModelSpec

MIN_EQUAL = 3
"""Equal values in as many places say something; one or two are chance."""

MAX_SHARING = 8
"""A value that more names share in its place tells none of them apart: 0, 100, a floor."""

_PLACE = ("benchmark", "benchmark_version", "subset", "metric", "unit", "value")


def shared_rows(
    results: pl.DataFrame, names: Set[str], registry: ModelRegistry, models: Iterable[ModelSpec]
) -> dict[str, dict[str, tuple[Evidence, ...]]]:
    """For each of the unresolved names, by model: equal model ids, links and values.

    Args:
        results: `core__result`.
        names: the unresolved ones.
        registry: resolves the others.
        models: their entries may state pages of their own.
    """
    pairs = results.select("model", "developer").unique()
    resolved = [registry.resolve(name, developer).model_id for name, developer in pairs.rows()]
    identified = pairs.with_columns(known=pl.Series(resolved, dtype=pl.String))
    rows = results.select("leaderboard", "model", "developer", "model_id", "model_url", *_PLACE)
    rows = rows.join(identified, on=["model", "developer"], how="left", nulls_equal=True)
    mine = rows.filter(pl.col("known").is_null() & pl.col("model").is_in(list(names)))
    theirs = rows.filter(pl.col("known").is_not_null())
    found: dict[str, dict[str, list[Evidence]]] = defaultdict(lambda: defaultdict(list))
    for name, model_id, known in _common(mine, theirs, "model_id").rows():
        found[name][known].append(Evidence("same id", f"model_id {model_id}"))
    registered = pl.DataFrame(
        [(model.id, url) for model in models for url in model.urls],
        schema={"known": pl.String, "model_url": pl.String},
        orient="row",
    )
    linked = pl.concat([theirs.select("known", "model_url"), registered])
    for name, link, known in _common(_with_links(mine), _with_links(linked), "model_url").rows():
        found[name][known].append(Evidence("same link", link))
    stated = mine.select("model", "model_id").drop_nulls().unique().sort("model", "model_id")
    for name, model_id in stated.rows():
        known = registry.resolve(model_id).model_id if normalize(model_id) else None
        if known is not None:
            found[name][known].append(Evidence("id of the row", f"its rows state model_id {model_id}"))
    for name, known, count, other in _equal_values(mine, theirs).rows():
        detail = f"{count} equal values in the same places as {other!r} elsewhere"
        found[name][known].append(Evidence("equal values", detail))
    return {name: {known: tuple(items) for known, items in by_model.items()} for name, by_model in found.items()}


def _with_links(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a link, in its comparable form."""
    links = rows.select("model_url").drop_nulls().unique().to_series().to_list()
    return rows.with_columns(
        pl.col("model_url").replace_strict(
            links, [normalize_url(link) or None for link in links], default=None, return_dtype=pl.String
        )
    )


def _common(mine: pl.DataFrame, theirs: pl.DataFrame, column: str) -> pl.DataFrame:
    """(model, value, known) for the values of a column that lead to one known model: a paper of many leads nowhere."""
    one = theirs.select("known", column).drop_nulls().unique().filter(pl.len().over(column) == 1)
    return mine.select("model", column).drop_nulls().unique().join(one, on=column).sort("model", column)


def _equal_values(mine: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """(model, known, count, one of its names) where another board gives the same values at MIN_EQUAL places or more."""
    place = pl.struct(*_PLACE).hash()
    mine, theirs = (side.drop_nulls("value").with_columns(place=place) for side in (mine, theirs))
    common = pl.concat([mine.select("place", "model"), theirs.select("place", "model")]).group_by("place")
    telling = common.agg(pl.col("model").n_unique()).filter(pl.col("model") <= MAX_SHARING).select("place")
    mine = mine.join(telling, on="place", how="semi")
    both = mine.select("place", "model", "leaderboard").join(
        theirs.select("place", "known", other="model", board="leaderboard"), on="place"
    )
    counted = (
        both.filter(pl.col("leaderboard") != pl.col("board"))
        .group_by("model", "known")
        .agg(count=pl.col("place").n_unique(), other=pl.col("other").min())
    )
    return counted.filter(pl.col("count") >= MIN_EQUAL).sort("model", "known")
