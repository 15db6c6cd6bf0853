"""Files of logs as parsed JSON: whole documents, and documents line by line, each error with its place."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.packed import unpacked
from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError

MAX_FILE_BYTES: Final = 256_000_000
MAX_LINE_BYTES: Final = 64_000_000
MAX_FILES: Final = 200_000
MAX_DEPTH: Final = 128
_GZIP: Final = ".gz"


class LogFileError(ConnectorError):
    """A file of a log that cannot be read, or cannot be read without a choice that only the user can make."""


def log_files(root: Path, *suffixes: str) -> list[tuple[str, Path]]:
    """The files below a folder, or the one file, that end so; by name within it, sorted. Links are not followed.

    Raises:
        LogFileError: where there is none, or there are more than are read.
    """
    if root.is_file():
        return [(root.name, root)]
    found = [
        (path.relative_to(root).as_posix(), path)
        for path in root.rglob("*")
        if path.name.endswith(suffixes) and path.is_file() and not path.is_symlink()
    ]
    if not found:
        raise LogFileError(str(root), f"holds no file that ends in {', '.join(suffixes)}")
    if len(found) > MAX_FILES:
        raise LogFileError(str(root), f"{len(found)} files; at most {MAX_FILES} are read")
    return sorted(found)


def parsed(data: bytes, name: str) -> Any:
    """One document (LogFileError naming file and line)."""
    try:
        return as_floats(load_json(data, name, max_bytes=MAX_FILE_BYTES, max_depth=MAX_DEPTH))
    except DocumentError as error:
        row = None if error.line is None else f"line {error.line}"
        raise LogFileError(name, error.message, row=row) from error


def read_file(path: Path, name: str) -> bytes:
    """A file's bytes, unpacked where it is gzipped.

    Raises:
        LogFileError: for one that is too large, packed or not.
    """
    if path.stat().st_size > MAX_FILE_BYTES:
        raise LogFileError(name, f"{path.stat().st_size} bytes; at most {MAX_FILE_BYTES} are read")
    try:
        return unpacked([SnapshotFile(name, path.read_bytes())])[0].data
    except ConnectorError as error:
        raise LogFileError(name, error.message) from error


def document(path: Path, name: str) -> Any:
    """A file as one document (LogFileError)."""
    return parsed(read_file(path, name), name)


def json_lines(path: Path, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers; a file of any size, one line at a time.

    Raises:
        LogFileError: for a line that is too long.
    """
    number = 0
    with gzip.open(path, "rb") if path.name.endswith(_GZIP) else path.open("rb") as stream:
        try:
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise LogFileError(name, f"longer than {MAX_LINE_BYTES} bytes", row=f"line {number}")
                if line.strip():
                    yield number, line
        except (gzip.BadGzipFile, EOFError) as error:
            raise LogFileError(name, f"not gzip, or cut short: {error}", row=f"line {number + 1}") from error
