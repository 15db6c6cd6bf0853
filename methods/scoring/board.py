"""The board: from evidence to the three published score tables in one call (METHODS 7).

Belongs here: the chain, and the columns that name release, versions and models. Does not belong here: any formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import NamedTuple

import polars as pl

from methods.scoring.categories import score_categories
from methods.scoring.dimensions import DimensionFit, dimension_frame, score_dimensions
from methods.scoring.latent import HASH, TOLERANCE
from methods.scoring.weights import score_weights
from warehouse.catalog_model import Catalog
from warehouse.tables import OUT_CATEGORY_SCORE
from warehouse.vocabulary import Exactness


class Board(NamedTuple):
    """The published score tables of one release, and how exactly they can be recomputed elsewhere.

    Attributes:
        dimension_scores: `out__dimension_score`.
        category_scores: `out__category_score`.
        weights: `out__score_weight`.
        exactness: "hash" where every dimension kept a fixed order of arithmetic, else "tolerance".
        tolerance_dimensions: (category, dimension) pairs that LAPACK computed.
    """

    dimension_scores: pl.DataFrame
    category_scores: pl.DataFrame
    weights: pl.DataFrame
    exactness: Exactness
    tolerance_dimensions: tuple[tuple[str, str], ...]


def build_board(evidence: pl.DataFrame, catalog: Catalog, *, release_id: str, as_of: date) -> Board:
    """Dimension scores, category scores and weights of all evidence (METHODS 7).

    Args:
        evidence: `core__evidence`, rows in any order.
        catalog: for its methodology, versions and the names of models.
        release_id: the release the rows belong to.
        as_of: the day (UTC) it speaks of.
    """
    fits = score_dimensions(evidence, catalog.methodology)
    inexact = tuple((fit.category, fit.dimension) for fit in fits if fit.posterior.exactness == TOLERANCE)
    return Board(
        dimension_scores=dimension_frame(fits),
        category_scores=category_frame(fits, catalog, release_id=release_id, as_of=as_of),
        weights=score_weights(fits, catalog.methodology),
        exactness=exactness(fits),
        tolerance_dimensions=inexact,
    )


def category_frame(fits: Sequence[DimensionFit], catalog: Catalog, *, release_id: str, as_of: date) -> pl.DataFrame:
    """`out__category_score` of fitted dimensions, with the columns that name release, versions and models."""
    models = catalog.model_by_id
    rows = [
        {
            **asdict(score),
            "release_id": release_id,
            "as_of": as_of,
            "model_name": models[score.model_id].name,
            "developer": models[score.model_id].developer,
            "catalog_version": catalog.version,
            "methodology_version": catalog.methodology.version,
        }
        for score in score_categories(fits, catalog.methodology)
    ]
    return OUT_CATEGORY_SCORE.conform(pl.DataFrame(rows, schema=OUT_CATEGORY_SCORE.polars_schema()))


def exactness(fits: Sequence[DimensionFit]) -> Exactness:
    """Whether the numbers are the same bits on every machine: "hash", or "tolerance" where LAPACK had a part."""
    return TOLERANCE if any(fit.posterior.exactness == TOLERANCE for fit in fits) else HASH
