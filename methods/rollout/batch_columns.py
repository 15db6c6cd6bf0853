"""A batch's columns in the types that the stages of a contract need, whatever a file said (METHODS 12).

Belongs here: which column is what. Does not belong here: turning text into numbers (`methods.decision.typed_columns`).
A yes or no in the column of a stop rule is 1 or 0.
"""

from __future__ import annotations

import polars as pl

from methods.decision.samples import REQUIRED, SampleError
from methods.decision.typed_columns import as_type, check_words, wanted_types
from warehouse.release_contract import ReleaseContract


def typed_batch(contract: ReleaseContract, rows: pl.DataFrame) -> pl.DataFrame:
    """A batch with every column that the contract names in its type; other columns stay as they are.

    Raises:
        SampleError: for a required column that is missing or empty somewhere, or a value not of its column's type.
    """
    for name in REQUIRED:
        if name not in rows.columns:
            raise SampleError(f"no column {name}; the batch has {', '.join(rows.columns[:40])}")
        if rows[name].null_count():
            raise SampleError(f"row {int(rows[name].is_null().arg_true()[0]) + 1}: {name} must be stated")
    wanted = wanted_types(contract)
    typed = rows.with_columns(
        as_type(_flags_as_numbers(rows[name], kind), kind) for name, kind in wanted.items() if name in rows.columns
    )
    check_words(typed)
    return typed


def _flags_as_numbers(values: pl.Series, kind: pl.DataType) -> pl.Series:
    return values.cast(pl.Int64) if values.dtype == pl.Boolean and kind == pl.Float64() else values
