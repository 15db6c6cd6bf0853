"""Which fields the rows of a leaderboard state: the shape of a source, to notice when it changes.

Belongs here: counting. What a change of them means is `checks.named.schema_drift`. A column that upstream renames and
that a mapping takes as optional leaves no other trace: every row is still read, and one field of each is gone.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

import polars as pl

ALWAYS: Final = frozenset(
    {"entry_id", "leaderboard", "snapshot_sha256", "row_locator", "benchmark", "metric", "unit", "model", "kind"}
)
"""Columns that every result has by contract: they say nothing of a source."""
EXTRA: Final = "protocol_extra"


def stated_fields(results: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Leaderboard → field → rows that state it; leaderboards and fields sorted, those without any left out.

    Args:
        results: core__result, or the columns of it that are to be counted. A key of its `protocol_extra` counts as the
            field `extra.<key>`.
    """
    columns = [name for name in results.columns if name not in ALWAYS and name != EXTRA]
    if not columns:
        return {}
    counted = results.group_by("leaderboard").agg(pl.col(columns).count()).sort("leaderboard")
    found = {
        str(row.pop("leaderboard")): {name: int(count) for name, count in sorted(row.items()) if count}
        for row in counted.iter_rows(named=True)
    }
    if EXTRA not in results.columns:
        return found
    extras = results.filter(pl.col(EXTRA).is_not_null()).group_by("leaderboard", EXTRA).len()
    for board, extra, rows in extras.iter_rows():
        for key in _keys(extra):
            fields = found[board]
            fields[f"extra.{key}"] = fields.get(f"extra.{key}", 0) + int(rows)
    return {board: dict(sorted(fields.items())) for board, fields in found.items()}


@lru_cache(maxsize=1 << 17)
def _keys(extra: str) -> tuple[str, ...]:
    """The keys of an object in JSON: a night reads those of two releases, which mostly state the same."""
    return tuple(json.loads(extra))


def stated_models(results: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    """Leaderboard → the model names its rows state, as received, sorted."""
    if "model" not in results.columns:
        return {}
    pairs = results.select("leaderboard", "model").unique().sort("leaderboard", "model")
    found: dict[str, list[str]] = {}
    for board, model in pairs.iter_rows():
        found.setdefault(board, []).append(model)
    return {board: tuple(models) for board, models in found.items()}
