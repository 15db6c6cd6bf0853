"""Files of failures for a regression set: JSON lines, or CSV; and writing a set back, whole or not at all.

Belongs here: from bytes to fields as text. Does not belong here: what keeps a failure out (`methods.regression.rules`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from resources.atomic_files import JsonFileError, parse_json, write_json_lines
from resources.evidence_store import FILES_MANIFEST, EvidenceError
from resources.text_documents import DocumentError, decode
from warehouse.regression_words import FIELDS

LINES: Final = ".jsonl"
TABLE: Final = ".csv"
Failure = dict[str, str | None]


class RegressionFileError(ValueError):
    """A file of failures that cannot be read: names the file, the row and the field, and what is expected."""


def read_failures(path: Path) -> list[Failure]:
    """The failures of a file, in order, every field as text; an empty text is null.

    Raises:
        RegressionFileError: for another ending, a field that is none, or a value that is no text.
        OSError: where it cannot be read.
    """
    if path.suffix not in {LINES, TABLE}:
        raise RegressionFileError(f"{path.name}: a file of failures ends in {LINES} or {TABLE}")
    try:
        text = decode(path.read_bytes(), path.name, "utf-8").removeprefix("\ufeff")
    except DocumentError as error:
        raise RegressionFileError(str(error)) from error
    return _lines(text, path.name) if path.suffix == LINES else _table(text, path.name)


@dataclass(frozen=True, slots=True)
class RegressionSet:
    """A set of failures as it is registered."""

    failures: tuple[Failure, ...]

    @property
    def height(self) -> int:
        """How many failures."""
        return len(self.failures)


def read_set(folder: Path) -> RegressionSet:
    """The set in a folder of registered evidence: the failures of all its files, in order of their names.

    Raises:
        EvidenceError: as `read_failures` says.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.name != FILES_MANIFEST)
        failures = tuple(one for path in files for one in read_failures(path))
    except RegressionFileError as error:
        raise EvidenceError(str(error)) from error
    if not failures:
        raise EvidenceError("the set holds no failure")
    return RegressionSet(failures)


def write_failures(path: Path, failures: Sequence[Failure]) -> None:
    """Write a set as JSON lines, fields that state nothing left out (errors as the operating system says)."""
    write_json_lines(path, [{name: one[name] for name in FIELDS if one.get(name)} for one in failures])


def _lines(text: str, name: str) -> list[Failure]:
    found = []
    for row, line in enumerate((line for line in text.split("\n") if line.strip()), start=1):
        try:
            value = parse_json(line.encode(), f"{name}, row {row}")
        except JsonFileError as error:
            raise RegressionFileError(str(error)) from error
        if not isinstance(value, dict):
            raise RegressionFileError(f"{name}, row {row}: an object with the fields of one failure is expected")
        found.append({field: _text(item, f"{name}, row {row}, {field}") for field, item in value.items()})
    return [_known(one, f"{name}, row {row}") for row, one in enumerate(found, start=1)]


def _table(text: str, name: str) -> list[Failure]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise RegressionFileError(f"{name}: not readable as CSV: {error}") from error
    if not rows:
        raise RegressionFileError(f"{name}: empty; the first line holds the names of the fields")
    head, body = rows[0], [row for row in rows[1:] if row]
    if len(set(head)) != len(head):
        raise RegressionFileError(f"{name}: a field stands twice in the first line")
    for number, row in enumerate(body, start=1):
        if len(row) != len(head):
            raise RegressionFileError(f"{name}, row {number}: {len(row)} cells, {len(head)} fields")
    found = [dict(zip(head, (cell or None for cell in row), strict=True)) for row in body]
    _known(dict.fromkeys(head), f"{name}, first line")
    return [_known(one, f"{name}, row {row}") for row, one in enumerate(found, start=1)]


def _known(failure: Failure, where: str) -> Failure:
    strange = [field for field in failure if field not in FIELDS]
    if strange:
        raise RegressionFileError(f"{where}: no such field {strange[0]!r}; fields are {', '.join(FIELDS)}")
    return failure


def _text(value: Any, where: str) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    raise RegressionFileError(f"{where}: {value!r} is no text")
