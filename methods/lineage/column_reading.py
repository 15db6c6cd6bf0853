"""Columns of tables that may lie on a disk: a few of them are asked for without reading the others.

Belongs here: what a mapping of tables can offer beside whole tables. How columns are read is `resources`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import polars as pl


@runtime_checkable
class ReadsColumns(Protocol):
    """A mapping of tables that reads columns by themselves."""

    def narrowed(self, name: str, columns: Sequence[str]) -> pl.DataFrame:
        """These columns of a table, its rows in key order."""


def columns_of(tables: Mapping[str, pl.DataFrame], name: str, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns of a table, its rows in key order (KeyError for a table that is not there)."""
    return tables.narrowed(name, columns) if isinstance(tables, ReadsColumns) else tables[name].select(columns)
