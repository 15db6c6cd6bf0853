"""What a table promises: its grain, key, columns, and the schemas derived from the column dictionary.

Belongs here: the contract type and what any contract can do. The contracts themselves stand in `warehouse/tables.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import polars as pl
import pyarrow as pa

from warehouse.columns import Column, ColumnType, column

POLARS_TYPES: Final[dict[ColumnType, pl.DataType]] = {
    "text": pl.String(),
    "number": pl.Float64(),
    "integer": pl.Int64(),
    "boolean": pl.Boolean(),
    "timestamp": pl.Datetime("us", "UTC"),
    "date": pl.Date(),
    "text_list": pl.List(pl.String()),
}
ARROW_TYPES: Final[dict[ColumnType, pa.DataType]] = {
    "text": pa.large_string(),
    "number": pa.float64(),
    "integer": pa.int64(),
    "boolean": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "date": pa.date32(),
    "text_list": pa.large_list(pa.large_string()),
}
DUCKDB_TYPES: Final[dict[ColumnType, str]] = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "date": "DATE",
    "text_list": "VARCHAR[]",
}

Stage = Literal["raw", "core", "out"]


class ContractError(ValueError):
    """A table that breaks its contract: names the table, the column and the first rows at fault."""


@dataclass(frozen=True)
class TableContract:
    """One table's promise.

    Attributes:
        name: layer, two underscores, subject.
        grain: one sentence: what one row is.
        key: columns that are unique together and give the order of rows.
        columns: all columns in order.
        nullable: columns that may hold null; all others may not.
        unhashed: columns outside the table hash, since they depend on the clock or the machine.
        allowed: closed sets of words, by column.
        bounds: inclusive limits of numbers, by column (None: open).
        may_be_empty: whether a sound run can leave the table without rows.
    """

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    nullable: frozenset[str] = frozenset()
    unhashed: frozenset[str] = frozenset()
    allowed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    bounds: tuple[tuple[str, float | None, float | None], ...] = ()
    may_be_empty: bool = False

    @property
    def layer(self) -> str:
        """raw, core or out."""
        return self.name.split("__", 1)[0]

    @cached_property
    def entries(self) -> dict[str, Column]:
        """The dictionary entry of each column, in order."""
        return {name: column(self.name, name) for name in self.columns}

    @property
    def required(self) -> tuple[str, ...]:
        """Columns that may not hold null."""
        return tuple(name for name in self.columns if name not in self.nullable)

    def polars_schema(self) -> pl.Schema:
        """The table's polars schema; made once, and not to be changed."""
        return self._polars_schema

    def arrow_schema(self) -> pa.Schema:
        """The table's Arrow schema, with nullability and each column's meaning as metadata."""
        return self._arrow_schema

    @cached_property
    def _polars_schema(self) -> pl.Schema:
        return pl.Schema({name: POLARS_TYPES[entry.type] for name, entry in self.entries.items()})

    @cached_property
    def _arrow_schema(self) -> pa.Schema:
        return pa.schema(
            [
                pa.field(
                    name,
                    ARROW_TYPES[entry.type],
                    nullable=name in self.nullable,
                    metadata={"meaning": entry.meaning, "unit": entry.unit or ""},
                )
                for name, entry in self.entries.items()
            ]
        )

    def ddl(self) -> str:
        """The CREATE TABLE statement for DuckDB, nullability and key included."""
        lines = [
            f'  "{name}" {DUCKDB_TYPES[entry.type]}{"" if name in self.nullable else " NOT NULL"}'
            for name, entry in self.entries.items()
        ]
        return f'CREATE TABLE "{self.name}" (\n' + ",\n".join(lines) + "\n)"

    def empty(self) -> pl.DataFrame:
        """The table without rows."""
        return pl.DataFrame(schema=self.polars_schema())

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with exactly this contract's columns, types and row order.

        Raises:
            ContractError: for a missing or unknown column, a value that does not cast without loss, a null where
                none may stand, a NaN or infinity, a word outside a closed set, or a key that repeats.
        """
        missing = [name for name in self.columns if name not in frame.columns]
        unknown = [name for name in frame.columns if name not in self.columns]
        if missing or unknown:
            raise ContractError(f"{self.name}: missing columns {missing}, unknown columns {unknown}")
        typed = self._typed(frame)
        if typed.is_empty():
            return typed  # no row, no null, no word, no key that could be wrong
        demands = self._sound_columns
        if demands and not all(typed.select(demands).row(0)):  # asked at once; one by one only to say which
            self._check_nulls(typed)
            self._check_numbers(typed)
            self._check_words(typed)
        return self._check_key(typed.sort(self.key, nulls_last=False, maintain_order=True))

    def _typed(self, frame: pl.DataFrame) -> pl.DataFrame:
        ordered = frame if tuple(frame.columns) == self.columns else frame.select(self.columns)
        schema = self.polars_schema()
        if ordered.schema == schema:
            return ordered
        try:
            return ordered.cast(schema, strict=True)
        except pl.exceptions.PolarsError as error:
            raise ContractError(f"{self.name}: {error}") from error

    @cached_property
    def _sound_columns(self) -> list[pl.Expr]:
        """One truth for each demand on a column's values; a null is neither infinite nor a stranger."""
        nulls = [(pl.col(name).null_count() == 0).alias(f"null {name}") for name in self.required]
        numbers = [
            pl.col(name).is_finite().all().alias(f"number {name}")
            for name, entry in self.entries.items()
            if entry.type == "number"
        ]
        words = [pl.col(name).is_in(words).all().alias(f"word {name}") for name, words in self.allowed]
        return nulls + numbers + words

    def _check_nulls(self, frame: pl.DataFrame) -> None:
        counts = frame.select(pl.col(name).null_count() for name in self.required).row(0) if self.required else ()
        bad = {name: count for name, count in zip(self.required, counts, strict=True) if count}
        if bad:
            raise ContractError(f"{self.name}: nulls where none may stand: {bad}")

    def _check_numbers(self, frame: pl.DataFrame) -> None:
        for name, entry in self.entries.items():
            if entry.type == "number" and not frame[name].is_finite().fill_null(value=True).all():
                raise ContractError(f"{self.name}.{name}: NaN or infinity; what cannot be computed is null")

    def _check_words(self, frame: pl.DataFrame) -> None:
        for name, words in self.allowed:
            strangers = frame.filter(~pl.col(name).is_in(words) & pl.col(name).is_not_null())[name].unique()
            if len(strangers):
                raise ContractError(f"{self.name}.{name}: {strangers.sort().to_list()[:5]} not among {list(words)}")

    def _check_key(self, frame: pl.DataFrame) -> pl.DataFrame:
        twice = frame.select(self.key).is_duplicated()
        if twice.any():
            repeated = frame.filter(twice)
            first = repeated.select(self.key).row(0)
            raise ContractError(f"{self.name}: key {self.key} repeats, first {first}; {repeated.height} rows")
        return frame
