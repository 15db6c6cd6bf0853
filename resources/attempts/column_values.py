"""Columns of records as Arrow holds them, as distinct texts with codes, and as numbers that are there or not.

Belongs here: values of one column. Does not belong here: which columns a file has (`record_files`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from methods.harness.records import SCORE_MISSING, SCORE_OK, SCORE_UNREADABLE, Column
from resources.guarded_csv import unguard

_PLAIN: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


def encoded(chunked: pa.ChunkedArray) -> Column:
    """A column as distinct texts and codes."""
    array = _whole(chunked)
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        array = pc.binary_join(pc.cast(array, pa.list_(pa.string())), ";")
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    values = [_plain(value) for value in array.dictionary.to_pylist()]
    codes = _numpy(_filled(pc.cast(array.indices, pa.int32()), -1), np.int32)
    return _distinct(values, codes)


def _whole(chunked: pa.ChunkedArray) -> pa.Array:
    """The column in one piece."""
    if chunked.num_chunks == 1:
        return chunked.chunk(0)
    joined = chunked.combine_chunks()
    return joined.combine_chunks() if isinstance(joined, pa.ChunkedArray) else joined


def _filled(array: pa.Array, value: float) -> pa.Array:
    """The column with a number for each null; asked for only where there is one, since Arrow loads pandas for it."""
    return array.fill_null(value) if array.null_count else array


def _numpy(array: pa.Array, kind: type[np.generic]) -> NDArray[Any]:
    """Numbers without nulls, as they lie in memory; Arrow's own conversion would load pandas first."""
    if not len(array):
        return np.zeros(0, dtype=kind)
    found: NDArray[Any] = np.frombuffer(array.buffers()[1], dtype=kind, count=len(array) + array.offset)
    return found[array.offset :]


def _distinct(values: Sequence[str | None], codes: NDArray[np.int32]) -> Column:
    """Codes of distinct texts, where texts may repeat or be nothing."""
    places: dict[str, int] = {}
    table = [-1 if value is None else places.setdefault(value, len(places)) for value in values]
    return Column(tuple(places), np.array([*table, -1], dtype=np.int32)[codes])


def _plain(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def numbers(table: pa.Table, name: str) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """A column of numbers, and for each row whether one is there, missing, or unreadable."""
    if name not in table.column_names:
        return np.zeros(table.num_rows), np.full(table.num_rows, SCORE_MISSING, dtype=np.int8)
    column = table.column(name)
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        is_null = _numpy(_whole(pc.cast(column.is_null(), pa.uint8())), np.uint8).astype(np.bool_)
        values = _numpy(_filled(_whole(pc.cast(column, pa.float64())), 0.0), np.float64)
        state = np.where(is_null, SCORE_MISSING, np.where(np.isfinite(values), SCORE_OK, SCORE_UNREADABLE))
        return np.where(state == SCORE_OK, values, 0.0), state.astype(np.int8)
    texts = encoded(column)
    read = [_number(text) for text in texts.values]
    values = np.array([0.0 if one is None else one for one in read] + [0.0])[texts.codes]
    states = [SCORE_UNREADABLE if one is None else SCORE_OK for one in read]
    return values, np.array([*states, SCORE_MISSING], dtype=np.int8)[texts.codes]


def _number(text: str) -> float | None:
    stripped = unguard(text).strip()
    number = float(stripped) if _PLAIN.fullmatch(stripped) else float("inf")
    return number if abs(number) != float("inf") else None
