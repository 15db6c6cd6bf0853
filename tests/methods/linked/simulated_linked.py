"""Evidence to test the linked model with: random small boards, and boards of known truth, missing not at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from simulated_boards import METHODOLOGY

from warehouse.vocabulary import CATEGORIES, TIERS

RULES = METHODOLOGY.linked
SCALE = METHODOLOGY.category
PLACES = [(category, dimension) for category, four in CATEGORIES.items() for dimension in four]


def evidence_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """The columns of `core__evidence` that the linked model reads."""
    schema = {
        "model_id": pl.String, "metric_id": pl.String, "category": pl.String, "dimension": pl.String,
        "family": pl.String, "tier": pl.String, "q": pl.Float64, "z": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)


def random_rows(seed: int, models: int = 6, metrics: int = 7, share: float = 0.6) -> list[dict[str, Any]]:
    """A random small board over two categories, with families that hold several metrics."""
    rng = np.random.default_rng(seed)
    places = [PLACES[number] for number in rng.choice(8, metrics)]
    rows = []
    for metric in range(metrics):
        for model in range(models):
            if rng.random() < share or model == metric % models:
                rows.append({
                    "model_id": f"m{model}", "metric_id": f"b{metric}", "category": places[metric][0],
                    "dimension": places[metric][1], "family": f"f{metric // 2}", "tier": TIERS[rng.integers(4)],
                    "q": float(rng.uniform(0.2, 1.0)), "z": float(rng.normal()),
                })  # fmt: skip
    return rows


@dataclass
class Truth:
    """A board of known abilities.

    Attributes:
        evidence: what is observed. ability: (models, places) true ability in each dimension.
        slope: by metric. rows: as dicts, in the order drawn.
    """

    evidence: pl.DataFrame
    ability: np.ndarray
    slope: np.ndarray
    rows: list[dict[str, Any]]


def known_board(seed: int, models: int = 80, metrics: int = 48, noise: float = 0.35) -> Truth:
    """Strong models stand on hard boards: a cell is observed the likelier, the nearer model and cohort are in strength.

    Places are standardized on each metric's own cohort by mean and SD, as boards do, so that offsets differ wildly.
    """
    rng = np.random.default_rng(seed)
    effect = {"model": 0.88, "category": 0.07, "dimension": 0.05, "family": 0.03}
    general = rng.normal(size=models) * np.sqrt(effect["model"])
    by_category = rng.normal(size=(models, len(CATEGORIES))) * np.sqrt(effect["category"])
    by_place = rng.normal(size=(models, len(PLACES))) * np.sqrt(effect["dimension"])
    ability = general[:, None] + np.repeat(by_category, 4, axis=1) + by_place
    slope = rng.uniform(0.6, 1.4, metrics)
    level = rng.normal(size=metrics)
    rows = []
    for metric in range(metrics):
        place = int(rng.integers(len(PLACES)))
        nearness = np.exp(-0.5 * ((general - level[metric]) / 0.8) ** 2)
        seen = np.flatnonzero(rng.random(models) < 0.6 * nearness)
        if len(seen) < 5:
            continue
        own = ability[seen, place] + rng.normal(size=len(seen)) * np.sqrt(effect["family"])
        raw = slope[metric] * own + rng.normal(size=len(seen)) * noise
        z = raw - np.median(raw)
        for model, value in zip(seen.tolist(), z.tolist(), strict=True):
            category, dimension = PLACES[place]
            rows.append({
                "model_id": f"m{model:03d}", "metric_id": f"b{metric:03d}", "category": category,
                "dimension": dimension, "family": f"f{metric:03d}", "tier": "official", "q": 1.0, "z": value,
                "model": model, "place": place,
            })  # fmt: skip
    return Truth(evidence_of(rows), ability, slope, rows)


def linked_cohorts(seed: int, apart: float = 4.0) -> tuple[list[dict[str, Any]], dict[str, bool]]:
    """Two cohorts of forty models, `apart` standard deviations from each other, each on eight metrics of its own.

    Two models, the best of the weaker cohort, stand in both. Returns the rows, and who belongs to the stronger one.
    """
    rng = np.random.default_rng(seed)
    weak, strong = np.sort(rng.normal(size=40))[::-1], rng.normal(size=40) + apart
    named = {f"a{n:02d}": float(value) for n, value in enumerate(weak.tolist())}
    named |= {f"b{n:02d}": float(value) for n, value in enumerate(strong.tolist())}
    rows = []
    for metric in range(16):
        on_strong = metric >= 8
        seen = [name for name in named if name.startswith("b") == on_strong or (on_strong and name < "a02")]
        raw = np.array([named[name] for name in seen]) + rng.normal(size=len(seen)) * 0.7
        z = (raw - np.median(raw)) / raw[2 * on_strong :].std()
        category, dimension = PLACES[metric % 8]
        for name, value in zip(seen, np.clip(z, -3, 3).tolist(), strict=True):
            rows.append({
                "model_id": name, "metric_id": f"m{metric:02d}", "category": category, "dimension": dimension,
                "family": f"f{metric:02d}", "tier": "official", "q": 1.0, "z": value,
            })  # fmt: skip
    return rows, {name: name.startswith("b") for name in named}
