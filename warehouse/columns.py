"""The shape of a column dictionary entry, and the dictionary itself: one entry per column name.

A name that means different things in two tables has an entry `table.name` beside the plain one. The entries stand in
the modules `columns_<area>`; everything shown about a column is derived from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ColumnType = Literal["text", "number", "integer", "boolean", "timestamp", "date", "text_list"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column name: its type, its unit, what it means, and the function that computes it.

    `computed_by` is `module:function`, resolved by a test, so that a reader goes from a name to its formula at once.
    """

    type: ColumnType
    meaning: str
    computed_by: str
    unit: str | None = None


def dictionary() -> dict[str, Column]:
    """The whole column dictionary, keyed by column name or by `table.column`."""
    from warehouse.columns_canary import CANARY
    from warehouse.columns_decision import DECISION
    from warehouse.columns_harness import HARNESS
    from warehouse.columns_judging import JUDGING
    from warehouse.columns_linked import LINKED
    from warehouse.columns_manifests import MANIFESTS
    from warehouse.columns_pairing import PAIRING
    from warehouse.columns_protocols import PROTOCOLS
    from warehouse.columns_published import PUBLISHED
    from warehouse.columns_received import RECEIVED
    from warehouse.columns_scored import SCORED
    from warehouse.columns_sensitivity import SENSITIVITY
    from warehouse.columns_statistics import STATISTICS
    from warehouse.columns_study import STUDY

    return {
        **RECEIVED, **SCORED, **PAIRING, **STUDY, **STATISTICS, **PROTOCOLS, **MANIFESTS, **JUDGING, **HARNESS,
        **DECISION, **CANARY,
        **SENSITIVITY, **LINKED, **PUBLISHED,
    }  # fmt: skip


def column(table: str, name: str) -> Column:
    """The entry for a column of a table.

    Raises:
        KeyError: if the dictionary has no entry for it.
    """
    entries = _ENTRIES or _load()
    specific = entries.get(f"{table}.{name}")
    return specific if specific is not None else entries[name]


_ENTRIES: Final[dict[str, Column]] = {}


def _load() -> dict[str, Column]:
    _ENTRIES.update(dictionary())
    return _ENTRIES
