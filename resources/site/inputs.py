"""What a site is made from: a release folder's manifest, catalog and tables, and what changed since the last one.

Belongs here: reading. A folder gives the same pages whether it is still being built or was published long ago, since
nothing else is read: no clock, no other release, no environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from methods.lineage.baseline import BaselineFigures
from resources.atomic_files import read_json
from resources.catalog_files import load_catalog
from resources.manifest import BASELINE_NAME, CATALOG_FOLDER, TABLES_FOLDER
from resources.release_changes import CHANGES_NAME
from resources.table_files import read_table_columns, read_table_file
from warehouse.catalog_model import Catalog
from warehouse.manifest import Manifest
from warehouse.tables import TABLES


@dataclass(frozen=True, slots=True)
class SiteInputs:
    """Everything a site is made from.

    Attributes:
        manifest: the release's manifest; which files it lists is not looked at.
        catalog: the release's own catalog.
        tables: its tables by name.
        parquet: their Parquet files by name, copied as they are for download.
        baseline: figures of the release before; None for a first one.
        changes: what changed since the release before (`resources.release_changes`); None where that was not kept.
    """

    manifest: Manifest
    catalog: Catalog
    tables: Mapping[str, pl.DataFrame]
    parquet: Mapping[str, Path] = field(default_factory=dict)
    baseline: BaselineFigures | None = None
    changes: Mapping[str, Any] | None = None


class StoredTables(Mapping[str, pl.DataFrame]):
    """The tables of a folder, each read when it is first asked for (TableError where it is not what it must be)."""

    def __init__(self, parquet: Mapping[str, Path]) -> None:
        self._parquet = parquet
        self._read: dict[str, pl.DataFrame] = {}

    def __getitem__(self, name: str) -> pl.DataFrame:
        if name not in self._read:
            self._read[name] = read_table_file(self._parquet[name], name)
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        """Whether the folder holds a table; it is not read for that."""
        return name in self._parquet

    def narrowed(self, name: str, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of a table, of which nothing is kept: the largest hold every row as it was received."""
        kept = self._read.get(name)
        return read_table_columns(self._parquet[name], name, columns) if kept is None else kept.select(columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parquet)

    def __len__(self) -> int:
        return len(self._parquet)


def inputs_of_folder(folder: Path, manifest: Manifest) -> SiteInputs:
    """The inputs that lie in a release folder.

    Args:
        folder: the release folder; its manifest.json need not be written yet.
        manifest: what it states.

    Raises:
        CatalogError: if the catalog is not what it must be; for a table, see `StoredTables`.
        ValueError: if the baseline figures or the changes are damaged.
    """
    parquet = {name: folder / TABLES_FOLDER / f"{name}.parquet" for name in in_order(manifest.tables)}
    baseline, changes = folder / BASELINE_NAME, folder / CHANGES_NAME
    return SiteInputs(
        manifest=manifest,
        catalog=load_catalog(folder / CATALOG_FOLDER, None).catalog,
        tables=StoredTables(parquet),
        parquet=parquet,
        baseline=BaselineFigures.from_json(baseline.read_bytes()) if baseline.is_file() else None,
        changes=read_json(changes) if changes.is_file() else None,
    )


def in_order(tables: Iterable[str]) -> list[str]:
    """Names of tables in the order of a row's journey: a manifest read back lists them otherwise than one just made."""
    place = {name: number for number, name in enumerate(TABLES)}
    return sorted(tables, key=lambda name: (place.get(name, len(place)), name))
