"""Category scores: the mean of the observed dimensions, its interval, status and rank (METHODS 7).

Belongs here: from the dimensions' posteriors to everything `out__category_score` says of a model in a category. Does
not belong here: names, release and versions (`board`), covariances between models (`ranks`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np

from methods.scoring.dimensions import DimensionFit
from methods.scoring.ranks import rank_ranges
from warehouse.methodology import CategoryScale, Methodology
from warehouse.reasons import TOO_FEW_DIMENSIONS, TOO_FEW_FAMILIES
from warehouse.vocabulary import ScoreStatus

RATED: Final[ScoreStatus] = "rated"
ESTIMATED: Final[ScoreStatus] = "estimated"
UNRATED: Final[ScoreStatus] = "unrated"


@dataclass(frozen=True)
class CategoryScore:
    """One model in one category.

    Attributes:
        category, model_id: where and who.
        status: rated, estimated or unrated.
        score, low80, high80: score points, clamped; None where unrated.
        mu, sigma: posterior mean and SD of the category, in robust SD, kept also where unrated.
        observed_dimensions, families, overlap_dimensions: the counts that status rests on.
        effective_coverage: sum over observed dimensions of (1 - sigma^2) / number of dimensions.
        rank, rank_low, rank_high: among rated models; None otherwise.
        reason_code: why there is no score; None where there is one.
    """

    category: str
    model_id: str
    status: ScoreStatus
    score: float | None
    low80: float | None
    high80: float | None
    mu: float
    sigma: float
    observed_dimensions: int
    families: int
    overlap_dimensions: int
    effective_coverage: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    reason_code: str | None


def score_categories(fits: Sequence[DimensionFit], methodology: Methodology) -> list[CategoryScore]:
    """Every (category, model) with any evidence, by category and model id (METHODS 7).

    Args:
        fits: dimension fits, those of a category beside each other.
        methodology: constants.
    """
    scores: list[CategoryScore] = []
    for category, members in groupby(fits, key=lambda one: one.category):
        scores.extend(_score_category(category, list(members), methodology))
    return scores


def unclamped(mu: float, scale: CategoryScale) -> float:
    """The score before it is clamped: centre + slope * mu, in score points."""
    return scale.center + scale.slope * mu


def category_variance(dimension_variances: Sequence[float], scale: CategoryScale, ability_variance: float) -> float:
    """sum of sigma_d^2 / k^2 + (D - k) / D^2 at prior variance, over the k observed of D dimensions."""
    observed = len(dimension_variances)
    missing = (scale.dimensions - observed) * ability_variance / scale.dimensions**2
    return math.fsum(dimension_variances) / observed**2 + missing


def _score_category(category: str, fits: list[DimensionFit], methodology: Methodology) -> list[CategoryScore]:
    model_ids = sorted({model_id for one in fits for model_id in one.model_ids})
    scores = [_score_model(category, model_id, fits, methodology) for model_id in model_ids]
    rated = sorted((one for one in scores if one.status == RATED), key=lambda one: _order(one, methodology.category))
    low, high = rank_ranges(
        fits,
        [one.model_id for one in rated],
        np.array([one.mu for one in rated], dtype=np.float64),
        np.array([one.sigma * one.sigma for one in rated], dtype=np.float64),
        methodology.category.interval_z,
    )
    ranked = {
        one.model_id: replace(one, rank=place + 1, rank_low=low[place], rank_high=high[place])
        for place, one in enumerate(rated)
    }
    return [ranked.get(one.model_id, one) for one in scores]


def _order(one: CategoryScore, scale: CategoryScale) -> tuple[float, float, float, str]:
    """Rank order: mu, effective coverage, lower bound, all descending and unrounded, then model id."""
    return (-one.mu, -one.effective_coverage, -(one.mu - scale.interval_z * one.sigma), one.model_id)


def _score_model(category: str, model_id: str, fits: list[DimensionFit], methodology: Methodology) -> CategoryScore:
    scale, ability_variance = methodology.category, methodology.latent.ability_variance
    places = [(one, one.row_of[model_id]) for one in fits if model_id in one.row_of]
    variances = [float(one.posterior.variance[row]) for one, row in places]
    mu = math.fsum(float(one.posterior.mean[row]) for one, row in places) / len(places)
    sigma = math.sqrt(category_variance(variances, scale, ability_variance))
    families = len(set[str]().union(*(one.families[row] for one, row in places)))
    overlap = sum(one.is_overlap_calibrated[row] for one, row in places)
    status, reason = status_of(len(places), families, overlap, scale)
    reach = scale.interval_z * sigma
    shown = status != UNRATED
    return CategoryScore(
        category=category,
        model_id=model_id,
        status=status,
        score=_clamped(mu, scale) if shown else None,
        low80=_clamped(mu - reach, scale) if shown else None,
        high80=_clamped(mu + reach, scale) if shown else None,
        mu=mu,
        sigma=sigma,
        observed_dimensions=len(places),
        families=families,
        overlap_dimensions=overlap,
        effective_coverage=math.fsum(1.0 - variance for variance in variances) / scale.dimensions,
        rank=None,
        rank_low=None,
        rank_high=None,
        reason_code=reason,
    )


def status_of(dimensions: int, families: int, overlap: int, scale: CategoryScale) -> tuple[ScoreStatus, str | None]:
    """The status that these evidence counts give, and the first shortage where it is unrated (METHODS 7).

    Args:
        dimensions, families, overlap: observed dimensions, families over them, overlap-calibrated dimensions.
        scale: what each status asks for.
    """
    for status, asked in ((RATED, scale.rated), (ESTIMATED, scale.estimated)):
        enough = dimensions >= asked.dimensions and families >= asked.families
        if enough and overlap >= asked.overlap_dimensions:
            return status, None
    if dimensions < scale.estimated.dimensions:
        return UNRATED, TOO_FEW_DIMENSIONS
    return UNRATED, TOO_FEW_FAMILIES


def _clamped(mu: float, scale: CategoryScale) -> float:
    return min(max(unclamped(mu, scale), scale.lowest), scale.highest)
