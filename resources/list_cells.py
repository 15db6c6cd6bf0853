"""Lists in files of samples: a JSON array, or ids between `|`, in a text cell; arrays where the form has them.

Belongs here: from a cell to a list of texts. Does not belong here: what the list means (`methods.components`). An empty
cell is a null: nothing was stated. `[]` is an empty list: it was stated that there is none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

import polars as pl

BETWEEN: Final = "|"


class ListCellError(ValueError):
    """A cell that holds no list of texts: names the row and the column."""


def with_lists(samples: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
    """The samples, the named columns being lists of texts.

    Args:
        samples: a text cell holds a JSON array of texts and whole numbers, or texts between `|`.
        columns: names; one that the samples lack is passed over.

    Raises:
        ListCellError: naming the first row that holds anything else.
    """
    for name in columns:
        if name in samples.columns:
            samples = samples.with_columns(_lists(samples[name]))
    return samples


def _lists(cells: pl.Series) -> pl.Series:
    if isinstance(cells.dtype, pl.List):
        return cells.cast(pl.List(pl.String))
    if cells.dtype == pl.Null:
        return cells.cast(pl.List(pl.String))
    if cells.dtype != pl.String:
        raise ListCellError(f"{cells.name}: {cells.dtype} is no list; write a JSON array of texts")
    known: dict[str, list[str]] = {}
    for number, cell in enumerate(cells.to_list(), start=1):
        if cell is not None and cell not in known:
            known[cell] = _list(cell, cells.name, number)
    return pl.Series(cells.name, [None if cell is None else known[cell] for cell in cells], dtype=pl.List(pl.String))


def _list(cell: str, column: str, row: int) -> list[str]:
    text = cell.strip()
    if not text.startswith("["):
        parts = [part.strip() for part in text.split(BETWEEN)]
        if not all(parts):
            raise ListCellError(f"row {row}, {column}: {cell!r} has an empty part; nothing at all is written []")
        return parts
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ListCellError(f"row {row}, {column}: {cell!r} is no JSON array: {error}") from error
    if not all(isinstance(item, str | int) and not isinstance(item, bool) for item in found):
        raise ListCellError(f"row {row}, {column}: {cell!r} holds something other than texts and whole numbers")
    return [str(item) for item in found]
