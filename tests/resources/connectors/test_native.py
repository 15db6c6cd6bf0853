"""The native connector: the envelope is strict, the rows are handed on as they stand."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from inbound import ROW, native, source_of

from methods.catalog.received import receive
from resources.connectors import ConnectorError, SnapshotFile, parse
from warehouse.received import ReceivedRow


def rows_of(*results: Any) -> tuple[ReceivedRow, ...]:
    envelope = {"schema": "scoretrail.leaderboard/1", "leaderboard": "board", "results": list(results)}
    return parse(source_of("x"), [SnapshotFile("a.json", json.dumps(envelope).encode())]).rows


def read(text: str) -> tuple[ReceivedRow, ...]:
    envelope = '{"schema": "scoretrail.leaderboard/1", "leaderboard": "board", "results": [' + text + "]}"
    return parse(source_of("x"), [SnapshotFile("a.json", envelope.encode())]).rows


def test_the_known_time_it_asserts_is_utc() -> None:
    file = SnapshotFile("a.json", native(synced_at="2026-10-20T02:00:00+02:00"))
    assert parse(source_of("x"), [file]).synced_at == datetime(2026, 10, 20, tzinfo=UTC)
    assert parse(source_of("x"), [SnapshotFile("a.json", native())]).synced_at is None


@pytest.mark.parametrize(
    "name", ["2024-11-20", "1.10", "no", "null", "007", "  spaced  ", "模型", "🚀", "a\u200bb", "gpt‑5"]
)
def test_names_stay_byte_identical(name: str) -> None:
    """D11, D12; zero-width and look-alike characters are kept, never repaired."""
    row = rows_of(ROW | {"model": name})[0]
    assert row.record is not None
    assert row.record["model"] == name
    assert receive("board", "0" * 64, [row])["problem"].to_list() == [None]


@pytest.mark.parametrize(
    ("token", "value", "raw"),
    [
        ("0", 0, "0"), ("0.0", 0.0, "0.0"), ("72.30", 72.3, "72.30"), ('"77.47%"', "77.47%", "77.47%"),
        ("NaN", "NaN", "NaN"), ("Infinity", "Infinity", "Infinity"), ("-Infinity", "-Infinity", "-Infinity"),
        ('"-"', "-", "-"), ('""', "", ""), ("null", None, None), ('"🚀"', "🚀", "🚀"), ("true", True, "true"),
        ("1e400", "1E+400", "1E+400"), ("14000000000000000001", 14000000000000000001, "14000000000000000001"),
    ],
)  # fmt: skip
def test_values_are_handed_on_as_received(token: str, value: object, raw: str | None) -> None:
    row = read('{"benchmark":"B","metric":"m","unit":"score","model":"M","value":' + token + "}")[0]
    assert row.record is not None
    assert row.record["value"] == value
    assert type(row.record["value"]) is type(value)
    assert row.raw == raw
    assert receive("board", "0" * 64, [row])["problem"].to_list() == [None]


def test_a_row_that_is_no_object_is_a_problem_and_the_others_stay() -> None:
    rows = rows_of(ROW, "text", None, [1], ROW | {"model": "Other"})
    assert [row.problem is None for row in rows] == [True, False, False, False, True]
    assert rows[1].row_locator == "results[1]"
    assert rows[1].raw == "text"


def test_whole_numbers_serve_as_standard_errors() -> None:
    row = rows_of(ROW | {"stderr": 1, "confidence": 1, "n_samples": 100})[0]
    assert receive("board", "0" * 64, [row])["problem"].to_list() == [None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "scoretrail.leaderboard/2"}, "expected schema"),
        ({"leaderboard": "other"}, "is leaderboard 'other', the source is 'board'"),
        ({"results": {}}, "results: must be a list"),
        ({"rows": []}, "rows: unknown key"),
        ({"synced_at": "yesterday"}, "synced_at: 'yesterday' is no time"),
    ],
)
def test_the_envelope_is_strict(change: dict[str, object], message: str) -> None:
    data = json.dumps(json.loads(native()) | change).encode()
    with pytest.raises(ConnectorError, match=message):
        parse(source_of("x"), [SnapshotFile("a.json", data)])


def test_a_broken_file_names_its_line() -> None:
    with pytest.raises(ConnectorError, match=r"a\.json, line 1: not JSON"):
        parse(source_of("x"), [SnapshotFile("a.json", b'{"schema" 1}')])


def test_a_native_source_is_one_file() -> None:
    with pytest.raises(ConnectorError, match="2 files"):
        parse(source_of("x"), [SnapshotFile("a", native()), SnapshotFile("b", native())])


def test_a_mark_before_the_text_is_tolerated() -> None:
    assert len(parse(source_of("x"), [SnapshotFile("a.json", b"\xef\xbb\xbf" + native())]).rows) == 1
