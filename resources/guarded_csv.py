"""CSV that spreadsheets show and never run, and that reads back to exactly the values written.

Belongs here: the form of a cell. The form, so that anyone can undo it:

- text stands in double quotes, a double quote in it doubled; a null is nothing at all between the commas (`,,`), an
  empty text is `""`;
- text that begins with one of `= + - @`, their full-width forms, a tab, a line break or an apostrophe gets one
  apostrophe in front: to undo it, take one leading apostrophe off any text that has one;
- numbers, booleans (`true`, `false`), dates and times (ISO, UTC, ending in Z) stand without quotes and are never
  changed, a negative number included; a list of texts is its JSON, as text.

UTF-8 without a byte order mark, lines end in a line feed, the first line holds the column names.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Final

import polars as pl

from resources.atomic_files import parse_json
from resources.csv_records import ragged_record
from warehouse.columns import ColumnType
from warehouse.contracts import TableContract

FORMULA_STARTS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
GUARD: Final = "'"


class GuardedCsvError(ValueError):
    """A CSV that is not in this form: names the file, the row and the column."""


def guard(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet might run it."""
    return GUARD + text if text.startswith((*FORMULA_STARTS, GUARD)) else text


def unguard(text: str) -> str:
    """The text as it was before `guard`."""
    return text.removeprefix(GUARD)


def _text_cell(value: str) -> str:
    return '"' + guard(value).replace('"', '""') + '"'


def _timestamp_cell(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


_WRITE: Final[dict[ColumnType, Callable[[Any], str]]] = {
    "text": _text_cell,
    "number": repr,
    "integer": str,
    "boolean": lambda value: "true" if value else "false",
    "timestamp": _timestamp_cell,
    "date": date.isoformat,
    "text_list": lambda value: _text_cell(json.dumps(value, ensure_ascii=False)),
}


def csv_bytes(frame: pl.DataFrame, types: dict[str, ColumnType]) -> bytes:
    """A frame as guarded CSV, its columns and their order those of `types`."""
    columns = []
    for name, kind in types.items():
        write = _WRITE[kind]
        columns.append(["" if value is None else write(value) for value in frame[name].to_list()])
    head = ",".join(_text_cell(name) for name in types)
    return "".join(f"{line}\n" for line in (head, *map(",".join, zip(*columns, strict=True)))).encode()


def contract_types(contract: TableContract) -> dict[str, ColumnType]:
    """The columns of a contract and their types, in order."""
    return {name: entry.type for name, entry in contract.entries.items()}


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text]


_READ: Final[dict[ColumnType, Callable[[str], Any]]] = {
    "text": unguard,
    "number": float,
    "integer": int,
    "boolean": _boolean,
    "timestamp": datetime.fromisoformat,
    "date": date.fromisoformat,
    "text_list": lambda text: parse_json(unguard(text).encode(), "list"),
}


def read_csv(data: bytes, types: dict[str, ColumnType], name: str) -> dict[str, list[Any]]:
    """The columns of a guarded CSV as Python values.

    Args:
        data: the file's bytes.
        types: its columns and their types.
        name: what to call it in a message.

    Raises:
        GuardedCsvError: for other columns, a row of another length, or a cell that is not of its type.
    """
    try:
        ragged = ragged_record(io.BytesIO(data))
        if ragged is not None:
            raise GuardedCsvError(f"{name}, {ragged}")
        cells = pl.read_csv(io.BytesIO(data), infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise GuardedCsvError(f"{name}: not readable as CSV: {error}") from error
    if cells.columns != list(types):
        raise GuardedCsvError(f"{name}: its columns are {cells.columns}, must be {list(types)}")
    return {column: _values(cells[column].to_list(), column, kind, name) for column, kind in types.items()}


def _values(cells: list[str | None], column: str, kind: ColumnType, name: str) -> list[Any]:
    read = _READ[kind]
    values: list[Any] = []
    for number, cell in enumerate(cells, start=1):
        try:
            values.append(None if cell is None else read(cell))
        except (ValueError, KeyError) as error:
            raise GuardedCsvError(f"{name}, row {number}, column {column}: {cell!r} is no {kind}") from error
    return values
