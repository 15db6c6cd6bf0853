"""The declarative connector: files of rows in, results out, by a mapping that is configuration (`options`).

How a format is read is `source_rows`, how a row becomes a result `records` and `fields`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.options import TableOptions
from resources.connectors.table.records import Mapping, check_columns
from resources.connectors.table.source_rows import read_rows
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow, ReceivedSnapshot

__all__ = ["check_table", "parse_table"]


def parse_table(source: SourceSpec, files: Sequence[SnapshotFile]) -> ReceivedSnapshot:
    """The results of a source's files, by its mapping.

    Raises:
        ConnectorError: for a file that cannot be read, changed columns, or more rows than `max_rows`.
    """
    options = TableOptions.model_validate(source.options)
    mapping = Mapping(options)
    received: list[ReceivedRow] = []
    for file in files:
        found = read_rows(file, options)
        check_columns(found, options, file.name)
        # The name of a lone file is no part of its snapshot: the same bytes give the same locators from anywhere.
        prefix = f"{file.name}: " if len(files) > 1 else ""
        for row in found.rows:
            received.extend(mapping.rows(row, file.name, prefix))
        if len(received) > options.max_rows:
            raise ConnectorError(file.name, f"more than {options.max_rows} results")
    return ReceivedSnapshot(rows=tuple(received), title=source.title)


def check_table(source: SourceSpec) -> list[tuple[tuple[str | int, ...], str]]:
    """Faults of a source's options, as (path within the entry, message)."""
    try:
        TableOptions.model_validate(source.options)
    except ValidationError as error:
        return [
            (("options", *fault["loc"]), _spoken(fault["type"], fault["msg"]))
            for fault in error.errors(include_url=False, include_input=False)
        ]
    return []


def _spoken(kind: str, message: str) -> str:
    return {"extra_forbidden": "unknown key", "missing": "must be given"}.get(
        kind, message.removeprefix("Value error, ")
    )
