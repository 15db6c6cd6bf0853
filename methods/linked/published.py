"""`out__linked_metric` and `out__linked_parameter`: what the linked board rests on, published with it (METHODS 7b)."""

from __future__ import annotations

import numpy as np
import polars as pl

from methods.linked.cells import LEVELS, MODEL, PLACES, arrange, summed
from methods.linked.centre import centre
from methods.linked.likelihood import Hyperparameters, settings_of
from methods.linked.model import LinkedFit
from methods.linked.posterior import fit
from methods.scoring.categories import unclamped
from warehouse.linked_rules import LinkedModel
from warehouse.methodology import CategoryScale
from warehouse.tables_linked import OUT_LINKED_METRIC, OUT_LINKED_PARAMETER
from warehouse.vocabulary import CATEGORIES, TIERS

_LEVELS = ("model", "category", "dimension", "family")


def linked_metrics(made: LinkedFit, scale: CategoryScale) -> pl.DataFrame:
    """`out__linked_metric`: slope, offset and noise of every metric, and the mean ability of its cohort.

    The offset is that of a model at the centre of the scores.
    """
    cells, found, posterior = made.cells, made.hyperparameters, made.posterior
    size = cells.metrics
    place = np.zeros(size, dtype=np.int64)
    place[cells.metric] = cells.place
    models = np.bincount(cells.metric, minlength=size)
    middle = centre(cells, posterior, found)
    ability = posterior.mean[MODEL][cells.levels[MODEL].of_cell]
    mean = summed(cells.metric, ability, size) / models - middle.mean
    slope, covariance = found.slope, np.diagonal(posterior.cohort_covariance)
    spread = covariance - 2.0 * slope * middle.image + slope * slope * middle.variance
    return OUT_LINKED_METRIC.conform(
        pl.DataFrame(
            {
                "metric_id": cells.metric_ids,
                "category": [PLACES[at][0] for at in place.tolist()],
                "dimension": [PLACES[at][1] for at in place.tolist()],
                "models": models,
                "slope": slope,
                "offset": posterior.cohort_mean + slope * middle.mean,
                "offset_sd": np.sqrt(spread),
                "noise_sd": np.sqrt(found.noise),
                "cohort_score": [unclamped(one, scale) for one in mean.tolist()],
            },
            schema=OUT_LINKED_METRIC.polars_schema(),
        )
    )


def linked_parameters(made: LinkedFit, rules: LinkedModel) -> pl.DataFrame:
    """`out__linked_parameter`: variances by level and category, noise by tier, and how the search for them ended."""
    found = made.hyperparameters
    rows: list[tuple[str, str, float]] = [("effect_variance", _LEVELS[MODEL], float(found.effect[MODEL, 0]))]
    for depth in range(1, LEVELS):
        rows += [
            ("effect_variance", f"{_LEVELS[depth]} in {category}", float(found.effect[depth, number]))
            for number, category in enumerate(CATEGORIES)
        ]
    rows += [("tier_factor", tier, float(factor)) for tier, factor in zip(TIERS, found.tier.tolist(), strict=True)]
    rows += [
        ("cohort_variance", "offset", rules.cohort_variance),
        ("prior_width", _LEVELS[MODEL], found.width),
        ("updates", rules.published, float(found.updates)),
        ("last_change", rules.published, found.change),
        ("has_settled", rules.published, float(found.has_settled)),
    ]
    return OUT_LINKED_PARAMETER.conform(pl.DataFrame(rows, schema=OUT_LINKED_PARAMETER.polars_schema(), orient="row"))


def published_fit(
    evidence: pl.DataFrame, metrics: pl.DataFrame, parameters: pl.DataFrame, rules: LinkedModel
) -> LinkedFit:
    """The linked fit as it was published: the exact posterior under the published parameters, without any search.

    Args:
        evidence: `core__evidence` of the release. metrics: its `out__linked_metric`.
        parameters: its `out__linked_parameter`. rules: constants of its methodology.

    Raises:
        KeyError: if the tables lack a metric of the evidence, or a parameter.
    """
    cells = arrange(evidence)
    of_metric = {row["metric_id"]: row for row in metrics.rows(named=True)}
    of = {(parameter, subject): estimate for parameter, subject, estimate in parameters.rows()}
    effect = np.full((LEVELS, len(CATEGORIES)), of["effect_variance", _LEVELS[MODEL]])
    for depth in range(1, LEVELS):
        effect[depth] = [of["effect_variance", f"{_LEVELS[depth]} in {category}"] for category in CATEGORIES]
    noise_sd = np.array([of_metric[name]["noise_sd"] for name in cells.metric_ids])
    found = Hyperparameters(
        effect=effect,
        slope=np.array([of_metric[name]["slope"] for name in cells.metric_ids]),
        noise=noise_sd * noise_sd,
        tier=np.array([of["tier_factor", tier] for tier in TIERS]),
        width=of["prior_width", _LEVELS[MODEL]],
    )
    return LinkedFit(cells, found, fit(cells, settings_of(cells, found, rules)))
