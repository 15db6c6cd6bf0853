"""What is known of the published copy without reading it: its bytes when every table of it had been read back.

Belongs here: the file `published.json` of the home, which names the release that the copy held and the SHA-256 of the
copy. A copy of these bytes holds that release still; of any other bytes nothing is known, and its tables are read. The
file proves nothing about a release: what a release holds is said by its manifest, which the ledger vouches for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from resources.atomic_files import JsonFileError, read_json, write_json
from resources.code_version import code_version
from resources.manifest import CATALOG_FOLDER, Release, ReleaseError, file_sha256
from resources.releases import ReleaseStore
from warehouse.tables import TABLES

PROOF_NAME: Final = "published.json"


def keep_proof(home: Path, release: Release, sha256: str) -> None:
    """Notes that a copy of these bytes holds a release: it was made, and read back, by the running program."""
    said = {"release_id": release.release_id, "manifest_sha256": release.manifest_sha256}
    write_json(Path(home) / PROOF_NAME, {**said, "made_by": code_version(), "sha256": sha256})


def held_release(home: Path, copy: Path, releases: ReleaseStore) -> Release | None:
    """The release that a copy holds, as its bytes prove; None where nothing is known of them.

    Args:
        home: the home.
        copy: the published copy, or a file with its bytes.
        releases: the home's releases.
    """
    try:
        said = read_json(Path(home) / PROOF_NAME)
        if said["made_by"] != code_version() or said["sha256"] != file_sha256(copy):
            return None
        release = releases.open(said["release_id"])
        return release if release.manifest_sha256 == said["manifest_sha256"] else None
    except (OSError, JsonFileError, ReleaseError, KeyError, TypeError):
        return None


def is_same_table(name: str, held: Release, release: Release) -> bool:
    """Whether two releases hold the same values in a table, or neither does; the second one's file has to be whole."""
    former, entry = held.manifest.tables.get(name), release.manifest.tables.get(name)
    if former is None and entry is None:
        return True
    if former is None or entry is None or former.hash != entry.hash or TABLES[name].unhashed:
        return False
    file = release.table_path(name)
    return file.is_file() and file_sha256(file) == entry.file_sha256


def is_same_catalog(held: Release, release: Release) -> bool:
    """Whether two releases contain the same catalog, byte for byte."""
    return _catalog_files(held) == _catalog_files(release)


def _catalog_files(release: Release) -> dict[str, str]:
    return {name: sha for name, sha in release.manifest.files.items() if name.startswith(f"{CATALOG_FOLDER}/")}
