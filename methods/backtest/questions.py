"""Questions to the methods: withheld results, what is known of each, and the answers kept apart.

Belongs here: which withheld results anybody could predict, and their truth on the metric's scale. A result on a metric
that too few results are left of, or of a model that none is left of, is asked of nobody, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from methods.backtest.forecasts import Asked
from methods.backtest.training import Flags, Results, Scales, Training
from methods.linked.cells import Floats, Integers
from methods.scoring.standardize import normalized_stderr

_KNOWN = ("model_id", "metric_id", "category", "dimension", "family", "tier")


@dataclass(frozen=True)
class Question:
    """What is asked after one training.

    Attributes:
        asked: the withheld results that can be predicted, without values.
        place: (asked,) their true place on the metric's scale, not clamped.
        value: (asked,) their true value. center, scale: (asked,) of the metric, to turn a place into a value.
        is_fraction, is_lower: (asked,) what the value is.
        observations: (asked,) results of the model that training has.
        withheld, without_metric, without_model: counts of results.
    """

    asked: Asked
    place: Floats
    value: Floats
    center: Floats
    scale: Floats
    is_fraction: Flags
    is_lower: Flags
    observations: Integers
    withheld: int
    without_metric: int
    without_model: int


def ask(results: Results, training: Training, is_asked: Flags, scales: Scales | None = None) -> Question:
    """The question about some withheld results.

    Args:
        results: all of them. training: what is left. is_asked: (results,) the withheld ones.
        scales: where the metrics themselves are withheld: their scales, which are then no part of the question.
    """
    known = scales or training.scales
    rows = np.flatnonzero(is_asked)
    counts = dict(training.evidence.group_by("model_id").len().rows())
    observations = np.array([counts.get(one, 0) for one in results.frame["model_id"]], dtype=np.int64)[rows]
    has_metric = known.is_scored[results.metric[rows]]
    has_model = observations > 0
    kept = rows[has_metric & has_model]
    return _question(results, kept, known, observations[has_metric & has_model], has_metric, has_model)


def _question(
    results: Results, rows: Integers, scales: Scales, observations: Integers, has_metric: Flags, has_model: Flags
) -> Question:
    metric = results.metric[rows]
    center, scale = scales.center[metric], scales.scale[metric]
    frame = results.frame[rows.tolist()].select(_KNOWN).with_columns(q=pl.Series(scales.quality[metric]))
    return Question(
        asked=Asked(frame, metric, normalized_stderr(results.stderr_x[rows], scale)),
        place=(results.x[rows] - center) / scale,
        value=results.value[rows],
        center=center,
        scale=scale,
        is_fraction=results.is_fraction[metric],
        is_lower=results.is_lower[metric],
        observations=observations,
        withheld=len(has_metric),
        without_metric=int(np.sum(~has_metric)),
        without_model=int(np.sum(has_metric & ~has_model)),
    )


def ask_forward(former: Results, training: Training, latter: Results) -> Question:
    """What a later day knows and the former did not: (model, metric) cells that are new, on the former day's scales.

    Args:
        former: results of the former day, all of them training. latter: those of the later day.
    """
    number = {metric_id: at for at, metric_id in enumerate(former.metric_ids)}
    seen = set(former.frame.select("model_id", "metric_id").rows())
    new = [row for row, key in enumerate(latter.frame.select("model_id", "metric_id").rows()) if key not in seen]
    rows = np.array(new, dtype=np.int64)
    at = np.array([number.get(one, -1) for one in latter.metric_ids], dtype=np.int64)
    metric = at[latter.metric[rows]]
    has_metric = (metric >= 0) & np.where(metric >= 0, training.scales.is_scored[metric], False)
    counts = dict(training.evidence.group_by("model_id").len().rows())
    models = latter.frame["model_id"].to_list()
    observations = np.array([counts.get(models[row], 0) for row in new], dtype=np.int64)
    has_model = observations > 0
    kept = has_metric & has_model
    own = Results(
        frame=latter.frame, metric_ids=former.metric_ids, metric=np.maximum(at, 0)[latter.metric], x=latter.x,
        stderr_x=latter.stderr_x, value=latter.value, is_fraction=former.is_fraction, is_lower=former.is_lower,
        developer=latter.developer,
    )  # fmt: skip
    return _question(own, rows[kept], training.scales, observations[kept], has_metric, has_model)
