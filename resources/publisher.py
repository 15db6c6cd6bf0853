"""The published copy: one DuckDB file with the current release, built aside and renamed into place.

Belongs here: making the file `scoretrail.duckdb`. `resources.published_copy` opens it for readers. Schemas come from
the contracts, never from inference.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from resources.atomic_files import replacing
from resources.manifest import Release, ReleaseError, file_sha256
from resources.published_copy import (
    CONFIG,
    DATABASE_NAME,
    MANIFEST_TABLE,
    connect_readonly,
    database_path,
    in_utc,
    quoted,
    read_published,
)
from resources.published_proof import held_release, is_same_catalog, is_same_table, keep_proof
from resources.published_views import EVENT_TABLE, load_events, load_views
from resources.releases import ReleaseStore
from warehouse.contracts import ContractError, TableContract
from warehouse.hashing import conformed_hash, hash_of_columns
from warehouse.tables import OUT_RELEASE, RELEASED, TABLES

MANIFEST_DDL: Final = (
    f"CREATE TABLE {MANIFEST_TABLE} (release_id VARCHAR NOT NULL, manifest_sha256 VARCHAR NOT NULL, "
    "manifest VARCHAR NOT NULL)"
)
ROWS_AT_ONCE: Final = 20_000
"""Rows that are handed to the database, or back, as a piece: a large table never stands in memory several times."""


class PublishError(RuntimeError):
    """The DuckDB copy does not hold exactly what the release holds: a bug of ours; nothing was replaced."""


def publish_duckdb(home: Path, release: Release | None) -> Path:
    """Replace the published copy by one that holds a release's tables, every release as a row, the manifest, and views.

    Each table is read back and must hash as the manifest says before the old copy is replaced. Where the same code made
    the old copy, the new one begins as its bytes, and only tables that do not read back as they must are filled anew.
    Of a copy whose bytes are those that were proved when it was made (`published_proof`), nothing is read back again.

    Args:
        home: the home; its ledger gives out__release.
        release: the current release; None where every release is withdrawn: then its tables stand empty.

    Raises:
        PublishError: if a table does not read back exactly.
        TableError: if a table of the release was changed or is damaged.
        OSError, duckdb.Error: as disk and engine say; the old copy stays.
    """
    releases = ReleaseStore(home)
    target = database_path(home)
    with replacing(target) as temporary:
        if release is None or not _refill(home, temporary, release, releases):
            temporary.write_bytes(_blank(RELEASED))
            _fill(temporary, release, releases)
        sha256 = file_sha256(temporary)
        # A log left by someone who opened the old copy for writing must never be replayed onto the new one.
        target.with_name(f"{target.name}.wal").unlink(missing_ok=True)
    if release is not None:
        with suppress(OSError):  # the copy stands; without a note of it the next one is read back
            keep_proof(home, release, sha256)
    return target


def publish_current(home: Path) -> Path:
    """Publish the release that the ledger says is current (errors as `publish_duckdb`)."""
    return publish_duckdb(home, ReleaseStore(home).current())


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a copy that is being filled begins with, beside its tables.

    Attributes:
        is_former: whether it is a former copy, whose tables may hold rows.
        held: the release that the former copy is proved to hold; None where its tables have to be read.
    """

    is_former: bool = False
    held: Release | None = None

    def keeps_views(self, release: Release | None) -> bool:
        """Whether the views, and the tables that show the catalog, are those of a release already."""
        return (
            self.held is not None
            and release is not None
            and is_same_catalog(self.held, release)
            and is_same_table("core__result", self.held, release)
        )


def _fill(path: Path, release: Release | None, releases: ReleaseStore, begun: _Begun = _Begun()) -> None:
    """Fill a database that holds every table: a blank one, or a former copy."""
    connection = duckdb.connect(path, config=CONFIG)
    try:
        in_utc(connection)
        connection.begin()
        keeps_views = begun.keeps_views(release)
        if begun.is_former:
            _strip(connection, keeps_views=keeps_views)
        for name in RELEASED:
            _load_table(connection, TABLES[name], release, begun)
        _insert(connection, OUT_RELEASE, releases.release_rows())
        if release is not None:
            values = [release.release_id, release.manifest_sha256, release.manifest_text]
            connection.execute(f"INSERT INTO {MANIFEST_TABLE} VALUES (?, ?, ?)", values)  # noqa: S608
        if keeps_views:
            load_events(connection, releases.ledger_path)
        else:
            load_views(connection, release, releases.ledger_path)
        connection.commit()
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


def _refill(home: Path, temporary: Path, release: Release, releases: ReleaseStore) -> bool:
    """Fill a copy of the former copy; False where it is not what this code makes, and a blank one has to do."""
    target = database_path(home)
    if not target.is_file():
        return False
    try:
        shutil.copyfile(target, temporary)
        held = held_release(home, temporary, releases)
        code = _code_of(home) if held is None else held.manifest.code_version
        if code != release.manifest.code_version:
            temporary.unlink()
            return False
        _fill(temporary, release, releases, _Begun(is_former=True, held=held))
    except (duckdb.Error, ContractError):
        temporary.with_name(f"{temporary.name}.wal").unlink(missing_ok=True)
        temporary.unlink(missing_ok=True)
        return False
    return True


def _code_of(home: Path) -> str | None:
    """The version of the code that made the published copy; None where there is none that says so."""
    if not database_path(home).is_file():
        return None
    try:
        with closing(connect_readonly(home)) as connection:
            found = connection.execute(f"SELECT manifest FROM {MANIFEST_TABLE}").fetchall()  # noqa: S608
        stated: str | None = json.loads(found[0][0])["code_version"] if found else None
    except (duckdb.Error, ValueError, KeyError, TypeError):
        return None
    return stated


def _strip(connection: duckdb.DuckDBPyConnection, *, keeps_views: bool) -> None:
    """Takes out of a former copy what is not a table of a release, to be made anew; views that hold still stay."""
    emptied = (OUT_RELEASE.name, MANIFEST_TABLE, *([EVENT_TABLE] if keeps_views else []))
    for name in emptied:
        connection.execute(f"DELETE FROM {name}")  # noqa: S608
    if keeps_views:
        return
    kept = {*RELEASED, OUT_RELEASE.name, MANIFEST_TABLE}
    listed = (
        ("VIEW", "SELECT view_name FROM duckdb_views() WHERE NOT internal"),
        ("MACRO", "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type='macro' AND NOT internal"),
        (
            "MACRO TABLE",
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type='table_macro' AND NOT internal",
        ),
        ("TABLE", "SELECT table_name FROM duckdb_tables()"),
    )
    for kind, query in listed:
        for (name,) in connection.execute(query).fetchall():
            if name not in kept:
                connection.execute(f'DROP {kind} "{name}"')


def _load_table(
    connection: duckdb.DuckDBPyConnection, contract: TableContract, release: Release | None, begun: _Begun
) -> None:
    if begun.is_former:
        if release is not None and _holds(connection, contract, release, begun.held):
            return
        connection.execute(f'DELETE FROM "{contract.name}"')  # noqa: S608
    if release is None or contract.name not in release.manifest.tables:
        _insert(connection, contract, contract.empty())
        return
    found = _insert(connection, contract, release.read(contract.name))
    expected = release.manifest.tables[contract.name].hash
    if found != expected:
        raise ReleaseError(f"{release.table_path(contract.name)}: hashes to {found}, the manifest says {expected}")


def _holds(
    connection: duckdb.DuckDBPyConnection, contract: TableContract, release: Release, held: Release | None
) -> bool:
    """Whether a table reads back as the release's does, whose own file is as its manifest says; or is proved to."""
    if held is not None:
        return is_same_table(contract.name, held, release)
    entry = release.manifest.tables.get(contract.name)
    if entry is None or contract.unhashed:
        return False
    file = release.table_path(contract.name)
    if not file.is_file() or file_sha256(file) != entry.file_sha256:
        return False
    return _reads_back(connection, contract, entry.hash)


def _insert(connection: duckdb.DuckDBPyConnection, contract: TableContract, frame: pl.DataFrame) -> str:
    """Fill a table, and prove that it reads back exactly; returns its table hash."""
    given = conformed_hash(frame, contract)
    if frame.is_empty():
        return given  # a table just made holds nothing
    columns = ", ".join(f'"{name}"' for name in contract.columns)
    for start in range(0, frame.height, ROWS_AT_ONCE):
        rows = frame.slice(start, ROWS_AT_ONCE).rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
        connection.register("incoming", rows.cast(contract.arrow_schema()))
        connection.execute(f'INSERT INTO "{contract.name}" ({columns}) SELECT {columns} FROM incoming')  # noqa: S608
        connection.unregister("incoming")
    if frame.height > ROWS_AT_ONCE:
        # What is committed lies on the disk. The file is built aside: a broken one is thrown away whole.
        connection.commit()
        connection.begin()
    if not _reads_back(connection, contract, given):
        raise PublishError(f"{contract.name}: DuckDB does not give back the values it was given")
    return given


def _reads_back(connection: duckdb.DuckDBPyConnection, contract: TableContract, expected: str) -> bool:
    """Whether a table holds the values of a table hash.

    A large one is read column by column, in the order its rows were inserted in, which is that of the key; only where
    that gives another hash is it read whole, and sorted.
    """
    ((height,),) = connection.execute(f'SELECT count(*) FROM "{contract.name}"').fetchall()  # noqa: S608
    if height > ROWS_AT_ONCE:
        types = contract.polars_schema()

        def column(name: str) -> pl.Series:
            values = connection.sql(f'SELECT "{name}" FROM "{contract.name}"').to_arrow_table()  # noqa: S608
            return pl.Series(name, values.column(0)).cast(types[name])

        with suppress(pl.exceptions.PolarsError):  # of another type: the whole is then refused by its contract
            if hash_of_columns(height, column, contract) == expected:
                return True
    return conformed_hash(read_published(connection, contract.name), contract) == expected


@cache
def _blank(tables: tuple[str, ...]) -> bytes:
    """A database of every table and what its columns mean, without rows; made once, since each is alike."""
    with tempfile.TemporaryDirectory(prefix="scoretrail-blank-") as folder:
        path = Path(folder) / DATABASE_NAME
        connection = duckdb.connect(path, config=CONFIG)
        try:
            connection.begin()
            for contract in (*(TABLES[name] for name in tables), OUT_RELEASE):
                connection.execute(contract.ddl())
                _comment(connection, contract)
            connection.execute(MANIFEST_DDL)
            connection.commit()
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
        return path.read_bytes()


def _comment(connection: duckdb.DuckDBPyConnection, contract: TableContract) -> None:
    """What the table and its columns mean, for whoever looks at the database alone."""
    comments = [f'COMMENT ON TABLE "{contract.name}" IS {quoted(contract.grain)}']
    for name, entry in contract.entries.items():
        comments.append(f'COMMENT ON COLUMN "{contract.name}"."{name}" IS {quoted(entry.meaning)}')
    connection.execute(";\n".join(comments))
