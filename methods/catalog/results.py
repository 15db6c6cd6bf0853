"""From readable received rows to `core__result`: one row per entry, typed, nothing guessed (METHODS 1).

Belongs here: reading the record's JSON into columns, what a source states for all its rows, and the exclusions of
rows that became no result. Does not belong here: what counts (`methods.catalog.eligibility`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Final

import polars as pl

from methods.names.joined_names import joined_name
from methods.names.name_states import states_of
from methods.names.registry import ModelRegistry
from warehouse.canonical import Json, canonical_json
from warehouse.catalog_model import Catalog
from warehouse.contracts import POLARS_TYPES
from warehouse.reasons import STAGE_OF
from warehouse.records import moment
from warehouse.tables import CORE_EXCLUSION, CORE_RESULT
from warehouse.vocabulary import PROTOCOL_FIELDS

_TEXTS: Final = (
    "benchmark", "benchmark_version", "subset", "metric", "unit", "model", "model_id", "model_url", "developer",
    "copied_from", "source_url", "setting", "notes",
)  # fmt: skip
NAME_STATES: Final = "name_states"
"""Key of `protocol_extra` for what the name states: read from the name, never received (METHODS 1, 2)."""
_CHUNK: Final = 50_000
"""Records parsed at a time, so that a million rows never stand in memory as objects."""


def build_results(raw_rows: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    """The `core__result` table: every readable row of `raw__row`, duplicates once (METHODS 1).

    `value` holds finite numbers only, as stated; everything else received there is null here and text in
    `raw__row.raw_value`. Where a row states no source type it is its source's; a source's tier speaks for rows of the
    source's own type, never for a row that states another one. What a name states stands in the protocol's `extra`, as
    `name_states`; the name stays whole, and nothing else is filled in.

    Raises:
        ValueError: if a row's leaderboard is no source of the catalog.
    """
    rows = raw_rows.filter(pl.col("problem").is_null() & ~pl.col("is_duplicate"))
    strangers = set(rows["leaderboard"].unique()) - set(catalog.source_by_id)
    if strangers:
        raise ValueError(f"no source of the catalog has the id {', '.join(sorted(strangers))}")
    states = _NameStates(catalog)
    parts = [_parsed(rows.slice(start, _CHUNK), catalog, states) for start in range(0, rows.height, _CHUNK)]
    return CORE_RESULT.conform(pl.concat(parts) if parts else CORE_RESULT.empty())


def received_exclusions(raw_rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of `core__exclusion` for received rows that became no result: unparseable, exact duplicates."""
    unread = pl.col("problem").is_not_null()
    dropped = raw_rows.filter(unread | pl.col("is_duplicate"))
    return CORE_EXCLUSION.conform(
        dropped.select(
            entry_id="entry_id",
            metric_id=pl.lit(None, dtype=pl.String),
            leaderboard="leaderboard",
            snapshot_sha256="snapshot_sha256",
            row_locator="row_locator",
            stage=pl.when(unread)
            .then(pl.lit(STAGE_OF["row_unparseable"]))
            .otherwise(pl.lit(STAGE_OF["exact_duplicate"])),
            reason_code=pl.when(unread).then(pl.lit("row_unparseable")).otherwise(pl.lit("exact_duplicate")),
            raw_value="raw_value",
            detail=pl.when(unread)
            .then(pl.col("problem"))
            .otherwise(pl.lit("equal in everything to another row of the leaderboard")),
            kept_entry_id=pl.when(unread).then(pl.lit(None, dtype=pl.String)).otherwise(pl.col("entry_id")),
        )
    )


def _parsed(rows: pl.DataFrame, catalog: Catalog, states: _NameStates) -> pl.DataFrame:
    """One chunk of readable rows as `core__result` columns."""
    records: list[dict[str, Any]] = [json.loads(text) for text in rows["record"]]
    protocols: list[dict[str, Any]] = [record.get("protocol") or {} for record in records]
    columns: dict[str, list[Any]] = {name: [record.get(name) for record in records] for name in _TEXTS}
    columns["value"] = [finite_number(record["value"]) for record in records]
    columns["stderr"] = [_number(record.get("stderr")) for record in records]
    columns["confidence"] = [_number(record.get("confidence")) for record in records]
    columns["n_samples"] = [record.get("n_samples") for record in records]
    columns["kind"] = [record.get("kind") or "measured" for record in records]
    columns["updated_at"] = [_moment_of(record.get("updated_at")) for record in records]
    for name in PROTOCOL_FIELDS:
        columns[f"protocol_{name}"] = [protocol.get(name) for protocol in protocols]
    columns["protocol_extra"] = [
        _extra(protocol, states.of(name)) for protocol, name in zip(protocols, columns["model"], strict=True)
    ]
    sources = [catalog.source_by_id[leaderboard] for leaderboard in rows["leaderboard"]]
    columns["source_type"] = [
        record.get("source_type") or source.source_type for record, source in zip(records, sources, strict=True)
    ]
    columns["tier"] = [
        record.get("tier") or (source.tier if source_type == source.source_type else None)
        for record, source, source_type in zip(records, sources, columns["source_type"], strict=True)
    ]
    typed = [
        pl.Series(name, values, dtype=POLARS_TYPES[CORE_RESULT.entries[name].type]) for name, values in columns.items()
    ]
    identity = rows.select("entry_id", "leaderboard", "snapshot_sha256", "row_locator")
    return identity.with_columns(typed).select(CORE_RESULT.columns)


def finite_number(value: object) -> float | None:
    """A received value as a number, or None: text, also "77.4", booleans, objects and infinities are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


@lru_cache(maxsize=65536)
def _moment_of(text: str | None) -> datetime | None:
    return moment(text)


class _NameStates:
    """What names state: their protocol, and the agent and models that a joined name consists of."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, dict[str, Json]] = {}

    @cached_property
    def _registry(self) -> ModelRegistry:
        """Made only where a name is joined."""
        return ModelRegistry(self._catalog.models)

    def of(self, name: str) -> dict[str, Json]:
        """By field: those of `states_of`, and `agent`, `models`, `other_parts` of a joined name."""
        found = self._known.get(name)
        if found is None:
            found = {**states_of(name), **(self._joined(name) if " + " in name else {})}
            self._known[name] = found
        return found

    def _joined(self, name: str) -> dict[str, Json]:
        parts = joined_name(name, lambda part: self._registry.resolve(part).model_id is not None)
        if parts is None:
            return {}
        found: dict[str, Json] = {"models": list(parts.models)}
        found |= {} if parts.agent is None else {"agent": parts.agent}
        return found | ({"other_parts": list(parts.others)} if parts.others else {})


def _extra(protocol: Mapping[str, Any], states: Mapping[str, Json]) -> str | None:
    """The protocol's `extra` as canonical JSON, with what the model's name states beside it under `name_states`."""
    extra = protocol.get("extra") or {}
    if not states or NAME_STATES in extra:
        return canonical_json(extra).decode() if extra else None
    return canonical_json({**extra, NAME_STATES: dict(states)}).decode()
