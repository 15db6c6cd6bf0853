"""Columns of a large frame as Python values that share their texts.

A release names its few leaderboards, models and benchmarks a hundred thousand times; as one object each they take a
tenth of the memory.
"""

from __future__ import annotations

from typing import Any

import polars as pl


def text_sharing_columns(frame: pl.DataFrame) -> list[list[Any]]:
    """The columns of a frame as lists in which equal texts are one object; numbers stay as they are, -0.0 included."""
    one: dict[str | None, str | None] = {}
    return [
        [one.setdefault(text, text) for text in series] if series.dtype == pl.String else series.to_list()
        for series in frame.get_columns()
    ]
