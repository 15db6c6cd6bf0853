"""Files of attempt records, CSV, JSON lines or Parquet, as batches of encoded columns.

Belongs here: which columns a file has, under which of their names, and their values as text, numbers or nothing. Does
not belong here: what is planned and what a status means (`methods.harness`).

Text stays text: a task called 2024-11-20 is no date. A number becomes the text of its digits, a whole one without
decimals, true and false in lower case. An empty CSV cell is nothing. Gzipped CSV and JSON lines are read too.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from methods.harness.records import KEY_FIELDS, SCORE_MISSING, SCORE_OK, Batch, Flags
from resources.attempts.column_values import encoded, numbers
from resources.csv_records import ragged_record
from resources.evidence_store import EvidenceError
from resources.json_documents import load_json
from resources.text_documents import DocumentError
from warehouse.harness_words import Fault
from warehouse.plain_text import one_line

ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "repetition": ("trial",),
    "tokens": ("total_tokens",),
    "normal_termination": ("is_normal_termination",),
    "valid_handoff": ("is_valid_handoff",),
}
"""Other names of columns, as `scoretrail import` writes them."""
NUMBER_COLUMNS: Final = ("score", "tokens", "seconds")
EXTRA_COLUMNS: Final = ("stage", "status", "score_status")
SUFFIXES: Final = (".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet")
ROWS_AT_ONCE: Final = 1_000_000
LONGEST_SECONDS: Final = 1e12
"""Seconds from which they are none: no attempt lasts thirty thousand years."""
NOT_RUN: Final = "not_run"
"""`score_status` of a row that `scoretrail import` writes for an attempt without a record: it is none here either."""
_PLAIN: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


def record_batches(path: Path, fields: Sequence[str], only: Sequence[str] | None = None) -> Iterator[Batch]:
    """The records of a file, a million rows at a time.

    Args:
        path: named with one of SUFFIXES.
        fields: columns that the status maps read, beside those of every record.
        only: read these columns alone, where not everything is needed.

    Raises:
        EvidenceError: naming file, row and column, and what to do.
    """
    wanted = tuple(only or dict.fromkeys((*KEY_FIELDS, *EXTRA_COLUMNS, *fields, *NUMBER_COLUMNS)))
    suffix = next((one for one in sorted(SUFFIXES, key=len, reverse=True) if path.name.lower().endswith(one)), None)
    if suffix is None:
        raise EvidenceError(f"{path.name}: records are read from files named {', '.join(SUFFIXES)}")
    try:
        first = 1
        for table in _READERS[suffix](path, wanted):
            if "score" in wanted and "score" not in table.column_names:
                raise EvidenceError(
                    f"{path.name}: has no column score; every record states one, empty where there is none"
                )
            yield _without_not_run(batch_of(table, path.name, first))
            first += table.num_rows
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise EvidenceError(
            f"{path.name}: is broken or cut off as a gzip file ({one_line(str(error))[:200]}); fetch it again"
        ) from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, pa.ArrowException, UnicodeDecodeError) as error:
        said = one_line(str(error).splitlines()[0])[:200]
        raise EvidenceError(f"{path.name}: is no readable {suffix[1:]} file: {said}") from error


def batch_of(table: pa.Table, file: str, first_row: int) -> Batch:
    """A table of Arrow columns, under their own names, as a batch."""
    rows = np.arange(first_row, first_row + table.num_rows, dtype=np.int64)
    columns = {
        name: encoded(table.column(name)) for name in table.column_names if name not in ("score", "tokens", "seconds")
    }
    score, state = numbers(table, "score")
    tokens, token_state = numbers(table, "tokens")
    seconds, second_state = numbers(table, "seconds")
    # what no attempt can have spent is unreadable: less than nothing, or more than a mean over attempts could hold
    is_spent = (token_state == SCORE_OK) & (tokens >= 0) & (tokens < 2**62)
    is_time = (second_state == SCORE_OK) & (seconds >= 0) & (seconds < LONGEST_SECONDS)
    unreadable: dict[Fault, Flags] = {
        "tokens_unreadable": (token_state != SCORE_MISSING) & ~is_spent,
        "seconds_unreadable": (second_state != SCORE_MISSING) & ~is_time,
    }
    whole = np.where(is_spent, np.rint(tokens), 0).astype(np.int64)
    return Batch(file, rows, columns, score, state, whole, np.where(is_time, seconds, np.nan), unreadable)


def _without_not_run(batch: Batch) -> Batch:
    absent = batch.column("score_status").table(lambda text: int(text == NOT_RUN), 0).astype(np.bool_)
    return batch.take(np.flatnonzero(~absent)) if absent.any() else batch


def _chosen(found: Iterable[str], wanted: Iterable[str], file: str) -> dict[str, str]:
    """By wanted column, its name in the file; columns that the file does not have are absent."""
    columns = list(found)
    repeated = sorted({name for name in columns if columns.count(name) > 1})
    if repeated:
        raise EvidenceError(f"{file}: column {one_line(repeated[0])!r} stands there more than once")
    chosen = {}
    for name in wanted:
        there = [one for one in (name, *ALIASES.get(name, ())) if one in columns]
        if len(there) > 1:
            raise EvidenceError(f"{file}: columns {' and '.join(there)} mean the same; keep one of them")
        if there:
            chosen[name] = there[0]
    return chosen


def _csv_tables(path: Path, wanted: Sequence[str]) -> Iterator[pa.Table]:
    data = gzip.decompress(path.read_bytes()) if path.name.lower().endswith(".gz") else path.read_bytes()
    heading = next(csv.reader(io.StringIO(data[:65536].decode("utf-8-sig", errors="replace"))), [])
    chosen = _chosen(heading, wanted, path.name)
    if not chosen:
        raise EvidenceError(f"{path.name}: the heading has none of the columns {', '.join(wanted)}")
    ragged = ragged_record(io.BytesIO(data))
    if ragged is not None:
        raise EvidenceError(f"{path.name}, {ragged}")
    frame = pl.read_csv(io.BytesIO(data), infer_schema=False, columns=list(chosen.values()))
    yield from _tables(frame.select(pl.col(name).alias(own) for own, name in chosen.items()), is_guarded=True)


def _json_tables(path: Path, wanted: Sequence[str]) -> Iterator[pa.Table]:
    with gzip.open(path, "rb") if path.name.lower().endswith(".gz") else path.open("rb") as stream:
        rows: list[dict[str, str | None]] = []
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                raise EvidenceError(f"{path.name}, row {number}: is empty; every line holds one record")
            rows.append(_json_row(line, path.name, number, wanted))
            if len(rows) == ROWS_AT_ONCE:
                yield from _tables(_text_frame(rows, wanted))
                rows = []
        if rows:
            yield from _tables(_text_frame(rows, wanted))


def _json_row(line: bytes, file: str, number: int, wanted: Sequence[str]) -> dict[str, str | None]:
    try:
        record = load_json(line, f"{file}, row {number}")
    except DocumentError as error:
        raise EvidenceError(f"{file}, row {number}: {error.message}") from error
    if not isinstance(record, dict):
        raise EvidenceError(f"{file}, row {number}: is no object; every line holds one record in braces")
    chosen = _chosen(record, wanted, f"{file}, row {number}")
    return {own: _text(record[name], f"{file}, row {number}, {name}") for own, name in chosen.items()}


def _text(value: Any, place: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ";".join(value)
    if isinstance(value, int | Decimal):
        return str(value)
    raise EvidenceError(f"{place}: holds {type(value).__name__}; a field is a text, a number, true, false or null")


def _text_frame(rows: Sequence[Mapping[str, str | None]], wanted: Sequence[str]) -> pl.DataFrame:
    used = {name for row in rows for name in row}
    columns = {name: [row.get(name) for row in rows] for name in wanted if name in used}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _tables(frame: pl.DataFrame, *, is_guarded: bool = False) -> Iterator[pa.Table]:
    """A frame of texts as tables, a million rows at a time; an empty text is nothing."""
    for part in frame.iter_slices(ROWS_AT_ONCE):
        texts = part.with_columns(pl.all().replace("", None))
        if is_guarded:
            quoted = pl.all().str.starts_with("'")
            texts = texts.with_columns(pl.when(quoted).then(pl.all().str.slice(1)).otherwise(pl.all()))
        yield texts.to_arrow()


def _parquet_tables(path: Path, wanted: Sequence[str]) -> Iterator[pa.Table]:
    with pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        chosen = _chosen(names, wanted, path.name)
    if not chosen:
        raise EvidenceError(f"{path.name}: has none of the columns {', '.join(wanted)}")
    with pq.ParquetFile(path) as plain:
        _check_flat(plain.schema_arrow, chosen.values(), path.name)
        texts = [name for name in chosen.values() if pa.types.is_string(plain.schema_arrow.field(name).type)
                 or pa.types.is_large_string(plain.schema_arrow.field(name).type)]  # fmt: skip
    with pq.ParquetFile(path, read_dictionary=texts) as file:
        own_names = {name: own for own, name in chosen.items()}
        for groups in _row_groups(file.metadata):
            table = file.read_row_groups(groups, columns=list(chosen.values())).unify_dictionaries()
            yield table.rename_columns([own_names[name] for name in table.column_names])


def _check_flat(schema: pa.Schema, columns: Iterable[str], file: str) -> None:
    """Refuses a column of objects, or of lists of anything but texts."""
    for name in columns:
        kind = schema.field(name).type
        listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        inner = kind.value_type if listed else kind
        is_text = pa.types.is_string(inner) or pa.types.is_large_string(inner)
        if pa.types.is_nested(inner) or (listed and not is_text):
            raise EvidenceError(
                f"{file}: column {name} holds {kind}; a field is a text, a number, true, false or a list of texts"
            )


def _row_groups(metadata: pq.FileMetaData) -> Iterator[list[int]]:
    """Row groups of about a million rows together."""
    groups: list[int] = []
    rows = 0
    for number in range(metadata.num_row_groups):
        groups.append(number)
        rows += metadata.row_group(number).num_rows
        if rows >= ROWS_AT_ONCE:
            yield groups
            groups, rows = [], 0
    if groups:
        yield groups


_READERS: Final[Mapping[str, Callable[[Path, Sequence[str]], Iterator[pa.Table]]]] = {
    ".csv": _csv_tables,
    ".csv.gz": _csv_tables,
    ".jsonl": _json_tables,
    ".jsonl.gz": _json_tables,
    ".parquet": _parquet_tables,
}
