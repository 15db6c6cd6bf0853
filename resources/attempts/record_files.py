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
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from methods.harness.records import KEY_FIELDS, SCORE_MISSING, SCORE_OK, SCORE_UNREADABLE, Batch, Column
from resources.evidence_store import EvidenceError
from resources.guarded_csv import unguard
from resources.json_documents import load_json
from resources.text_documents import DocumentError
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
"""Seconds from which a record states none: no attempt lasts thirty thousand years."""
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
        name: _encoded(table.column(name)) for name in table.column_names if name not in ("score", "tokens", "seconds")
    }
    score, state = _numbers(table, "score")
    tokens, token_state = _numbers(table, "tokens")
    seconds, second_state = _numbers(table, "seconds")
    # what no attempt can have spent is not stated: less than nothing, or more than a mean over attempts could hold
    whole = np.where((token_state == SCORE_OK) & (tokens >= 0) & (tokens < 2**62), np.rint(tokens), 0).astype(np.int64)
    is_time = (second_state == SCORE_OK) & (seconds >= 0) & (seconds < LONGEST_SECONDS)
    return Batch(file, rows, columns, score, state, whole, np.where(is_time, seconds, np.nan))


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
        texts = [name for name in chosen.values() if pa.types.is_string(plain.schema_arrow.field(name).type)
                 or pa.types.is_large_string(plain.schema_arrow.field(name).type)]  # fmt: skip
    with pq.ParquetFile(path, read_dictionary=texts) as file:
        own_names = {name: own for own, name in chosen.items()}
        for groups in _row_groups(file.metadata):
            table = file.read_row_groups(groups, columns=list(chosen.values())).unify_dictionaries()
            yield table.rename_columns([own_names[name] for name in table.column_names])


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


def _encoded(chunked: pa.ChunkedArray) -> Column:
    """A column as distinct texts and codes."""
    array = _whole(chunked)
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        array = pc.binary_join(pc.cast(array, pa.list_(pa.string())), ";")
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    values = [_plain(value) for value in array.dictionary.to_pylist()]
    codes = _numpy(_filled(pc.cast(array.indices, pa.int32()), -1), np.int32)
    return _distinct(values, codes)


def _whole(chunked: pa.ChunkedArray) -> pa.Array:
    """The column in one piece."""
    if chunked.num_chunks == 1:
        return chunked.chunk(0)
    joined = chunked.combine_chunks()
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _filled(array: pa.Array, value: float) -> pa.Array:
    """The column with a number for each null; asked for only where there is one, since Arrow loads pandas for it."""
    return array.fill_null(value) if array.null_count else array


def _numpy(array: pa.Array, kind: type[np.generic]) -> NDArray[Any]:
    """Numbers without nulls, as they lie in memory; Arrow's own conversion would load pandas first."""
    if not len(array):
        return np.zeros(0, dtype=kind)
    found: NDArray[Any] = np.frombuffer(array.buffers()[1], dtype=kind, count=len(array) + array.offset)
    return found[array.offset :]


def _distinct(values: Sequence[str | None], codes: NDArray[np.int32]) -> Column:
    """Codes of distinct texts, where texts may repeat or be nothing."""
    places: dict[str, int] = {}
    table = [-1 if value is None else places.setdefault(value, len(places)) for value in values]
    return Column(tuple(places), np.array([*table, -1], dtype=np.int32)[codes])


def _plain(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _numbers(table: pa.Table, name: str) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """A column of numbers, and for each row whether one is there, missing, or unreadable."""
    if name not in table.column_names:
        return np.zeros(table.num_rows), np.full(table.num_rows, SCORE_MISSING, dtype=np.int8)
    column = table.column(name)
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        is_null = _numpy(_whole(pc.cast(column.is_null(), pa.uint8())), np.uint8).astype(np.bool_)
        values = _numpy(_filled(_whole(pc.cast(column, pa.float64())), 0.0), np.float64)
        state = np.where(is_null, SCORE_MISSING, np.where(np.isfinite(values), SCORE_OK, SCORE_UNREADABLE))
        return np.where(state == SCORE_OK, values, 0.0), state.astype(np.int8)
    encoded = _encoded(column)
    read = [_number(text) for text in encoded.values]
    values = np.array([0.0 if one is None else one for one in read] + [0.0])[encoded.codes]
    states = [SCORE_UNREADABLE if one is None else SCORE_OK for one in read]
    return values, np.array([*states, SCORE_MISSING], dtype=np.int8)[encoded.codes]


def _number(text: str) -> float | None:
    stripped = unguard(text).strip()
    number = float(stripped) if _PLAIN.fullmatch(stripped) else float("inf")
    return number if abs(number) != float("inf") else None
