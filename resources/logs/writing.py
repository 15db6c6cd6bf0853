"""Rows of logs as a file: JSON lines, CSV or Parquet by its suffix, whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import polars as pl

from resources.atomic_files import write_bytes
from resources.guarded_csv import csv_bytes
from resources.logs.documents import LogFileError
from warehouse.columns import ColumnType

_TYPES: Final[Mapping[type[pl.DataType], ColumnType]] = {
    pl.String: "text", pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "boolean",
}  # fmt: skip


def _csv(frame: pl.DataFrame) -> bytes:
    return csv_bytes(frame, {name: _TYPES[kind.base_type()] for name, kind in frame.schema.items()})


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


WRITERS: Final[Mapping[str, Callable[[pl.DataFrame], bytes]]] = {
    ".jsonl": lambda frame: frame.write_ndjson().encode(),
    ".csv": _csv,
    ".parquet": _parquet,
}
"""Form by suffix; CSV is `resources.guarded_csv`."""


def write_rows(frame: pl.DataFrame, out: Path) -> None:
    """Writes the rows.

    Raises:
        LogFileError: for a suffix that stands for no form.
        OSError: as the disk says.
    """
    writer = WRITERS.get(out.suffix)
    if writer is None:
        raise LogFileError(str(out), f"its name must end in {', '.join(WRITERS)}")
    write_bytes(out, writer(frame))
