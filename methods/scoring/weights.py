"""The exact explanation of every score: what each observation weighs and adds (METHODS 7, "Exact explanation").

Belongs here: `out__score_weight` from the dimension fits. Does not belong here: the linear algebra (`weight_kernels`),
the walk from a weight to its bytes (`methods.lineage`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.scoring import weight_kernels as kernels
from methods.scoring.dimensions import DimensionFit
from methods.scoring.latent import Floats
from methods.scoring.loops import Loops, as_matrix, as_vector
from methods.scoring.overlap import components
from warehouse.methodology import Methodology
from warehouse.tables import OUT_SCORE_WEIGHT

BLOCK: Final = 1024
"""Models explained at a time; the numbers do not depend on it."""

_COLUMNS: Final = ("model_id", "metric_id", "role", "evidence_id", "weight", "z", "contribution")


def score_weights(fits: Sequence[DimensionFit], methodology: Methodology, loops: Loops | None = None) -> pl.DataFrame:
    """`out__score_weight`: every model's own observations one by one, the others' summed per metric.

    `weight` is the derivative of the category mean by z, `contribution` is slope * weight * z in score points; centre +
    sum of contributions over a model's category is its unclamped score. An own weight includes the way through the
    metric's offset. A metric outside the model's component moves nothing and has no row.

    Args:
        fits: every dimension fit of the board.
        methodology: constants.
        loops: the side on which to run; by default chosen by the amount of work.
    """
    observed: dict[tuple[str, str], int] = {}
    for fit in fits:
        for model_id in fit.model_ids:
            observed[fit.category, model_id] = observed.get((fit.category, model_id), 0) + 1
    frames = [frame for fit in fits for frame in _explain_dimension(fit, observed, methodology, loops)]
    return OUT_SCORE_WEIGHT.conform(pl.concat(frames) if frames else OUT_SCORE_WEIGHT.empty())


def _explain_dimension(
    fit: DimensionFit, observed: dict[tuple[str, str], int], methodology: Methodology, loops: Loops | None
) -> Iterator[pl.DataFrame]:
    data, models, metrics = fit.observations, fit.observations.models, fit.observations.metrics
    loops = loops or Loops.for_work(data.steps + models * metrics * metrics)
    start, metric = loops.load(data.start), loops.load(data.metric)
    precision, z, gain = loops.load(data.precision), loops.load(data.z), loops.load(fit.posterior.gain)
    covariance = loops.load(fit.posterior.cohort_covariance)
    cross, total = loops.matrix(metrics, metrics), loops.vector(metrics)
    loops.run(kernels.moments, start, metric, precision, z, gain, models, cross, total)

    has_others = _metrics_with_others(fit)
    divisor = np.array([observed[fit.category, model_id] for model_id in fit.model_ids], dtype=np.float64)
    own, image = loops.vector(len(data.z)), loops.vector(metrics)
    for first in range(0, models, BLOCK):
        end = min(first + BLOCK, models)
        others, added = loops.matrix(end - first, metrics), loops.matrix(end - first, metrics)
        loops.run(
            kernels.explain, start, metric, precision, z, gain, covariance, 1.0 / methodology.latent.cohort_variance,
            cross, total, metrics, image, first, end, own, others, added,
        )  # fmt: skip
        share = divisor[first:end, None]
        yield _cohort_frame(
            fit,
            has_others[first:end],
            first,
            as_matrix(others, metrics) / share,
            methodology.category.slope * as_matrix(added, metrics) / share,
        )
    yield _own_frame(fit, as_vector(own), divisor, methodology.category.slope)


def _own_frame(fit: DimensionFit, own: Floats, divisor: Floats, slope: float) -> pl.DataFrame:
    row = np.repeat(np.arange(fit.observations.models), np.diff(fit.observations.start))
    weight = own / divisor[row]
    return _framed(
        fit,
        {
            "model_id": [fit.model_ids[m] for m in row.tolist()],
            "metric_id": [fit.metric_ids[b] for b in fit.observations.metric.tolist()],
            "role": ["own"] * len(row),
            "evidence_id": list(fit.evidence_ids),
            "weight": weight,
            "z": fit.observations.z,
            "contribution": slope * weight * fit.observations.z,
        },
    )


def _cohort_frame(
    fit: DimensionFit, shown: NDArray[np.bool_], first: int, weight: Floats, contribution: Floats
) -> pl.DataFrame:
    row, column = np.nonzero(shown)
    return _framed(
        fit,
        {
            "model_id": [fit.model_ids[first + m] for m in row.tolist()],
            "metric_id": [fit.metric_ids[b] for b in column.tolist()],
            "role": ["cohort"] * len(row),
            "evidence_id": [None] * len(row),
            "weight": weight[row, column],
            "z": [None] * len(row),
            "contribution": contribution[row, column],
        },
    )


def _framed(fit: DimensionFit, columns: dict[str, object]) -> pl.DataFrame:
    count = len(columns["role"])  # type: ignore[arg-type]
    placed = {"category": [fit.category] * count, "dimension": [fit.dimension] * count, **columns}
    return pl.DataFrame(placed, schema=OUT_SCORE_WEIGHT.polars_schema())


def _metrics_with_others(fit: DimensionFit) -> NDArray[np.bool_]:
    """(models, metrics): whether others' observations of the metric can move the model's ability."""
    data = fit.observations
    row = np.repeat(np.arange(data.models), np.diff(data.start))
    edges = zip(row.tolist(), data.metric.tolist(), strict=True)
    model_label, metric_label = components(edges, data.models, data.metrics)
    connected = np.array(model_label)[:, None] == np.array(metric_label)[None, :]
    only_own = np.zeros_like(connected)
    alone = np.bincount(data.metric, minlength=data.metrics) == 1
    only_own[row, data.metric] = alone[data.metric]
    shown: NDArray[np.bool_] = connected & ~only_own
    return shown
