"""Releases as folders: built aside, renamed when whole, entered in the append-only ledger `releases.jsonl`.

Belongs here: making, finding, withdrawing and pointing at releases. Does not belong here: whether one may be made
(`methods.release.publication`), what the events mean (`methods.release.ledger`), what goes into a folder
(`resources.release_folder`), the DuckDB copy (`resources.publisher`).
"""

from __future__ import annotations

import shutil
from datetime import date, datetime
from pathlib import Path
from typing import Final

import polars as pl

from methods.lineage.baseline import BaselineFigures, baseline_figures
from methods.release.ledger import Ledger, fold
from resources.atomic_files import append_json_line, read_json_lines, sync_folder
from resources.manifest import DamagedReleaseError, Release, ReleaseError, read_release
from resources.release_folder import ReleaseDraft, build_folder, released_stamp
from resources.tables import TableStore
from resources.verdicts import moment_text
from warehouse.canonical import Json
from warehouse.identity import RELEASE_ID
from warehouse.manifest import ReleaseRecord
from warehouse.tables import OUT_RELEASE
from warehouse.vocabulary import ReleaseStatus

LEDGER_NAME: Final = "releases.jsonl"
RELEASES_FOLDER: Final = "releases"
BUILDING_PREFIX: Final = ".building-"
WORDS: Final = ("current", "previous")
"""What stands for a release id wherever one is named: the release that readers see, and the one before it."""


class ReleaseConflictError(RuntimeError):
    """A release of this id stands with other table hashes: the same inputs gave other numbers, a bug of ours."""


def release_row(record: ReleaseRecord, status: ReleaseStatus) -> dict[str, object]:
    """One row of out__release: the ledger's record and the status that all events together give it."""
    return {**record.model_dump(), "status": status}


def created_event(release: Release) -> dict[str, Json]:
    """The ledger's line for a release that was made."""
    manifest = release.manifest
    return {
        "event": "created",
        "release_id": manifest.release_id,
        "as_of": manifest.as_of.isoformat(),
        "created_at": moment_text(manifest.created_at),
        "baseline_release_id": manifest.baseline_release_id,
        "catalog_version": manifest.catalog_version,
        "methodology_version": manifest.methodology_version,
        "code_version": manifest.code_version,
        "manifest_sha256": release.manifest_sha256,
    }


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
            DamagedReleaseError: if its folder is missing, or its manifest was changed after it was made.
        """
        folder = self.folder(release_id)
        record = self.ledger().find(release_id)
        if not folder.is_dir():
            if record is not None:
                raise DamagedReleaseError(f"{folder}: the ledger knows {release_id}, its folder is missing")
            return None
        return read_release(folder, None if record is None else record.manifest_sha256)

    def id_of(self, named: str) -> str:
        """The id of a release as people name it: the id itself, or `current` or `previous` (see `WORDS`).

        Raises:
            ReleaseError: for a word that stands for none here, or a text that is no id; with the latest there are.
        """
        if named in WORDS:
            ledger = self.ledger()
            found = ledger.current if named == "current" else ledger.previous
            if found is not None:
                return found.release_id
            if not ledger.releases:
                raise ReleaseError(
                    f"{self.home} holds no release yet; make one with: scoretrail run --home {self.home}"
                )
            raise ReleaseError(f"{self.home} holds no {named} release; `scoretrail status` tells which one is in force")
        if RELEASE_ID.fullmatch(named) is None:
            raise ReleaseError(f"{named!r} is no release id, nor {' or '.join(WORDS)}; {self._latest()}")
        return named

    def open(self, named: str) -> Release:
        """The release of that id, or that `current` or `previous` stands for (ReleaseError where there is none)."""
        release_id = self.id_of(named)
        release = self.existing(release_id)
        if release is None:
            raise self._unknown(release_id)
        return release

    def _unknown(self, release_id: str) -> ReleaseError:
        return ReleaseError(f"no release {release_id} in {self.home}; {self._latest()}")

    def _latest(self) -> str:
        """The releases made last, of which one may have been meant."""
        known = [record.release_id for record in self.ledger().releases][-5:]
        return f"the latest are {', '.join(known) or 'none'}"

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
        scores, snapshots = release.read("out__category_score"), release.read("raw__snapshot")
        return baseline_figures(results, evidence, scores, release_id, snapshots)

    def withdrawal(self, release_id: str) -> dict[str, Json] | None:
        """The ledger's event of a release's withdrawal, without the release that stands in its place; None else."""
        for event in read_json_lines(self.ledger_path):
            if event.get("event") == "withdrawn" and event.get("release_id") == release_id:
                return {name: value for name, value in event.items() if name != "replaced_by"}
        return None

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
            build_folder(building, draft, tables)
            building.rename(folder)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
        sync_folder(self.root)
        release = read_release(folder)
        self.enter(release)
        return release

    def _compare(self, standing: Release, draft: ReleaseDraft, tables: TableStore) -> None:
        found = {name: released_stamp(name, draft, tables).table_hash for name in draft.tables}
        stated = standing.manifest.table_hashes
        differing = [name for name in {**stated, **found} if stated.get(name) != found.get(name)]
        if differing:
            raise ReleaseConflictError(
                f"{standing.release_id} stands with other values in {', '.join(differing)}: "
                "the same inputs, catalog and code gave other numbers. Nothing was published; please report this."
            )

    def enter(self, release: Release) -> None:
        """Enter a release in the ledger; without effect where it stands there."""
        if self.ledger().find(release.release_id) is not None:
            return
        append_json_line(self.ledger_path, created_event(release))

    def withdraw(self, release_id: str, reason: str, at: datetime, replaced_by: str | None = None) -> None:
        """Mark a release withdrawn, for a reason; nothing is deleted, and the DuckDB copy is the caller's next step.

        Args:
            release_id: the release. reason: why. at: when.
            replaced_by: the release that stands in its place, if one does.

        Raises:
            ReleaseError: for an unknown release, one withdrawn before, an empty reason, or a replacement that is
                unknown, withdrawn or the release itself.
        """
        ledger = self.ledger()
        if ledger.find(release_id) is None:
            raise self._unknown(release_id)
        if release_id in ledger.withdrawn:
            raise ReleaseError(f"{release_id} was withdrawn before: {ledger.withdrawn[release_id]}")
        if not reason.strip():
            raise ReleaseError("a withdrawal states its reason")
        if replaced_by is not None:
            if replaced_by == release_id or ledger.find(replaced_by) is None:
                raise ReleaseError(f"--replaced-by {replaced_by}: must be another release of {self.home}")
            if replaced_by in ledger.withdrawn:
                raise ReleaseError(f"{replaced_by} is withdrawn itself: {ledger.withdrawn[replaced_by]}")
        event: dict[str, Json] = {"event": "withdrawn", "release_id": release_id, "reason": reason}
        if replaced_by is not None:
            event["replaced_by"] = replaced_by
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
            raise ReleaseError("there is no earlier release") if to is None else self._unknown(to)
        if target.release_id in ledger.withdrawn:
            raise ReleaseError(f"{target.release_id} is withdrawn: {ledger.withdrawn[target.release_id]}")
        if not reason.strip():
            raise ReleaseError("a rollback states its reason")
        event: dict[str, Json] = {"event": "rolled_back", "to": target.release_id, "reason": reason}
        append_json_line(self.ledger_path, {**event, "at": moment_text(at)})
        return target
