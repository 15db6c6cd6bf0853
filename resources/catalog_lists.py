"""The two CSV files of the catalog folder: reviewed decisions and hand-registered pairs, with line numbers.

Belongs here: reading rows of declared columns into catalog entries. A row at fault is a problem; nothing is skipped.
"""

from __future__ import annotations

import csv
import io
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
    try:
        text = decode(path.read_bytes(), path.name)
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        header = next(reader, [])
        wanted = list(entry.model_fields)
        if sorted(header) != sorted(wanted):
            problems.append(
                Problem(path.name, 1, "", f"columns must be {', '.join(wanted)}; found {', '.join(header)}")
            )
            return ()
        return _rows(reader, header, path.name, entry, problems)
    except (DocumentError, OSError, csv.Error) as error:
        problems.append(Problem(path.name, getattr(error, "line", None), "", getattr(error, "message", str(error))))
        return ()


def _rows(
    reader: object, header: list[str], name: str, entry: type[EntryType], problems: list[Problem]
) -> tuple[EntryType, ...]:
    found = []
    start = 2
    for cells in reader:  # type: ignore[attr-defined]
        line, start = start, reader.line_num + 1  # type: ignore[attr-defined]
        if not cells:
            continue
        if len(cells) != len(header):
            problems.append(Problem(name, line, "", f"{len(cells)} cells where the header has {len(header)}"))
            continue
        try:
            found.append(entry.model_validate(dict(zip(header, cells, strict=True))))
        except ValidationError as error:
            problems.extend(validation_problems(error, name, lambda _path, at=line: at))  # type: ignore[misc]
    return tuple(found)
