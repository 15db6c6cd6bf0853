"""Losses that a user brings, as CSV or Parquet in tidy form: read, checked, and said plainly where something is wrong.

Belongs here: from files to rows of `warehouse.protocol_words.LOSS_SCHEMA`. Does not belong here: what a panel asks of
them together (`methods.protocols.panel`).

CSV: UTF-8, one heading line, one row a loss. An empty `loss` was not measured; an empty `convention` is the protocol as
it stands. Parquet: the same columns, names as text or whole numbers, losses and weights as numbers. Several files are
read as one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from methods.protocols.panel import LossError, build_panel
from resources.csv_records import ragged_record
from resources.evidence_store import FILES_MANIFEST, EvidenceError
from warehouse.plain_text import one_line
from warehouse.protocol_words import LOSS_KEY, LOSS_SCHEMA, REQUIRED_COLUMNS

READ: Final = (".csv", ".parquet")
GZIP: Final = b"\x1f\x8b"
REPEATED: Final = "_duplicated_"
"""What the reader of CSV puts behind a heading that it has met before."""
LARGEST_ROWS: Final = 50_000_000
"""Rows of all files together; more belong to a reduction that is made where they are."""
NUMBERS: Final = ("loss", "weight")
NAMES: Final = tuple(name for name in LOSS_SCHEMA.names() if name not in NUMBERS)
MAY_BE_EMPTY: Final = frozenset({"convention", "unit", *NUMBERS})


def read_losses(folder: Path) -> pl.DataFrame:
    """The losses of a folder of registered evidence (errors as `losses_of`)."""
    return losses_of(sorted(path for path in folder.iterdir() if path.name != FILES_MANIFEST))


def losses_of(files: Sequence[Path]) -> pl.DataFrame:
    """The rows of loss files, as `LOSS_SCHEMA` has them.

    Raises:
        EvidenceError: naming file, row and field, and what to do.
    """
    if not files:
        raise EvidenceError("no file of losses was named")
    frames = [_file(path) for path in files]
    rows = pl.concat(frames)
    if not rows.height:
        raise EvidenceError(f"{files[0].name}: holds no row below its heading")
    if rows.height > LARGEST_ROWS:
        raise EvidenceError(f"{rows.height:,} rows, and {LARGEST_ROWS:,} is the most; average over units first")
    _unique(rows)
    losses = rows.select(LOSS_SCHEMA.names())
    try:
        build_panel(losses)
    except LossError as error:
        raise EvidenceError(f"{', '.join(path.name for path in files)}: {error}") from error
    return losses


def _file(path: Path) -> pl.DataFrame:
    if path.suffix.lower() not in READ:
        raise EvidenceError(f"{path.name}: losses are read from {' and '.join(READ)} files")
    try:
        with path.open("rb") as stream:
            if stream.read(len(GZIP)) == GZIP:
                raise EvidenceError(f"{path.name}: is compressed; unpack it first")
        raw = _csv(path) if path.suffix.lower() == ".csv" else pl.read_parquet(path)
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, UnicodeDecodeError) as error:
        said = one_line(str(error).splitlines()[0])[:200]
        raise EvidenceError(f"{path.name}: is no readable {path.suffix[1:]} file: {said}") from error
    _columns(path.name, raw.columns)
    columns = [_name(path.name, raw, name) if name in NAMES else _number(path.name, raw, name) for name in LOSS_SCHEMA]
    return pl.DataFrame(columns).with_columns(
        file=pl.lit(path.name), row=pl.int_range(1, raw.height + 1, dtype=pl.Int64)
    )  # fmt: skip


def _csv(path: Path) -> pl.DataFrame:
    """The cells as text; a row that is cut off is none whose loss was not measured."""
    with path.open("rb") as stream:
        ragged = ragged_record(stream)
    if ragged is not None:
        raise EvidenceError(f"{path.name}, {ragged}")
    return pl.read_csv(path, infer_schema=False)


def _columns(file: str, found: Iterable[str]) -> None:
    columns = list(found)
    twice = [name for name in LOSS_SCHEMA if any(one.startswith(f"{name}{REPEATED}") for one in columns)]
    if twice:
        raise EvidenceError(f"{file}: column {twice[0]!r} stands twice; keep one of them")
    missing = [name for name in REQUIRED_COLUMNS if name not in columns]
    unknown = [name for name in columns if name not in LOSS_SCHEMA]
    if not missing and not unknown:
        return
    known = f"columns are {', '.join(REQUIRED_COLUMNS)}, and if need be convention, unit, weight"
    if missing:
        near = difflib.get_close_matches(missing[0], unknown, n=1, cutoff=0.4)
        hint = f" (is {near[0]!r} meant?)" if near else ""
        raise EvidenceError(f"{file}: has no column {missing[0]!r}{hint}; {known}")
    near = difflib.get_close_matches(unknown[0], LOSS_SCHEMA.names(), n=1)
    hint = f" (is {near[0]!r} meant?)" if near else ""
    raise EvidenceError(f"{file}: column {one_line(unknown[0])!r} is none of losses{hint}; take it out, {known}")


def _name(file: str, raw: pl.DataFrame, name: str) -> pl.Series:
    """A column of names as text; empty is null, which only some may be."""
    if name not in raw.columns:
        return pl.Series(name, [None] * raw.height, dtype=pl.String)
    column = raw[name]
    if column.dtype != pl.String:
        if not (column.dtype.is_integer() or isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Null)):
            raise EvidenceError(f"{file}: column {name!r} holds {column.dtype}, names are text or whole numbers")
        column = column.cast(pl.String)
    empty = column.is_null() | (column.str.strip_chars() == "")
    if name not in MAY_BE_EMPTY and empty.any():
        raise EvidenceError(f"{file}, row {_first(empty)}, {name}: is empty, and every loss has a {name}")
    return column.set(empty, None)


def _number(file: str, raw: pl.DataFrame, name: str) -> pl.Series:
    """A column of numbers: finite, weights above 0, or null where nothing stands."""
    if name not in raw.columns:
        return pl.Series(name, [None] * raw.height, dtype=pl.Float64)
    column = raw[name]
    if column.dtype == pl.String:
        text = column.str.strip_chars()
        text = text.set(text == "", None)
        column = text.cast(pl.Float64, strict=False)
        _refuse(file, name, text, text.is_not_null() & column.is_null(), "is no number; write it like 0.25")
    elif not (column.dtype.is_numeric() or column.dtype == pl.Null):
        raise EvidenceError(f"{file}: column {name!r} holds {column.dtype}, and not numbers")
    column = column.cast(pl.Float64)
    _refuse(file, name, column, ~column.is_finite() & column.is_not_null(),
            "is not finite; leave it empty where nothing was measured")  # fmt: skip
    if name == "weight":
        _refuse(file, name, column, column <= 0, "is no weight; a coordinate weighs more than 0, or is left out")
    return column.alias(name)


def _refuse(file: str, name: str, column: pl.Series, bad: pl.Series, why: str) -> None:
    if bad.any():
        row = _first(bad)
        raise EvidenceError(f"{file}, row {row}, {name}: {one_line(str(column[row - 1]))[:60]!r} {why}")


def _first(flags: pl.Series) -> int:
    """The number, from 1, of the first row that a flag marks."""
    place = flags.fill_null(value=False).arg_max()
    return 1 + (place or 0)


def _unique(rows: pl.DataFrame) -> None:
    key = rows.select(LOSS_KEY)
    repeated = key.is_duplicated()
    if not repeated.any():
        return
    twice = rows.filter(repeated)
    one = twice.row(0, named=True)
    same = twice.filter(pl.all_horizontal(pl.col(name).eq_missing(pl.lit(one[name])) for name in LOSS_KEY))
    other = same.row(1, named=True)
    told = ", ".join(f"{name} {one[name]!r}" for name in LOSS_KEY if one[name] is not None)
    hint = "" if one["unit"] is not None else "; where they are repeats, tell them apart in a column `unit`"
    raise EvidenceError(
        f"{one['file']}, row {one['row']}: {one_line(told)} stands again in {other['file']}, row {other['row']}{hint}"
    )
