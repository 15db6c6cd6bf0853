"""Releases as folders: built aside, renamed when whole, entered in the append-only ledger `releases.jsonl`.

Belongs here: making, finding, withdrawing and pointing at releases. Does not belong here: whether one may be made
(`methods.release.publication`), what the events mean (`methods.release.ledger`), the DuckDB copy (`publisher`).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Final

import polars as pl

from methods.lineage.baseline import BaselineFigures, baseline_figures
from methods.release.ledger import Ledger, fold
from resources.atomic_files import append_json_line, json_bytes, make_folder, read_json_lines, sync_file, sync_folder
from resources.manifest import (
    BASELINE_NAME,
    CATALOG_FOLDER,
    MANIFEST_NAME,
    TABLES_FOLDER,
    VALIDATION_FOLDER,
    Release,
    ReleaseError,
    file_sha256,
    manifest_bytes,
    read_release,
)
from resources.tables import TableStore, verify_table_file
from resources.verdicts import moment_text
from warehouse.canonical import Json, sha256_hex
from warehouse.identity import RELEASE_ID
from warehouse.manifest import Manifest, ReleaseHeader, ReleaseRecord, TableEntry
from warehouse.tables import OUT_RELEASE, RELEASED
from warehouse.vocabulary import ReleaseStatus

LEDGER_NAME: Final = "releases.jsonl"
RELEASES_FOLDER: Final = "releases"
BUILDING_PREFIX: Final = ".building-"


class ReleaseConflictError(RuntimeError):
    """A release of this id stands with other table hashes: the same inputs gave other numbers, a bug of ours."""


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """A release about to be made.

    Attributes:
        header: what it rests on.
        catalog_files: the catalog folder as bytes by relative posix path (`read_folder`).
        validations: full validation result by gate.
        baseline: the figures of the release its gates compared with; None for a first release.
        tables: the tables it holds.
    """

    header: ReleaseHeader
    catalog_files: Mapping[str, bytes]
    validations: Mapping[str, Json] = field(default_factory=dict)
    baseline: BaselineFigures | None = None
    tables: tuple[str, ...] = RELEASED


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder as bytes by relative posix path, hidden ones left out, in order of the path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder): path for path in paths}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in named.items()
        if not any(part.startswith(".") for part in name.parts)
    }


def release_row(record: ReleaseRecord, status: ReleaseStatus) -> dict[str, object]:
    """One row of out__release: the ledger's record and the status that all events together give it."""
    return {**record.model_dump(), "status": status}


class ReleaseStore:
    """The releases of one home: `releases/<release_id>/` and `releases.jsonl`.

    Everything that writes expects the caller to hold the home lock.
    """

    def __init__(self, home: Path) -> None:
        self.home = Path(home)
        self.root = self.home / RELEASES_FOLDER
        self.ledger_path = self.home / LEDGER_NAME

    def folder(self, release_id: str) -> Path:
        """Where a release lies (ReleaseError for a text that is no release id)."""
        if RELEASE_ID.fullmatch(release_id) is None:
            raise ReleaseError(f"{release_id!r} is no release id; one looks like 2026-10-20-0123456789ab")
        return self.root / release_id

    def ledger(self) -> Ledger:
        """Every release and its status (JsonFileError, LedgerError where releases.jsonl is damaged)."""
        return fold(read_json_lines(self.ledger_path))

    def existing(self, release_id: str) -> Release | None:
        """The release of that id; None where there is none.

        Raises:
            ReleaseError: if its manifest is damaged or was changed after it was made.
        """
        folder = self.folder(release_id)
        record = self.ledger().find(release_id)
        if not folder.is_dir():
            if record is not None:
                raise ReleaseError(f"{folder}: the ledger knows {release_id}, its folder is missing")
            return None
        return read_release(folder, None if record is None else record.manifest_sha256)

    def open(self, release_id: str) -> Release:
        """The release of that id (ReleaseError where there is none)."""
        release = self.existing(release_id)
        if release is None:
            known = [record.release_id for record in self.ledger().releases][-5:]
            raise ReleaseError(f"no release {release_id} in {self.home}; the latest are {', '.join(known) or 'none'}")
        return release

    def current(self) -> Release | None:
        """The release that readers see; None before the first, or when all are withdrawn."""
        record = self.ledger().current
        return None if record is None else self.open(record.release_id)

    def baseline_for(self, as_of: date) -> str | None:
        """The id of the release a day is compared with; None for a first one."""
        record = self.ledger().baseline_for(as_of)
        return None if record is None else record.release_id

    def figures(self, release_id: str) -> BaselineFigures:
        """What the gates of a later release compare with, from this release's own tables.

        Raises:
            ReleaseError: where there is no such release.
            TableError: where a table of it is not what it must be.
        """
        release = self.open(release_id)
        results, evidence = release.read("core__result"), release.read("core__evidence")
        return baseline_figures(results, evidence, release.read("out__category_score"), release_id)

    def release_rows(self) -> pl.DataFrame:
        """out__release: every release ever made in this home."""
        ledger = self.ledger()
        rows = [release_row(record, ledger.status(record.release_id)) for record in ledger.releases]
        return OUT_RELEASE.conform(pl.DataFrame(rows, schema=OUT_RELEASE.polars_schema()))

    def create(self, draft: ReleaseDraft, tables: TableStore) -> Release:
        """Make a release from the stored tables of its day: whole, or not at all.

        Every table is copied byte for byte, and the copy is proved against its stamp. Where the id stands with the
        same table hashes nothing is written, except a ledger line that a killed process still owes.

        Raises:
            ReleaseConflictError: if the id stands with other table hashes.
            ReleaseError: if a table is another day's or another release's.
            TableError: if a table is missing or was changed after it was made.
            OSError: if the disk refuses; nothing remains.
        """
        release_id = draft.header.release_id
        standing = self.existing(release_id)
        if standing is not None:
            self._compare(standing, draft, tables)
            self.enter(standing)
            return standing
        building = self.root / f"{BUILDING_PREFIX}{release_id}"
        folder = self.folder(release_id)
        try:
            self._build(building, draft, tables)
            building.rename(folder)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
        sync_folder(self.root)
        release = read_release(folder)
        self.enter(release)
        return release

    def _compare(self, standing: Release, draft: ReleaseDraft, tables: TableStore) -> None:
        as_of = draft.header.as_of
        found = {name: tables.verify(name, as_of).table_hash for name in draft.tables}
        stated = standing.manifest.table_hashes
        differing = [name for name in {**stated, **found} if stated.get(name) != found.get(name)]
        if differing:
            raise ReleaseConflictError(
                f"{standing.release_id} stands with other values in {', '.join(differing)}: "
                "the same inputs, catalog and code gave other numbers. Nothing was published; please report this."
            )

    def _build(self, building: Path, draft: ReleaseDraft, tables: TableStore) -> None:
        if building.exists():
            shutil.rmtree(building)
        make_folder(building / TABLES_FOLDER)
        entries = {name: _copy_table(building, name, draft.header, tables) for name in draft.tables}
        bodies = {f"{CATALOG_FOLDER}/{name}": data for name, data in draft.catalog_files.items()}
        bodies |= {f"{VALIDATION_FOLDER}/{gate}.json": json_bytes(value) for gate, value in draft.validations.items()}
        if draft.baseline is not None:
            bodies[BASELINE_NAME] = draft.baseline.to_json()
        files = {name: _write_new(building, name, body) for name, body in sorted(bodies.items())}
        manifest = Manifest.model_validate(
            {**draft.header.model_dump(by_alias=True), "tables": entries, "files": files}
        )
        _write_new(building, MANIFEST_NAME, manifest_bytes(manifest))
        for folder in sorted({path.parent for path in building.rglob("*")}, reverse=True):
            sync_folder(folder)

    def enter(self, release: Release) -> None:
        """Enter a release in the ledger; without effect where it stands there."""
        if self.ledger().find(release.release_id) is not None:
            return
        manifest = release.manifest
        append_json_line(
            self.ledger_path,
            {
                "event": "created",
                "release_id": manifest.release_id,
                "as_of": manifest.as_of.isoformat(),
                "created_at": moment_text(manifest.created_at),
                "baseline_release_id": manifest.baseline_release_id,
                "catalog_version": manifest.catalog_version,
                "methodology_version": manifest.methodology_version,
                "code_version": manifest.code_version,
                "manifest_sha256": release.manifest_sha256,
            },
        )

    def withdraw(self, release_id: str, reason: str, at: datetime) -> None:
        """Mark a release withdrawn, for a reason; nothing is deleted, and the DuckDB copy is the caller's next step.

        Raises:
            ReleaseError: for an unknown release, one withdrawn before, or an empty reason.
        """
        ledger = self.ledger()
        if ledger.find(release_id) is None:
            raise ReleaseError(f"no release {release_id} in {self.home}")
        if release_id in ledger.withdrawn:
            raise ReleaseError(f"{release_id} was withdrawn before: {ledger.withdrawn[release_id]}")
        if not reason.strip():
            raise ReleaseError("a withdrawal states its reason")
        event: dict[str, Json] = {"event": "withdrawn", "release_id": release_id, "reason": reason}
        append_json_line(self.ledger_path, {**event, "at": moment_text(at)})

    def roll_back(self, to: str | None, reason: str, at: datetime) -> ReleaseRecord:
        """Point readers at an earlier release; it holds until a newer one is made. Returns the one pointed at.

        Args:
            to: the release; None for the one before the current.
            reason: why, for the ledger.
            at: when.

        Raises:
            ReleaseError: for an unknown or withdrawn release, or where there is none earlier.
        """
        ledger = self.ledger()
        target = ledger.previous if to is None else ledger.find(to)
        if target is None:
            raise ReleaseError("there is no earlier release" if to is None else f"no release {to} in {self.home}")
        if target.release_id in ledger.withdrawn:
            raise ReleaseError(f"{target.release_id} is withdrawn: {ledger.withdrawn[target.release_id]}")
        event: dict[str, Json] = {"event": "rolled_back", "to": target.release_id, "reason": reason}
        append_json_line(self.ledger_path, {**event, "at": moment_text(at)})
        return target


def _copy_table(building: Path, name: str, header: ReleaseHeader, tables: TableStore) -> TableEntry:
    copy = building / TABLES_FOLDER / f"{name}.parquet"
    tables.verify(name, header.as_of)
    shutil.copyfile(tables.path(name, header.as_of), copy)
    sync_file(copy)
    stamp = verify_table_file(copy, name)
    if stamp.as_of != header.as_of:
        raise ReleaseError(f"{name}: is stamped for {stamp.as_of}, the release is of {header.as_of}")
    if stamp.release_id is not None and stamp.release_id != header.release_id:
        raise ReleaseError(f"{name}: names release {stamp.release_id}, this is {header.release_id}")
    return TableEntry(hash=stamp.table_hash, rows=stamp.rows, file_sha256=file_sha256(copy))


def _write_new(building: Path, name: str, data: bytes) -> str:
    """Write and sync one new file of the folder; returns its SHA-256."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        raise ReleaseError(f"{name!r} may not stand in a release folder")
    path = building / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    sync_file(path)
    return sha256_hex(data)
