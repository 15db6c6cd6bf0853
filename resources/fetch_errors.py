"""The errors that a source, a file, a server or a disk may cause: stated faults, none of them a bug of ours."""

from __future__ import annotations

from typing import Final

from resources.addresses import AddressError
from resources.archives import ArchiveError
from resources.connectors import ConnectorError
from resources.git_commands import GitError
from resources.http import FetchError
from resources.paths import PathError
from resources.snapshot_index import SnapshotError

READING_ERRORS: Final = (
    ConnectorError,
    PathError,
    AddressError,
    FetchError,
    GitError,
    ArchiveError,
    SnapshotError,
    OSError,
)
