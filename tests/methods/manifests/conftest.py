"""The constants, and manifests and outputs made from a few words."""

from __future__ import annotations

from pathlib import Path

import pytest

from resources.catalog_files import load_catalog
from warehouse.catalog_model import Catalog
from warehouse.methodology import Methodology

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(REPOSITORY / "warehouse" / "catalog").catalog


@pytest.fixture(scope="session")
def methodology(catalog: Catalog) -> Methodology:
    return catalog.methodology
