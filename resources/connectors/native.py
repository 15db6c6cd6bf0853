"""The native connector: a file of DESIGN's native format, one leaderboard with its results.

Belongs here: the envelope (schema, leaderboard, known-time) and handing each result on as it stands, with what is wrong
with its form beside it: row by row, so that one bad row never hides the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from pydantic import ValidationError

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedRow, ReceivedSnapshot
from warehouse.records import NativeResult, record_problem
from warehouse.vocabulary import NATIVE_SCHEMA

_ENVELOPE: Final = frozenset({"schema", "leaderboard", "title", "url", "synced_at", "results"})
RAW_LENGTH: Final = 200


def parse_native(source: SourceSpec, files: Sequence[SnapshotFile]) -> ReceivedSnapshot:
    """The results of a native file.

    Raises:
        ConnectorError: for more than one file, broken JSON, another schema or leaderboard, an unknown key of the
            envelope, or a `synced_at` that is no time.
    """
    if len(files) != 1:
        raise ConnectorError(files[0].name, f"{len(files)} files; a native source is one")
    file = files[0]
    try:
        data = load_json(file.data, file.name)
    except DocumentError as error:
        raise ConnectorError(file.name, error.message, row=f"line {error.line}" if error.line else None) from error
    if not isinstance(data, dict) or data.get("schema") != NATIVE_SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else type(data).__name__
        raise ConnectorError(file.name, f"expected schema {NATIVE_SCHEMA}, found {found!r}", field="schema")
    for key in data.keys() - _ENVELOPE:
        raise ConnectorError(file.name, "unknown key of the native format", field=key)
    if data.get("leaderboard") != source.id:
        raise ConnectorError(
            file.name, f"is leaderboard {data.get('leaderboard')!r}, the source is {source.id!r}", field="leaderboard"
        )
    results = data.get("results")
    if not isinstance(results, list):
        raise ConnectorError(file.name, "must be a list", field="results")
    title = data.get("title")
    return ReceivedSnapshot(
        rows=tuple(_row(index, result) for index, result in enumerate(results)),
        synced_at=_asserted(data.get("synced_at"), file.name),
        title=title if isinstance(title, str) else None,
    )


def token(value: object) -> str | None:
    """A received value as text, cut to 200 characters; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:RAW_LENGTH]


def _row(index: int, result: Any) -> ReceivedRow:
    locator = f"results[{index}]"
    if not isinstance(result, Mapping):
        return ReceivedRow(locator, None, f"must be an object, found {type(result).__name__}", token(result))
    value = result.get("value")
    record = as_floats(dict(result))
    return ReceivedRow(locator, record, _fault(record), token(value if not isinstance(value, Decimal) else str(value)))


def _fault(record: Mapping[str, object]) -> str | None:
    """Why a row is no native result; known here, so that a file of nothing else never replaces a good snapshot."""
    try:
        NativeResult.model_validate(record)
    except ValidationError as error:
        return record_problem(error)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return f"row: {error}"
    return None


def _asserted(value: object, name: str) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise ConnectorError(name, f"{value!r} is no time such as 2026-10-20T00:00:00Z", field="synced_at") from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
