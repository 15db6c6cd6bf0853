"""The one archive a many-file snapshot is kept as: a zip that depends on names and bytes alone.

Stored, not compressed; names sorted; times and modes fixed: equal files give equal bytes, on any machine.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from resources.connectors.files import SnapshotFile

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o644 << 16
MAX_RATIO: Final = 200


class ArchiveError(ValueError):
    """An archive that is broken, too large, or names a place outside itself."""


def pack(files: Sequence[SnapshotFile]) -> bytes:
    """The files as one deterministic zip.

    Raises:
        ArchiveError: for a name that is not relative and plain, or that repeats.
    """
    buffer = io.BytesIO()
    ordered = sorted(files, key=lambda file: file.name)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for before, file in zip([None, *ordered], ordered, strict=False):
            _check_name(file.name)
            if before is not None and before.name == file.name:
                raise ArchiveError(f"{file.name!r} twice in one archive")
            entry = zipfile.ZipInfo(file.name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = _MODE
            archive.writestr(entry, file.data)
    return buffer.getvalue()


def unpack(
    data: bytes, *, max_bytes: int, max_files: int = 20_000, max_ratio: int = MAX_RATIO
) -> tuple[SnapshotFile, ...]:
    """The files of a zip in memory, sorted by name; nothing is written anywhere.

    Raises:
        ArchiveError: for a broken zip, an absolute or escaping name, more files or bytes than allowed, or a member
            that expands by more than `max_ratio`.
    """
    files = []
    left = max_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > max_files:
                raise ArchiveError(f"{len(entries)} files; at most {max_files} are read")
            for entry in entries:
                _check_name(entry.filename)
                if entry.file_size > max(entry.compress_size, 1) * max_ratio:
                    raise ArchiveError(f"{entry.filename}: expands more than {max_ratio} times")
                with archive.open(entry) as member:
                    content = member.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise ArchiveError(f"expands to more than {max_bytes} bytes")
                files.append(SnapshotFile(entry.filename, content))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ArchiveError(f"not a readable zip: {error}") from error
    return tuple(sorted(files, key=lambda file: file.name))


def _check_name(name: str) -> None:
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or "\\" in name
        or "\0" in name
        or not path.parts
        or ":" in path.parts[0]
    ):
        raise ArchiveError(f"{name!r} is no plain relative name")
