"""Every dimension's latent model, fitted over all models at once, and what it reports of each (METHODS 7).

Belongs here: from `core__evidence` to one fit a dimension and `out__dimension_score`. Does not belong here: the
posterior itself (`latent`), anything across dimensions (`categories`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from methods.scoring.latent import Integers, LatentFit, Observations, fit
from methods.scoring.overlap import components
from warehouse.methodology import Methodology
from warehouse.tables import OUT_DIMENSION_SCORE


@dataclass(frozen=True)
class DimensionFit:
    """One dimension: its observations by model and metric, and their posterior.

    Attributes:
        category, dimension: where it stands.
        model_ids: (models) sorted; row m of `observations` is model_ids[m].
        metric_ids: (metrics) sorted; column b of `observations` is metric_ids[b].
        evidence_ids: (observations) in the order of `observations`.
        families: (models) the distinct benchmark families of each model here.
        is_overlap_calibrated: (models) whether the model's component of the model-family graph holds two families.
        observations: sorted arrays.
        posterior: the fit.
    """

    category: str
    dimension: str
    model_ids: tuple[str, ...]
    metric_ids: tuple[str, ...]
    evidence_ids: tuple[str, ...]
    families: tuple[frozenset[str], ...]
    is_overlap_calibrated: tuple[bool, ...]
    observations: Observations
    posterior: LatentFit

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row of each model."""
        return {model_id: row for row, model_id in enumerate(self.model_ids)}


def score_dimensions(evidence: pl.DataFrame, methodology: Methodology) -> list[DimensionFit]:
    """One fit per (category, dimension) that holds evidence, in the order of their names.

    Args:
        evidence: `core__evidence`, rows in any order.
        methodology: constants.

    Raises:
        ValueError: if a model stands twice on one metric of a dimension.
    """
    ordered = evidence.sort("category", "dimension", "model_id", "metric_id")
    return [
        _fit_dimension(str(category), str(dimension), rows, methodology)
        for (category, dimension), rows in ordered.group_by("category", "dimension", maintain_order=True)
    ]


def dimension_frame(fits: list[DimensionFit]) -> pl.DataFrame:
    """`out__dimension_score` of the fits."""
    frames = [
        pl.DataFrame(
            {
                "category": [one.category] * len(one.model_ids),
                "dimension": [one.dimension] * len(one.model_ids),
                "model_id": one.model_ids,
                "mu": one.posterior.mean,
                "sigma": np.sqrt(one.posterior.variance),
                "families": [len(families) for families in one.families],
                "observations": np.diff(one.observations.start),
                "is_overlap_calibrated": one.is_overlap_calibrated,
            },
            schema=OUT_DIMENSION_SCORE.polars_schema(),
        )
        for one in fits
    ]
    return OUT_DIMENSION_SCORE.conform(pl.concat(frames) if frames else OUT_DIMENSION_SCORE.empty())


def _fit_dimension(category: str, dimension: str, rows: pl.DataFrame, methodology: Methodology) -> DimensionFit:
    model_ids, model = _numbered(rows["model_id"])
    metric_ids, metric = _numbered(rows["metric_id"])
    family_names, family = _numbered(rows["family"])
    observations = Observations(
        start=np.concatenate([[0], np.cumsum(np.bincount(model, minlength=len(model_ids)))]).astype(np.int64),
        metric=metric,
        precision=rows["precision"].to_numpy(),
        z=rows["z"].to_numpy(),
        metrics=len(metric_ids),
    )
    pairs = sorted(set(zip(model.tolist(), family.tolist(), strict=True)))
    own: list[set[str]] = [set() for _ in model_ids]
    for row, name in pairs:
        own[row].add(family_names[name])
    model_labels, family_labels = components(pairs, len(model_ids), len(family_names))
    size = {label: family_labels.count(label) for label in set(family_labels)}
    return DimensionFit(
        category=category,
        dimension=dimension,
        model_ids=model_ids,
        metric_ids=metric_ids,
        evidence_ids=tuple(rows["evidence_id"].to_list()),
        families=tuple(frozenset(families) for families in own),
        is_overlap_calibrated=tuple(size[label] >= methodology.category.overlap_families for label in model_labels),
        observations=observations,
        posterior=fit(observations, methodology.latent),
    )


def _numbered(column: pl.Series) -> tuple[tuple[str, ...], Integers]:
    """The distinct texts of a column, sorted, and each row's number among them."""
    names = column.unique().sort()
    numbers = column.replace_strict(names, pl.Series(range(len(names))), return_dtype=pl.Int64).to_numpy()
    return tuple(names.to_list()), numbers
