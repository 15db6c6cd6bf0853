"""The stamp every stored table carries: what it holds, what it was computed from and with (DESIGN "Time, state")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

from warehouse.canonical import Json
from warehouse.vocabulary import Exactness


@dataclass(frozen=True, slots=True)
class TableStamp:
    """One stored table's provenance.

    Attributes:
        table, as_of: which table of which day.
        table_hash: hash of its values (`warehouse.hashing.table_hash`).
        rows: number of rows.
        inputs: table hash of every table it was computed from, by name.
        catalog_sha256, methodology_version, code_version: what it was computed with.
        release_id: the release its rows name; None where they name none.
        exactness: `hash` where fixed-order arithmetic gives the same bits anywhere, else `tolerance` (METHODS 14).
    """

    table: str
    as_of: date
    table_hash: str
    rows: int
    catalog_sha256: str
    methodology_version: str
    code_version: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    release_id: str | None = None
    exactness: Exactness = "hash"

    def to_json(self) -> dict[str, Json]:
        """The stamp as JSON values."""
        return {
            "table": self.table,
            "as_of": self.as_of.isoformat(),
            "table_hash": self.table_hash,
            "rows": self.rows,
            "inputs": dict(self.inputs),
            "catalog_sha256": self.catalog_sha256,
            "methodology_version": self.methodology_version,
            "code_version": self.code_version,
            "release_id": self.release_id,
            "exactness": self.exactness,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """A stamp from its JSON values.

        Raises:
            TypeError, ValueError, KeyError: where it is no stamp.
        """
        return cls(**{**value, "as_of": date.fromisoformat(value["as_of"])})
