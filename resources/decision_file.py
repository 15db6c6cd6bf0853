"""decisions.csv of a catalog folder: reviewed decisions appended, never edited, whole or not at all.

Belongs here: adding rows to the file. What a row may say is `methods.pairing.decisions`; reading it as part of a
catalog is `resources.catalog_files`. What stands in the file stays byte for byte as it is.
"""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from resources.atomic_files import write_bytes
from resources.catalog_lists import read_list
from resources.catalog_problems import CatalogError, Problem
from resources.guarded_csv import FORMULA_STARTS
from warehouse.catalog_model import Decision
from warehouse.plain_text import visible

DECISIONS_NAME: Final = "decisions.csv"
COLUMNS: Final = tuple(Decision.model_fields)


def read_decisions(catalog_dir: Path) -> tuple[Decision, ...]:
    """The decisions that stand in a catalog folder now (CatalogError with every line at fault)."""
    problems: list[Problem] = []
    found = read_list(catalog_dir / DECISIONS_NAME, Decision, problems)
    if problems:
        raise CatalogError(problems)
    return found


def append_decisions(
    catalog_dir: Path, make: Callable[[tuple[Decision, ...]], Sequence[Decision]]
) -> tuple[Decision, ...]:
    """Add rows to the decisions of a catalog folder; returns all that stand then.

    Args:
        catalog_dir: the folder.
        make: given what stands now, the rows to add; whatever it raises, nothing is written. No other writer comes
            between.

    Raises:
        CatalogError: if the file that stands is at fault.
        OSError: as the disk says; the old file is untouched.
    """
    path = catalog_dir / DECISIONS_NAME
    with _alone(catalog_dir):
        standing = read_decisions(catalog_dir)
        new = tuple(make(standing))
        if new:
            write_bytes(path, _extended(path, new))
    return (*standing, *new)


def text_fault(text: str) -> str | None:
    """What keeps a text out of the file: a sign that hides, or a beginning that a spreadsheet would run."""
    if text.startswith(FORMULA_STARTS):
        return f"must not begin with {text[0]!r}: a spreadsheet would run it"
    return "holds signs that do not show" if visible(text) != text or "\n" in text else None


def _extended(path: Path, new: Sequence[Decision]) -> bytes:
    before = path.read_bytes() if path.exists() else b""
    columns = COLUMNS
    if before.strip():
        columns = tuple(next(csv.reader(io.StringIO(before.decode("utf-8-sig"), newline=""))))
        before = before if before.endswith(b"\n") else before + b"\n"
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    if not before.strip():
        before = b""
        write.writerow(columns)
    for row in new:
        values = row.model_dump(mode="json")
        write.writerow([values[name] for name in columns])
    return before + out.getvalue().encode()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Holds the folder itself against other writers; leaves no file behind."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
