"""Where two makings of the same tables differ: the first table, and its first rows with both values (METHODS 14).

Belongs here: comparing what a manifest states, what a release stores and what was computed again. Making the tables
again is `pipelines`; reading them is `resources`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from warehouse.contracts import ContractError, TableContract
from warehouse.hashing import table_hash
from warehouse.tables import TABLES

EXAMPLES: Final = 5
RELATIVE_TOLERANCE: Final = 1e-12
_SIDES: Final = ("__in_expected", "__in_actual")

Side = Literal["stored", "recomputed"]


@dataclass(frozen=True, slots=True)
class CellDifference:
    """One value that differs, or a row that only one side has.

    Attributes:
        key: the row's key by column.
        column: the column that differs; None where the whole row is missing on one side.
        expected, actual: both values; for a whole row "row" on the side that has it and None on the other.
    """

    key: Mapping[str, object]
    column: str | None
    expected: object
    actual: object

    @property
    def text(self) -> str:
        """The difference in words."""
        row = ", ".join(f"{name}={value!r}" for name, value in self.key.items())
        if self.column is None:
            return f"row ({row}) is {'missing' if self.actual is None else 'new'}"
        return f"row ({row}), column {self.column}: expected {self.expected!r}, found {self.actual!r}"


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A table whose values are not what the manifest states.

    Attributes:
        table: its name.
        side: whether the release's own Parquet or the recomputation differs.
        expected_hash: what the manifest states; None for a table it does not know.
        actual_hash: what was found; None where the table is missing or breaks its contract.
        problem: why there is no hash; None where there is one.
        cells: the first differences in key order, at most five.
        total: how many cells and whole rows differ.
    """

    table: str
    side: Side
    expected_hash: str | None
    actual_hash: str | None
    problem: str | None = None
    cells: tuple[CellDifference, ...] = ()
    total: int = 0

    @property
    def text(self) -> str:
        """The difference in words, several lines."""
        wanted, found = self.expected_hash or "no such table", self.actual_hash or self.problem or "no such table"
        lines = [f"{self.table} ({self.side}): the manifest says {wanted}, found {found}"]
        lines += [f"  {cell.text}" for cell in self.cells]
        if self.total > len(self.cells):
            lines.append(f"  and {self.total - len(self.cells)} more")
        return "\n".join(lines)


def compare_tables(
    expected: Mapping[str, str],
    stored: Mapping[str, pl.DataFrame],
    recomputed: Mapping[str, pl.DataFrame],
    tolerant: frozenset[str] = frozenset(),
) -> list[TableDifference]:
    """Every table in which manifest, stored Parquet and recomputation are not all equal.

    Tables stand in the order of a row's journey, so that the first named is where the difference began; a table whose
    Parquet was changed is named before what was computed again.

    Args:
        expected: table hash by table, from the manifest.
        stored: the release's own tables.
        recomputed: the tables made again from the release's own inputs.
        tolerant: tables for which the manifest promises equality of numbers to 1e-12 relative instead of equal bits.
    """
    differences = []
    known = {*expected, *stored, *recomputed}
    order = [name for name in TABLES if name in known]
    for name in [*order, *sorted(known - set(order))]:
        sides: tuple[tuple[Side, Mapping[str, pl.DataFrame]], ...] = (("stored", stored), ("recomputed", recomputed))
        for side, frames in sides:
            reference = stored.get(name) if side == "recomputed" else recomputed.get(name)
            loose = side == "recomputed" and name in tolerant
            found = _compare(name, side, expected.get(name), frames.get(name), reference, loose)
            if found is not None:
                differences.append(found)
    return differences


def _compare(
    name: str,
    side: Side,
    expected: str | None,
    frame: pl.DataFrame | None,
    reference: pl.DataFrame | None,
    is_tolerant: bool,
) -> TableDifference | None:
    contract = TABLES.get(name)
    if frame is None or contract is None:
        return TableDifference(name, side, expected, None, "the table is missing" if contract else "no such contract")
    try:
        actual = table_hash(frame, contract)
    except ContractError as error:
        return TableDifference(name, side, expected, None, str(error))
    if actual == expected:
        return None
    cells, total = ((), 0) if reference is None else differing_cells(contract, reference, frame)
    if (
        is_tolerant
        and reference is not None
        and differing_cells(contract, reference, frame, RELATIVE_TOLERANCE)[1] == 0
    ):
        return None
    return TableDifference(name, side, expected, actual, None, cells, total)


def differing_cells(
    contract: TableContract, expected: pl.DataFrame, actual: pl.DataFrame, tolerance: float = 0.0
) -> tuple[tuple[CellDifference, ...], int]:
    """The first cells, in key order, in which two frames of one contract differ, and how many differ in all.

    Columns outside the table hash are not compared. A row that one side lacks counts once.

    Args:
        contract: the contract of both.
        expected, actual: the frames.
        tolerance: relative difference up to which two numbers count as equal.
    """
    left = expected.select(contract.columns).with_columns(pl.lit(True).alias(_SIDES[0]))
    right = actual.select(contract.columns).with_columns(pl.lit(True).alias(_SIDES[1]))
    joined = left.join(right, on=contract.key, how="full", nulls_equal=True, coalesce=True, suffix="__actual").sort(
        contract.key, nulls_last=False
    )
    both = pl.col(_SIDES[0]).is_not_null() & pl.col(_SIDES[1]).is_not_null()
    compared = [name for name in contract.columns if name not in contract.key and name not in contract.unhashed]
    differs = {name: _differs(contract, name, tolerance) & both for name in compared}
    marked = joined.with_columns(
        (~both).alias("__row"), *(flag.alias(f"__differs_{name}") for name, flag in differs.items())
    )
    flags = ["__row", *(f"__differs_{name}" for name in compared)]
    total = int(marked.select(pl.sum_horizontal(pl.col(flag).sum() for flag in flags)).item())
    first = marked.filter(pl.any_horizontal(flags)).head(EXAMPLES).to_dicts()
    cells: list[CellDifference] = []
    for row in first:
        key = {name: row[name] for name in contract.key}
        if row["__row"]:
            sides = tuple("row" if row[side] else None for side in _SIDES)
            cells.append(CellDifference(key, None, *sides))
        cells += [
            CellDifference(key, name, row[name], row[f"{name}__actual"])
            for name in compared
            if row[f"__differs_{name}"]
        ]
    return tuple(cells[:EXAMPLES]), total


def _differs(contract: TableContract, name: str, tolerance: float) -> pl.Expr:
    left, right = pl.col(name), pl.col(f"{name}__actual")
    if tolerance and contract.entries[name].type == "number":
        close = (left - right).abs() <= tolerance * pl.max_horizontal(left.abs(), right.abs())
        return (left.is_null() != right.is_null()) | ~close.fill_null(value=True)
    return left.ne_missing(right)
