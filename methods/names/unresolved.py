"""Names that the registry does not know: kept with their results, counted and listed, never guessed (METHODS 2).

Belongs here: which names of `core__result` stay unidentified, and how many results wait for each. What they may be is
`methods.names.suggestions`; what becomes of their rows is `methods.catalog.eligibility`.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from methods.names.registry import ModelRegistry
from warehouse.catalog_model import Catalog


@dataclass(frozen=True, slots=True)
class UnresolvedName:
    """One name, as received, that belongs to no model of the registry.

    Attributes:
        name: as received.
        developers: as its rows state them, sorted; empty where none does.
        results: how many results carry it.
        leaderboards: where, sorted.
        why: the registry's answer.
    """

    name: str
    developers: tuple[str, ...]
    results: int
    leaderboards: tuple[str, ...]
    why: str


def unresolved_names(results: pl.DataFrame, catalog: Catalog) -> list[UnresolvedName]:
    """The unresolved names of `core__result`, most results first, then by name.

    A name is resolved with the developer that its row states, so one name may be resolved in one place and not in
    another; only the results that are not count here.
    """
    registry = ModelRegistry(catalog.models)
    counted = results.group_by("model", "developer").agg(
        results=pl.len(), leaderboards=pl.col("leaderboard").unique().sort()
    )
    found: dict[str, UnresolvedName] = {}
    for name, developer, count, boards in counted.sort("model", "developer").rows():
        resolution = registry.resolve(name, developer)
        if resolution.model_id is not None:
            continue
        known = found.get(name)
        found[name] = UnresolvedName(
            name,
            tuple(sorted({*(known.developers if known else ()), *([developer] if developer else ())})),
            count + (known.results if known else 0),
            tuple(sorted({*(known.leaderboards if known else ()), *boards})),
            known.why if known else resolution.detail,
        )
    return sorted(found.values(), key=lambda item: (-item.results, item.name))
