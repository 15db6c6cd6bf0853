"""CSV and TSV into rows: strict, the header where the mapping says, cells as text or as pieces of HTML.

Belongs here: delimited text. Does not belong here: what a cell of HTML holds (`markup`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.markup import cell_of_html, spread
from resources.connectors.table.options import Layout
from resources.connectors.table.rows import RAW_LENGTH, Read, SourceRow, header
from resources.text_documents import decode


def read_delimited(file: SnapshotFile, options: Layout) -> Read:
    """The columns and rows of a CSV or TSV file."""
    text = decode(file.data, file.name, options.encoding)
    delimiter = options.delimiter or ("\t" if options.format == "tsv" else ",")
    lines = _cells(file, options.format, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    names: list[str] = []
    for _ in range(options.header_row):
        _, names = next(lines, (1, []))
    is_html = options.cells == "html"
    columns = header([cell_of_html(name).text for name in names] if is_html else names, file.name)
    return columns, _rows(columns, lines, delimiter, is_html)


def _rows(
    columns: tuple[str, ...], lines: Iterator[tuple[int, list[str]]], delimiter: str, is_html: bool
) -> Iterator[SourceRow]:
    for line, cells in lines:
        if len(cells) != len(columns):
            problem = f"{len(cells)} cells where the header has {len(columns)}"
            yield SourceRow(f"line {line}", None, problem=problem, raw=delimiter.join(cells)[:RAW_LENGTH])
        elif is_html:
            yield SourceRow(f"line {line}", spread(columns, [cell_of_html(cell) for cell in cells]))
        else:
            yield SourceRow(f"line {line}", dict(zip(columns, cells, strict=True)))


def _cells(file: SnapshotFile, form: str, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, each with the number of the line it begins on."""
    start = 1
    try:
        for cells in reader:
            if cells:
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise ConnectorError(file.name, f"not {form}: {error}", row=f"line {reader.line_num}") from error
