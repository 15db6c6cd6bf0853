"""A source with a mapping made on the spot, for the tests of the declarative connector."""

from __future__ import annotations

from typing import Any

from inbound import source_of

from resources.connectors import SnapshotFile, parse
from warehouse.received import ReceivedRow

FIXED = {"benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"}}


def rows(files: bytes | dict[str, bytes], /, **options: Any) -> tuple[ReceivedRow, ...]:
    named = files if isinstance(files, dict) else {"file": files}
    source = source_of("https://example.org/x", connector="table", options=options)
    return parse(source, [SnapshotFile(name, data) for name, data in sorted(named.items())]).rows


def records(files: bytes | dict[str, bytes], /, **options: Any) -> list[dict[str, Any]]:
    found = rows(files, **options)
    assert [row.problem for row in found if row.problem] == []
    return [dict(row.record or {}) for row in found]
