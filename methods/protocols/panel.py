"""Losses as a block: candidates by coordinates, once for every protocol and convention (METHODS 8).

Belongs here: from tidy rows in any order to arrays in a total order, and which units count. Does not belong here:
reading files (`resources.loss_files`), any figure (`shifts`).

Losses by unit are summed over the units that every candidate of the coordinate has, so that all are measured on the
same ones; what is left out is counted. Sums are whole: losses become multiples of a power of ten, per coordinate the
finest whose sums stay exact in a float, so that equal sums are equal whatever their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.protocols.rank_agreement import Floats
from methods.statistics.fixed_point import SCALE, fixed_point
from warehouse.protocol_words import LOSS_KEY, LOSS_SCHEMA

Integers = NDArray[np.int64]

EXACT: Final = 2**53
"""Whole numbers up to here are exact as floats."""
DIGITS: Final = 15
"""Decimal digits that a float always keeps."""
LOWEST_POWER: Final = 300
POWERS: Final = np.array([float(f"1e{power}") for power in range(-LOWEST_POWER, LOWEST_POWER + 1)])
"""Powers of ten, each the nearest float, from 10^-LOWEST_POWER on."""


class LossError(ValueError):
    """Losses that make no panel: says which row or entry, and what to do."""


@dataclass(frozen=True)
class Units:
    """The losses of a side by unit.

    Attributes:
        losses: (units of all coordinates, candidates) in whole steps; NaN where a candidate has none.
        start: (coordinates + 1) where the units of each begin.
        set_of: (coordinates) number of the set of its units: coordinates of one site that share a set are measured
            on the same units, and are drawn together. -1 where there is none.
    """

    losses: Floats
    start: Integers
    set_of: Integers


@dataclass(frozen=True)
class Side:
    """One protocol, as it stands or under a convention.

    Attributes:
        protocol, convention: its names; convention None for the protocol as it stands.
        losses: (candidates, coordinates) NaN where there is none. By unit: sums over the common units, in whole steps.
        units: the common units of every coordinate; None where losses are not by unit.
        left_out_units: losses of units that some candidate of the coordinate lacks.
    """

    protocol: str
    convention: str | None
    losses: Floats
    units: Units | None
    left_out_units: int


@dataclass(frozen=True)
class Panel:
    """Losses in a total order: sites, their coordinates, candidates and sides by name.

    Attributes:
        sites: (sites) names. candidates: (candidates) names.
        site: (coordinates) the site each belongs to, ascending.
        coordinates: (coordinates) names, ascending within a site.
        weight: (coordinates) as stated; 1 where none is.
        whole_weight: (coordinates) the weight in billionths, for exact shares.
        sides: by (protocol, convention), the protocol as it stands before its conventions.
        missing: rows that say that a loss was not measured.
    """

    sites: tuple[str, ...]
    candidates: tuple[str, ...]
    site: Integers
    coordinates: tuple[str, ...]
    weight: Floats
    whole_weight: Integers
    sides: tuple[Side, ...]
    missing: int

    def standing(self) -> tuple[Side, ...]:
        """The protocols as they stand."""
        return tuple(side for side in self.sides if side.convention is None)

    def conventions(self, protocol: str) -> tuple[Side, ...]:
        """The declared conventions of a protocol."""
        return tuple(side for side in self.sides if side.protocol == protocol and side.convention is not None)


def build_panel(losses: pl.DataFrame) -> Panel:
    """The panel of tidy losses, rows in any order.

    Args:
        losses: as `LOSS_SCHEMA` has them, `LOSS_KEY` unique, losses finite or null.

    Raises:
        LossError: if there is none, a coordinate has two weights, or a protocol has conventions and does not itself
            stand; also where some rows of a side name a unit and others none.
    """
    if not losses.height:
        raise LossError("there are no losses")
    rows = losses.select(LOSS_SCHEMA.names()).sort(LOSS_KEY)
    columns = _columns(rows)
    candidates = rows["candidate"].unique().sort()
    sites = columns["site"].unique().sort()
    placed = rows.join(columns.select("site", "coordinate", "column"), on=["site", "coordinate"], how="left")
    placed = placed.with_columns(row=_numbers(placed["candidate"], candidates))
    weight = columns["weight"].fill_null(1.0).to_numpy()
    return Panel(
        sites=tuple(sites.to_list()),
        candidates=tuple(candidates.to_list()),
        site=_numbers(columns["site"], sites).to_numpy().astype(np.int64),
        coordinates=tuple(columns["coordinate"].to_list()),
        weight=weight,
        whole_weight=_whole_weights(weight),
        sides=_sides(placed, candidates.len(), columns.height),
        missing=rows["loss"].null_count(),
    )


def _columns(rows: pl.DataFrame) -> pl.DataFrame:
    """One row per (site, coordinate), in order, with its weight."""
    found = rows.select("site", "coordinate", "weight").unique().sort("site", "coordinate", "weight")
    twice = found.filter(found.select("site", "coordinate").is_duplicated())
    if twice.height:
        site, coordinate, _ = twice.row(0)
        stated = [weight for _, _, weight in twice.rows() if weight is not None]
        said = " and ".join(f"{weight:g}" for weight in stated[:2]) + ("" if len(stated) > 1 else " and none")
        raise LossError(f"site {site!r}, coordinate {coordinate!r}: states weights {said}; a coordinate has one weight")
    if 0 < found["weight"].null_count() < found.height:
        row = found.filter(pl.col("weight").is_null()).row(0, named=True)
        raise LossError(
            f"site {row['site']!r}, coordinate {row['coordinate']!r}: states no weight, others do; state all or none"
        )
    return found.with_row_index("column")


def _whole_weights(weight: Floats) -> Integers:
    largest = float(weight.max())
    if largest * SCALE * len(weight) >= EXACT:
        raise LossError(f"weights up to {largest:g} are too large to be summed exactly: divide them all by one number")
    whole = fixed_point(weight)
    if not whole.all():
        raise LossError("a weight below a billionth counts for nothing: multiply all weights by one number")
    return whole


def _numbers(names: pl.Series, ordered: pl.Series) -> pl.Series:
    return names.replace_strict(ordered, pl.Series(range(ordered.len())), return_dtype=pl.Int64)


def _sides(placed: pl.DataFrame, candidates: int, columns: int) -> tuple[Side, ...]:
    sides = []
    for (protocol, convention), rows in placed.group_by("protocol", "convention", maintain_order=True):
        name, variation = str(protocol), None if convention is None else str(convention)
        known = rows.filter(pl.col("loss").is_not_null())
        unnamed = rows["unit"].null_count()
        if 0 < unnamed < rows.height:
            raise LossError(
                f"protocol {name!r}{'' if variation is None else f', convention {variation!r}'}: {unnamed} of "
                f"{rows.height} losses name no unit; name one for all of them or for none"
            )
        sides.append((_by_unit if not unnamed else _as_stated)(name, variation, known, candidates, columns))
    sides.sort(key=lambda side: (side.protocol, side.convention is not None, side.convention or ""))
    standing = {side.protocol for side in sides if side.convention is None}
    for side in sides:
        if side.protocol not in standing:
            raise LossError(
                f"protocol {side.protocol!r} has the convention {side.convention!r}, but no rows of its own; "
                "leave `convention` empty for the protocol as it stands"
            )
    return tuple(sides)


def _as_stated(protocol: str, convention: str | None, known: pl.DataFrame, candidates: int, columns: int) -> Side:
    """A side with one loss a candidate and coordinate."""
    block = np.full((candidates, columns), np.nan)
    block[known["row"].to_numpy(), known["column"].to_numpy()] = known["loss"].to_numpy()
    return Side(protocol, convention, block, None, 0)


def _by_unit(protocol: str, convention: str | None, known: pl.DataFrame, candidates: int, columns: int) -> Side:
    """A side whose losses are given by unit: the units that all candidates of a coordinate share, in whole steps."""
    ordered = known.sort("column", "unit", "row")
    column, row = ordered["column"].to_numpy().astype(np.int64), ordered["row"].to_numpy()
    unit = ordered["unit"].rank("dense").to_numpy().astype(np.int64)
    seen = np.unique(column * candidates + row)
    measured = np.bincount(seen // candidates, minlength=columns)
    begins = np.flatnonzero(np.append(True, (np.diff(column) != 0) | (np.diff(unit) != 0)))[: len(column)]
    lengths = np.diff(np.append(begins, len(column)))
    is_full = lengths == measured[column[begins]]
    kept = np.repeat(is_full, lengths)
    column_of_unit = column[begins][is_full]
    per_column = np.bincount(column_of_unit, minlength=columns)
    start = np.concatenate([[0], np.cumsum(per_column)]).astype(np.int64)
    grid = np.full((len(column_of_unit), candidates), np.nan)
    steps = _in_steps(ordered["loss"].to_numpy()[kept], column[kept], per_column)
    grid[np.repeat(np.arange(len(column_of_unit)), lengths[is_full]), row[kept]] = steps
    block = np.full((candidates, columns), np.nan)
    filled = np.flatnonzero(per_column)
    if len(filled):
        block[:, filled] = np.add.reduceat(grid, start[filled], axis=0).T
    set_of = _unit_sets(unit[begins][is_full], start)
    return Side(protocol, convention, block, Units(grid, start, set_of), int(len(column) - kept.sum()))


def _unit_sets(unit: Integers, start: Integers) -> Integers:
    """The number of each coordinate's set of units; -1 where it has none."""
    numbers: dict[bytes, int] = {}
    set_of = np.full(len(start) - 1, -1, dtype=np.int64)
    for place, (begin, end) in enumerate(pairwise(start.tolist())):
        if end > begin:
            set_of[place] = numbers.setdefault(unit[begin:end].tobytes(), len(numbers))
    return set_of


def _in_steps(losses: Floats, column: Integers, units: Integers) -> Floats:
    """Losses as whole multiples of a power of ten: in every coordinate the finest with which sums stay exact.

    Args:
        losses: (n). column: (n) ascending. units: (coordinates) how many are summed.
    """
    largest = np.zeros(len(units))
    np.maximum.at(largest, column, np.abs(losses))
    # place k: 10^k is the first power of ten not below the number
    above = np.searchsorted(POWERS, largest) - LOWEST_POWER
    room = np.searchsorted(POWERS, EXACT / np.maximum(units, 1), side="right") - 1 - LOWEST_POWER
    digits = np.clip(np.minimum(room, DIGITS) - above, -LOWEST_POWER, LOWEST_POWER)[column]
    factor = POWERS[np.abs(digits) + LOWEST_POWER]
    # both products are made and one is taken: the other may overflow
    with np.errstate(over="ignore"):
        steps: Floats = np.rint(np.where(digits >= 0, losses * factor, losses / factor))
    return steps + 0.0
