"""Results: every readable row once, typed, nothing filled in that nobody stated."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from methods.catalog.results import build_results, finite_number, received_exclusions
from warehouse.catalog_model import Catalog
from warehouse.tables import CORE_RESULT
from warehouse.vocabulary import PROTOCOL_FIELDS, PROTOCOL_INTEGERS

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]


def test_every_stated_field_arrives(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    protocol = {name: (7 if name in PROTOCOL_INTEGERS else f"the {name}") for name in PROTOCOL_FIELDS}
    record = record_of(
        benchmark_version="v2", subset="easy", stderr=1, n_samples=369, kind="aggregate", model_id="x/m1",
        model_url="https://example.org/m", developer="D", source_type="paper", tier="verified", copied_from="a board",
        source_url="https://example.org/s", confidence=1, updated_at="2026/10/20", setting="15 steps", notes="n",
        protocol={**protocol, "extra": {"b": 1, "a": [1.0]}},
    )  # fmt: skip
    row = build_results(raw_of(record), catalog_of()).row(0, named=True)
    for name, value in record.items():
        if name not in {"protocol", "updated_at"}:
            assert row[name] == value
    assert row["updated_at"] == datetime(2026, 10, 20, tzinfo=UTC)
    assert {name: row[f"protocol_{name}"] for name in PROTOCOL_FIELDS} == protocol
    assert row["protocol_extra"] == '{"a":[1],"b":1}'


def test_what_is_not_stated_is_null(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    row = build_results(raw_of(record_of()), catalog_of()).row(0, named=True)
    assert row["kind"] == "measured"
    assert row["source_type"] == "official"
    assert all(row[name] is None for name in CORE_RESULT.nullable - {"value"})


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0.0),
        (0.0, 0.0),
        (-1.5, -1.5),
        (2**53 + 1, float(2**53)),
        (-1e308, -1e308),
        (10**400, None),
        ("77.4", None),
        ("77.47%", None),
        ("", None),
        ("-", None),
        ("🦙", None),
        (None, None),
        (True, None),
        (False, None),
        ([1], None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_only_finite_numbers_are_values(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, value: object, number: float | None
) -> None:
    """C01: "nan" is no number; a number written as text is none either; 0 is one."""
    assert finite_number(value) == number
    results = build_results(raw_of(record_of(value=value)), catalog_of())
    assert results["value"].to_list() == [number]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, ("official", "verified")),
        ({"source_type": "official"}, ("official", "verified")),
        ({"source_type": "self_reported"}, ("self_reported", None)),  # the source's tier is not this row's
        ({"source_type": "self_reported", "tier": "reported"}, ("self_reported", "reported")),
        ({"tier": "self_reported"}, ("official", "self_reported")),
    ],
)
def test_what_a_source_states_for_its_rows(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, stated: dict[str, str], expected: tuple[str, str | None]
) -> None:
    source = {"id": "board", "title": "B", "connector": "native", "url": "b.json", "source_type": "official"}
    catalog = catalog_of(sources=[{**source, "tier": "verified"}])
    assert build_results(raw_of(record_of(**stated)), catalog).select("source_type", "tier").row(0) == expected


def test_duplicates_and_unreadable_rows_are_no_results(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    """A01: the collapsed row is kept in the exclusions and names the entry that stands for it."""
    raw_rows = raw_of(record_of(), record_of(), {"model": "m1", "value": "x"})
    results = build_results(raw_rows, catalog_of())
    assert results.height == 1
    exclusions = received_exclusions(raw_rows)
    assert exclusions.select("entry_id", "stage", "reason_code", "raw_value", "kept_entry_id").rows() == [
        (results["entry_id"][0], "result", "exact_duplicate", "50.0", results["entry_id"][0]),
        (None, "parse", "row_unparseable", "x", None),
    ]
    assert "benchmark" in exclusions["detail"][1]


def test_no_rows_no_results(raw_of: Raw, catalog_of: MakeCatalog) -> None:
    assert build_results(raw_of(), catalog_of()).equals(CORE_RESULT.empty())


def test_an_unknown_leaderboard_is_refused(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    with pytest.raises(ValueError, match="elsewhere"):
        build_results(raw_of(record_of(), leaderboard="elsewhere"), catalog_of())


def test_chunks_join_without_a_seam(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw_rows = raw_of(*(record_of(value=float(n), stderr=None if n < 5 else 0.5) for n in range(10)))
    whole = build_results(raw_rows, catalog_of())
    monkeypatch.setattr("methods.catalog.results._CHUNK", 3)
    assert build_results(raw_rows, catalog_of()).equals(whole)


def test_the_name_stays_whole_and_its_states_stand_in_extra(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog
) -> None:
    rows = raw_of(
        record_of(model="UI-X (100 steps)", protocol={"extra": {"judge": "j"}}),
        record_of(model="gpt-x-thinking-64k"),
        record_of(model="plain"),
    )
    results = build_results(rows, catalog_of()).sort("model")
    assert results["model"].to_list() == ["UI-X (100 steps)", "gpt-x-thinking-64k", "plain"]
    extras = [json.loads(text) if text else None for text in results["protocol_extra"]]
    assert extras == [
        {"judge": "j", "name_states": {"steps": 100}},
        {"name_states": {"thinking": "on", "thinking_budget": "64k"}},
        None,
    ]
    assert results["protocol_steps"].to_list() == [None, None, None]
