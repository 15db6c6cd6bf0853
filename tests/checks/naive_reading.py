"""A naive reading of clauses, row by row in plain Python: what the engine must agree with (C10)."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from checks.clauses import Clause


def _is_null(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def naive(frame: pl.DataFrame, clause: Clause) -> tuple[bool, int, int]:
    """Whether the clause holds, how many rows it looked at, how many of them break it."""
    if clause.kind == "unique":
        keys = [tuple(row) for row in frame.select(clause.columns).iter_rows()]
        bad = sum(keys.count(key) > 1 for key in keys)
        return not bad, len(keys), bad
    if clause.holds is not None:
        values = frame.select(clause.holds.alias("holds"))["holds"].to_list()
        values = values * frame.height if len(values) == 1 else values
    else:
        values = frame[clause.columns[0]].to_list()
    present = [value for value in values if not _is_null(value)]
    if clause.kind == "not_null":
        return len(present) == len(values), len(values), len(values) - len(present)
    if clause.kind == "some_value":
        return bool(present), len(values), 0
    if clause.kind == "in_set":
        bad = sum(value not in clause.words for value in present)
    elif clause.kind == "between":
        low = -math.inf if clause.low is None else clause.low
        high = math.inf if clause.high is None else clause.high
        bad = sum(not low <= value <= high for value in present)
    else:
        bad = sum(value is not True for value in present)
    return not bad, len(present), bad
