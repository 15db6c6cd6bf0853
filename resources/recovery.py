"""What the next start does after a crash: clear what was half written, finish what was whole.

Belongs here: bringing releases, ledger and DuckDB copy back in step. Everything is idempotent: a crash during recovery
is recovered from in the same way. The caller holds the home lock.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb

from resources.atomic_files import remove_leftovers, sync_folder
from resources.manifest import ReleaseError, read_release, release_faults
from resources.published_copy import MANIFEST_TABLE, connect_readonly, database_path, read_published
from resources.publisher import publish_current
from resources.releases import BUILDING_PREFIX, ReleaseStore
from warehouse.contracts import ContractError
from warehouse.hashing import table_hash
from warehouse.identity import RELEASE_ID
from warehouse.tables import OUT_RELEASE


@dataclass(frozen=True, slots=True)
class Recovery:
    """What recovery did.

    Attributes:
        removed: half-written files and folders that were cleared away.
        entered: releases whose folder was whole and whose ledger line was missing.
        republished: whether the DuckDB copy was built anew.
    """

    removed: tuple[Path, ...] = ()
    entered: tuple[str, ...] = ()
    republished: bool = False

    @property
    def messages(self) -> list[str]:
        """What was done, one sentence each; none where there was nothing to do."""
        said = [f"{path}: left half written by a stopped run, removed" for path in self.removed]
        said += [f"{release_id}: made by a stopped run, entered in the ledger" for release_id in self.entered]
        return said + (["the DuckDB copy was behind the current release, built anew"] if self.republished else [])


def recover(home: Path) -> Recovery:
    """Bring a home back in step after a crash; without effect where nothing was left undone.

    Raises:
        ReleaseError: if the current release's folder is missing or was changed: that no start may paper over.
        JsonFileError, LedgerError: if releases.jsonl is damaged.
    """
    home = Path(home)
    if not home.is_dir():
        return Recovery()
    removed = [path for folder in _written_folders(home) for path in remove_leftovers(folder)]
    releases = ReleaseStore(home)
    removed += _remove_building(releases)
    entered, broken = _enter_whole(releases)
    republished = not is_published(home)
    if republished:
        publish_current(home)
    return Recovery(tuple(removed + broken), tuple(entered), republished)


def is_published(home: Path) -> bool:
    """Whether the DuckDB copy holds the current release and every release's status (vacuously before the first)."""
    releases = ReleaseStore(home)
    rows = releases.release_rows()
    if not database_path(home).is_file():
        return rows.is_empty()
    current = releases.ledger().current
    wanted = [] if current is None else [(current.release_id, current.manifest_sha256)]
    try:
        connection = connect_readonly(home)
    except duckdb.Error:
        return False
    try:
        found = connection.execute(f"SELECT release_id, manifest_sha256 FROM {MANIFEST_TABLE}").fetchall()  # noqa: S608
        listed = table_hash(read_published(connection, OUT_RELEASE.name), OUT_RELEASE)
    except (duckdb.Error, ContractError):
        return False
    finally:
        connection.close()
    return found == wanted and listed == table_hash(rows, OUT_RELEASE)


def _written_folders(home: Path) -> list[Path]:
    """The folders in which files are written beside their targets."""
    below = [path for name in ("tables", "verdicts") for path in sorted((home / name).glob("*")) if path.is_dir()]
    return [home, home / "tables", home / "verdicts", home / "snapshots" / "outcomes", *below]


def _remove_building(releases: ReleaseStore) -> list[Path]:
    found = sorted(releases.root.glob(f"{BUILDING_PREFIX}*")) if releases.root.is_dir() else []
    for folder in found:
        shutil.rmtree(folder)
    return found


def _enter_whole(releases: ReleaseStore) -> tuple[list[str], list[Path]]:
    """Enter every whole folder that the ledger lacks, oldest first; remove one that is not whole.

    A folder gets its name only when whole, and nobody was told of it before its ledger line.
    """
    ledger = releases.ledger()
    folders = sorted(releases.root.glob("*")) if releases.root.is_dir() else []
    unknown = [
        folder
        for folder in folders
        if folder.is_dir() and RELEASE_ID.fullmatch(folder.name) and ledger.find(folder.name) is None
    ]
    entered: list[str] = []
    broken: list[Path] = []
    for folder in unknown:
        try:
            release = read_release(folder)
            faults = release_faults(release)
        except ReleaseError as error:
            faults = [str(error)]
        if faults:
            shutil.rmtree(folder)
            sync_folder(releases.root)
            broken.append(folder)
        else:
            releases.enter(release)
            entered.append(folder.name)
    return entered, broken
