"""The code version: a hash of the program's own sources, part of every release id.

Belongs here: what counts as source. Counted are the Python and SQL files of the six rooms, and the templates, style
sheet and script that a release's site is made with; the catalog has a hash of its own, and the demonstration, the
tests and the documents change nothing in a release.
"""

from __future__ import annotations

import hashlib
import struct
from functools import cache
from pathlib import Path
from typing import Final

ROOMS: Final = ("assets", "checks", "methods", "pipelines", "resources", "warehouse")
SUFFIXES: Final = frozenset({".py", ".sql", ".html", ".css", ".js"})
NOT_CODE: Final = frozenset({"warehouse/catalog", "warehouse/demo"})


def source_files(root: Path) -> list[tuple[str, Path]]:
    """(posix path relative to the root, file) of every source under the rooms of a root, in order of the path."""
    found = []
    for room in ROOMS:
        for path in (root / room).rglob("*"):
            name = path.relative_to(root).as_posix()
            if path.suffix in SUFFIXES and path.is_file() and not any(name.startswith(f"{no}/") for no in NOT_CODE):
                found.append((name, path))
    return sorted(found)


def sources_sha256(root: Path) -> str:
    """SHA-256 over the sources of a root: per file the path and the bytes, each preceded by its length.

    Raises:
        FileNotFoundError: if a room is missing, so that half an installation never passes for a version.
    """
    for room in ROOMS:
        if not (root / room / "__init__.py").is_file():
            raise FileNotFoundError(f"{root / room}: the room {room} is missing from the installation")
    digest = hashlib.sha256()
    for name, path in source_files(root):
        for part in (name.encode(), path.read_bytes()):
            digest.update(struct.pack("<Q", len(part)))
            digest.update(part)
    return digest.hexdigest()


@cache
def code_version() -> str:
    """The version of the running program, 64 hex digits: computed once, from the folder it was loaded from."""
    return sources_sha256(Path(__file__).resolve().parent.parent)
