"""Reading a release folder back and proving it whole: manifest.json and the SHA-256 of every file it lists.

Belongs here: the manifest as a file. Its shape is `warehouse.manifest`; building the folder is `resources.releases`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl
from pydantic import ValidationError

from methods.lineage.baseline import BaselineFigures
from resources.atomic_files import JsonFileError, json_bytes, parse_json
from resources.table_files import TableError, read_table_file, verify_table_file
from warehouse.canonical import sha256_hex
from warehouse.manifest import Manifest

MANIFEST_NAME: Final = "manifest.json"
TABLES_FOLDER: Final = "tables"
CATALOG_FOLDER: Final = "catalog"
VALIDATION_FOLDER: Final = "validation"
BASELINE_NAME: Final = "baseline.json"


class ReleaseError(ValueError):
    """A release that is unknown, or a release folder that is not what it must be: names the file and the fault."""


class DamagedReleaseError(ReleaseError):
    """A release that was made and is no longer what it was: a file of it is missing or was changed."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release folder and its manifest.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
        manifest_text: the bytes of manifest.json, as text.
        manifest_sha256: their SHA-256.
    """

    folder: Path
    manifest: Manifest
    manifest_text: str
    manifest_sha256: str

    @property
    def release_id(self) -> str:
        """The release's id."""
        return self.manifest.release_id

    @property
    def catalog_dir(self) -> Path:
        """The catalog folder that the release contains."""
        return self.folder / CATALOG_FOLDER

    def table_path(self, name: str) -> Path:
        """Where a table of the release lies (ReleaseError for one that it does not hold)."""
        if name not in self.manifest.tables:
            raise ReleaseError(f"{self.folder}: holds no table {name}; it holds {', '.join(self.manifest.tables)}")
        return self.folder / TABLES_FOLDER / f"{name}.parquet"

    def read(self, name: str) -> pl.DataFrame:
        """A table of the release in key order (TableError where the file is not what it must be)."""
        return read_table_file(self.table_path(name), name)

    def baseline(self) -> BaselineFigures | None:
        """The figures of the release its gates compared with; None for a first release.

        Raises:
            DamagedReleaseError: if the file is missing though the manifest names a baseline, or is no such file.
        """
        if self.manifest.baseline_release_id is None:
            return None
        path = self.folder / BASELINE_NAME
        try:
            return BaselineFigures.from_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise DamagedReleaseError(f"{path}: cannot be read: {error}") from error


def manifest_bytes(manifest: Manifest) -> bytes:
    """The bytes of manifest.json."""
    return json_bytes(manifest.to_json())


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_release(folder: Path, expected_sha256: str | None = None) -> Release:
    """A release folder by its manifest.

    Args:
        folder: the release folder.
        expected_sha256: what the ledger recorded of the manifest; None where nothing is known of it.

    Raises:
        DamagedReleaseError: if the manifest is missing, none, another release's, or was changed afterwards.
    """
    path = folder / MANIFEST_NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DamagedReleaseError(f"{path}: cannot be read: {error}") from error
    found = sha256_hex(data)
    if expected_sha256 is not None and found != expected_sha256:
        raise DamagedReleaseError(f"{path}: was changed: its SHA-256 is {found}, recorded was {expected_sha256}")
    try:
        manifest = Manifest.model_validate(parse_json(data, str(path)))
    except (JsonFileError, ValidationError) as error:
        raise DamagedReleaseError(f"{path}: is no manifest: {error}") from error
    if folder.name != manifest.release_id and not folder.name.startswith("."):
        raise DamagedReleaseError(f"{path}: is the manifest of {manifest.release_id}")
    return Release(folder, manifest, data.decode(), found)


def release_faults(release: Release) -> list[str]:
    """What of a release folder is not as its manifest says: one sentence a fault, none where it is whole.

    Every file's SHA-256 is computed, every table's values are hashed, and files that nobody listed are named.
    """
    listed = {f"{TABLES_FOLDER}/{name}.parquet": entry.file_sha256 for name, entry in release.manifest.tables.items()}
    listed |= release.manifest.files
    faults = []
    for name, expected in listed.items():
        path = release.folder / name
        if not path.is_file():
            faults.append(f"{path}: is missing")
        elif (found := file_sha256(path)) != expected:
            faults.append(f"{path}: was changed: its SHA-256 is {found}, the manifest says {expected}")
    present = {path.relative_to(release.folder).as_posix() for path in release.folder.rglob("*") if path.is_file()}
    faults += [f"{release.folder / name}: is not listed" for name in sorted(present - set(listed) - {MANIFEST_NAME})]
    for name, entry in release.manifest.tables.items():
        try:
            stamp = verify_table_file(release.table_path(name), name)
        except TableError as error:
            faults.append(str(error))
            continue
        if stamp.table_hash != entry.hash:
            faults.append(f"{name}: hashes to {stamp.table_hash}, the manifest says {entry.hash}")
    return faults
