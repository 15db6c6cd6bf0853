"""Rows of one file that explain rows of another: read once a snapshot, by their key.

Belongs here: building the tables of a mapping's `joins`. Does not belong here: looking into them (`fields`).
"""

from __future__ import annotations

from collections.abc import Sequence

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.fields import ABSENT, Cell, Joined, applied, found
from resources.connectors.table.file_names import matches
from resources.connectors.table.options import JoinRule, TableOptions
from resources.connectors.table.rows import SourceRow
from resources.connectors.table.scalars import ScalarError
from resources.connectors.table.source_rows import read_rows


def read_joins(options: TableOptions, files: Sequence[SnapshotFile]) -> Joined:
    """The joined rows of a mapping, by name of the join and key.

    Raises:
        ConnectorError: for a file that cannot be read, a join without any file, or a key that two different rows have.
    """
    return {name: _read(name, rule, files) for name, rule in options.joins.items()}


def join_files(options: TableOptions, files: Sequence[SnapshotFile]) -> set[str]:
    """The names of the files that a mapping's joins read."""
    globs = [rule.files for rule in options.joins.values() if rule.files is not None]
    return {file.name for file in files if any(matches(file.name, glob) for glob in globs)}


def _read(name: str, rule: JoinRule, files: Sequence[SnapshotFile]) -> dict[str, Cell]:
    if rule.values is not None:
        return {key: Cell(SourceRow(key, values), "") for key, values in rule.values.items()}
    assert rule.files is not None
    assert rule.key is not None
    chosen = [file for file in files if matches(file.name, rule.files)]
    if not chosen:
        raise ConnectorError(rule.files, f"no file of the snapshot; the join {name!r} reads it")
    known: dict[str, Cell] = {}
    for file in chosen:
        for row in read_rows(file, rule.layout).rows:
            if row.problem is not None:
                raise ConnectorError(file.name, row.problem, row=row.locator)
            cell = Cell(row, file.name)
            try:
                value, used = found(rule.key, cell)
                key = None if value is ABSENT else applied(used, value, "text")
            except ScalarError as error:
                raise ConnectorError(file.name, f"the key of join {name!r}: {error}", row=row.locator) from error
            if key is None:
                continue
            other = known.setdefault(str(key), cell)
            if other is cell or other.row.value == row.value:
                continue
            if rule.repeated == "agreed":
                known[str(key)] = _agreed(other, row)
            else:
                raise ConnectorError(file.name, f"two different rows have the key {key!r}", row=row.locator, field=name)
    return known


def _agreed(first: Cell, second: SourceRow) -> Cell:
    """What two rows of one key both say."""
    one, other = first.row.value, second.value
    both = {name: one[name] for name in one if name in other and one[name] == other[name]}
    return Cell(SourceRow(first.row.locator, both), first.file)
