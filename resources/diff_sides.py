"""A release folder as a comparison reads it: its facts, its own catalog, three tables.

Belongs here: reading, and reading the former snapshots again where the latter catalog maps them otherwise. What is
compared is `methods.lineage.release_diff`.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from methods.lineage.release_basis import ReleaseFacts
from methods.lineage.release_diff import DiffSide, ReleaseDiff, release_diff
from resources.manifest import CATALOG_FOLDER, Release
from resources.release_catalog import release_catalog
from resources.release_rows import remapped, reread_rows
from resources.releases import ReleaseStore
from resources.snapshot_index import SnapshotError
from resources.snapshots import SnapshotStore


class Sides(NamedTuple):
    """Both sides of a comparison, the former's rows read again where they must be, and what could not be."""

    former: DiffSide
    latter: DiffSide
    reread: pl.DataFrame | None
    note: str | None


def facts_of(store: ReleaseStore, release: Release) -> ReleaseFacts:
    """What a release's numbers have to be quoted with; one that is still being made is about to be current."""
    manifest, ledger = release.manifest, store.ledger()
    return ReleaseFacts(
        release_id=manifest.release_id,
        as_of=manifest.as_of,
        created_at=manifest.created_at,
        status=ledger.status(manifest.release_id) if ledger.find(manifest.release_id) else "current",
        catalog_version=manifest.catalog_version,
        catalog_sha256=manifest.catalog_sha256,
        methodology_version=manifest.methodology_version,
        code_version=manifest.code_version,
        snapshots={entry.leaderboard: entry.sha256 for entry in manifest.snapshots if entry.sha256 is not None},
        catalog_files={
            name.removeprefix(f"{CATALOG_FOLDER}/"): sha256
            for name, sha256 in manifest.files.items()
            if name.startswith(f"{CATALOG_FOLDER}/")
        },
    )


def side_of(store: ReleaseStore, release: Release) -> DiffSide:
    """A release as a comparison reads it.

    Raises:
        TableError, CatalogError: where a file of the release is not what it must be.
        FormerCatalogError: where another version of the program wrote its catalog in another form.
    """
    return DiffSide(
        facts=facts_of(store, release),
        catalog=release_catalog(release),
        raw_rows=release.read("raw__row"),
        results=release.read("core__result"),
        category_scores=release.read("out__category_score"),
    )


def both_sides(store: ReleaseStore, former: Release, latter: Release) -> Sides:
    """Two releases of one home, the former's snapshots read again where the latter's catalog maps them otherwise.

    Where those bytes are gone the former's rows are taken as it read them, and `note` says so: a new mapping then shows
    among the own rows and the cohort instead of the catalog.
    """
    sides = side_of(store, former), side_of(store, latter)
    changed = remapped(sides[0].catalog, sides[1].catalog)
    if not changed:
        return Sides(*sides, None, None)
    try:
        rows = reread_rows(SnapshotStore(store.home), former, sides[0].catalog, sides[1].catalog)
    except SnapshotError as error:
        return Sides(*sides, None, f"{', '.join(changed)} could not be read again under the new catalog: {error}")
    return Sides(*sides, rows, None)


def diff_of(store: ReleaseStore, former: Release, latter: Release) -> ReleaseDiff:
    """The whole comparison of two releases of one home."""
    former_side, latter_side, reread, note = both_sides(store, former, latter)
    return release_diff(former_side, latter_side, reread, note)
