"""Files that appear whole or not at all, and strict JSON on top of them.

Belongs here: how bytes get to the disk safely. Does not belong here: what the bytes mean. A file is written beside its
target, synced, and renamed onto it; an error (a full disk among them) leaves the old file untouched and nothing beside
it. Only a killed process can leave a temporary file, which `remove_leftovers` clears at the next start.
"""

from __future__ import annotations

import glob
import json
import math
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from warehouse.canonical import Json

TEMPORARY_PREFIX: Final = "."
TEMPORARY_SUFFIX: Final = ".tmp"
_TEMPORARY: Final = re.compile(
    re.escape(TEMPORARY_PREFIX) + "(.+)" + r"\.[0-9a-f]{12}" + re.escape(TEMPORARY_SUFFIX), re.DOTALL
)


class JsonFileError(ValueError):
    """A file that is not the JSON it must be: names the file, and the line where there are lines."""


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: after a power cut a renamed file stays renamed."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the bytes of a closed file durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents durably; one that stands already is left alone."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in reversed(missing):
        sync_folder(made.parent)


def temporary_path(target: Path) -> Path:
    """A fresh name beside the target, hidden and ending in `.tmp`."""
    return target.with_name(f"{TEMPORARY_PREFIX}{target.name}.{secrets.token_hex(6)}{TEMPORARY_SUFFIX}")


def target_of(path: Path) -> Path:
    """What a temporary path stands for; any other path is itself. Nobody asked for a temporary one: it is not told."""
    named = _TEMPORARY.fullmatch(path.name)
    return path if named is None else path.with_name(named[1])


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path to write to; on a clean exit sync it and rename it onto the target.

    On any error the temporary file (and a database log beside it) is removed, the target stays as it was, and the
    error goes on.
    """
    make_folder(target.parent)
    temporary = temporary_path(target)
    try:
        yield temporary
        sync_file(temporary)
        temporary.replace(target)
    except BaseException:
        for rest in target.parent.glob(f"{glob.escape(temporary.name)}*"):
            rest.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def write_bytes(target: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        OSError: as the operating system says (disk full, quota, no permission); the old file is untouched.
    """
    with replacing(target) as temporary, temporary.open("xb") as stream:
        stream.write(data)


def json_bytes(value: Json) -> bytes:
    """A value as strict, readable JSON: sorted keys, two spaces, UTF-8, a final newline.

    Raises:
        ValueError: for NaN or an infinity.
    """
    text = json.dumps(value, allow_nan=False, sort_keys=True, indent=2, ensure_ascii=False)
    return text.encode() + b"\n"


def line_bytes(value: Json) -> bytes:
    """A value as one line of strict JSON with its newline.

    Raises:
        ValueError: for NaN or an infinity.
    """
    text = json.dumps(value, allow_nan=False, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def write_json(target: Path, value: Json) -> None:
    """Write a value as strict JSON, whole or not at all (errors as `json_bytes` and `write_bytes`)."""
    write_bytes(target, json_bytes(value))


def write_json_lines(target: Path, values: Iterable[Json]) -> None:
    """Write values as JSON lines, whole or not at all (errors as `line_bytes` and `write_bytes`)."""
    write_bytes(target, b"".join(line_bytes(value) for value in values))


def append_json_line(target: Path, value: Json) -> None:
    """Append one line durably. The caller holds the home lock: one writer at a time.

    What a killed writer left after the last newline was never acknowledged and is cut off first. If the write fails
    the file is cut back to where it was.

    Raises:
        OSError: as the operating system says.
        ValueError: for NaN or an infinity.
    """
    line = line_bytes(value)
    make_folder(target.parent)
    is_new = not target.exists()
    with target.open("ab+", buffering=0) as stream:
        end = _end_of_last_line(stream)
        stream.truncate(end)
        try:
            _write_all(stream, line)
            os.fsync(stream.fileno())
        except BaseException:
            stream.truncate(end)
            raise
    if is_new:
        sync_folder(target.parent)


def _write_all(stream: Any, data: bytes) -> None:
    """Write every byte: an unbuffered write may be short (a full disk) before the next one raises."""
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]


def _end_of_last_line(stream: Any) -> int:
    """The offset after the last newline of a file; 0 where it holds none."""
    end: int = stream.seek(0, os.SEEK_END)
    while end > 0:
        start = max(0, end - 65536)
        stream.seek(start)
        found = stream.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + int(found) + 1
        end = start
    return 0


def _refuse_constant(token: str) -> float:
    raise ValueError(f"{token} is no JSON number")


def _finite(token: str) -> float:
    number = float(token)
    if not math.isfinite(number):
        raise ValueError(f"{token} is beyond what a number can hold")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice")
        found[key] = value
    return found


def parse_json(data: bytes, name: str) -> Any:
    """Strict JSON: UTF-8, no NaN or infinity, no key twice.

    Raises:
        JsonFileError: naming the file and the fault.
    """
    try:
        return json.loads(
            data.decode(), parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as error:
        raise JsonFileError(f"{name}: not readable as JSON: {error}") from error


def read_json(path: Path) -> Any:
    """The value of a JSON file (FileNotFoundError where there is none; errors as `parse_json`)."""
    return parse_json(path.read_bytes(), str(path))


def read_json_lines(path: Path) -> list[Any]:
    """The values of a JSON-lines file in order; none where there is no file.

    What stands after the last newline was torn off by a killed writer and is passed over. A broken line before it is
    damage and is not.

    Raises:
        JsonFileError: naming the file and the line.
    """
    if not path.exists():
        return []
    whole = path.read_bytes().split(b"\n")[:-1]
    return [parse_json(line, f"{path}, line {number}") for number, line in enumerate(whole, start=1)]


def days_named(names: Iterable[str]) -> list[date]:
    """The days (YYYY-MM-DD) among the names of a folder, ascending; whatever else lies there is none of ours."""
    found = []
    for name in names:
        with suppress(ValueError):
            found.append(date.fromisoformat(name))
    return sorted(found)


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove what killed writers left in a folder (not below it); returns what was removed.

    The caller holds the home lock: nobody else is writing.
    """
    found = sorted(folder.glob(f"{TEMPORARY_PREFIX}*{TEMPORARY_SUFFIX}*")) if folder.is_dir() else []
    for path in found:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return found
