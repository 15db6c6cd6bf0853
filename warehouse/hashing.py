"""The table hash: SHA-256 over a table's values in key order and canonical form, never over file bytes.

The form is written out so that an auditor can recompute it in any language. In this order, each part preceded by its
length in bytes as an unsigned little-endian 64-bit integer:

1. the table's name (UTF-8) and the number of rows (8 bytes little-endian);
2. for each hashed column, in the contract's order: its name, its type word, one byte a row (1 = a value, 0 = null),
   then the values of the non-null rows: number, as IEEE 754 little-endian with -0 as +0; integer and boolean, as
   8 bytes little-endian; date, days since 1970-01-01 and timestamp, microseconds since 1970-01-01 UTC, likewise;
   text, the lengths in bytes (8 bytes each) and then the UTF-8 bytes; text_list, the item counts, then as text.

Rows stand in the order of the contract's key: nulls first, text by its UTF-8 bytes.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from warehouse.columns import ColumnType
from warehouse.contracts import TableContract

Part = bytes | memoryview


def table_hash(frame: pl.DataFrame, contract: TableContract) -> str:
    """The table hash of a frame under its contract, 64 hex digits.

    Raises:
        ContractError: if the frame breaks the contract.
    """
    return conformed_hash(contract.conform(frame), contract)


def conformed_hash(table: pl.DataFrame, contract: TableContract) -> str:
    """The table hash of a frame that `contract.conform` returned, which is not looked at again."""
    return _empty_hash(contract) if table.is_empty() else _hash(table, contract)


@cache
def _empty_hash(contract: TableContract) -> str:
    """Most tables of studies are empty on most days: their hash is one and the same, and no frame is asked for it."""
    digest = hashlib.sha256()
    parts = [contract.name.encode(), struct.pack("<Q", 0)]
    for name, entry in contract.entries.items():
        if name not in contract.unhashed:
            parts += [name.encode(), entry.type.encode(), b"", *[b""] * _VALUE_PARTS.get(entry.type, 1)]
    for part in parts:
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)
    return digest.hexdigest()


_VALUE_PARTS: Final[dict[ColumnType, int]] = {"text": 2, "text_list": 3}
"""Into how many parts the values of a type are fed, where there is more than one: see above."""


def _hash(table: pl.DataFrame, contract: TableContract) -> str:
    return hash_of_columns(table.height, table.get_column, contract)


def hash_of_columns(height: int, column: Callable[[str], pl.Series], contract: TableContract) -> str:
    """The table hash of a table whose columns are asked for one after the other, so that few stand in memory at once.

    Args:
        height: number of rows.
        column: gives a column by name, of the contract's type, its rows in the order of the key.
        contract: the table's.
    """
    digest = hashlib.sha256()

    def feed(part: Part) -> None:
        digest.update(struct.pack("<Q", memoryview(part).nbytes))
        digest.update(part)

    feed(contract.name.encode())
    feed(struct.pack("<Q", height))
    for name, entry in contract.entries.items():
        if name in contract.unhashed:
            continue
        feed(name.encode())
        feed(entry.type.encode())
        series = column(name)
        if series.null_count():
            feed(series.is_not_null().cast(pl.UInt8).to_numpy().tobytes())
            series = series.drop_nulls()
        else:
            feed(b"\1" * height)
        for part in _value_parts(series, entry.type):
            feed(part)
    return digest.hexdigest()


def _value_parts(values: pl.Series, kind: ColumnType) -> list[Part]:
    """The parts of a column's values, none of which is null."""
    if kind == "number":
        return [(values.to_numpy() + 0.0).astype("<f8").tobytes()]
    if kind == "text":
        return _text_parts(_arrow(values))
    if kind == "text_list":
        lists = _arrow(values)
        return [_lengths(lists).tobytes(), *_text_parts(lists.flatten())]
    counted = values.to_physical() if kind in {"date", "timestamp"} else values
    return [counted.to_numpy().astype(_INTEGER).tobytes()]


def _arrow(values: pl.Series) -> pa.Array:
    """A column as one piece of Arrow's own form, whose buffers are read at once: each question to a series costs."""
    return values.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())


def _text_parts(texts: pa.Array) -> list[Part]:
    """Lengths, then the UTF-8 bytes of all texts, which Arrow's own form holds one behind the other."""
    plain = texts.cast(pa.large_string())
    data = plain.buffers()[2]
    if data is None or not len(plain):
        return [_lengths(plain).tobytes(), b""]
    ends = _ends(plain)
    return [np.diff(ends).tobytes(), memoryview(data)[ends[0] : ends[-1]]]


def _lengths(cells: pa.Array) -> NDArray[np.int64]:
    """The length of each text in bytes, of each list in items."""
    return np.diff(_ends(cells)) if len(cells) else np.empty(0, _INTEGER)


def _ends(cells: pa.Array) -> NDArray[np.int64]:
    """Where texts or lists begin within their buffer, and the last one ends."""
    return np.frombuffer(cells.buffers()[1], _INTEGER)[cells.offset : cells.offset + len(cells) + 1]


_INTEGER: Final = np.dtype("<i8")
