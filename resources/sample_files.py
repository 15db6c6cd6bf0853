"""Samples on disk, CSV, JSON lines and Parquet, as the rows of a decision.

Belongs here: one file into rows of the columns that a contract needs. Does not belong here: which files make one
evidence and what they state about themselves (`sample_evidence`), logs of other tools (`resources.logs`), types and
meaning (`methods.decision`).

CSV is read as text, so that a task called 007 stays so; a cell without text is missing. Nothing is inferred.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.csv

from resources.checked_lines import check_lines
from resources.evidence_store import EvidenceError

LINES: Final = (".jsonl", ".ndjson")
SUFFIXES: Final = (".csv", *LINES, ".parquet")
_KINDS: Final = (
    (bool, "true or false"), (int | float, "a number"), (list, "a list"), (dict, "an object"),
)  # fmt: skip
"""Kinds of JSON values; null and texts are of none. Booleans come before numbers, as which they count in Python."""
_NESTED: Final = (pl.List, pl.Struct, pl.Array, pl.Object)


def read_rows(
    path: Path,
    wanted: Collection[str],
    renamed: Mapping[str, str],
    lists: Collection[str] = (),
    few: Collection[str] = (),
) -> pl.DataFrame:
    """The wanted columns of one file, under the contract's names.

    Args:
        path: the file; its suffix says what it is.
        wanted: names of columns; others are not read.
        renamed: name in the file by the name wanted, where they differ.
        lists: wanted columns that may hold lists.
        few: wanted columns of few different texts, which are kept once each.

    Raises:
        EvidenceError: for a file that is not what its suffix says, naming the row where one is at fault.
    """
    try:
        if path.suffix == ".parquet":
            source = pl.scan_parquet(path)
        elif path.suffix == ".csv":
            source = _csv_rows(path).lazy()
        else:
            source = pl.scan_ndjson(path, infer_schema_length=None)
        schema = source.collect_schema()
        chosen = {name: renamed.get(name, name) for name in wanted if renamed.get(name, name) in schema}
        nested = [own for name, own in chosen.items() if isinstance(schema[own], _NESTED) and name not in lists]
        if nested:
            raise EvidenceError(f"{path.name}: column {nested[0]} holds lists or objects; a sample is one flat row")
        if path.suffix in LINES:
            check_lines(path, list(chosen.values()), {own for name, own in chosen.items() if name in lists})
        columns = (_column(own, name, name in few and schema[own] == pl.String) for name, own in chosen.items())
        frame = source.select(columns).collect()
    except (pl.exceptions.PolarsError, pa.ArrowException, OSError, UnicodeError, csv.Error) as error:
        raise EvidenceError(f"{path.name}: {_fault(path) or str(error).splitlines()[0]}") from error
    if not frame.height:
        raise EvidenceError(f"{path.name}: holds no row")
    return frame


def _csv_rows(path: Path) -> pl.DataFrame:
    """The cells of a CSV as text, an empty one as null; a row of another length than the header is an error."""
    with path.open(encoding="utf-8", newline="") as stream:
        header = next(csv.reader(stream, strict=True), None)
    if not header:
        raise csv.Error("empty")
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise csv.Error(f"column {twice} stands twice in the header")
    read = pyarrow.csv.read_csv(
        path,
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(header, pa.string()), null_values=[""], strings_can_be_null=True
        ),
    )
    found = pl.from_arrow(read)
    assert isinstance(found, pl.DataFrame)
    return found


def _column(own: str, name: str, has_few: bool) -> pl.Expr:
    """A column under the name wanted; texts that repeat are kept once each."""
    return (pl.col(own).cast(pl.Categorical) if has_few else pl.col(own)).alias(name)


def _fault(path: Path) -> str | None:
    """The first row that cannot be read, in words; None where none is found."""
    try:
        if path.suffix == ".csv":
            return _csv_fault(path)
        if path.suffix in LINES:
            return _line_fault(path)
    except (OSError, UnicodeError, csv.Error) as error:
        return str(error)
    return None


def _csv_fault(path: Path) -> str | None:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream, strict=True)
        header = next(rows, None) or []
        for number, row in enumerate(rows, start=1):
            if len(row) != len(header):
                return f"row {number} has {len(row)} cells, the header {len(header)}"
    return None


def _line_fault(path: Path) -> str | None:
    kinds: dict[str, str] = {}
    mixed: str | None = None
    with path.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line, parse_constant=_no_constant)
            except (ValueError, RecursionError) as error:
                return f"line {number}: not JSON: {error}"
            if not isinstance(value, dict):
                return f"line {number}: not an object"
            large = next((name for name, one in value.items() if _is_beyond(one)), None)
            if large is not None:
                return f"line {number}: {large} holds a whole number beyond 64 bits; write it as text"
            mixed = mixed or _mixed_kinds(value, kinds, number)
    return mixed or (None if kinds else "holds no row")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON; write null where there is none")


def _is_beyond(value: object) -> bool:
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63


def _mixed_kinds(row: Mapping[str, object], kinds: dict[str, str], number: int) -> str | None:
    """The first column of a row that is of another kind than in the rows before; texts go with all."""
    for name, value in row.items():
        kind = next((said for types, said in _KINDS if isinstance(value, types)), None)
        if kind is not None and kinds.setdefault(name, kind) != kind:
            return f"line {number}: {name} holds {kind}, and {kinds[name]} in lines before; a column is of one kind"
    return None
