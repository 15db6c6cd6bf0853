"""Requested against returned model: who answered, by system (METHODS 12).

Belongs here: counting. A request that another model answered, such as a fallback, says nothing about the candidate.
Names are compared as written: `small` answered by `small-2026-01-01` is another name, so ask for the pinned one. A row
that states either name not at all is not known to agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

_NAMES: Final = ("requested_model", "returned_model")


@dataclass(frozen=True, slots=True)
class ReturnedModels:
    """Who answered the requests of one system.

    Attributes:
        system: its name.
        rows, same, other, unstated: all; answered by the model asked for; by another; not stated.
        pairs: (requested, returned, rows) of the others, the most frequent first.
    """

    system: str
    rows: int
    same: int
    other: int
    unstated: int
    pairs: tuple[tuple[str, str, int], ...]


def returned_models(rows: pl.DataFrame, systems: tuple[str, ...]) -> tuple[ReturnedModels, ...]:
    """Who answered, for each system.

    Args:
        rows: with `system`, and where stated `requested_model` and `returned_model`.
        systems: the contract's.
    """
    absent = [pl.lit(None, dtype=pl.String).alias(name) for name in _NAMES if name not in rows.columns]
    told = rows.with_columns(absent)
    return tuple(_one(told.filter(pl.col("system") == system), system) for system in systems)


def _one(rows: pl.DataFrame, system: str) -> ReturnedModels:
    stated = rows.drop_nulls(_NAMES)
    other = stated.filter(pl.col("requested_model") != pl.col("returned_model"))
    pairs = other.group_by(_NAMES).len("rows").sort("rows", *_NAMES, descending=[True, False, False])
    return ReturnedModels(
        system=system,
        rows=rows.height,
        same=stated.height - other.height,
        other=other.height,
        unstated=rows.height - stated.height,
        pairs=tuple((str(asked), str(got), int(count)) for asked, got, count in pairs.rows()),
    )
