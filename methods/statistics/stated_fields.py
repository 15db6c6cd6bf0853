"""What two rows state about how they were measured: where they differ, and what not both of them state (METHODS 5, 6).

Belongs here: reading stated fields and comparing them. Does not belong here: whether a pair may be called aligned
(`methods.pairing`).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from methods.names.state_budget import effort_of, steps_of
from warehouse.catalog_model import Catalog
from warehouse.pairing_words import QUESTION_SET_FIELDS
from warehouse.vocabulary import PROTOCOL_FIELDS

Stated = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """Two rows' statements side by side.

    Attributes:
        differing: fields that both state, and state differently; `extra.NAME` last.
        unstated: fields that alignment asks for, that apply, and that not both state.
    """

    differing: tuple[str, ...]
    unstated: tuple[str, ...]


class FieldReader:
    """Reads statements by one catalog: which fields apply to a benchmark, and which words state nothing."""

    def __init__(self, catalog: Catalog) -> None:
        """Index the catalog's benchmarks."""
        methodology = catalog.methodology
        self.asked = tuple(
            name for name in (*QUESTION_SET_FIELDS, *PROTOCOL_FIELDS) if name in methodology.pairing.alignment_fields
        )
        self._levels = methodology.names.effort_levels
        self._applies = {spec.benchmark: frozenset(spec.applies) for spec in catalog.benchmarks}
        self._nothing = frozenset({folded(word) for word in methodology.pairing.unstated_words} | {""})

    def stated(self, row: Mapping[str, Any]) -> dict[str, str]:
        """The fields that a row of `core__result` states, as comparable text.

        Steps and effort are read from the field, else the setting, else (steps) the name. A text that says no more
        than "unknown" states nothing. Keys of `extra` become `extra.NAME`.
        """
        values: dict[str, Any] = {name: row[name] for name in QUESTION_SET_FIELDS}
        values |= {name: row[f"protocol_{name}"] for name in PROTOCOL_FIELDS}
        values["steps"] = steps_of(row["protocol_steps"], row["setting"], row["model"])
        if not (values["effort"] or "").strip():
            values["effort"] = effort_of(None, row["setting"], None, self._levels)
        if row["protocol_extra"]:
            values |= {f"extra.{name}": value for name, value in sorted(json.loads(row["protocol_extra"]).items())}
        texts = {name: _comparable(value) for name, value in values.items() if value is not None}
        return {name: text for name, text in texts.items() if text not in self._nothing}

    def applicable(self, benchmarks: Iterable[str]) -> frozenset[str]:
        """The protocol fields that apply to at least one of the benchmarks; all, where the catalog says nothing."""
        every = frozenset(PROTOCOL_FIELDS)
        return frozenset().union(*(self._applies.get(name, every) for name in benchmarks))


def compare_fields(a: Stated, b: Stated, asked: Iterable[str], applicable: frozenset[str]) -> FieldComparison:
    """Where two rows' statements differ, and which asked-for fields not both of them state.

    Args:
        a, b: as `FieldReader.stated` reads them.
        asked: fields that alignment asks for.
        applicable: protocol fields that apply to the benchmark; of others only contradictions are reported.
    """
    both = [name for name in a if name in b]
    differing = sorted((name for name in both if a[name] != b[name]), key=_place)
    unstated = [
        name for name in asked if not (name in a and name in b) and (name in applicable or name in QUESTION_SET_FIELDS)
    ]
    return FieldComparison(tuple(differing), tuple(unstated))


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """A text for comparison only: NFKC, case-folded, white space single. Version numbers keep their points."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _comparable(value: Any) -> str:
    return folded(value) if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _place(name: str) -> tuple[int, str]:
    order = (*QUESTION_SET_FIELDS, *PROTOCOL_FIELDS)
    return (order.index(name), name) if name in order else (len(order), name)
