"""The snapshot store: raw bytes under their own hash, complete or not at all, never changed, never deleted.

Belongs here: keeping and reading back bytes, which snapshot a day uses, and the raw__snapshot table. Does not belong
here: getting the bytes (`sync`) or what they say (`connectors`).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from threading import Lock
from typing import Final

import polars as pl

from resources.archives import ArchiveError, unpack
from resources.connectors.files import SnapshotFile
from resources.snapshot_index import SnapshotError, SnapshotRecord, append_record, read_index
from warehouse.catalog_model import SourceSpec
from warehouse.tables import RAW_SNAPSHOT

MAX_BYTES: Final = 256_000_000
_EXTENSION: Final = re.compile(r"[a-z0-9]{1,8}")


class SnapshotStore:
    """The store of one home. Several leaderboards may be committed at once: writing takes turns.

    Args:
        home: the home folder.
        max_bytes: largest snapshot that is kept or read.
    """

    def __init__(self, home: Path, max_bytes: int = MAX_BYTES) -> None:
        self.home = home
        self.max_bytes = max_bytes
        self.folder = home / "snapshots"
        self.index_path = self.folder / "index.jsonl"
        self._writing = Lock()
        self._reading = Lock()
        self._known: list[SnapshotRecord] = []
        self._by_board: dict[str, list[SnapshotRecord]] = {}
        self._known_to = 0
        self._inode = 0

    def commit(self, record: SnapshotRecord, data: bytes) -> SnapshotRecord:
        """Keeps bytes that were found complete and parseable, then adds the record to the index.

        Committing equal bytes again adds a record and writes no second file; a damaged file is replaced.

        Raises:
            ValueError: if the bytes are not those of the record, or too many.
            OSError: for a full disk and the like; nothing is then visible of this snapshot.
        """
        if len(data) > self.max_bytes:
            raise ValueError(f"{record.leaderboard}: {len(data)} bytes; at most {self.max_bytes} are kept")
        if hashlib.sha256(data).hexdigest() != record.sha256 or len(data) != record.bytes:
            raise ValueError(f"{record.leaderboard}: the bytes are not those of the record")
        target = self.home / record.path
        with self._writing:
            if not self._is_intact(target, record):
                _write_whole(target, data)
            append_record(self.index_path, record)
        return record

    def note(self, record: SnapshotRecord) -> SnapshotRecord:
        """Adds a record for bytes that are already kept (new validators of an unchanged content)."""
        with self._writing:
            append_record(self.index_path, record)
        return record

    def records(self, leaderboard: str | None = None) -> list[SnapshotRecord]:
        """Every record, or every record of one leaderboard, in the order written.

        Raises:
            SnapshotError: if the index is damaged.
        """
        with self._reading:
            self._look()
            return list(self._known if leaderboard is None else self._by_board.get(leaderboard, ()))

    def _look(self) -> None:
        """Takes in what was appended to the index since the last look."""
        try:
            status = self.index_path.stat()
        except FileNotFoundError:
            self._forget(0)
            return
        if status.st_ino != self._inode or status.st_size < self._known_to:
            self._forget(status.st_ino)
        if status.st_size > self._known_to:
            added, self._known_to = read_index(self.index_path, self._known_to, len(self._known) + 1)
            self._known += added
            for record in added:
                self._by_board.setdefault(record.leaderboard, []).append(record)

    def _forget(self, inode: int) -> None:
        self._known, self._by_board, self._known_to, self._inode = [], {}, 0, inode

    def usable(self, leaderboard: str, before: datetime) -> SnapshotRecord | None:
        """The snapshot in force: the newest known before a moment (for a day: `end_of(as_of)`); None where none was."""
        found = None
        for record in self.records(leaderboard):
            if record.known_at < before and (found is None or record.known_at >= found.known_at):
                found = record
        return found

    def find(self, leaderboard: str, sha256: str) -> SnapshotRecord | None:
        """The last record of a content; None where it was never kept."""
        return next((record for record in reversed(self.records(leaderboard)) if record.sha256 == sha256), None)

    def read(self, record: SnapshotRecord) -> bytes:
        """The bytes of a snapshot, compared with their hash.

        Raises:
            SnapshotError: if the file is missing or differs from what was received.
        """
        try:
            data = (self.home / record.path).read_bytes()
        except FileNotFoundError as error:
            raise SnapshotError(f"{record.path}: missing; restore it, or sync {record.leaderboard} again") from error
        if hashlib.sha256(data).hexdigest() != record.sha256:
            raise SnapshotError(
                f"{record.path}: differs from what was received (its SHA-256 is not its name); "
                f"restore it, or sync {record.leaderboard} again"
            )
        return data

    def files(self, record: SnapshotRecord) -> tuple[SnapshotFile, ...]:
        """The files of a snapshot, as its connector reads them.

        Raises:
            SnapshotError: as `read`, or if the archive of a many-file snapshot cannot be unpacked.
        """
        data = self.read(record)
        if not record.files:
            return (SnapshotFile(file_names(record)[0], data),)
        try:
            return unpack(data, max_bytes=self.max_bytes)
        except ArchiveError as error:
            raise SnapshotError(f"{record.path}: {error}") from error

    def is_intact(self, record: SnapshotRecord) -> bool:
        """Whether the bytes of a record are there and unchanged."""
        return self._is_intact(self.home / record.path, record)

    def _is_intact(self, path: Path, record: SnapshotRecord) -> bool:
        if not path.is_file() or path.stat().st_size != record.bytes:
            return False
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == record.sha256


def end_of(as_of: date) -> datetime:
    """The end of a day (UTC): midnight of the next. What is known before it is known that day."""
    return datetime.combine(as_of + timedelta(days=1), time(), UTC)


def snapshot_path(leaderboard: str, sha256: str, name: str) -> str:
    """Where bytes lie, relative to the home: `snapshots/<leaderboard>/<sha256>.<ext>`, the extension from a name."""
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    return f"snapshots/{leaderboard}/{sha256}.{extension if _EXTENSION.fullmatch(extension) else 'bin'}"


def file_name(source_url: str) -> str:
    """The last part of an address: the name a single-file snapshot is read under."""
    return source_url.rstrip("/").rpartition("/")[2].rpartition(":")[2] or "file"


def file_names(record: SnapshotRecord) -> tuple[str, ...]:
    """The names of a snapshot's files, as its connector reads them."""
    return record.files or (file_name(record.source_url),)


def snapshot_rows(
    sources: Iterable[SourceSpec],
    snapshots: Mapping[str, SnapshotRecord | None],
    statuses: Mapping[str, str],
) -> pl.DataFrame:
    """The raw__snapshot table: one row per source, with nulls where nothing was ever received.

    Args:
        sources: every source of the catalog.
        snapshots: the snapshot each leaderboard uses this day; None or absent for none.
        statuses: how each stands; `failed` where absent.
    """
    rows = []
    for source in sources:
        record = snapshots.get(source.id)
        rows.append(
            {
                "leaderboard": source.id,
                "sha256": record and record.sha256,
                "path": record and record.path,
                "source_url": record and record.source_url,
                "fetched_at": record and record.fetched_at,
                "synced_at": record and record.synced_at,
                "bytes": record.bytes if record else None,
                "rows": record.rows if record else None,
                "etag": record and record.etag,
                "connector": source.connector,
                "status": statuses.get(source.id, "failed"),
            }
        )
    return RAW_SNAPSHOT.conform(pl.DataFrame(rows, schema=RAW_SNAPSHOT.polars_schema()))


def _write_whole(target: Path, data: bytes) -> None:
    """Writes a file so that it is there complete or not at all, whatever happens in between."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in target.parent.glob(".tmp-*"):
        # One writer a home: a temporary file found here was left by a crash.
        leftover.unlink(missing_ok=True)
    temporary = target.parent / f".tmp-{os.getpid()}-{target.name}"
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Makes a rename durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
