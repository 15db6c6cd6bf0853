"""One Parquet file of a table, with the stamp that says what it was computed from and with.

Belongs here: writing and reading a file under the explicit schema of its contract, and proving that it still holds what
its stamp says. Where the files of a home lie is `resources.tables`; what stands in a table is no matter of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from resources.atomic_files import parse_json, replacing
from warehouse.canonical import canonical_json, sha256_hex
from warehouse.contracts import ContractError, TableContract
from warehouse.hashing import table_hash
from warehouse.stamps import TableStamp
from warehouse.tables import TABLES

STAMP_KEY: Final = b"scoretrail"
ROW_GROUP_ROWS: Final = 131_072


class TableError(ValueError):
    """A stored table that is missing or not what it must be: names the file, and the column where one is at fault."""


class TableMissingError(TableError):
    """The table was not made for this day."""


class TableTamperedError(TableError):
    """The file no longer holds the values its stamp vouches for."""


def contract_of(name: str) -> TableContract:
    """The contract of a table (TableError for a name that is none)."""
    if name not in TABLES:
        raise TableError(f"{name} is no table; tables are {', '.join(TABLES)}")
    return TABLES[name]


def write_table_file(path: Path, frame: pl.DataFrame, stamp: TableStamp) -> None:
    """Write one Parquet file whole or not at all: zstd, page checksums, fixed row groups, the stamp as metadata.

    The same values and stamp give the same bytes. All-null columns keep their type.

    Raises:
        ContractError: if the frame breaks its contract.
        OSError: if the disk refuses; the old file is untouched.
    """
    contract = contract_of(stamp.table)
    write_conformed_file(path, contract.conform(frame), stamp, contract)


def write_conformed_file(path: Path, frame: pl.DataFrame, stamp: TableStamp, contract: TableContract) -> None:
    """As `write_table_file`, of a frame that `contract.conform` returned, which is not looked at again."""
    table = _arrow(frame, contract)
    schema = table.schema.with_metadata({STAMP_KEY: canonical_json(stamp.to_json())})
    with replacing(path) as temporary:
        pq.write_table(
            table.cast(schema),
            temporary,
            version="2.6",
            compression="zstd",
            row_group_size=ROW_GROUP_ROWS,
            write_page_checksum=True,
        )


def _arrow(frame: pl.DataFrame, contract: TableContract) -> pa.Table:
    plain = frame.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    return plain.cast(contract.arrow_schema()).combine_chunks()


def read_stamp_file(path: Path) -> TableStamp:
    """The stamp of a Parquet file.

    Raises:
        TableMissingError: where there is no file.
        TableError: where the file is no Parquet of ours.
    """
    schema = _file_schema(path)
    raw = (schema.metadata or {}).get(STAMP_KEY)
    if raw is None:
        raise TableError(f"{path}: carries no scoretrail stamp; it was not written by scoretrail")
    try:
        return TableStamp.from_json(parse_json(raw, str(path)))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise TableError(f"{path}: its stamp cannot be read: {error}") from error


def read_table_file(path: Path, name: str) -> pl.DataFrame:
    """The rows of a Parquet file under the contract of a table, in key order.

    A column that the contract gained after the file was written reads as nulls, if it may hold nulls.

    Raises:
        TableMissingError: where there is no file.
        TableError: naming the file and the column: a column is missing, unknown or of another type, a value breaks
            the contract, or the file is damaged.
    """
    return _read_conformed(path, contract_of(name))


def read_table_columns(path: Path, name: str, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns of a Parquet file under the contract of a table, its rows in key order, the others left unread.

    Errors as `read_table_file`, for these columns and those of the key.
    """
    contract = contract_of(name)
    wanted = {*contract.key, *columns}
    narrow = replace(
        contract,
        columns=tuple(column for column in contract.columns if column in wanted),
        allowed=tuple(entry for entry in contract.allowed if entry[0] in wanted),
    )
    return _read_conformed(path, contract, narrow).select(columns)


def _read_conformed(path: Path, contract: TableContract, narrow: TableContract | None = None) -> pl.DataFrame:
    """The rows of a file whose columns its contract knows, under the contract or one of fewer columns."""
    read = narrow or contract
    present = _check_schema(path, contract)
    frame = _read_columns(path, [column for column in present if column in read.columns])
    absent = [
        pl.lit(None, dtype=kind).alias(column) for column, kind in read.polars_schema().items() if column not in present
    ]
    try:
        return read.conform(frame.with_columns(absent))
    except ContractError as error:
        raise TableError(f"{path}: {error}") from error


def file_table_hash(path: Path, name: str) -> str:
    """The table hash of the values a file holds now.

    It covers the columns that the file has, so that a table written before its contract gained a column still
    proves itself. The file is read whole every time; values are hashed once for the same bytes.

    Raises:
        TableError: as `read_table_file`.
    """
    contract = contract_of(name)
    data = _bytes(path)
    known = (name, sha256_hex(data))
    if known not in _HASHED:
        source = pa.BufferReader(data)
        present = _check_schema(path, contract, source)
        as_written = replace(contract, columns=tuple(column for column in contract.columns if column in present))
        try:
            _HASHED[known] = table_hash(_read_columns(path, present, source), as_written)
        except ContractError as error:
            raise TableError(f"{path}: {error}") from error
    return _HASHED[known]


_HASHED: Final[dict[tuple[str, str], str]] = {}
"""Table hash by table and SHA-256 of a file's bytes, as this process computed it: equal bytes hold equal values."""


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise TableMissingError(f"{path}: there is no such table file") from error
    except OSError as error:
        raise TableError(f"{path}: not readable as Parquet: {error}") from error


def verify_table_file(path: Path, name: str) -> TableStamp:
    """The stamp of a file, after proving that the file holds what the stamp says.

    Raises:
        TableTamperedError: if the values, the row count or the table's name differ from the stamp.
        TableError: as `read_table_file`.
    """
    stamp = read_stamp_file(path)
    if stamp.table != name:
        raise TableTamperedError(f"{path}: is stamped as {stamp.table}, not {name}")
    found = file_table_hash(path, name)
    if found != stamp.table_hash:
        raise TableTamperedError(f"{path}: its values hash to {found}, its stamp says {stamp.table_hash}")
    rows = pq.read_metadata(path).num_rows
    if rows != stamp.rows:
        raise TableTamperedError(f"{path}: holds {rows} rows, its stamp says {stamp.rows}")
    return stamp


def _file_schema(path: Path, source: pa.BufferReader | None = None) -> pa.Schema:
    try:
        return pq.read_schema(path if source is None else source)
    except FileNotFoundError as error:
        raise TableMissingError(f"{path}: there is no such table file") from error
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path}: not readable as Parquet: {error}") from error


def _check_schema(path: Path, contract: TableContract, source: pa.BufferReader | None = None) -> list[str]:
    """The file's columns, after holding each against the contract; `source` holds its bytes where they were read."""
    found = _file_schema(path, source)
    for field in found:
        if field.name not in contract.columns:
            raise TableError(f"{path}: column {field.name} is not in the contract of {contract.name}")
    if len(set(found.names)) != len(found.names):
        raise TableError(f"{path}: a column stands twice: {found.names}")
    for expected in contract.arrow_schema():
        if expected.name not in found.names:
            if not expected.nullable:
                raise TableError(f"{path}: column {expected.name} is missing and may not be null")
            continue
        actual = found.field(expected.name).type
        if actual != expected.type:
            raise TableError(f"{path}: column {expected.name} is {actual}, must be {expected.type}")
    return list(found.names)


def _read_columns(path: Path, columns: list[str], source: pa.BufferReader | None = None) -> pl.DataFrame:
    try:
        opened = pq.ParquetFile(path if source is None else source, page_checksum_verification=True)
        table = opened.read(columns=columns)
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path}: damaged: {error}") from error
    # Values and names only: what else the footer says of a column has no checksum and is not trusted.
    frame = pl.from_arrow(pa.Table.from_arrays(table.columns, names=columns))
    if not isinstance(frame, pl.DataFrame):
        raise TableError(f"{path}: holds no table")
    return frame
