"""What the published DuckDB holds beside its tables: the catalog as tables, the ledger's events, views and macros.

Belongs here: filling `catalog__*` and `out__release_event`, and running `warehouse/sql/*.sql` after every table is
there. The views answer what `scoretrail explain` answers; a test holds the numbers together. Nothing here is part of
a release's hashes: everything is derived from the release and its own catalog.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from methods.names.registry import ModelRegistry
from resources.atomic_files import read_json_lines
from resources.catalog_files import load_catalog
from resources.catalog_problems import CatalogError
from resources.manifest import CATALOG_FOLDER, Release
from warehouse.catalog_model import Catalog
from warehouse.reasons import EXCLUSIONS
from warehouse.tables import RELEASED

SQL_FOLDER: Final = Path(__file__).resolve().parent.parent / "warehouse" / "sql"

CATALOG_TABLES: Final[dict[str, tuple[str, str]]] = {
    "catalog__scale": (
        "center DOUBLE, slope DOUBLE, lowest DOUBLE, highest DOUBLE, interval_z DOUBLE, dimensions BIGINT, "
        "ability_variance DOUBLE, cohort_variance DOUBLE, methodology_version VARCHAR",
        "The constants of the methodology that turn a posterior into a score; one row.",
    ),
    "catalog__metric": (
        "metric_id VARCHAR, category VARCHAR, dimension VARCHAR, family VARCHAR, protocol VARCHAR, direction VARCHAR, "
        "transform VARCHAR, status VARCHAR",
        "Every registered metric and where it counts.",
    ),
    "catalog__model": ("model_id VARCHAR, name VARCHAR, developer VARCHAR", "Every model of the registry."),
    "catalog__model_name": (
        "model VARCHAR, developer VARCHAR, model_id VARCHAR, detail VARCHAR",
        "Every (model, developer) as received, and the model it resolves to; null where to none or to several.",
    ),
    "catalog__source": (
        "leaderboard VARCHAR, title VARCHAR, source_type VARCHAR, tier VARCHAR, license VARCHAR, url VARCHAR",
        "Every leaderboard of the catalog, with its licence.",
    ),
    "catalog__reason": (
        "reason_code VARCHAR, stage VARCHAR, meaning VARCHAR",
        "Every exclusion code, in order of precedence.",
    ),
}
"""Tables that show a release's catalog to SQL: columns, and what they hold."""

EVENT_TABLE: Final = "out__release_event"
_EVENT_COLUMNS: Final = (
    "number BIGINT, event VARCHAR, release_id VARCHAR, reason VARCHAR, replaced_by VARCHAR, happened_at VARCHAR"
)


def load_views(connection: duckdb.DuckDBPyConnection, release: Release | None, ledger_path: Path) -> None:
    """Fill the catalog tables and the events, then create every view and macro, in the order of the files' names.

    Args:
        connection: to the copy being built, its contract tables loaded.
        release: the current release; None where every release is withdrawn: the catalog tables then stand empty.
        ledger_path: releases.jsonl.
    """
    catalog = _catalog(release)
    results = None if release is None or catalog is None else release.read("core__result")
    for name, (columns, meaning) in CATALOG_TABLES.items():
        rows = [] if catalog is None else _rows(name, catalog, results)
        _create(connection, name, columns, meaning)
        _insert(connection, name, columns, rows)
    _create(connection, EVENT_TABLE, _EVENT_COLUMNS, "The release ledger: what happened to releases, in order.")
    load_events(connection, ledger_path)
    there = {str(name) for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if there.issuperset(RELEASED):  # views are bound to their tables: a copy that lacks some gets none
        for path in sql_files():
            connection.execute(path.read_text(encoding="utf-8"))


def load_events(connection: duckdb.DuckDBPyConnection, ledger_path: Path) -> None:
    """Fill the table of events, which is there and empty, from releases.jsonl."""
    rows = [
        (
            number, event["event"], event.get("release_id") or event.get("to"), event.get("reason"),
            event.get("replaced_by"), event.get("at") or event.get("created_at"),
        )
        for number, event in enumerate(read_json_lines(ledger_path), start=1)
    ]  # fmt: skip
    _insert(connection, EVENT_TABLE, _EVENT_COLUMNS, rows)


def sql_files() -> list[Path]:
    """The files of views and macros, in the order they are run."""
    return sorted(SQL_FOLDER.glob("*.sql"))


def _catalog(release: Release | None) -> Catalog | None:
    """The release's catalog; None where it holds none, or one in a form that this program no longer reads.

    The tables and views of such an old release stand all the same: a rollback must never fail for its catalog.
    """
    if release is None or f"{CATALOG_FOLDER}/models.yaml" not in release.manifest.files:
        return None
    try:
        return load_catalog(release.catalog_dir, None).catalog
    except CatalogError:
        return None


def _rows(name: str, catalog: Catalog, results: pl.DataFrame | None) -> list[tuple[Any, ...]]:
    scale, latent = catalog.methodology.category, catalog.methodology.latent
    if name == "catalog__scale":
        return [
            (
                scale.center, scale.slope, scale.lowest, scale.highest, scale.interval_z, scale.dimensions,
                latent.ability_variance, latent.cohort_variance, catalog.methodology.version,
            )
        ]  # fmt: skip
    if name == "catalog__metric":
        return [
            (m.id, m.category, m.dimension, m.family, m.protocol, m.direction, m.transform, m.status)
            for m in catalog.metrics
        ]
    if name == "catalog__model":
        return [(model.id, model.name, model.developer) for model in catalog.models]
    if name == "catalog__source":
        return [(s.id, s.title, s.source_type, s.tier, s.license, s.url) for s in catalog.sources]
    if name == "catalog__reason":
        return [(reason.code, reason.stage, reason.meaning) for reason in EXCLUSIONS]
    registry = ModelRegistry(catalog.models)
    names = [] if results is None else results.select("model", "developer").unique().sort("model", "developer").rows()
    found = [(model, developer, registry.resolve(model, developer)) for model, developer in names]
    return [(model, developer, one.model_id, one.detail) for model, developer, one in found]


def _create(connection: duckdb.DuckDBPyConnection, name: str, columns: str, meaning: str) -> None:
    connection.execute(f"CREATE TABLE {name} ({columns})")
    connection.execute(f"COMMENT ON TABLE {name} IS '{meaning}'")


def _insert(connection: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if not rows:
        return
    names = [part.split()[0] for part in columns.split(", ")]
    frame = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    incoming = frame.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    connection.register("incoming", incoming)
    connection.execute(f"INSERT INTO {name} SELECT * FROM incoming")  # noqa: S608
    connection.unregister("incoming")
