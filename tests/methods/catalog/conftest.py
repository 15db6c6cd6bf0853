"""A small catalog and the way from native records to evidence, for the tests of names, catalog and dedup."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.scoring.evidence import EvidenceTables, build_evidence
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog
from warehouse.methodology import Methodology
from warehouse.received import ReceivedRow

_CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY = Methodology.model_validate(
    load_yaml((_CATALOG / "methodology.yaml").read_bytes(), "methodology.yaml").data
)


def metric(metric_id: str, *matchers: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """An entry of metrics.yaml; by default read from benchmark B, metric acc."""
    entry: dict[str, Any] = {
        "id": metric_id,
        "category": "agent",
        "dimension": "planning",
        "family": "B",
        "protocol": "default",
        "direction": "higher",
        "transform": "logit",
        "status": "scored",
        "from": list(matchers) or [{"benchmark": "B", "metric": "acc"}],
    }
    return {**entry, **changes}


def catalog_of(
    metrics: Sequence[Mapping[str, Any]] = (),
    models: Sequence[Mapping[str, Any]] = (),
    sources: Sequence[Mapping[str, Any]] = (),
    corrections: Sequence[Mapping[str, Any]] = (),
) -> Catalog:
    """A catalog of one metric on benchmark B, models m1 to m9 of three developers, and the board `board`."""
    people = [{"id": f"m{n}", "name": f"m{n}", "developer": f"D{n % 3}"} for n in range(1, 10)]
    board = {"id": "board", "title": "Board", "connector": "native", "url": "board.json", "source_type": "official"}
    return Catalog.model_validate(
        {
            "version": "1",
            "sources": tuple(sources) or (board,),
            "metrics": tuple(metrics) or (metric("b-acc"),),
            "models": tuple(models) or tuple(people),
            "methodology": METHODOLOGY,
            "corrections": tuple(corrections),
            "gates": (),
        }
    )


def record_of(**changes: Any) -> dict[str, Any]:
    """A native result: model m1, 50 percent on benchmark B."""
    return {"benchmark": "B", "metric": "acc", "unit": "score", "value": 50.0, "model": "m1", **changes}


def raw_of(*records: Mapping[str, Any], leaderboard: str = "board") -> pl.DataFrame:
    """Records as `raw__row`, located by their place."""
    rows = [ReceivedRow(f"board.json#/results/{place}", record) for place, record in enumerate(records)]
    return receive(leaderboard, "0" * 64, rows)


class Journey:
    """The tables of one run over a `raw__row` frame."""

    def __init__(self, raw_rows: pl.DataFrame, catalog: Catalog) -> None:
        self.raw_rows = raw_rows
        self.catalog = catalog
        self.results = build_results(raw_rows, catalog)
        self.tables: EvidenceTables = build_evidence(raw_rows, self.results, catalog)

    @property
    def evidence(self) -> pl.DataFrame:
        return self.tables.evidence

    @property
    def exclusions(self) -> pl.DataFrame:
        return self.tables.exclusions

    def reasons(self) -> dict[str, str]:
        """Reason code by the last part of the locator."""
        return {
            locator.rsplit("/", 1)[1]: code
            for locator, code in self.exclusions.select("row_locator", "reason_code").rows()
        }


@pytest.fixture(name="metric")
def _metric() -> Callable[..., dict[str, Any]]:
    return metric


@pytest.fixture(name="catalog_of")
def _catalog_of() -> Callable[..., Catalog]:
    return catalog_of


@pytest.fixture(name="record_of")
def _record_of() -> Callable[..., dict[str, Any]]:
    return record_of


@pytest.fixture(name="raw_of")
def _raw_of() -> Callable[..., pl.DataFrame]:
    return raw_of


@pytest.fixture(name="journey")
def _journey() -> Callable[..., Journey]:
    return lambda *records, **catalog: Journey(raw_of(*records), catalog_of(**catalog))
