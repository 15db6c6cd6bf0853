"""The declarative connector: files of rows in, results out, by a mapping that is configuration (`options`).

How a format is read is `source_rows`, how a row becomes a result `records` and `fields`. Every file of a snapshot is
read by a part of the mapping, serves a join, or is named under `ignore` with the reason; one that is none of these
becomes a row with a problem, so that nothing of a source is ever left out in silence.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from resources.connectors.errors import ConnectorError, ShapeError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.file_names import matches
from resources.connectors.table.joins import join_files, read_joins
from resources.connectors.table.options import PAGES, TREES, SourceOptions, TableOptions
from resources.connectors.table.records import Mapping, check_columns
from resources.connectors.table.rows import SourceRow
from resources.connectors.table.source_rows import FileRows, read_rows
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow, ReceivedSnapshot

__all__ = ["check_table", "ignores", "parse_table", "reads_pages"]


def parse_table(source: SourceSpec, files: Sequence[SnapshotFile]) -> ReceivedSnapshot:
    """The results of a source's files, by its mapping.

    Raises:
        ConnectorError: for a file that cannot be read, changed columns, more rows than `max_rows`, or a part of the
            mapping that finds none of its files.
    """
    options = SourceOptions.model_validate(source.options)
    received: list[ReceivedRow] = []
    left_out = {file.name for file in files if ignores(source, file.name)}
    known = set(left_out)
    for part in options.parts:
        chosen = _chosen(part, [file for file in files if file.name not in left_out])
        helping = join_files(part, files)
        known |= {file.name for file in chosen} | helping
        # A file that only helps others is not read as results; one that holds both, its own helper, is.
        received.extend(_rows(part, [file for file in chosen if file.name not in helping] or chosen, files))
    received.extend(
        ReceivedRow(file.name, None, "no part of the source's mapping reads this file")
        for file in files
        if file.name not in known
    )
    return ReceivedSnapshot(rows=tuple(received), title=source.title)


def ignores(source: SourceSpec, name: str) -> bool:
    """Whether the mapping names a file under `ignore`."""
    return any(matches(name, glob) for glob in SourceOptions.model_validate(source.options).ignore)


def _chosen(part: TableOptions, files: Sequence[SnapshotFile]) -> list[SnapshotFile]:
    chosen = [file for file in files if any(matches(file.name, glob) for glob in part.files)]
    if not chosen:
        raise ConnectorError(", ".join(part.files), "no such file in the snapshot; a part of the mapping reads it")
    return chosen


def _rows(part: TableOptions, chosen: Sequence[SnapshotFile], files: Sequence[SnapshotFile]) -> list[ReceivedRow]:
    mapping = Mapping(part, read_joins(part, files))
    received: list[ReceivedRow] = []
    label = f"{part.name}: " if part.name else ""
    read = _read(part, chosen)
    if part.format in TREES:
        # The files of a tree are one table: what a single one of them lacks was not measured there.
        together = FileRows(tuple(row for found in read for row in found.rows))
        check_columns(together, part, chosen[0].name if len(chosen) == 1 else ", ".join(part.files))
    for file, found in zip(chosen, read, strict=True):
        if part.format not in TREES:
            check_columns(found, part, file.name)
        # The name of a lone file is no part of its snapshot: the same bytes give the same locators from anywhere.
        prefix = f"{file.name}: {label}" if len(files) > 1 else label
        for row in found.rows:
            if part.is_sparse and row.value is None and row.problem is None:
                continue
            received.extend(mapping.rows(row, file.name, prefix))
        if len(received) > part.max_rows:
            raise ConnectorError(file.name, f"more than {part.max_rows} results")
    return received


def _read(part: TableOptions, chosen: Sequence[SnapshotFile]) -> list[FileRows]:
    """The rows of each file. One of many that has another shape is a row with a problem; all of them, a failure."""
    read: list[FileRows] = []
    odd: list[ShapeError] = []
    for file in chosen:
        try:
            read.append(read_rows(file, part))
        except ShapeError as error:
            odd.append(error)
            read.append(FileRows((SourceRow("whole file", None, problem=error.message),)))
    if odd and len(odd) == len(chosen):
        raise odd[0]
    return read


def check_table(source: SourceSpec) -> list[tuple[tuple[str | int, ...], str]]:
    """Faults of a source's options, as (path within the entry, message)."""
    try:
        SourceOptions.model_validate(source.options)
    except ValidationError as error:
        has_parts = "parts" in source.options
        return [
            (("options", *_place(fault["loc"], has_parts)), _spoken(fault["type"], fault["msg"]))
            for fault in error.errors(include_url=False, include_input=False)
        ]
    return []


def reads_pages(source: SourceSpec) -> bool:
    """Whether a page of the web is what this source sends, so that one is no error sent in place of data."""
    return any(part.format in PAGES for part in SourceOptions.model_validate(source.options).parts)


def _place(location: tuple[str | int, ...], has_parts: bool) -> tuple[str | int, ...]:
    return location if has_parts or location[:2] != ("parts", 0) else location[2:]


def _spoken(kind: str, message: str) -> str:
    return {"extra_forbidden": "unknown key", "missing": "must be given"}.get(
        kind, message.removeprefix("Value error, ")
    )
