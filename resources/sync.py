"""One sync of one source: read, parse, only then keep; and whatever happens, the last good snapshot stays.

Belongs here: the order of these steps and the status and message they end in. Nothing here raises for a bad source:
the others must go on. Reading is `reading`, `trees` and `network`, parsing `connectors`, keeping `snapshots`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from resources.addresses import read_address, without_query
from resources.archives import pack
from resources.connectors import ConnectorError, SnapshotFile, parse
from resources.fetch_errors import READING_ERRORS
from resources.git_source import GitSource
from resources.http import Validators
from resources.network import Network
from resources.reading import Read, read_files, read_git, update_git
from resources.received_rows import ReceivedRows
from resources.retries import RetryPolicy
from resources.settings import Settings
from resources.snapshot_index import SnapshotError, SnapshotRecord
from resources.snapshots import SnapshotStore, end_of, file_name, snapshot_path
from resources.trees import TreeReader
from warehouse.catalog_model import SourceSpec
from warehouse.received import LEFT_OUT, ReceivedSnapshot
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
    network: Network | None = None,
    received: ReceivedRows | None = None,
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
        network: of the run, shared by its sources; one of its own where None.
        received: takes the rows of new content, for who reads them later in the run.
    """
    now = now.astimezone(UTC)
    day = as_of or now.date()
    with ExitStack() as stack:
        shared = network or stack.enter_context(Network(RetryPolicy(total_seconds=settings.retry_seconds)))
        is_past = day < now.date()
        sync = _Sync(spec, settings, store, now, end_of(day), is_past=is_past, network=shared, received=received)
        return _guarded(sync, lambda: sync.run(mirror, offline))


def replay(spec: SourceSpec, settings: Settings, store: SnapshotStore, now: datetime, read: Read) -> SyncOutcome:
    """Syncs a source from what it is known to have held at a past moment: `read.file_time`, which the reader asserts.

    It is judged and kept as any sync of that day would have; never raises, as `sync_source`.
    """
    assert read.file_time is not None
    end = end_of(read.file_time.date())
    with Network(RetryPolicy(total_seconds=0)) as none:
        sync = _Sync(spec, settings, store, now.astimezone(UTC), end, is_past=True, network=none)
        return _guarded(sync, lambda: sync.judge(read))


def _guarded(sync: _Sync, work: Callable[[], SyncOutcome]) -> SyncOutcome:
    """The boundary at which one source may not stop the others."""
    try:
        return work()
    except _NoCredentialError as error:
        return sync.ended("missing_credential", str(error))
    except READING_ERRORS as error:
        return sync.ended("failed", _reason(error))
    except Exception as error:  # noqa: BLE001 - an unforeseen fault of ours is that source's alone too
        return sync.ended(
            "failed", f"{type(error).__name__}: {error} (a bug of scoretrail: please report it)", is_bug=True
        )


class _NoCredentialError(RuntimeError):
    """The environment lacks a secret that a source names."""


@dataclass(frozen=True, slots=True)
class _Sync:
    spec: SourceSpec
    settings: Settings
    store: SnapshotStore
    now: datetime
    end: datetime
    is_past: bool
    network: Network
    received: ReceivedRows | None = None

    def run(self, mirror: Path | None, offline: bool) -> SyncOutcome:
        spec, limit = self.spec, self.store.max_bytes
        if mirror is not None:
            if spec.path is None:
                return self.ended("skipped", "has no `path`, so a mirror holds nothing of it")
            return self.judge(read_files(spec.path, mirror, (mirror,), f"mirror:{spec.path}", limit))
        if spec.git is not None:
            return self._git(offline)
        address = read_address(spec.url, allow_private=spec.allow_private)
        if address.kind == "file":
            base = self.settings.sources_dir
            return self.judge(read_files(address.location, base, self.settings.roots, spec.url, limit))
        if offline:
            return self.ended("skipped", "offline: no network source is read")
        if self.is_past:
            return self.ended("skipped", "a past day reads no network source; it uses what was known by its end")
        secret = self._secret()
        return self._network(secret) if spec.tree is None else self._tree(secret)

    def _secret(self) -> str | None:
        if self.spec.secret_env is None:
            return None
        secret = self.settings.secret(self.spec.secret_env)
        if secret is None:
            raise _NoCredentialError(f"set {self.spec.secret_env} in the environment")
        return secret

    def _network(self, secret: str | None) -> SyncOutcome:
        spec, shown = self.spec, without_query(self.spec.url)
        kept = self._kept(shown)
        known = Validators() if kept is None else Validators(kept.etag, kept.last_modified)
        got = self.network.fetch(spec.url, allow_private=spec.allow_private, secret=secret, known=known)
        if got.data is None:
            return self.ended("unchanged", "not modified (304)")
        file = SnapshotFile(file_name(shown), got.data)
        return self.judge(Read((file,), False, shown, "fetched", None, got.validators))

    def _tree(self, secret: str | None) -> SyncOutcome:
        spec, shown = self.spec, without_query(self.spec.url)
        kept = self._kept(shown)
        files = () if kept is None else self.store.files(kept)
        reader = TreeReader(spec, self.settings.home, self.network, secret, files, self.store.max_bytes)
        tree = reader.read()
        if kept is not None and tree.is_unchanged and tree.files == files:
            return self.ended("unchanged", f"none of {len(files)} files was modified")
        outcome = self.judge(Read(tree.files, True, shown, "fetched", None, Validators(etag=tree.version)))
        reader.finish()
        return outcome

    def _kept(self, shown: str) -> SnapshotRecord | None:
        """The snapshot in force, if its bytes are sound and came from this address: what a server may confirm."""
        kept = self.store.usable(self.spec.id, self.end)
        return kept if kept is not None and kept.source_url == shown and self.store.is_intact(kept) else None

    def _git(self, offline: bool) -> SyncOutcome:
        """The commit current at the end of the day; a past day and an offline run ask the copy at hand."""
        source = GitSource(self.spec, self.settings)
        if source.transport == "file" or not (offline or self.is_past):
            source = update_git(self.spec, self.settings, self.network, self._secret())
        elif not source.is_at_hand():
            return self.ended(
                "skipped", "the repository was never fetched; sync it once for today, then any day is there"
            )
        read = read_git(source, min(self.end, self.now + timedelta(seconds=1)), self.store.max_bytes)
        if read is None:
            return self.ended("skipped", "the repository holds no commit of that place by then")
        return self.judge(read)

    def judge(self, read: Read) -> SyncOutcome:
        """Parse before keeping; keep only what is good and new."""
        spec = self.spec.at((read.file_time or self.now).date())
        parsed = parse(spec, read.files)
        readable = sum(row.problem is None for row in parsed.rows)
        if readable < spec.min_rows:
            first = next(
                (f"; first problem: {row.row_locator}: {row.problem}" for row in parsed.rows if row.problem), ""
            )
            raise ConnectorError(
                read.files[0].name, f"{readable} readable rows; min_rows asks for {spec.min_rows}{first}"
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
            if self.received is not None:
                self.received.keep(spec, record, read.files, parsed.rows)
        if record.time_basis == "asserted":
            status = "asserted"
        if record.known_at >= self.end:
            return self.ended("skipped", f"known only since {record.known_at:%Y-%m-%d %H:%M} UTC, after the day")
        serving = self.store.usable(self.spec.id, self.end)
        if record.time_basis == "fetched" and serving is not None and serving.known_at > record.known_at:
            later = f"{serving.known_at:%Y-%m-%d %H:%M} UTC serves, which is later than now"
            return self.ended("failed", f"what is known since {later}: did the clock go back? A later sync mends it")
        left_out = sum((row.problem or "").startswith(LEFT_OUT) for row in parsed.rows)
        unreadable = len(parsed.rows) - readable - left_out
        said = f"{len(parsed.rows)} rows" + (f", {unreadable} of them unreadable" if unreadable else "")
        return self.ended(status, said + (f", {left_out} left out by its mapping" if left_out else ""))

    def _record(self, read: Read, parsed: ReceivedSnapshot) -> tuple[SnapshotRecord, bytes]:
        data = pack(read.files) if read.is_many else read.files[0].data
        sha256 = hashlib.sha256(data).hexdigest()
        basis, synced = read.basis, read.file_time or self.now
        if basis == "file" and parsed.synced_at is not None:
            basis, synced = "asserted", parsed.synced_at
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
