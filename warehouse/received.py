"""What a connector hands on: rows of a snapshot as received, readable or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

LEFT_OUT: Final = "left out by the source's mapping: "
"""How the problem of a row begins that is no result, as a rule of its source's mapping says: it was read all right."""


@dataclass(frozen=True, slots=True)
class ReceivedRow:
    """One row of a snapshot.

    Attributes:
        row_locator: where it stands, unique in the snapshot: file, path, row, column.
        record: the row as an object of the native format, values as received; None where it could not be read.
        problem: why it could not be read; None where it could.
        raw: the received value token as text, cut to 200 characters.
    """

    row_locator: str
    record: Mapping[str, object] | None
    problem: str | None = None
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class ReceivedSnapshot:
    """The rows of one snapshot, and the known-time that its content asserts (None where it asserts none)."""

    rows: tuple[ReceivedRow, ...]
    synced_at: datetime | None = None
    title: str | None = None
