"""A day's tables to test with: boards of several source types that repeat each other, by the methods themselves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.scoring.evidence import build_evidence
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog
from warehouse.received import ReceivedRow
from warehouse.vocabulary import CATEGORIES

_METHODOLOGY = Path(__file__).resolve().parents[3] / "warehouse" / "catalog" / "methodology.yaml"
METHODOLOGY = load_yaml(_METHODOLOGY.read_bytes(), "methodology.yaml").data
SHA = "0" * 64
BOARDS = {"board-official": "official", "board-paper": "paper", "board-own": "self_reported"}


@dataclass(frozen=True)
class Day:
    """The tables of a day, and the catalog they were made with."""

    raw: pl.DataFrame
    results: pl.DataFrame
    evidence: pl.DataFrame
    exclusions: pl.DataFrame
    catalog: Catalog


def day(
    seed: int = 0, *, models: int = 12, metrics: int = 12, fill: float = 0.7, categories: tuple[str, ...] = ("coding",)
) -> Day:
    """A day of random results: units, directions, stated errors, edges of the scale, copies and dates among them."""
    rng = np.random.default_rng(seed)
    catalog = _catalog(models, metrics, categories, rng)
    rows: dict[str, list[dict[str, Any]]] = {board: [] for board in BOARDS}
    ability = rng.normal(size=models)
    for spec in catalog.metrics:
        for m in range(models):
            for board in BOARDS:
                if rng.random() < (fill if board == "board-official" else fill * 0.4):
                    rows[board].append(_record(spec.id, spec.transform, spec.direction, m, ability[m], rng))
    raw = pl.concat(
        [receive(b, SHA, [ReceivedRow(f"r{n}", r) for n, r in enumerate(given)]) for b, given in rows.items()]
    )
    results = build_results(raw, catalog)
    built = build_evidence(raw, results, catalog)
    return Day(raw, results, built.evidence, built.exclusions, catalog)


def _record(
    metric: str, transform: str, direction: str, model: int, ability: float, rng: np.random.Generator
) -> dict[str, Any]:
    latent = ability + 0.7 * rng.normal()
    signed = latent if direction == "higher" else -latent
    fraction = float(np.clip(1 / (1 + np.exp(-2.5 * signed)), 0, 1))
    unit = "rating" if transform == "identity" else str(rng.choice(["score", "score_fraction"]))
    value = {
        "rating": round(1000 + 100 * signed, 1),
        "score": round(100 * fraction, 1),
        "score_fraction": round(fraction, 3),
    }[unit]  # fmt: skip
    error = {"rating": 5.0, "score": 2.0, "score_fraction": 0.02}[unit]
    return {
        "benchmark": metric, "metric": "accuracy", "unit": unit, "value": value, "model": f"model-{model:02d}",
        "stderr": round(error * float(rng.uniform(0.5, 3)), 4) if rng.random() < 0.5 else None,
        "copied_from": "elsewhere" if rng.random() < 0.1 else None,
        "updated_at": f"2026-0{rng.integers(1, 10)}-01T00:00:00Z" if rng.random() < 0.7 else None,
        "confidence": round(float(rng.random()), 2) if rng.random() < 0.3 else None,
    }  # fmt: skip


def _catalog(models: int, metrics: int, categories: tuple[str, ...], rng: np.random.Generator) -> Catalog:
    listed = [
        {"id": f"model-{m:02d}", "name": f"model-{m:02d}", "developer": f"lab-{m % 4}" if m % 7 else None}
        for m in range(models)
    ]
    registered = [
        {
            "id": f"{category}-{n:02d}", "category": category, "dimension": CATEGORIES[category][n % 4],
            "family": f"family-{n // 2}", "protocol": "as stated", "direction": "lower" if n % 5 == 3 else "higher",
            "transform": "identity" if n % 6 == 5 else "logit", "status": "scored",
            "from": [{"benchmark": f"{category}-{n:02d}", "metric": "accuracy"}],
        }
        for category in categories for n in range(metrics)
    ]  # fmt: skip
    sources = [
        {"id": board, "title": board, "connector": "native", "url": f"{board}.json", "source_type": kind}
        for board, kind in BOARDS.items()
    ]
    return Catalog.model_validate(
        {
            "version": "t", "sources": sources, "metrics": registered, "models": listed, "methodology": METHODOLOGY,
            "gates": [],
        }
    )  # fmt: skip
