"""Evidence with values, a catalog that knows its metrics, and withheld results to ask for, for tests of the proof."""

from __future__ import annotations

import numpy as np
import polars as pl
from simulated_boards import METHODOLOGY, kept_rows

from methods.backtest.forecasts import Asked
from methods.backtest.questions import Question
from methods.scoring.standardize import standardize_rows
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.metric_model import Matcher, MetricSpec
from warehouse.vocabulary import CATEGORIES

MODELS, METRICS = 40, 28
PLACES = [(category, dimension) for category, four in CATEGORIES.items() for dimension in four[:2]]


def _metric(number: int) -> dict[str, str]:
    category, dimension = PLACES[number % len(PLACES)]
    return {
        "metric_id": f"b{number:02d}", "category": category, "dimension": dimension, "family": f"f{number // 2:02d}",
        "direction": "lower" if number % 9 == 0 else "higher",
        "transform": "identity" if number % 7 == 0 else "logit",
        "unit": "rating" if number % 7 == 0 else "score_fraction",
    }  # fmt: skip


def board_catalog() -> Catalog:
    """A catalog of the metrics and models of these boards."""
    metrics = []
    for number in range(METRICS):
        one = _metric(number)
        metrics.append(MetricSpec.model_validate({
            "id": one["metric_id"], "category": one["category"], "dimension": one["dimension"], "family": one["family"],
            "protocol": "standard", "direction": one["direction"], "transform": one["transform"], "status": "scored",
            "from": [Matcher(benchmark=one["metric_id"], metric="score")],
        }))  # fmt: skip
    models = tuple(ModelSpec(id=f"m{n:02d}", name=f"M{n:02d}", developer=f"lab-{n % 6}") for n in range(MODELS))
    return Catalog(version="t", sources=(), metrics=tuple(metrics), models=models, methodology=METHODOLOGY, gates=())


def board_evidence(seed: int, noise: float = 0.4) -> pl.DataFrame:
    """`core__evidence` of a board on which one ability, slopes and noise made every value."""
    rng = np.random.default_rng(seed)
    ability, level = rng.normal(size=MODELS), rng.normal(size=METRICS)
    slope = rng.uniform(0.6, 1.5, METRICS)
    rows = []
    for number in range(METRICS):
        metric = _metric(number)
        for model in range(MODELS):
            if rng.random() > 0.5:
                continue
            x = level[number] + slope[number] * ability[model] + noise * rng.normal()
            x = -x if metric["direction"] == "lower" else x
            value = 1200 + 80 * x if metric["unit"] == "rating" else round(1 / (1 + float(np.exp(-x))), 4)
            rows.append({
                "model_id": f"m{model:02d}", "developer": f"lab-{model % 6}", "value": value,
                "tier": ("official", "self_reported", "reported")[model % 3],
                "stderr": 0.02 if metric["unit"] == "score_fraction" and model % 4 == 0 else None, **metric,
            })  # fmt: skip
    return standardize_rows(kept_rows(rows), METHODOLOGY).evidence


def question(places: list[float], category: str = "math", observations: int = 4) -> Question:
    """Withheld results at these places of one metric whose median is 50% and whose robust SD is 1 on the logit."""
    count = len(places)
    frame = pl.DataFrame({
        "model_id": [f"m{n}" for n in range(count)], "metric_id": ["b"] * count, "category": [category] * count,
        "dimension": ["basic"] * count, "family": ["f"] * count, "tier": ["official"] * count, "q": [1.0] * count,
    })  # fmt: skip
    place = np.array(places)
    return Question(
        Asked(frame, np.zeros(count, dtype=np.int64), np.zeros(count)), place, 1 / (1 + np.exp(-place)),
        np.zeros(count), np.ones(count), np.ones(count, dtype=bool), np.zeros(count, dtype=bool),
        np.full(count, observations), count, 0, 0,
    )  # fmt: skip
