"""Two releases of a small world, made from cells (model, metric) → value, for the tests of changes.

Eight models, six metrics of the category coding in three dimensions; every cell is one row of the one board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.lineage.board_state import board_state
from methods.lineage.change import Comparison, PublishedBoard
from methods.lineage.release_basis import ReleaseFacts
from methods.lineage.release_diff import DiffSide
from methods.scoring.board import build_board
from resources.yaml_documents import load_yaml
from warehouse.catalog_model import Catalog
from warehouse.methodology import Methodology
from warehouse.received import ReceivedRow

_CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
METHODOLOGY = Methodology.model_validate(
    load_yaml((_CATALOG / "methodology.yaml").read_bytes(), "methodology.yaml").data
)
METRICS = {
    "gen-a": "generation", "gen-b": "generation", "repo-a": "repository", "repo-b": "repository",
    "debug-a": "debugging", "debug-b": "debugging",
}  # fmt: skip
MODELS = tuple(f"m{n}" for n in range(1, 9))

Cell = Mapping[str, Any]
Cells = Mapping[tuple[str, str], Cell]


def catalog(
    *,
    version: str = "1",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    without: Sequence[str] = (),
    models: Sequence[str] = MODELS,
    corrections: Sequence[Mapping[str, Any]] = (),
    methodology: Methodology = METHODOLOGY,
    source_type: str = "official",
) -> Catalog:
    """The world's catalog: `metrics` changes entries by id, `without` leaves entries out."""
    entries = [
        {
            "id": name, "category": "coding", "dimension": dimension, "family": name, "protocol": "as-stated",
            "direction": "higher", "transform": "logit", "status": "scored",
            "from": [{"benchmark": name, "metric": "accuracy"}],
        } | dict((metrics or {}).get(name, {}))
        for name, dimension in METRICS.items()
        if name not in without
    ]  # fmt: skip
    board = {"id": "board", "title": "Board", "connector": "native", "url": "board.json"}
    people = [{"id": name, "name": name.upper(), "developer": f"D{n % 3}"} for n, name in enumerate(models)]
    return Catalog.model_validate(
        {
            "version": version, "sources": (board | {"source_type": source_type},), "metrics": tuple(entries),
            "models": tuple(people),
            "methodology": methodology, "corrections": tuple(corrections), "gates": (),
        }
    )  # fmt: skip


def raw_rows(cells: Cells) -> pl.DataFrame:
    """`raw__row` of the board: a cell holds `value` and whatever else its row states."""
    rows = [
        ReceivedRow(
            f"board.json#/{model}/{metric}",
            {"benchmark": metric, "metric": "accuracy", "unit": "score", "model": model.upper(), **cell},
        )
        for (model, metric), cell in sorted(cells.items())
    ]
    return receive("board", "0" * 64, rows)


def published(cells: Cells, of: Catalog, release_id: str = "2026-10-20-000000000000") -> PublishedBoard:
    """The release that the cells and the catalog make."""
    rows = raw_rows(cells)
    evidence = board_state(rows, of).evidence
    scores = build_board(evidence, of, release_id=release_id, as_of=date(2026, 10, 20)).category_scores
    return PublishedBoard(of, rows, scores, build_results(rows, of))


def side(cells: Cells, of: Catalog, release_id: str, day: date, code: str = "c" * 64) -> DiffSide:
    """The same with what a comparison quotes."""
    board = published(cells, of, release_id)
    facts = ReleaseFacts(
        release_id, day, None, "superseded", of.version, of.sha256, of.methodology.version, code, {"board": "0" * 64}
    )
    return DiffSide(facts, of, board.raw_rows, board_state(board.raw_rows, of).results, board.category_scores)


def comparison(former: Cells, latter: Cells, before: Catalog | None = None, after: Catalog | None = None) -> Comparison:
    """Two releases of these cells, under one catalog unless two are given."""
    before = before or catalog()
    return Comparison(published(former, before), published(latter, after or before))


def full_cells() -> dict[tuple[str, str], dict[str, Any]]:
    """Every model on every metric, with values that differ from metric to metric."""
    return {
        (model, metric): {"value": round(30 + 5 * n + 7 * ((n * (place + 2)) % 5) / 2 + place, 1)}
        for n, model in enumerate(MODELS)
        for place, metric in enumerate(METRICS)
    }
