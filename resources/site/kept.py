"""The site as a part of its release: its place in the folder, and reading it back.

Belongs here: which release has a site and what its files are. A release made before there was a site has none, and is
whole without; its site is made from its tables when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from resources.manifest import Release, file_sha256
from resources.site.writing import SiteError, checked_path

SITE_FOLDER: Final = "site"


def kept_site(release: Release) -> Path | None:
    """The folder of the release's site; None where its manifest lists none."""
    listed = any(name.startswith(f"{SITE_FOLDER}/") for name in release.manifest.files)
    return release.folder / SITE_FOLDER if listed else None


def release_site(release: Release) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of the files of a release's site: the kept ones, proved against the manifest, else made now.

    Raises:
        SiteError: if a kept file is missing or was changed.
    """
    if kept_site(release) is None:
        from resources.site.build import site_of_folder

        yield from site_of_folder(release.folder, release.manifest)
        return
    for name, expected in release.manifest.files.items():
        if not name.startswith(f"{SITE_FOLDER}/"):
            continue
        path = checked_path(release.folder, name)
        if not path.is_file() or file_sha256(path) != expected:
            raise SiteError(f"{path}: is missing or was changed since the release was made; see scoretrail verify")
        yield name.removeprefix(f"{SITE_FOLDER}/"), path.read_bytes()
