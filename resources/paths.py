"""Local files of a source: found only under allowed folders, read whole, within limits.

Belongs here: which paths may be opened (DESIGN "Safety": after symlinks are resolved, never outside the roots), and
reading a file, a folder or a glob of files. Does not belong here: what is in them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from resources.connectors.files import SnapshotFile

MAX_FILES: Final = 20_000
_GLOB: Final = frozenset("*?[")


class PathError(ValueError):
    """A path that may not or cannot be read: which, why, and what would help."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """The files of a local source.

    Attributes:
        files: sorted by name.
        is_many: whether the source is a folder or glob (even where it holds one file).
        modified_at: newest file time, UTC.
    """

    files: tuple[SnapshotFile, ...]
    is_many: bool
    modified_at: datetime


def read_local(location: str, base: Path, roots: Sequence[Path], *, max_bytes: int) -> LocalFiles:
    """Reads a file, every file of a folder (recursively), or the files a glob finds.

    Args:
        location: absolute, or relative to `base`; `*`, `?`, `[` in its parts make it a glob, `**` any depth.
        base: folder that a relative location starts at.
        roots: folders outside which nothing is opened.
        max_bytes: limit for the sum of all files.

    Raises:
        PathError: outside the roots, missing, no regular file, or too large.
    """
    if "\0" in location:
        raise PathError("a path with a NUL character")
    path = base / location
    pattern = next((index for index, part in enumerate(path.parts) if _GLOB & set(part)), None)
    try:
        if pattern is not None:
            folder = inside(Path(*path.parts[:pattern]), roots, location)
            found = sorted(p for p in folder.glob("/".join(path.parts[pattern:])) if not p.is_dir())
            if not found:
                raise PathError(f"{location}: no file matches under {folder}")
            return _many(found, folder, roots, max_bytes)
        resolved = inside(path, roots, location)
        if resolved.is_dir():
            found = sorted(p for p in resolved.rglob("*") if not p.is_dir() and not _hidden(p, resolved))
            if not found:
                raise PathError(f"{location}: the folder holds no file")
            return _many(found, resolved, roots, max_bytes)
        data, modified = _read(resolved, max_bytes)
    except OSError as error:
        raise PathError(f"{location}: cannot be read: {error.strerror or error}") from error
    return LocalFiles((SnapshotFile(path.name, data),), False, modified)


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _many(found: Sequence[Path], folder: Path, roots: Sequence[Path], max_bytes: int) -> LocalFiles:
    if len(found) > MAX_FILES:
        raise PathError(f"{folder.name}: {len(found)} files; at most {MAX_FILES} are read")
    files = []
    newest = datetime.fromtimestamp(0, UTC)
    left = max_bytes
    for path in found:
        name = path.relative_to(folder).as_posix()
        data, modified = _read(inside(path, roots, name), left)
        left -= len(data)
        newest = max(newest, modified)
        files.append(SnapshotFile(name, data))
    # By name as text, not by path parts: the order must not depend on the system's separators.
    return LocalFiles(tuple(sorted(files, key=lambda file: file.name)), True, newest)


def inside(path: Path, roots: Sequence[Path], shown: str) -> Path:
    """The path with every symlink resolved, if it exists and lies in a root.

    Raises:
        PathError: if it is missing or lies elsewhere.
    """
    try:
        resolved = path.resolve(strict=True)
    except FileNotFoundError:
        # Outside the roots even existence is not told.
        if not any(path.resolve().is_relative_to(root.resolve()) for root in roots):
            raise PathError(_outside(shown)) from None
        raise PathError(f"{shown}: no such file or folder") from None
    if not any(resolved.is_relative_to(root.resolve()) for root in roots):
        raise PathError(_outside(shown))
    return resolved


def _outside(shown: str) -> str:
    return (
        f"{shown}: outside the home, the catalog's folder and the working directory; "
        "name its folder in SCORETRAIL_ALLOW_ROOTS if it is meant"
    )


def _read(path: Path, max_bytes: int) -> tuple[bytes, datetime]:
    """A regular file's bytes and time. Devices and pipes are refused before reading, which could never end."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise PathError(f"{path.name}: not a regular file")
        if status.st_size > max_bytes:
            raise PathError(f"{path.name}: {status.st_size} bytes; the limit is {max_bytes}")
        data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise PathError(f"{path.name}: more than {max_bytes} bytes")
    return data, datetime.fromtimestamp(status.st_mtime, UTC)
