"""Building a release folder: tables copied byte for byte, catalog, validation results, baseline, and the manifest.

Belongs here: what goes into the folder. When it gets its name and its ledger line is `resources.releases`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

import polars as pl

from methods.lineage.baseline import BaselineFigures
from methods.release.publication import Withheld
from resources.atomic_files import json_bytes, make_folder, sync_file, sync_folder
from resources.manifest import (
    BASELINE_NAME,
    CATALOG_FOLDER,
    MANIFEST_NAME,
    TABLES_FOLDER,
    VALIDATION_FOLDER,
    ReleaseError,
    file_sha256,
    manifest_bytes,
)
from resources.table_files import write_table_file
from resources.tables import TableStore
from warehouse.canonical import Json, sha256_hex
from warehouse.hashing import table_hash
from warehouse.manifest import Manifest, ReleaseHeader, TableEntry
from warehouse.stamps import TableStamp
from warehouse.tables import RELEASED, TABLES
from warehouse.vocabulary import Exactness

SYNC_THREADS: Final = 8
"""Disk syncs that wait side by side while the next files are made."""


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """A release about to be made.

    Attributes:
        header: what it rests on.
        catalog_files: the catalog folder as bytes by relative posix path (`read_folder`).
        validations: full validation result by gate.
        baseline: the figures of the release its gates compared with; None for a first release.
        tables: the tables it holds. withheld: what of them does not go out: its product is held back.
        made_from_folder: files made from what the folder holds by then, as (path, bytes), each written before the next
            is asked for: the changes since the baseline, the site. Given the folder and its manifest so far.
    """

    header: ReleaseHeader
    catalog_files: Mapping[str, bytes]
    validations: Mapping[str, Json] = field(default_factory=dict)
    baseline: BaselineFigures | None = None
    tables: tuple[str, ...] = RELEASED
    withheld: Withheld = field(default_factory=Withheld)
    made_from_folder: Callable[[Path, Manifest], Iterator[tuple[str, bytes]]] | None = None


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder as bytes by relative posix path, hidden ones left out, in order of the path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder): path for path in paths}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in named.items()
        if not any(part.startswith(".") for part in name.parts)
    }


def build_folder(building: Path, draft: ReleaseDraft, tables: TableStore) -> None:
    """Build a release folder in a place of its own, every file and name synced, the manifest last.

    Raises:
        ReleaseError: if a table is another day's or another release's, or the baseline figures are another's.
        TableError: if a table is missing or was changed after it was made.
        OSError: if the disk refuses; the caller clears the folder.
    """
    named, given = draft.header.baseline_release_id, draft.baseline.release_id if draft.baseline else None
    if named != given:
        raise ReleaseError(f"{draft.header.release_id}: names baseline {named}, its figures are those of {given}")
    if building.exists():
        shutil.rmtree(building)
    make_folder(building / TABLES_FOLDER)
    entries = {name: _put_table(building, name, draft, tables) for name in draft.tables}
    bodies = {f"{CATALOG_FOLDER}/{name}": data for name, data in draft.catalog_files.items()}
    bodies |= {f"{VALIDATION_FOLDER}/{gate}.json": json_bytes(value) for gate, value in draft.validations.items()}
    if draft.baseline is not None:
        bodies[BASELINE_NAME] = draft.baseline.to_json()
    files = {name: _write_new(building, name, body) for name, body in sorted(bodies.items())}
    stated = {**draft.header.model_dump(by_alias=True), "tables": entries}
    manifest = Manifest.model_validate({**stated, "files": files})
    if draft.made_from_folder is not None:
        made = _write_many(building, draft.made_from_folder(building, manifest))
        manifest = Manifest.model_validate({**stated, "files": {**files, **made}})
    _write_new(building, MANIFEST_NAME, manifest_bytes(manifest))
    for folder in sorted({path.parent for path in building.rglob("*")}, reverse=True):
        sync_folder(folder)


def released_stamp(name: str, draft: ReleaseDraft, tables: TableStore) -> TableStamp:
    """The stamp of a table as the release holds it, after proving the stored one (TableError where it was changed)."""
    stamp = tables.verify(name, draft.header.as_of)
    if not draft.withheld.touches(name):
        return stamp
    return _stamp_of(stamp, draft.withheld.released(name, tables.read(name, draft.header.as_of)))


def _stamp_of(stamp: TableStamp, frame: pl.DataFrame) -> TableStamp:
    """The stamp of what is left of a table; the same where everything is."""
    if frame.height == stamp.rows:
        return stamp
    exactness: Exactness = "hash" if frame.is_empty() else stamp.exactness
    return replace(stamp, table_hash=table_hash(frame, TABLES[stamp.table]), rows=frame.height, exactness=exactness)


def _put_table(building: Path, name: str, draft: ReleaseDraft, tables: TableStore) -> TableEntry:
    """Copies a stored table byte for byte, or writes it without rows."""
    source = tables.path(name, draft.header.as_of)
    stamp = released_stamp(name, draft, tables)
    if stamp.release_id is not None and stamp.release_id != draft.header.release_id:
        raise ReleaseError(f"{name}: names release {stamp.release_id}, this is {draft.header.release_id}")
    copy = building / TABLES_FOLDER / source.with_stem(name).name
    if draft.withheld.touches(name):
        write_table_file(copy, draft.withheld.released(name, tables.read(name, draft.header.as_of)), stamp)
        return TableEntry(hash=stamp.table_hash, rows=0, file_sha256=file_sha256(copy))
    shutil.copyfile(source, copy)
    sync_file(copy)
    sha256 = file_sha256(copy)
    if sha256 != file_sha256(source):
        raise ReleaseError(f"{source}: changed while it was copied")
    return TableEntry(hash=stamp.table_hash, rows=stamp.rows, file_sha256=sha256)


def _write_many(building: Path, files: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Write new files as they are made, while earlier ones are synced beside it; returns their SHA-256 by name."""
    hashes: dict[str, str] = {}
    with ThreadPoolExecutor(SYNC_THREADS) as pool:
        synced: list[Future[None]] = []
        for name, data in files:
            hashes[name] = _write(building, name, data)
            synced.append(pool.submit(sync_file, building / name))
        for one in synced:
            one.result()
    return hashes


def _write_new(building: Path, name: str, data: bytes) -> str:
    """Write and sync one new file of the folder; returns its SHA-256."""
    sha256 = _write(building, name, data)
    sync_file(building / name)
    return sha256


def _write(building: Path, name: str, data: bytes) -> str:
    """Write one new file of the folder; syncing it is the caller's next step."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or relative.as_posix() != name:
        raise ReleaseError(f"{name!r} may not stand in a release folder")
    path = building / relative
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sha256_hex(data)
