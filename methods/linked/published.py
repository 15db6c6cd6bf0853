"""`out__linked_metric` and `out__linked_parameter`: what the linked board rests on, published with it (METHODS 7b)."""

from __future__ import annotations

import numpy as np
import polars as pl

from methods.linked.cells import LEVELS, MODEL, PLACES, summed
from methods.linked.model import LinkedFit
from methods.scoring.categories import unclamped
from warehouse.linked_rules import LinkedModel
from warehouse.methodology import CategoryScale
from warehouse.tables_linked import OUT_LINKED_METRIC, OUT_LINKED_PARAMETER
from warehouse.vocabulary import CATEGORIES, TIERS

_LEVELS = ("model", "category", "dimension", "family")


def linked_metrics(fit: LinkedFit, scale: CategoryScale) -> pl.DataFrame:
    """`out__linked_metric`: slope, offset and noise of every metric, and the mean ability of its cohort."""
    cells, found, posterior = fit.cells, fit.hyperparameters, fit.posterior
    size = cells.metrics
    place = np.zeros(size, dtype=np.int64)
    place[cells.metric] = cells.place
    models = np.bincount(cells.metric, minlength=size)
    ability = posterior.mean[MODEL][cells.levels[MODEL].of_cell]
    mean = summed(cells.metric, ability, size) / models
    return OUT_LINKED_METRIC.conform(
        pl.DataFrame(
            {
                "metric_id": cells.metric_ids,
                "category": [PLACES[at][0] for at in place.tolist()],
                "dimension": [PLACES[at][1] for at in place.tolist()],
                "models": models,
                "slope": found.slope,
                "offset": posterior.cohort_mean,
                "offset_sd": np.sqrt(np.diagonal(posterior.cohort_covariance)),
                "noise_sd": np.sqrt(found.noise),
                "cohort_score": [unclamped(one, scale) for one in mean.tolist()],
            },
            schema=OUT_LINKED_METRIC.polars_schema(),
        )
    )


def linked_parameters(fit: LinkedFit, rules: LinkedModel) -> pl.DataFrame:
    """`out__linked_parameter`: variances by level and category, noise by tier, and how the search for them ended."""
    found = fit.hyperparameters
    rows: list[tuple[str, str, float]] = [("effect_variance", _LEVELS[MODEL], float(found.effect[MODEL, 0]))]
    for depth in range(1, LEVELS):
        rows += [
            ("effect_variance", f"{_LEVELS[depth]} in {category}", float(found.effect[depth, number]))
            for number, category in enumerate(CATEGORIES)
        ]
    rows += [("tier_factor", tier, float(factor)) for tier, factor in zip(TIERS, found.tier.tolist(), strict=True)]
    rows += [
        ("cohort_variance", "offset", rules.cohort_variance),
        ("updates", rules.published, float(found.updates)),
        ("last_change", rules.published, found.change),
        ("has_settled", rules.published, float(found.has_settled)),
    ]
    return OUT_LINKED_PARAMETER.conform(pl.DataFrame(rows, schema=OUT_LINKED_PARAMETER.polars_schema(), orient="row"))
