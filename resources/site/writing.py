"""Writes a site into a folder of its own.

Belongs here: the folder a person names. It is empty, or holds a former site, which is known by its marker; anything
else is never touched.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from resources.atomic_files import make_folder

MARKER: Final = ".scoretrail-site"
"""A file that says the folder is ours to replace."""


class SiteError(ValueError):
    """A folder that a site cannot be written to, or a release whose site cannot be shown: says which and why."""


def checked_path(folder: Path, name: str) -> Path:
    """A file's place in a folder (SiteError for a name that would lead out of it)."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or relative.as_posix() != name or "\\" in name:
        raise SiteError(f"{name!r} may not stand in a site")
    return folder / relative


def write_site(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Write a site; returns how many files. The former one stays until the new one is whole.

    Raises:
        SiteError: if the folder holds anything that is no site.
        OSError: if the disk refuses; the former site is untouched.
    """
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARKER).is_file())):
        raise SiteError(f"{folder}: is not empty and is no site; name a new folder, or a former site")
    make_folder(folder.parent)
    building = folder.with_name(f".{folder.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    try:
        written = 0
        for name, data in files:
            path = checked_path(building, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written += 1
        (building / MARKER).write_bytes(b"Written by scoretrail site; the next call may replace this folder.\n")
        if folder.exists():
            shutil.rmtree(folder)
        building.rename(folder)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    return written
