"""The catalog a release was made with, as far as this version of the program reads its form.

Belongs here: telling a catalog that was changed from one that is whole and of another form. What a catalog's files
must hold is `resources.catalog_files`.
"""

from __future__ import annotations

from resources.catalog_files import load_catalog, load_corrections
from resources.catalog_problems import CatalogError
from resources.manifest import CATALOG_FOLDER, Release, ReleaseError, file_sha256
from warehouse.catalog_model import Catalog, Correction


class FormerCatalogError(ReleaseError):
    """A release whose catalog is as it was released, and of a form that this version of the program does not read."""


def release_catalog(release: Release) -> Catalog:
    """The catalog a release was made with.

    Raises:
        FormerCatalogError: where its files are as the manifest says, and this program reads another form; also of one
            entry alone that the release rests on: a source with a snapshot, a waiver, a correction.
        CatalogError: where they are not.
    """
    try:
        loaded = load_catalog(release.catalog_dir, None)
    except CatalogError as error:
        raise _said(release, error) from error
    rests_on = {entry.leaderboard for entry in release.manifest.snapshots if entry.sha256 is not None}
    is_signed = len(loaded.catalog.waivers) == len(release.manifest.waivers) and not loaded.catalog.broken_corrections
    if not (rests_on.isdisjoint(loaded.catalog.broken_sources) and is_signed) and loaded.problems:
        raise _said(release, CatalogError(loaded.problems))
    return loaded.catalog


def release_corrections(release: Release) -> tuple[Correction, ...]:
    """The corrections a release was made with, whatever the form of the rest of its catalog (errors as above)."""
    try:
        return load_corrections(release.catalog_dir)
    except CatalogError as error:
        raise _said(release, error) from error


def _said(release: Release, error: CatalogError) -> CatalogError | FormerCatalogError:
    """What it means that a release's catalog cannot be read."""
    manifest = release.manifest
    listed = {name: sha256 for name, sha256 in manifest.files.items() if name.startswith(f"{CATALOG_FOLDER}/")}
    for name, sha256 in listed.items():
        path = release.folder / name
        if not path.is_file() or file_sha256(path) != sha256:
            return error
    return FormerCatalogError(
        f"{release.release_id}: its catalog, {manifest.catalog_version}, is whole, but of a form that this version of "
        f"the program does not read ({error.problems[0]}). The version that made it does: code "
        f"{manifest.code_version[:12]}; docs/reproducing.md says how to find it. The release stands: `scores`, SQL and "
        "any Parquet reader show its numbers"
    )
