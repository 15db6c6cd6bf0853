"""JSON lines that fast readers take for something else: a key twice in a line, an object where a text belongs.

Belongs here: finding the line. Does not belong here: reading the values (`resources.sample_files`); a whole document
is read strictly by `resources.json_documents`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from resources.evidence_store import EvidenceError
from resources.json_documents import load_json
from resources.text_documents import DocumentError

BYTES_AT_ONCE: Final = 64 << 20


def check_lines(path: Path, names: Sequence[str], lists: Collection[str]) -> None:
    """Refuses a file in which a line has one of some keys more than once, or an object or a list under it.

    A line is read strictly only where it may be so: where a name in quotes with a colon stands twice or before a
    bracket, as text within a value might, or where an escape could hide one. Lines that are no JSON are left to their
    reader.

    Args:
        path: the file.
        names: the keys that are read.
        lists: those of them that may hold lists.

    Raises:
        EvidenceError: naming file, line and key.
    """
    with path.open("rb") as stream:
        first = 1
        while lines := stream.readlines(BYTES_AT_ONCE):
            _check(path.name, lines, first, names, lists)
            first += len(lines)


def _check(file: str, lines: Sequence[bytes], first: int, names: Sequence[str], lists: Collection[str]) -> None:
    texts = pl.Series(lines, dtype=pl.Binary).cast(pl.String, strict=False)
    may = texts.str.contains("\\u", literal=True)
    for name in names:
        key = f'"{re.escape(name)}"\\s*:'
        may |= texts.str.count_matches(key) > 1
        if name not in lists:
            may |= texts.str.contains(f"{key}\\s*[{{\\[]")
    for place in may.fill_null(value=False).arg_true().to_list():
        where = f"{file}, line {first + place}"
        try:
            record = load_json(lines[place], where)
        except DocumentError as error:
            if "repeats" in error.message:
                raise EvidenceError(f"{where}: {error.message}; keep one of them") from error
            continue
        nested = record if isinstance(record, dict) else {}
        for name in names:
            if name not in lists and isinstance(nested.get(name), dict | list):
                raise EvidenceError(f"{where}, {name}: holds an object or a list; a sample is one flat row")
