"""Proves the site of a release: every page rendered again from its tables, against the hashes that its manifest states.

Belongs here: rendering again and comparing; what moved since the release before is computed again where that release
is at hand, since pages show it. Whether the tables are what the snapshots give is `pipelines.verification`; whether
the files on the disk are what the manifest lists is `resources.manifest`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from resources.atomic_files import read_json
from resources.manifest import Release, ReleaseError, release_faults
from resources.package_versions import package_versions
from resources.release_changes import CHANGES_NAME, changes_since_baseline
from resources.releases import ReleaseStore
from resources.site.kept import SITE_FOLDER, kept_site
from warehouse.canonical import canonical_json, sha256_hex

EVERY: Final = 250
"""Files after which progress is told."""
_OF_ITS_TIME: Final = frozenset({"status", "warnings"})
"""What a comparison says of the standing of two releases when it was made: a later rollback changes that."""


@dataclass(frozen=True, slots=True)
class SiteProof:
    """What came of rendering a site again.

    Attributes:
        files: files that were rendered.
        differences: what is not the same, in sentences.
        notes: what could not be compared, and why.
        is_of_this_program: whether the same code and packages rendered both; otherwise a page that differs is told, and
            no fault of the release.
    """

    files: int
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    is_of_this_program: bool

    @property
    def holds(self) -> bool:
        """Whether nothing differs that the same program rendered."""
        return not (self.differences and self.is_of_this_program)


def prove_site(
    store: ReleaseStore, release: Release, code_version: str, progress: Callable[[str], None] | None = None
) -> SiteProof:
    """Renders the site of a release again from its stored tables, catalog and changes.

    Args:
        store: of the home, where the release before may be.
        release: whose tables are what its manifest says.
        code_version: of the program that renders.
        progress: takes a line every few hundred files.
    """
    from resources.site.build import site_of_folder

    manifest = release.manifest
    is_ours = code_version == manifest.code_version and dict(manifest.packages) == package_versions()
    if kept_site(release) is None:
        return SiteProof(0, (), ("the release was made without a site",), is_ours)
    listed = {
        name.removeprefix(f"{SITE_FOLDER}/"): sha256
        for name, sha256 in manifest.files.items()
        if name.startswith(f"{SITE_FOLDER}/")
    }
    differences, notes = _changes_proved(store, release)
    files, whole = 0, len(listed)
    try:
        for name, data in site_of_folder(release.folder, manifest):
            files += 1
            if progress is not None and files % EVERY == 0:
                progress(f"{files:,} of {whole:,} files of the site rendered again")
            expected = listed.pop(name, None)
            if expected is None:
                differences.append(f"{SITE_FOLDER}/{name}: rendered now, and not in the release")
            elif sha256_hex(data) != expected:
                differences.append(f"{SITE_FOLDER}/{name}: rendered from the tables it has other bytes")
    except Exception as error:  # noqa: BLE001 - pages of another version may not fill: that is told, never a crash
        what = f"{SITE_FOLDER}: could not be rendered beyond {files:,} of {whole:,} files"
        return SiteProof(files, (*differences, f"{what}: {type(error).__name__}: {error}"), tuple(notes), is_ours)
    differences += [f"{SITE_FOLDER}/{name}: in the release, and not rendered now" for name in sorted(listed)]
    return SiteProof(files, tuple(differences), tuple(notes), is_ours)


def _changes_proved(store: ReleaseStore, release: Release) -> tuple[list[str], list[str]]:
    """What differs of the changes since the release before, and why they could not be computed again."""
    baseline = release.manifest.baseline_release_id
    path = release.folder / CHANGES_NAME
    if baseline is None or not path.is_file():
        return [], []
    try:
        is_whole = not release_faults(store.open(baseline))
    except (ReleaseError, ValueError, OSError):
        is_whole = False
    if not is_whole:
        return [], [f"{CHANGES_NAME}: not computed again, {baseline} is not whole in this home"]
    stored, again = read_json(path), changes_since_baseline(store, release.folder, release.manifest)
    if _lasting(stored) != _lasting(again or {}):
        return [f"{CHANGES_NAME}: computed again from both releases it says something else"], []
    return [], []


def _lasting(changes: Mapping[str, Any]) -> bytes:
    def without(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: without(inner) for key, inner in value.items() if key not in _OF_ITS_TIME}
        return [without(inner) for inner in value] if isinstance(value, list | tuple) else value

    return canonical_json(without(changes))
