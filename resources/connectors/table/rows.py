"""A row of a file as every reader hands it on, and the header of a table.

Belongs here: what readers share. Does not belong here: any format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from resources.connectors.errors import ConnectorError

RAW_LENGTH: Final = 200
ASIDE: Final = "::"
"""Between a column's name and what its cell holds beside its text: `Model::link`, `Score::notes`."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of a file.

    Attributes:
        locator: where it stands in its file.
        value: the row: a mapping of columns or keys, or a bare value.
        parents, keys: as in `tree_paths.TreeRow`; empty for tables.
        problem: why the row cannot be read; its `raw` is then what can be shown of it.
    """

    locator: str
    value: Any
    parents: tuple[Any, ...] = ()
    keys: tuple[str, ...] = ()
    problem: str | None = None
    raw: str | None = None


Read = tuple[tuple[str, ...] | None, Iterator[SourceRow]]


def header(cells: Sequence[str], name: str) -> tuple[str, ...]:
    """The columns of a table.

    Raises:
        ConnectorError: if a name repeats, so that a row would lose one of its cells.
    """
    repeated = sorted({cell for cell in cells if cells.count(cell) > 1})
    if repeated:
        raise ConnectorError(name, f"columns repeat: {', '.join(map(repr, repeated))}", row="header")
    return tuple(cells)
