"""Results, pairs and catalogs to test source statistics with, written from what matters to a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from methods.names.registry import ModelRegistry
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog, ModelSpec
from warehouse.identity import pair_id
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec, MetricSpec
from warehouse.pairing_words import direction_of
from warehouse.tables import CORE_RESULT
from warehouse.tables_pairing import CORE_CANDIDATE_PAIR

_CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY = Methodology.model_validate(
    load_yaml((_CATALOG / "methodology.yaml").read_bytes(), "methodology.yaml").data
)


def metric(name: str, direction: str = "higher", places: tuple[dict[str, str], ...] = ()) -> MetricSpec:
    """A registered metric, on these places or on rows of the benchmark `name`, metric `acc`."""
    return MetricSpec.model_validate(
        {
            "id": name, "category": "math", "dimension": "basic", "family": name, "protocol": "any",
            "direction": direction, "transform": "logit", "status": "scored",
            "from": places or ({"benchmark": name, "metric": "acc"},),
        }
    )  # fmt: skip


def catalog(*metrics: MetricSpec, benchmarks: tuple[BenchmarkSpec, ...] = ()) -> Catalog:
    """A catalog of models m0 to m9 and these metrics."""
    models = tuple(ModelSpec(id=f"m{n}", name=f"Model {n}", developer=f"lab {n}") for n in range(10))
    return Catalog(
        version="2026-10-20", sources=(), metrics=metrics, benchmarks=benchmarks, models=models,
        methodology=METHODOLOGY, gates=(),
    )  # fmt: skip


def registry(known: Catalog) -> ModelRegistry:
    return ModelRegistry(known.models)


def results(*rows: dict[str, Any]) -> pl.DataFrame:
    """Rows of core__result from what matters; entry ids are their order where none is given."""
    full = []
    for number, row in enumerate(rows):
        filled: dict[str, Any] = dict.fromkeys(CORE_RESULT.columns)
        filled |= {
            "entry_id": f"{number:016x}", "leaderboard": "board", "snapshot_sha256": "0" * 64,
            "row_locator": str(number), "benchmark": "quiz", "metric": "acc", "unit": "score", "value": 50.0,
            "kind": "measured", "model": "Model 0", "source_type": "official",
        }  # fmt: skip
        full.append(filled | row)
    return CORE_RESULT.conform(pl.DataFrame(full, schema=CORE_RESULT.polars_schema(), orient="row"))


def aligned_pairs(frame: pl.DataFrame, *pairs: tuple[int, int], decision: str = "aligned") -> pl.DataFrame:
    """Pairs of rows, by their order, decided alike."""
    types = dict(frame.select("entry_id", "source_type").rows())
    rows = []
    for one, other in pairs:
        a, b = sorted((f"{one:016x}", f"{other:016x}"))
        rows.append(
            {
                "pair_id": pair_id(a, b), "entry_id_a": a, "entry_id_b": b, "benchmark": "quiz",
                "direction": direction_of(types[a], types[b]), "rules": ["exact_normalized"], "decision": decision,
                "blocking_fields": [],
            }
        )  # fmt: skip
    return CORE_CANDIDATE_PAIR.conform(pl.DataFrame(rows, schema=CORE_CANDIDATE_PAIR.polars_schema(), orient="row"))
