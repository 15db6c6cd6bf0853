"""Evidence without what is withheld: every metric standardized again on the results that are left (METHODS 7).

Belongs here: what training knows, and nothing of what it must not know. Does not belong here: which results are
withheld (`splits`), what is predicted from the rest (`forecasts`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.linked.cells import Floats, Integers
from methods.scoring.precision import capped_precision
from methods.scoring.standardize import metric_scale, normalized_stderr, observation_variance
from warehouse.catalog_model import Catalog
from warehouse.methodology import Standardization
from warehouse.vocabulary import CATEGORIES

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Results:
    """Every result that counts, in a fixed order, with what stands whatever is withheld.

    Attributes:
        frame: `core__evidence` by model and metric.
        metric_ids: (metrics) sorted. metric: (results,) number of each result's metric.
        x, stderr_x: (results,) value and its standard error on the transformed scale.
        value: (results,) value in its unit.
        is_fraction, is_lower: (metrics,) whether values are fractions, and whether lower ones are better.
        developer: registry's developer of each result's model; None where it knows none.
    """

    frame: pl.DataFrame
    metric_ids: tuple[str, ...]
    metric: Integers
    x: Floats
    stderr_x: Floats
    value: Floats
    is_fraction: Flags
    is_lower: Flags
    developer: tuple[str | None, ...]

    @property
    def count(self) -> int:
        """Number of results."""
        return len(self.x)


@dataclass(frozen=True)
class Scales:
    """(metrics,) median, robust scale and quality of each metric; `is_scored` where these exist."""

    center: Floats
    scale: Floats
    quality: Floats
    is_scored: Flags


@dataclass(frozen=True)
class Training:
    """What is left: evidence standardized on itself, and the scales that it has.

    Attributes:
        evidence: `core__evidence` of the results left, on metrics that still are scored.
        rows: (evidence,) the result each row is.
        z: (evidence,) place on the metric's scale, not clamped.
        scales: of every metric.
    """

    evidence: pl.DataFrame
    rows: Integers
    z: Floats
    scales: Scales


def gather(evidence: pl.DataFrame, catalog: Catalog) -> Results:
    """The results of `core__evidence`, whatever the order of its rows.

    Raises:
        KeyError: for a metric or model that the catalog does not hold.
    """
    frame = evidence.sort("model_id", "metric_id")
    metric_ids = tuple(sorted(set(frame["metric_id"])))
    number = {metric_id: at for at, metric_id in enumerate(metric_ids)}
    metric = np.array([number[one] for one in frame["metric_id"]], dtype=np.int64)
    specs = {spec.id: spec for spec in catalog.metrics}
    models = catalog.model_by_id
    developer = tuple(models[one].developer for one in frame["model_id"])
    x = frame["x"].to_numpy()
    whole = scales_of(x, metric, developer, len(metric_ids), catalog.methodology.standardization)
    return Results(
        frame=frame,
        metric_ids=metric_ids,
        metric=metric,
        x=x,
        stderr_x=frame["stderr_norm"].to_numpy() * whole.scale[metric],
        value=frame["value"].to_numpy(),
        is_fraction=np.array([specs[one].transform == "logit" for one in metric_ids], dtype=bool),
        is_lower=np.array([specs[one].direction == "lower" for one in metric_ids], dtype=bool),
        developer=developer,
    )


def scales_of(
    x: Floats, metric: Integers, developer: tuple[str | None, ...], metrics: int, rules: Standardization
) -> Scales:
    """The scale of every metric over the given results, by `metric_scale`."""
    center, scale, quality = np.zeros(metrics), np.zeros(metrics), np.zeros(metrics)
    is_scored = np.zeros(metrics, dtype=bool)
    order = np.argsort(metric, kind="stable")
    ends = np.searchsorted(metric[order], np.arange(metrics + 1))
    for number in range(metrics):
        here = order[ends[number] : ends[number + 1]]
        if len(here) == 0:
            continue
        found = metric_scale(x[here], [developer[row] for row in here.tolist()], rules)
        if found.reason is None:
            center[number], scale[number], quality[number] = found.center, found.scale, found.quality
            is_scored[number] = True
    return Scales(center, scale, quality, is_scored)


def train_on(results: Results, is_kept: Flags, rules: Standardization) -> Training:
    """Standardizes the kept results on themselves: medians, scales, quality, variance and family cap.

    Args:
        results: all of them. is_kept: (results,) which training may see. rules: constants of METHODS 7.
    """
    kept = np.flatnonzero(is_kept)
    scales = scales_of(
        results.x[kept],
        results.metric[kept],
        tuple(results.developer[row] for row in kept.tolist()),
        len(results.metric_ids),
        rules,
    )
    rows = kept[scales.is_scored[results.metric[kept]]]
    metric = results.metric[rows]
    z = (results.x[rows] - scales.center[metric]) / scales.scale[metric]
    frame = results.frame[rows.tolist()]
    stderr = normalized_stderr(results.stderr_x[rows], scales.scale[metric])
    variance = observation_variance(stderr, frame["tier"].to_list(), scales.quality[metric], rules)
    groups = frame.select("model_id", "category", "dimension", "family").rows()
    evidence = frame.with_columns(
        z=pl.Series(np.clip(z, -rules.z_limit, rules.z_limit)),
        q=pl.Series(scales.quality[metric]),
        stderr_norm=pl.Series(stderr),
        variance=pl.Series(variance),
        precision=pl.Series(capped_precision(groups, variance, rules.family_precision_cap)),
    )
    return Training(evidence, rows, z, scales)


def category_numbers(frame: pl.DataFrame) -> Integers:
    """Number of each row's category, in the order of the vocabulary."""
    number = {category: at for at, category in enumerate(CATEGORIES)}
    return np.array([number[one] for one in frame["category"]], dtype=np.int64)
