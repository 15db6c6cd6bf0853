"""The append-only index of snapshots: one JSON line for every time a content became known.

Belongs here: the record, reading and appending lines, and surviving a crash in the middle of one. Which record a day
uses, and the bytes themselves, are `snapshots`.
"""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from warehouse.canonical import canonical_json

TimeBasis = Literal["fetched", "asserted", "file"]


class SnapshotError(RuntimeError):
    """The snapshot store is damaged: which file or line, and what to do."""


@dataclass(frozen=True, slots=True)
class SnapshotRecord:
    """One line of the index.

    Attributes:
        path: of the bytes, relative to the home, with forward slashes.
        source_url: where they came from, without query and credentials.
        fetched_at: when they were received (UTC).
        synced_at: known-time of the content (UTC): asserted by the file, else the file's time, else fetched_at.
        time_basis: which of these three it is.
        bytes, rows: size, and rows the connector found.
        etag, last_modified: validators the server gave.
        files: names inside the archive of a many-file source; empty for a single file.
    """

    leaderboard: str
    sha256: str
    path: str
    source_url: str
    fetched_at: datetime
    synced_at: datetime
    time_basis: TimeBasis
    bytes: int
    rows: int
    connector: str
    etag: str | None = None
    last_modified: str | None = None
    files: tuple[str, ...] = ()

    @property
    def known_at(self) -> datetime:
        """When the content counts as known: fetched_at for the network, else synced_at (DESIGN "Time")."""
        return self.fetched_at if self.time_basis == "fetched" else self.synced_at

    def line(self) -> builtins.bytes:
        """The record as one line."""
        values = asdict(self)
        values["fetched_at"] = _stamp(self.fetched_at)
        values["synced_at"] = _stamp(self.synced_at)
        return canonical_json(values) + b"\n"


def read_index(path: Path, start: int = 0, line: int = 1) -> tuple[list[SnapshotRecord], int]:
    """Every complete record from an offset on, in the order written, and the offset behind the last of them.

    A last line without its end, torn by a crash, is no record.

    Args:
        start: offset to begin at, the beginning of a line.
        line: the number of that line, for messages.

    Raises:
        SnapshotError: for an unreadable line before the last.
    """
    try:
        with path.open("rb") as stream:
            stream.seek(start)
            data = stream.read()
    except FileNotFoundError:
        return [], 0
    records = []
    whole, newline, _torn = data.rpartition(b"\n")
    for number, text in enumerate(whole.split(b"\n") if newline else (), start=line):
        try:
            records.append(_record(json.loads(text)))
        except (ValueError, TypeError, KeyError) as error:
            raise SnapshotError(
                f"{path.name}:{number}: unreadable ({error}); restore the file from a backup of the home"
            ) from error
    return records, start + len(whole) + len(newline)


def append_record(path: Path, record: SnapshotRecord) -> None:
    """Adds a record durably: whole, or (after an error or a crash) not at all.

    Raises:
        OSError: for a full disk and the like; the index is then as before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        end = _end_of_records(descriptor)
        line = record.line()
        try:
            os.ftruncate(descriptor, end)
            os.lseek(descriptor, end, os.SEEK_SET)
            if os.write(descriptor, line) != len(line):
                raise OSError(28, "no room for a line of the snapshot index")
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, end)
            raise
    finally:
        os.close(descriptor)


def _end_of_records(descriptor: int) -> int:
    """Offset just behind the last complete line."""
    size = os.lseek(descriptor, 0, os.SEEK_END)
    block = 65_536
    position = size
    while position > 0:
        start = max(0, position - block)
        newline = os.pread(descriptor, position - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        position = start
    return 0


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _record(values: Mapping[str, Any]) -> SnapshotRecord:
    return SnapshotRecord(
        **{
            **values,
            "fetched_at": datetime.fromisoformat(values["fetched_at"]),
            "synced_at": datetime.fromisoformat(values["synced_at"]),
            "files": tuple(values.get("files", ())),
        }
    )
