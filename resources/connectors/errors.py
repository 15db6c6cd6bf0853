"""The error of a connector: a file that as a whole cannot be read as what the source declares.

A single row at fault is no error: it becomes a `ReceivedRow` with its problem.
"""

from __future__ import annotations


class ConnectorError(ValueError):
    """A file that is unusable as a whole.

    Attributes:
        file: name of the file.
        row: where in it, as people count (None for the whole).
        field: the column or key at fault (None where none is).
        message: what is wrong, and what was expected.
    """

    def __init__(self, file: str, message: str, *, row: str | None = None, field: str | None = None) -> None:
        place = ", ".join(part for part in (file, row, field) if part)
        super().__init__(f"{place}: {message}")
        self.file = file
        self.row = row
        self.field = field
        self.message = message


class ShapeError(ConnectorError):
    """A file that is sound, but has no rows where the mapping looks for them."""
