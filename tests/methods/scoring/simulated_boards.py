"""Kept rows to test with: random boards in every unit, direction and tier, and small ones written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from methods.scoring.kept import KEPT_SCHEMA
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.methodology import Methodology
from warehouse.vocabulary import CATEGORIES, TIERS

_CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY = Methodology.model_validate(
    load_yaml((_CATALOG / "methodology.yaml").read_bytes(), "methodology.yaml").data
)
"""Methodology 3.0 as published; `dense_board` and the worked examples state its constants once more."""


def catalog_for(model_ids: list[str]) -> Catalog:
    """A catalog that knows these models and nothing else."""
    models = tuple(
        ModelSpec(id=model_id, name=model_id.upper(), developer=f"lab-{n % 5}") for n, model_id in enumerate(model_ids)
    )
    return Catalog(version="2026-10-20", sources=(), metrics=(), models=models, methodology=METHODOLOGY, gates=())


def kept_rows(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Kept rows from what matters to a test; the rest is filled in."""
    filled = []
    for row in rows:
        full = {
            "entry_id": f"{row['model_id']}-{row['metric_id']}",
            "developer": f"dev-{row['model_id']}",
            "category": "math",
            "dimension": "basic",
            "family": row["metric_id"],
            "protocol": "standard",
            "tier": "official",
            "direction": "higher",
            "transform": "logit",
            "unit": "score",
            "stderr": None,
            "leaderboard": "board",
            "snapshot_sha256": "0" * 64,
            "row_locator": f"{row['model_id']}/{row['metric_id']}",
            "raw_value": str(row["value"]),
            **row,
        }
        full["evidence_id"] = f"{full['entry_id']}:{full['metric_id']}"
        filled.append(full)
    return pl.DataFrame(filled, schema=KEPT_SCHEMA)


def random_kept(
    seed: int,
    *,
    models: int,
    metrics: int,
    fill: float,
    categories: tuple[str, ...] = ("math", "coding"),
    dimensions: int = 4,
) -> pl.DataFrame:
    """Rows of a random board: mixed tiers, units, directions, stated and missing errors, zeros, ties, thin metrics."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=(models, len(categories)))
    developer_of = [None if rng.random() < 0.1 else f"dev-{rng.integers(0, 12)}" for _ in range(models)]
    rows = []
    for b in range(metrics):
        category = int(rng.integers(0, len(categories)))
        dimension = CATEGORIES[categories[category]][int(rng.integers(0, dimensions))]
        unit = str(rng.choice(["score", "score", "score_fraction", "rating"]))
        direction = str(rng.choice(["higher", "higher", "lower"]))
        family = f"family-{rng.integers(0, max(1, metrics * 2 // 3))}"
        thin = 0.02 if rng.random() < 0.1 else fill
        for m in range(models):
            if rng.random() >= thin:
                continue
            latent = ability[m, category] + rng.normal() * 0.5 - 0.3
            signed = latent if direction == "higher" else -latent
            fraction = 1.0 / (1.0 + np.exp(-signed))
            zero = rng.random() < 0.03
            value = {
                "score": 0.0 if zero else round(float(fraction) * 100, 1),
                "score_fraction": 0.0 if zero else round(float(fraction), 4),
                "rating": 0.0 if zero else round(1000.0 + 120.0 * float(signed), 1),
            }[unit]
            size = {"score": 2.0, "score_fraction": 0.02, "rating": 8.0}[unit]
            rows.append(
                {
                    "model_id": f"model-{m:04d}",
                    "metric_id": f"metric-{b:03d}",
                    "developer": developer_of[m],
                    "category": categories[category],
                    "dimension": dimension,
                    "family": family,
                    "tier": str(rng.choice(list(TIERS))),
                    "direction": direction,
                    "transform": "identity" if unit == "rating" else "logit",
                    "unit": unit,
                    "value": value,
                    "stderr": None if rng.random() < 0.4 else round(size * float(rng.uniform(0, 4)), 4),
                }
            )
    return kept_rows(rows) if rows else pl.DataFrame(schema=KEPT_SCHEMA)
