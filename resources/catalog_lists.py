"""The two CSV files of the catalog folder: reviewed decisions and hand-registered pairs, with line numbers.

Belongs here: reading rows of declared columns into catalog entries. A row at fault is a problem; nothing is skipped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from resources.catalog_problems import Problem, validation_problems
from resources.text_documents import DocumentError, decode
from warehouse.catalog_model import Entry

EntryType = TypeVar("EntryType", bound=Entry)


def read_list(path: Path, entry: type[EntryType], problems: list[Problem]) -> tuple[EntryType, ...]:
    """The rows of a CSV file as entries; a file that is absent has none.

    Args:
        path: the file; its header must be exactly the entry's fields, in any order.
        entry: the type of a row.
        problems: faults are added here.
    """
    if not path.exists():
        return ()
    found = []
    try:
        lines = _lines(decode(path.read_bytes(), path.name))
        _, header = next(lines, (1, []))
        wanted = list(entry.model_fields)
        if sorted(header) != sorted(wanted):
            problems.append(
                Problem(path.name, 1, "", f"columns must be {', '.join(wanted)}; found {', '.join(header)}")
            )
            return ()
        for line, cells in lines:
            if len(cells) != len(header):
                problems.append(Problem(path.name, line, "", f"{len(cells)} cells where the header has {len(header)}"))
                continue
            try:
                found.append(entry.model_validate(dict(zip(header, cells, strict=True))))
            except ValidationError as error:
                problems.extend(validation_problems(error, path.name, line))
    except DocumentError as error:
        problems.append(Problem(path.name, error.line, "", error.message))
    except (OSError, csv.Error) as error:
        problems.append(Problem(path.name, None, "", f"cannot be read: {error}"))
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line it begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    start = 1
    for cells in reader:
        if cells:
            yield start, cells
        start = reader.line_num + 1
