"""From rows as a connector hands them on to `raw__row`: read or not, identified, duplicates marked (DESIGN).

Belongs here: the verdict whether a row is a readable result, its value token, its entry id and rank. Does not belong
here: reading bytes (`resources.connectors`), or judging a value (`methods.catalog.eligibility`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

import polars as pl
from pydantic import ValidationError

from methods.catalog.record_text import (
    content_key,
    identity_text,
    is_unicode,
    json_text,
    non_finite_token,
    ranked_id,
    storable,
)
from warehouse.received import ReceivedRow
from warehouse.records import NativeResult, record_problem
from warehouse.tables import RAW_ROW
from warehouse.vocabulary import PROTOCOL_INTEGERS

LARGEST_INTEGER: Final = 2**63 - 1
"""Whole numbers beyond ± this have no place in a table; such a row is unreadable."""


class _Read(NamedTuple):
    """One row read: its record as text, why it is unreadable, its value token, and the text its id hashes."""

    record: str | None
    problem: str | None
    raw_value: str | None
    identity: str | None


def receive(leaderboard: str, snapshot_sha256: str, rows: Sequence[ReceivedRow]) -> pl.DataFrame:
    """The `raw__row` table of one leaderboard: one row per received row, in the contract's form.

    A record that breaks the native format keeps its text and gets a `problem`; only readable rows have an `entry_id`.
    Rows equal in everything share an entry id, and all but the first by row locator are marked `is_duplicate`. Rows
    that share their identity and differ elsewhere get different ids, by rank of their content, so that neither ids
    nor duplicates depend on the order of rows.

    Raises:
        ContractError: if two rows have one locator.
    """
    records: list[str | None] = []
    problems: list[str | None] = []
    raw_values: list[str | None] = []
    sharing: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        read = _read(leaderboard, row)
        records.append(read.record)
        problems.append(read.problem)
        raw_values.append(read.raw_value)
        if read.identity is not None:
            sharing[read.identity].append(place)
    entry_ids, duplicates = _identify(sharing, [row.row_locator for row in rows], records)
    return RAW_ROW.conform(
        pl.DataFrame(
            {
                "leaderboard": pl.Series([leaderboard] * len(rows), dtype=pl.String),
                "snapshot_sha256": pl.Series([snapshot_sha256] * len(rows), dtype=pl.String),
                "row_locator": pl.Series([storable(row.row_locator) for row in rows], dtype=pl.String),
                "record": pl.Series(records, dtype=pl.String),
                "problem": pl.Series(problems, dtype=pl.String),
                "raw_value": pl.Series(raw_values, dtype=pl.String),
                "entry_id": pl.Series(entry_ids, dtype=pl.String),
                "is_duplicate": pl.Series(duplicates, dtype=pl.Boolean),
            }
        )
    )


def value_token(value: object, raw: str | None = None) -> str | None:
    """A received value as text: null stays null, text stays itself, a number is its token, the rest is JSON.

    Args:
        value: the record's value.
        raw: the number's token as received, where the connector kept it.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        if raw is not None:
            return raw
        return non_finite_token(value) or repr(float(value) if isinstance(value, Decimal) else value)
    return json_text(value)


def _read(leaderboard: str, row: ReceivedRow) -> _Read:
    if row.record is None:
        return _Read(None, storable(row.problem or "the row could not be read"), _stored(row.raw), None)
    record = dict(row.record)
    text: str | None = None
    raw_value: str | None = None
    try:
        token = value_token(record.get("value"), row.raw)
        raw_value = _stored(token)
        if non_finite_token(record.get("value")) is not None:
            record["value"] = token
        problem = storable(row.problem) if row.problem is not None else _fault(record)
        text = json_text(record)
        if not is_unicode(text):
            text = json_text(record, escaped=True)
            problem = problem or "row: holds half of a surrogate pair, which is no text"
        identity = identity_text(leaderboard, record) if problem is None else None
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return _Read(text, storable(f"row: {error}"), raw_value, None)
    return _Read(text, problem, raw_value, identity)


def _fault(record: dict[str, object]) -> str | None:
    """Why a record is no native result, or None."""
    try:
        result = NativeResult.model_validate(record)
    except ValidationError as error:
        return storable(record_problem(error))
    for name in PROTOCOL_INTEGERS if result.protocol is not None else ():
        if abs(getattr(result.protocol, name) or 0) > LARGEST_INTEGER:
            return f"protocol.{name}: beyond 64 bits"
    return "n_samples: beyond 64 bits" if (result.n_samples or 0) > LARGEST_INTEGER else None


def _identify(
    sharing: Mapping[str, list[int]], locators: Sequence[str], records: Sequence[str | None]
) -> tuple[list[str | None], list[bool]]:
    """Entry ids and duplicate marks, from the places of the rows that share each identity."""
    entry_ids: list[str | None] = [None] * len(records)
    duplicates = [False] * len(records)
    for identity, places in sharing.items():
        if len(places) == 1:
            entry_ids[places[0]] = ranked_id(identity, 0)
            continue
        by_content: defaultdict[bytes, list[int]] = defaultdict(list)
        for place in places:
            by_content[content_key(json.loads(records[place] or "{}"))].append(place)
        for rank, content in enumerate(sorted(by_content)):
            equal = sorted(by_content[content], key=locators.__getitem__)
            for place in equal:
                entry_ids[place] = ranked_id(identity, rank)
                duplicates[place] = place != equal[0]
    return entry_ids, duplicates


def _stored(text: str | None) -> str | None:
    return None if text is None else storable(text)
