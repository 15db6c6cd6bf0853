"""Fixtures of the warehouse's tests: the bundled demonstration snapshot and the catalog it is scored by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from methods.catalog.received import receive
from resources.catalog_files import load_catalog
from resources.connectors import SnapshotFile, parse
from warehouse.catalog_model import Catalog


@pytest.fixture(scope="session")
def demo_boards(repository: Path) -> dict[str, dict[str, Any]]:
    """The demonstration's files as they lie in the checkout, by file name without ending."""
    files = sorted((repository / "warehouse" / "demo").glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


@pytest.fixture(scope="session")
def demo_rows(demo_boards: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Every (leaderboard, row) of the demonstration."""
    return [(board, row) for board, content in demo_boards.items() for row in content["results"]]


@pytest.fixture(scope="session")
def demo_catalog(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalog of the checkout with the demonstration's sources; gates are another test's subject."""
    folder = tmp_path_factory.mktemp("catalog")
    for file in (repository / "warehouse" / "catalog").iterdir():
        if file.suffix in {".yaml", ".csv"} and file.name not in {"gates.yaml", "sources.yaml"}:
            (folder / file.name).write_bytes(file.read_bytes())
    (folder / "gates.yaml").write_text("gates: []\n", encoding="utf-8")
    load = load_catalog(folder, repository / "warehouse" / "demo" / "sources.yaml")
    assert not load.problems
    return load.catalog


@pytest.fixture(scope="session")
def demo_raw_rows(repository: Path, demo_catalog: Catalog) -> pl.DataFrame:
    """`raw__row` of the demonstration; each snapshot's hash is its number."""
    frames = []
    for number, source in enumerate(demo_catalog.sources):
        data = (repository / "warehouse" / "demo" / source.url).read_bytes()
        received = parse(source, [SnapshotFile(source.url, data)])
        frames.append(receive(source.id, f"{number:064x}", received.rows))
    return pl.concat(frames)
