"""XLSX into rows: one sheet, cells as they are stored, dates as dates, blank rows and columns left out.

Belongs here: workbooks. Reading them is left to calamine, which runs no formula, loads nothing and expands no entity;
an archive that expands without measure is refused before it sees it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Final

from python_calamine import CalamineError, CalamineWorkbook

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.options import Layout
from resources.connectors.table.rows import Read, SourceRow, header

MAX_EXPANDED: Final = 256_000_000
MAX_CELLS: Final = 20_000_000


def read_workbook(file: SnapshotFile, options: Layout) -> Read:
    """The columns and rows of one sheet of a workbook."""
    # Not at the top: `archives` names files by `connectors.files`, whose package imports this module.
    from resources.archives import ArchiveError, unpack

    try:
        unpack(file.data, max_bytes=MAX_EXPANDED)
        book = CalamineWorkbook.from_filelike(io.BytesIO(file.data))
        names = book.sheet_names
        if options.sheet is not None and options.sheet not in names:
            raise ConnectorError(file.name, f"no sheet {options.sheet!r}; there are {', '.join(map(repr, names))}")
        sheet = book.get_sheet_by_name(options.sheet) if options.sheet is not None else book.get_sheet_by_index(0)
        if sheet.total_height * sheet.total_width > min(MAX_CELLS, options.max_rows * 1000):
            raise ConnectorError(
                file.name, f"{sheet.total_height} rows of {sheet.total_width} cells; more than is read"
            )
        cells: Sequence[Sequence[Any]] = sheet.to_python(skip_empty_area=False)
    except (ArchiveError, CalamineError, OSError, ValueError) as error:
        if isinstance(error, ConnectorError):
            raise
        raise ConnectorError(file.name, f"not a workbook, or damaged: {error}") from error
    except BaseException as error:
        # A fault inside the reader's own language ends in a panic, which is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise ConnectorError(file.name, "not a workbook, or damaged") from error
    return _table(cells, file, options)


def _table(cells: Sequence[Sequence[Any]], file: SnapshotFile, options: Layout) -> Read:
    if len(cells) < options.header_row:
        raise ConnectorError(file.name, f"{len(cells)} rows; the header is expected in row {options.header_row}")
    names = cells[options.header_row - 1]
    body = cells[options.header_row :]
    used = [place for place, name in enumerate(names) if name != "" or any(row[place] != "" for row in body)]
    columns = header([str(names[place]).strip() or f"column {place + 1}" for place in used], file.name)
    return columns, _rows(columns, used, body, options.header_row)


def _rows(
    columns: tuple[str, ...], used: Sequence[int], body: Sequence[Sequence[Any]], above: int
) -> Iterator[SourceRow]:
    for number, row in enumerate(body, start=above + 1):
        values = [_value(row[place]) for place in used]
        if any(value != "" for value in values):
            yield SourceRow(f"row {number}", dict(zip(columns, values, strict=True)))


def _value(cell: Any) -> Any:
    """A cell in the terms of JSON's reader: whole numbers as int, others by their shortest digits, dates as dates."""
    if isinstance(cell, bool | str | int | date):
        return cell.strip() if isinstance(cell, str) else cell
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < 2**53 else Decimal(repr(cell))
    return str(cell) if isinstance(cell, time | timedelta) else cell
