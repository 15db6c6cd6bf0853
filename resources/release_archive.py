"""One release as one file that another machine can hold against its own recomputation: a small home in a zip.

    archive.json                         what is inside, what is withheld and why, with hash and link
    releases.jsonl, releases/<id>/...    the release as its manifest lists it
    snapshots/index.jsonl, snapshots/... the input bytes whose licence lets them be passed on

Belongs here: packing and unpacking. Rows as received (`raw__row`) are input too: those of withheld leaderboards are
left out of its Parquet, which archive.json says. Results, evidence and scores are the release's own and stay whole. The
same release and the same list of licences give the same bytes, whenever and wherever it is packed, unless it was
withdrawn, which goes with it: nothing is compressed, names are sorted, times are fixed.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import polars as pl

from resources.archives import ArchiveError, pack, unpack
from resources.atomic_files import json_bytes, line_bytes, parse_json, write_bytes
from resources.connectors.files import SnapshotFile
from resources.manifest import MANIFEST_NAME, TABLES_FOLDER, Release, ReleaseError, read_release
from resources.releases import LEDGER_NAME, RELEASES_FOLDER, ReleaseStore, created_event
from resources.snapshot_index import SnapshotError, SnapshotRecord
from resources.snapshots import SnapshotStore
from warehouse.canonical import sha256_hex
from warehouse.licences import REDISTRIBUTABLE, is_redistributable
from warehouse.manifest import SnapshotEntry
from warehouse.tables import RAW_ROW

SCHEMA: Final = "scoretrail.archive/1"
CONTENTS_NAME: Final = "archive.json"
MAX_BYTES: Final = 4_000_000_000
MAX_FILES: Final = 500_000
_ROWS: Final = f"{TABLES_FOLDER}/{RAW_ROW.name}.parquet"


@dataclass(frozen=True, slots=True)
class ArchivedInput:
    """One input: a leaderboard's bytes, or registered evidence; inside, or withheld with the reason.

    `name` is the leaderboard, or evidence/<kind>/<name>; `source_url` says where the bytes came from.
    """

    name: str
    kind: Literal["snapshot", "evidence"]
    sha256: str
    bytes: int | None
    license: str | None
    source_url: str | None
    synced_at: str | None
    withheld_because: str | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """What archive.json says.

    Attributes:
        release_id, manifest_sha256: the release.
        inputs: every input of it, those withheld with their reason.
        raw_rows_left_out: rows of `raw__row` that are not in the archive's Parquet.
        raw_rows_sha256: SHA-256 of that Parquet; None where it is the release's own.
    """

    release_id: str
    manifest_sha256: str
    inputs: tuple[ArchivedInput, ...]
    raw_rows_left_out: int
    raw_rows_sha256: str | None

    @property
    def boards_inside(self) -> tuple[ArchivedInput, ...]:
        """The leaderboards whose bytes are inside."""
        return tuple(item for item in self.inputs if item.kind == "snapshot" and item.withheld_because is None)

    @property
    def withheld(self) -> tuple[ArchivedInput, ...]:
        """The inputs that are only named."""
        return tuple(item for item in self.inputs if item.withheld_because is not None)

    def to_json(self) -> dict[str, Any]:
        """The contents as JSON values."""
        return {"schema": SCHEMA, **asdict(self), "inputs": [asdict(item) for item in self.inputs]}

    @classmethod
    def from_json(cls, value: Any) -> Contents:
        """The contents that `to_json` wrote (ReleaseError for anything else)."""
        if not isinstance(value, dict) or value.get("schema") != SCHEMA:
            raise ReleaseError(f"{CONTENTS_NAME}: is no {SCHEMA}")
        try:
            inputs = tuple(ArchivedInput(**item) for item in value["inputs"])
            rest = ("release_id", "manifest_sha256", "raw_rows_left_out", "raw_rows_sha256")
            return cls(inputs=inputs, **{name: value[name] for name in rest})
        except (KeyError, TypeError) as error:
            raise ReleaseError(f"{CONTENTS_NAME}: {error}") from error


def write_archive(
    home: Path,
    release: Release,
    target: Path,
    allowed: Collection[str] = REDISTRIBUTABLE,
    *,
    with_evidence: bool = False,
) -> Contents:
    """Pack a release into one file.

    Args:
        home: whose snapshots the release rests on.
        release: the release.
        target: the file to write; it appears whole or not at all.
        allowed: licences whose bytes may be passed on.
        with_evidence: whether registered evidence is packed: its licence is stated nowhere, so the user must say so.

    Raises:
        ReleaseError: if a file that the manifest lists is missing.
        SnapshotError: if bytes that may be passed on are missing or damaged.
        OSError: as the disk says.
    """
    store = SnapshotStore(home)
    files: list[SnapshotFile] = []
    inputs: list[ArchivedInput] = []
    index: list[bytes] = []
    for entry in release.manifest.snapshots:
        if entry.sha256 is None:
            continue
        reason = None if is_redistributable(entry.license, allowed) else _reason(entry)
        inputs.append(_input(entry, reason))
        if reason is None:
            record = _record(store, entry)
            files.append(SnapshotFile(record.path, store.read(record)))
            index.append(record.line())
    withheld = [item.name for item in inputs if item.withheld_because is not None]
    evidence, packed = _evidence(home, release, with_evidence=with_evidence)
    inputs += evidence
    files += packed
    prefix = f"{RELEASES_FOLDER}/{release.release_id}"
    rows, left_out = _passable_rows(release, withheld)
    for name in _listed(release):
        data = rows if name == _ROWS and rows is not None else _read(release.folder / name)
        files.append(SnapshotFile(f"{prefix}/{name}", data))
    sha256 = None if rows is None else sha256_hex(rows)
    contents = Contents(release.release_id, release.manifest_sha256, tuple(inputs), left_out, sha256)
    withdrawal = ReleaseStore(home).withdrawal(release.release_id)
    ledger = line_bytes(created_event(release)) + (b"" if withdrawal is None else line_bytes(withdrawal))
    files += [
        SnapshotFile(CONTENTS_NAME, json_bytes(contents.to_json())),
        SnapshotFile(LEDGER_NAME, ledger),
        SnapshotFile("snapshots/index.jsonl", b"".join(index)),
    ]
    write_bytes(target, pack(files))
    return contents


def read_archive(path: Path, folder: Path) -> tuple[Contents, Release]:
    """Unpack an archive into an empty folder, which then is a home, and prove its manifest.

    Raises:
        ArchiveError: for a broken zip, or one that names a place outside itself.
        ReleaseError: if it is no archive of a release, or its manifest was changed.
    """
    try:
        files = unpack(path.read_bytes(), max_bytes=MAX_BYTES, max_files=MAX_FILES)
    except ArchiveError as error:
        raise ArchiveError(f"{path}: {error}") from error
    for file in files:
        target = folder / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    listing = folder / CONTENTS_NAME
    if not listing.is_file():
        raise ReleaseError(f"{path}: holds no {CONTENTS_NAME}; it is no archive that `scoretrail export` wrote")
    contents = Contents.from_json(parse_json(listing.read_bytes(), CONTENTS_NAME))
    release = read_release(folder / RELEASES_FOLDER / contents.release_id, contents.manifest_sha256)
    return contents, release


def _listed(release: Release) -> list[str]:
    tables = [f"{TABLES_FOLDER}/{name}.parquet" for name in release.manifest.tables]
    return sorted([MANIFEST_NAME, *tables, *release.manifest.files])


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReleaseError(f"{path}: cannot be read: {error}") from error


def _reason(entry: SnapshotEntry) -> str:
    if entry.license is None:
        return "no licence is stated"
    return f"licence {entry.license!r} is none that allows passing the bytes on"


def _input(entry: SnapshotEntry, reason: str | None) -> ArchivedInput:
    synced = None if entry.synced_at is None else entry.synced_at.isoformat()
    assert entry.sha256 is not None
    return ArchivedInput(
        entry.leaderboard, "snapshot", entry.sha256, entry.bytes, entry.license, entry.source_url, synced, reason
    )


def _evidence(home: Path, release: Release, *, with_evidence: bool) -> tuple[list[ArchivedInput], list[SnapshotFile]]:
    """The release's registered evidence: named only, or with its files and the index that finds them."""
    wanted = release.manifest.evidence
    if not wanted:
        return [], []
    from resources.evidence_store import EVIDENCE_FOLDER, INDEX_NAME, EvidenceStore

    reason = None if with_evidence else "registered evidence, whose licence is stated nowhere; --with-evidence packs it"
    inputs = [
        ArchivedInput(
            f"{EVIDENCE_FOLDER}/{entry.kind}/{entry.name}", "evidence", entry.sha256, None, None, None, None, reason
        )
        for entry in wanted
    ]
    if reason is not None:
        return inputs, []
    records = {(record.kind, record.name, record.sha256): record for record in EvidenceStore(home).records()}
    files: list[SnapshotFile] = []
    index: list[bytes] = []
    for entry in wanted:
        record = records.get((entry.kind, entry.name, entry.sha256))
        if record is None:
            raise ReleaseError(
                f"evidence {entry.kind}/{entry.name} of {release.release_id} is not registered in {home}"
            )
        known = {name: getattr(record, name) for name in ("kind", "name", "sha256", "registered_at")}
        index.append(line_bytes(known))
        paths = sorted(path for path in record.folder.rglob("*") if path.is_file())
        files += [SnapshotFile(path.relative_to(home).as_posix(), _read(path)) for path in paths]
    return inputs, [*files, SnapshotFile(f"{EVIDENCE_FOLDER}/{INDEX_NAME}", b"".join(index))]


def _record(store: SnapshotStore, entry: SnapshotEntry) -> SnapshotRecord:
    """The index line by which the release knew these bytes: later notes of the same bytes do not change the archive."""
    same = [record for record in store.records(entry.leaderboard) if record.sha256 == entry.sha256]
    if not same:
        raise SnapshotError(f"{entry.leaderboard}: snapshot {entry.sha256} is not in {store.folder}")
    known = [record for record in same if (record.fetched_at, record.synced_at) == (entry.fetched_at, entry.synced_at)]
    return (known or same)[0]


def _passable_rows(release: Release, withheld: Collection[str]) -> tuple[bytes | None, int]:
    """The Parquet of `raw__row` without the rows of withheld leaderboards, and how many those are."""
    if not withheld:
        return None, 0
    rows = release.read(RAW_ROW.name)
    kept = rows.filter(~pl.col("leaderboard").is_in(sorted(withheld)))
    buffer = io.BytesIO()
    kept.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue(), rows.height - kept.height
