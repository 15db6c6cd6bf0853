"""The published copy as readers open it: where it lies, and read-only connections to it.

Belongs here: reading. How the copy is built and put into its place is `resources.publisher`. Open readers keep the file
they opened, new ones get the new; nobody locks or waits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from warehouse.tables import TABLES

DATABASE_NAME: Final = "scoretrail.duckdb"
MANIFEST_TABLE: Final = "out__manifest"
CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def database_path(home: Path) -> Path:
    """Where the published copy lies."""
    return Path(home) / DATABASE_NAME


def read_published(connection: duckdb.DuckDBPyConnection, name: str) -> pl.DataFrame:
    """A published table under its contract, in key order.

    Raises:
        KeyError: for a name that is no table.
        ContractError: if what DuckDB holds breaks the contract.
    """
    contract = TABLES[name]
    columns = ", ".join(f'"{column}"' for column in contract.columns)
    relation = connection.sql(f'SELECT {columns} FROM "{name}"')  # noqa: S608
    frame = pl.from_arrow(relation.to_arrow_table())
    assert isinstance(frame, pl.DataFrame)
    return contract.conform(frame)


def connect_readonly(home: Path) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the published copy as it stands now, in UTC, that loads no extension.

    The file is attached to a database in memory: opened directly, a second connection in one process would be given
    the copy that the first one opened, even after a new one was published.

    Raises:
        FileNotFoundError: before the first publication.
    """
    path = database_path(home).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"{path}: nothing was published yet; run `scoretrail run`")
    connection = duckdb.connect(":memory:", config=CONFIG)
    try:
        in_utc(connection)
        connection.execute(f"ATTACH {quoted(str(path))} AS published (READ_ONLY)")
        connection.execute("USE published")
    except BaseException:
        connection.close()
        raise
    return connection


def in_utc(connection: duckdb.DuckDBPyConnection) -> None:
    """Has a connection give every time in UTC."""
    connection.execute("SET TimeZone = 'UTC'")


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
