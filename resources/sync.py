"""One sync of one source: read, parse, only then keep; and whatever happens, the last good snapshot stays.

Belongs here: the order of these steps and the status and message they end in. Nothing here raises for a bad source:
the others must go on. Reading is `http` and `paths`, parsing `connectors`, keeping `snapshots`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from resources.addresses import AddressError, read_address, without_query
from resources.archives import ArchiveError, pack
from resources.connectors import ConnectorError, SnapshotFile, parse
from resources.http import FetchError, Validators, fetch
from resources.paths import PathError, read_local
from resources.settings import Settings
from resources.snapshot_index import SnapshotError, SnapshotRecord, TimeBasis
from resources.snapshots import SnapshotStore, end_of, file_name, snapshot_path
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedSnapshot
from warehouse.vocabulary import HEALTHY_SNAPSHOTS, SnapshotStatus


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """How one sync ended.

    Attributes:
        status: fresh (new content), unchanged, asserted (the file states its own time), stale (older than max_age),
            failed, skipped or missing_credential.
        message: what happened, where, and what to do next.
        snapshot: the snapshot that the day uses; None where there is none.
        is_bug: whether an error that no bad source should cause stopped it.
    """

    leaderboard: str
    status: SnapshotStatus
    message: str
    snapshot: SnapshotRecord | None
    is_bug: bool = False


def sync_source(
    spec: SourceSpec,
    settings: Settings,
    store: SnapshotStore,
    now: datetime,
    *,
    as_of: date | None = None,
    mirror: Path | None = None,
    offline: bool = False,
) -> SyncOutcome:
    """Syncs one source; never raises for what a source, a file, a server or a disk does.

    Args:
        spec: the source.
        settings: allowed folders and secrets.
        store: where snapshots are kept; the caller holds the home's lock.
        now: the moment of the sync (UTC).
        as_of: the day the snapshot is for; today where None. A past day reads no network source.
        mirror: read `mirror`/`spec.path` in place of the url.
        offline: read no network source.
    """
    now = now.astimezone(UTC)
    day = as_of or now.date()
    sync = _Sync(spec, settings, store, now, end_of(day), is_past=day < now.date())
    try:
        return sync.run(mirror, offline)
    except (ConnectorError, PathError, AddressError, FetchError, ArchiveError, SnapshotError, OSError) as error:
        return sync.ended("failed", _reason(error))
    except Exception as error:  # noqa: BLE001 - the boundary at which one source may not stop the others
        return sync.ended(
            "failed", f"{type(error).__name__}: {error} (a bug of scoretrail: please report it)", is_bug=True
        )


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read, before it is judged."""

    files: tuple[SnapshotFile, ...]
    is_many: bool
    source_url: str
    basis: TimeBasis
    file_time: datetime | None = None
    validators: Validators = field(default_factory=Validators)


@dataclass(frozen=True, slots=True)
class _Sync:
    spec: SourceSpec
    settings: Settings
    store: SnapshotStore
    now: datetime
    end: datetime
    is_past: bool

    def run(self, mirror: Path | None, offline: bool) -> SyncOutcome:
        if mirror is not None:
            if self.spec.path is None:
                return self.ended("skipped", "has no `path`, so a mirror holds nothing of it")
            return self._judge(self._local(self.spec.path, mirror, f"mirror:{self.spec.path}", mirror))
        address = read_address(self.spec.url, allow_private=self.spec.allow_private)
        if address.kind == "file":
            return self._judge(self._local(address.location, self.settings.sources_dir, self.spec.url, None))
        if offline:
            return self.ended("skipped", "offline: no network source is read")
        if self.is_past:
            return self.ended("skipped", "a past day reads no network source; it uses what was known by its end")
        return self._network()

    def _local(self, location: str, base: Path, shown: str, mirror: Path | None) -> _Read:
        roots = (mirror,) if mirror is not None else self.settings.roots
        found = read_local(location, base, roots, max_bytes=self.store.max_bytes)
        return _Read(found.files, found.is_many, without_query(shown), "file", found.modified_at)

    def _network(self) -> SyncOutcome:
        secret = None
        if self.spec.secret_env is not None:
            secret = self.settings.secret(self.spec.secret_env)
            if secret is None:
                return self.ended("missing_credential", f"set {self.spec.secret_env} in the environment")
        kept = self.store.usable(self.spec.id, self.end)
        shown = without_query(self.spec.url)
        known = Validators()
        if kept is not None and kept.source_url == shown and self.store.is_intact(kept):
            known = Validators(kept.etag, kept.last_modified)
        got = fetch(self.spec.url, allow_private=self.spec.allow_private, secret=secret, known=known)
        if got.data is None:
            return self.ended("unchanged", "not modified (304)")
        file = SnapshotFile(file_name(shown), got.data)
        return self._judge(_Read((file,), False, shown, "fetched", None, got.validators))

    def _judge(self, read: _Read) -> SyncOutcome:
        """Parse before keeping; keep only what is good and new."""
        parsed = parse(self.spec, read.files)
        readable = sum(row.problem is None for row in parsed.rows)
        if readable < self.spec.min_rows:
            first = next(
                (f"; first problem: {row.row_locator}: {row.problem}" for row in parsed.rows if row.problem), ""
            )
            raise ConnectorError(
                read.files[0].name, f"{readable} readable rows; min_rows asks for {self.spec.min_rows}{first}"
            )
        record, data = self._record(read, parsed)
        moment = record.known_at + timedelta(microseconds=1)
        before = self.store.usable(self.spec.id, moment)
        if before is not None and before.sha256 == record.sha256 and self.store.is_intact(before):
            if (before.etag, before.last_modified) != (record.etag, record.last_modified) and record.etag:
                self.store.note(replace(before, etag=record.etag, last_modified=record.last_modified))
            status: SnapshotStatus = "unchanged"
        else:
            self.store.commit(record, data)
            status = "fresh"
        if record.time_basis == "asserted":
            status = "asserted"
        if record.known_at >= self.end:
            return self.ended("skipped", f"known only since {record.known_at:%Y-%m-%d %H:%M} UTC, after the day")
        unreadable = len(parsed.rows) - readable
        return self.ended(
            status, f"{len(parsed.rows)} rows" + (f", {unreadable} of them unreadable" if unreadable else "")
        )

    def _record(self, read: _Read, parsed: ReceivedSnapshot) -> tuple[SnapshotRecord, bytes]:
        data = pack(read.files) if read.is_many else read.files[0].data
        sha256 = hashlib.sha256(data).hexdigest()
        basis, synced = read.basis, self.now
        if basis == "file":
            basis = "asserted" if parsed.synced_at is not None else "file"
            synced = parsed.synced_at or read.file_time or self.now
        record = SnapshotRecord(
            leaderboard=self.spec.id,
            sha256=sha256,
            path=snapshot_path(self.spec.id, sha256, "files.zip" if read.is_many else read.files[0].name),
            source_url=read.source_url,
            fetched_at=self.now,
            synced_at=synced,
            time_basis=basis,
            bytes=len(data),
            rows=len(parsed.rows),
            connector=self.spec.connector,
            etag=read.validators.etag,
            last_modified=read.validators.last_modified,
            files=tuple(file.name for file in read.files) if read.is_many else (),
        )
        return record, data

    def ended(self, status: SnapshotStatus, message: str, *, is_bug: bool = False) -> SyncOutcome:
        """The outcome, with the snapshot the day uses, its age judged, and a damaged one refused."""
        try:
            kept = self.store.usable(self.spec.id, self.end)
            if kept is not None and not self.store.is_intact(kept):
                message = f"{message}; the kept snapshot {kept.path} is missing or was changed"
                return SyncOutcome(self.spec.id, "failed", message, None, is_bug)
        except (SnapshotError, OSError) as error:
            return SyncOutcome(self.spec.id, "failed", f"{message}; {_reason(error)}", None, is_bug)
        if kept is None:
            return SyncOutcome(self.spec.id, status, f"{message}; nothing was ever received", None, is_bug)
        age = min(self.now, self.end) - kept.synced_at
        if status in HEALTHY_SNAPSHOTS and self.spec.max_age is not None and age > timedelta(days=self.spec.max_age):
            status = "stale"
            message = (
                f"{message}; the content is {age.days} days old, more than {self.spec.max_age}: is the source frozen?"
            )
        if status not in HEALTHY_SNAPSHOTS and status != "stale":
            message = f"{message}; uses the snapshot of {kept.synced_at:%Y-%m-%d %H:%M} UTC"
        return SyncOutcome(self.spec.id, status, message, kept, is_bug)


def _reason(error: Exception) -> str:
    return (
        f"{error.strerror or error} ({error.filename})" if isinstance(error, OSError) and error.filename else str(error)
    )
