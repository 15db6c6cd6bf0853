"""A catalog folder read at one moment: what it says, and the bytes that say it.

Belongs here: that both are of one state. A day goes by the catalog it began with, however long it takes and whatever
people save meanwhile, and its release keeps the very files that decided.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from resources.catalog_files import CatalogLoad, load_catalog
from resources.catalog_problems import CatalogError, Problem
from resources.release_folder import read_folder

LOOKS: Final = 5
"""How often a folder that is being written to is read anew."""


class SettledCatalog(NamedTuple):
    """A catalog, and its files as bytes by relative posix path (`read_folder`), the sources file among them."""

    load: CatalogLoad
    files: dict[str, bytes]


def settled_catalog(folder: Path, sources_file: Path) -> SettledCatalog:
    """Reads a catalog and its files, anew where something was saved in between.

    Raises:
        CatalogError: as `load_catalog`; also where files are saved faster than they can be read.
        OSError: for a file beside them that cannot be read.
    """
    for _ in range(LOOKS):
        try:
            before = _files(folder, sources_file)
        except OSError:
            before = None  # loading says it better
        load = load_catalog(folder, sources_file)
        if (files := _files(folder, sources_file)) == before:
            return SettledCatalog(load, files)
    said = f"its files changed {LOOKS} times while they were read; wait until nobody writes there ({folder})"
    raise CatalogError([Problem(folder.name, None, "", said)])


def _files(folder: Path, sources_file: Path) -> dict[str, bytes]:
    return {**read_folder(folder), "sources.yaml": sources_file.read_bytes()}
