"""The columns of a file of judgments, and the error that names file, row and field.

Belongs here: names. What a column may hold stands where it is read: `calls`, `item_facts`, `stacks`.
"""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from warehouse.judge_words import STACK_FIELDS
from warehouse.plain_text import one_line

FILE, ROW = "#file", "#row"
"""Where a row stands, so that what is wrong with it can be found; names that no file's own column has."""

ORDERS: Final = ("ab", "ba")
CALL_FIELDS: Final = ("first_prob", "verdict", "status", "cost", "cost_reserve")
"""What each order may state, as `first_prob_ab`, `first_prob_ba`, ..."""
CALL_COLUMNS: Final = tuple(f"{field}_{order}" for field in CALL_FIELDS for order in ORDERS)
ITEM_FACTS: Final = ("task_type", "cluster", "split", "gold", "label_1", "label_2", "adjudication_reason")
"""What is true of an item whoever judges it; stated on any of its rows."""
SLICE_PREFIX: Final = "slice_"
UNREAD: Final = ("shown_first",)
"""Columns of a sheet for people that say nothing to us, so that a filled sheet can be read as it is."""
COLUMNS: Final = ("item", "judge", "repeat", *ITEM_FACTS, *CALL_COLUMNS, *STACK_FIELDS)


class JudgmentsError(ValueError):
    """Judgments that cannot be what they say: names file, row and field, and what to do."""


def known_column(name: str) -> bool:
    """Whether a file of judgments may have such a column."""
    return name in COLUMNS or name in UNREAD or (name.startswith(SLICE_PREFIX) and len(name) > len(SLICE_PREFIX))


def place(row: dict[str, Any]) -> str:
    """Where a row stands: judgments.csv, row 7."""
    return f"{one_line(row[FILE])}, row {row[ROW]}"


def refuse(rows: pl.DataFrame, field: str, said: str) -> None:
    """Refuses rows at fault, naming the first and counting the rest.

    Args:
        rows: those at fault, with file, row and the field; none is fine.
        field: the column.
        said: what is wrong, after the value: "is no number from 0 to 1".

    Raises:
        JudgmentsError: if there are any.
    """
    if not rows.height:
        return
    first = rows.select(FILE, ROW, pl.col(field).alias("value")).row(0, named=True)
    more = f" (and {rows.height - 1:,} more rows)" if rows.height > 1 else ""
    value = "nothing" if first["value"] is None else repr(one_line(first["value"]))
    raise JudgmentsError(f"{place(first)}, {field}: {value} {said}{more}")
