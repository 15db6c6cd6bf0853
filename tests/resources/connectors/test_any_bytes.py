"""Whatever bytes come, a connector ends in rows or in a `ConnectorError`, and every row is readable or says why not."""

from __future__ import annotations

import io
import json
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inbound import native, source_of

from methods.catalog.received import receive
from resources.connectors import ConnectorError, SnapshotFile, parse
from warehouse.catalog_model import SourceSpec

FIELDS: dict[str, Any] = {
    "benchmark": {"const": "B"},
    "metric": {"each": "name"},
    "unit": {"const": "score"},
    "value": {"each": "value", "type": "number"},
    "model": "model",
    "n_samples": {"field": "n", "optional": True},
    "updated_at": {"field": "day", "type": "date", "optional": True},
}
ROWS = [
    {"model": "A", "x": 1.5, "y": "-", "n": 3, "day": "2026-10-20"},
    {"model": "é", "x": 0, "y": "NaN", "n": 5, "day": ""},
]


def table(form: str) -> SourceSpec:
    options = {"format": form, "fields": FIELDS, "each": {"columns": ["x", "y"]}, "extra": ["more"]}
    return source_of("x", connector="table", options=options)


def parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame({"model": ["A", "B"], "x": [1.5, 0.0], "y": [None, 2.0]}).write_parquet(buffer)
    return buffer.getvalue()


SOUND: dict[str, tuple[SourceSpec, bytes]] = {
    "native": (source_of("x"), native(3)),
    "json": (table("json"), json.dumps(ROWS).encode()),
    "jsonl": (table("jsonl"), "\n".join(map(json.dumps, ROWS)).encode() + b"\n"),
    "yaml": (table("yaml"), b"- model: A\n  x: 1.5\n  y: '-'\n- {model: B, x: 0, y: .nan}\n"),
    "csv": (table("csv"), b'model,x,y,n\nA,1.5,-,3\n"B, C",0,NaN,5\n'),
    "tsv": (table("tsv"), b"model\tx\ty\nA\t1.5\t-\n"),
    "parquet": (table("parquet"), parquet()),
}


def settle(source: SourceSpec, data: bytes) -> None:
    try:
        parsed = parse(source, [SnapshotFile("f", data)])
    except ConnectorError:
        return
    assert len({row.row_locator for row in parsed.rows}) == len(parsed.rows)
    assert all((row.record is None) <= (row.problem is not None) for row in parsed.rows)
    frame = receive(source.id, "0" * 64, parsed.rows)
    assert frame.height == len(parsed.rows)
    assert frame.filter(pl.col("problem").is_null() & pl.col("entry_id").is_null()).height == 0


@pytest.mark.parametrize("form", SOUND)
def test_sound_files_are_read(form: str) -> None:
    source, data = SOUND[form]
    assert any(row.problem is None for row in parse(source, [SnapshotFile("f", data)]).rows)


@pytest.mark.parametrize("form", SOUND)
@settings(max_examples=60)
@given(data=st.binary(max_size=60))
def test_any_bytes(form: str, data: bytes) -> None:
    settle(SOUND[form][0], data)


@pytest.mark.parametrize("form", SOUND)
@settings(max_examples=120)
@given(cut=st.integers(0, 400), length=st.integers(0, 12), put=st.binary(max_size=6))
def test_damaged_files(form: str, cut: int, length: int, put: bytes) -> None:
    """A sound file with some bytes replaced by others, cut out, or with its end missing."""
    source, data = SOUND[form]
    at = cut % len(data)
    settle(source, data[:at] + put + data[at + length :])
    settle(source, data[:at])


@pytest.mark.parametrize("form", ["json", "jsonl", "native"])
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["model", "x", "y", "n", "day", "more"]), inner)
        ),
        max_leaves=12,
    )
)
@settings(max_examples=80)
def test_any_json(form: str, value: object) -> None:
    text = json.dumps(value if form == "jsonl" else [value])
    if form == "native":
        text = '{"schema": "scoretrail.leaderboard/1", "leaderboard": "board", "results": ' + text + "}"
    settle(SOUND[form][0], text.encode())
