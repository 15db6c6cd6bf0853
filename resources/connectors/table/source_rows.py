"""The rows of each format, before any mapping: values as received, with where they stand.

Belongs here: JSON, JSON lines, YAML and Parquet into rows, and the door to every format. Another joins by one function
in `READERS`: `grids` reads CSV and TSV, `pages` Markdown and HTML, `workbooks` XLSX. Does not belong here: what a value
means.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from resources.connectors.errors import ConnectorError, ShapeError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.grids import read_delimited
from resources.connectors.table.options import Layout
from resources.connectors.table.pages import read_html, read_markdown
from resources.connectors.table.rows import RAW_LENGTH, Read, SourceRow, header
from resources.connectors.table.scripts import assigned
from resources.connectors.table.tree_paths import TreePathError, TreeRow, find_rows, parse_path
from resources.connectors.table.workbooks import read_workbook
from resources.json_documents import load_json
from resources.text_documents import DocumentError, decode
from resources.yaml_documents import load_yaml

MAX_PARQUET_BYTES: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of one file in order, and the columns of its header where it has one."""

    rows: tuple[SourceRow, ...]
    columns: tuple[str, ...] | None = None


def read_rows(file: SnapshotFile, options: Layout) -> FileRows:
    """Reads one file.

    Raises:
        ShapeError: where its tree is not the one that the mapping's path expects.
        ConnectorError: where the file as a whole cannot be read, or holds more rows than `max_rows`.
    """
    try:
        columns, rows = READERS[options.format](file, options)
        found = tuple(itertools.islice(rows, options.max_rows + 1))
        if len(found) > options.max_rows:
            raise ConnectorError(file.name, f"more than {options.max_rows} rows")
        return FileRows(found, columns)
    except DocumentError as error:
        raise ConnectorError(file.name, error.message, row=_line(error.line)) from error
    except TreePathError as error:
        raise ShapeError(file.name, str(error)) from error


def _json(file: SnapshotFile, options: Layout) -> Read:
    source: bytes | str = file.data
    if options.assigned_to is not None:
        source = assigned(decode(file.data, file.name, options.encoding), options.assigned_to, file.name)
    document = load_json(source, file.name, encoding=options.encoding)
    return None, _tree(find_rows(document, parse_path(options.rows_path)))


def _yaml(file: SnapshotFile, options: Layout) -> Read:
    document = load_yaml(file.data, file.name, scalars="text", encoding=options.encoding)
    return None, _tree(find_rows(document.data, parse_path(options.rows_path)))


def _json_lines(file: SnapshotFile, options: Layout) -> Read:
    return None, _lines(file, options)


def _lines(file: SnapshotFile, options: Layout) -> Iterator[SourceRow]:
    """One document a line. A last line that is broken and has no end is a truncated file; others are single rows."""
    path = parse_path(options.rows_path)
    lines = decode(file.data, file.name, options.encoding).split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            rows = list(find_rows(load_json(line, file.name), path))
        except (DocumentError, TreePathError) as error:
            if number == len(lines) and number > 1:
                raise ConnectorError(file.name, "the last line is cut short: truncated", row=place) from error
            message = error.message if isinstance(error, DocumentError) else str(error)
            yield SourceRow(place, None, problem=message, raw=line[:RAW_LENGTH])
            continue
        for row in _tree(rows):
            inside = f"{place}, {row.locator}" if row.locator else place
            yield SourceRow(inside, row.value, row.parents, row.keys, row.problem, row.raw)


def _tree(rows: Iterable[TreeRow]) -> Iterator[SourceRow]:
    for row in rows:
        yield SourceRow(row.locator, row.value, row.parents, row.keys, row.problem)


def _parquet(file: SnapshotFile, options: Layout) -> Read:
    # Arrow's own reader: on a damaged file it raises, where polars ends in a panic that no handler of errors sees.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(io.BytesIO(file.data), page_checksum_verification=True)
        facts = source.metadata
        size = sum(facts.row_group(group).total_byte_size for group in range(facts.num_row_groups))
        if facts.num_rows > options.max_rows or size > MAX_PARQUET_BYTES:
            raise ConnectorError(file.name, f"{facts.num_rows} rows, {size} bytes expanded; more than is read")
        columns = header(source.schema_arrow.names, file.name)
        rows = source.read(use_threads=False).to_pylist()
    except ConnectorError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise ConnectorError(file.name, f"not Parquet, or damaged: {error}") from error
    return columns, (
        SourceRow(f"row {number}", {name: _exact(value) for name, value in row.items()})
        for number, row in enumerate(rows)
    )


def _exact(value: Any) -> Any:
    """A double by its shortest digits, NaN and infinities as tokens, so that Parquet reads as JSON does."""
    if isinstance(value, float):
        return (
            Decimal(repr(value))
            if value - value == 0
            else {"nan": "NaN", "inf": "Infinity"}.get(str(value), "-Infinity")
        )
    return value


def _line(number: int | None) -> str | None:
    return f"line {number}" if number is not None else None


READERS: Final[dict[str, Callable[[SnapshotFile, Layout], Read]]] = {
    "json": _json,
    "jsonl": _json_lines,
    "yaml": _yaml,
    "csv": read_delimited,
    "tsv": read_delimited,
    "parquet": _parquet,
    "markdown": read_markdown,
    "html": read_html,
    "xlsx": read_workbook,
}
