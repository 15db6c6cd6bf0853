"""Explains a score: walks a release's tables from the number down to snapshot hash and row (METHODS 7 and 14).

Belongs here: narrowing the tables to one score, so that the walk of one is quick. The walk itself, which also takes
every score of a release in one go, is `methods.lineage.explanation_index`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from methods.lineage.explanation import Explanation
from methods.lineage.explanation_index import ExplanationIndex, UnknownScoreError, missing_for_rated
from warehouse.catalog_model import Catalog

__all__ = ["NEEDED", "UnknownScoreError", "explain", "missing_for_rated"]

NEEDED: Final = (
    "raw__snapshot",
    "core__result",
    "core__evidence",
    "core__exclusion",
    "out__dimension_score",
    "out__category_score",
    "out__score_weight",
)
"""Tables an explanation is read from."""


def explain(model_id: str, category: str, tables: Mapping[str, pl.DataFrame], catalog: Catalog) -> Explanation:
    """One score taken apart.

    Args:
        model_id: id of the registry.
        category: one of the eight categories.
        tables: the release's tables named in `NEEDED`.
        catalog: the release's own catalog.

    Raises:
        UnknownScoreError: if the model has no evidence in the category.
    """
    mine = (pl.col("category") == category) & (pl.col("model_id") == model_id)
    scored = ("out__category_score", "out__dimension_score", "out__score_weight", "core__evidence")
    narrowed = {name: tables[name].filter(mine) for name in scored}
    # Results of excluded rows stay: their names say whose rows they are.
    entries = pl.concat([narrowed["core__evidence"]["entry_id"], tables["core__exclusion"]["entry_id"]])
    results = tables["core__result"].filter(pl.col("entry_id").is_in(entries.implode()))
    return ExplanationIndex({**tables, **narrowed, "core__result": results}, catalog).explain(model_id, category)
