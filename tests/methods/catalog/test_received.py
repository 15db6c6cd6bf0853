"""Received rows: readable or not, value tokens, ids and duplicates that no order changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.catalog.received import receive, value_token
from methods.catalog.record_text import identity_text, ranked_id
from warehouse.canonical import canonical_json
from warehouse.contracts import ContractError
from warehouse.hashing import table_hash
from warehouse.identity import entry_id, identity_key
from warehouse.received import ReceivedRow
from warehouse.tables import RAW_ROW

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]


def _problem(raw_of: Raw, record: dict[str, Any]) -> str:
    row = raw_of(record).row(0, named=True)
    assert row["entry_id"] is None
    assert not row["is_duplicate"]
    return str(row["problem"])


def test_a_readable_row(raw_of: Raw, record_of: Record) -> None:
    record = record_of(protocol={"steps": 15, "extra": {}, "effort": None})
    row = raw_of(record).row(0, named=True)
    assert json.loads(row["record"]) == record
    assert row["entry_id"] == entry_id(identity_key({**record, "leaderboard": "board"}), 0)
    assert (row["problem"], row["raw_value"], row["is_duplicate"]) == (None, "50.0", False)


def test_an_unreadable_row_keeps_problem_and_token() -> None:
    rows = [ReceivedRow("1", None, "no such column", "77"), ReceivedRow("2", None)]
    frame = receive("board", "0" * 64, rows)
    assert frame["problem"].to_list() == ["no such column", "the row could not be read"]
    assert frame["raw_value"].to_list() == ["77", None]


def test_an_empty_snapshot_is_an_empty_table() -> None:
    assert receive("board", "0" * 64, []).equals(RAW_ROW.empty())


def test_two_rows_at_one_place_are_refused(record_of: Record) -> None:
    with pytest.raises(ContractError, match="row_locator"):
        receive("board", "0" * 64, [ReceivedRow("1", record_of()), ReceivedRow("1", record_of())])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"benchmark": None}, "benchmark"),
        ({"model": ""}, "model"),
        ({"model": 20241120}, "model"),
        ({"unit": 1}, "unit"),
        ({"stderr": -1.0}, "stderr"),
        ({"stderr": float("nan")}, "stderr"),
        ({"stderr": 1.1e150}, "stderr"),
        ({"stderr": "0.1"}, "stderr"),
        ({"n_samples": 1.5}, "n_samples"),
        ({"n_samples": 2**63}, "n_samples"),
        ({"kind": "guessed"}, "kind"),
        ({"tier": "gold"}, "tier"),
        ({"updated_at": "yesterday"}, "updated_at"),
        ({"updated_at": "0001-01-01T00:00:00+05:00"}, ""),
        ({"protocol": {"steps": "15"}}, "protocol.steps"),
        ({"protocol": {"seed": 2**70}}, "protocol.seed"),
        ({"protocol": {"budget": 15}}, "protocol.budget"),
        ({"protocol": {"extra": {"x": float("inf")}}}, ""),
        ({"protocol": {"extra": {"x": {1, 2}}}}, ""),
        ({"lower_bound": 0.1}, "lower_bound"),
        ({"model": "half \ud83d"}, "model"),
        ({"protocol": {"extra": {"note": "half \ud83d"}}}, "surrogate"),
        ({"value": 10**400, "stderr": 10**400}, ""),
    ],
)
def test_a_broken_record_names_its_field(raw_of: Raw, record_of: Record, changes: dict[str, Any], field: str) -> None:
    """B19: a new key is a problem of its row, named, and never a silently changed table."""
    assert field in _problem(raw_of, record_of(**changes))


def test_a_record_nested_beyond_reason_is_a_problem(raw_of: Raw, record_of: Record) -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"x": deep}
    assert "row" in _problem(raw_of, record_of(protocol={"extra": deep}))


@pytest.mark.parametrize(
    "name", ["2024-11-20", "41_10_1", "1.10", "14000000000000000001", "true", "null", "NaN", "1e5"]
)
def test_names_like_dates_and_numbers_stay_text(raw_of: Raw, record_of: Record, name: str) -> None:
    """D11, D12, D20: an identifier that looks like something else keeps its bytes."""
    record = json.loads(raw_of(record_of(model=name, benchmark_version=name))["record"][0])
    assert record["model"] == name
    assert record["benchmark_version"] == name


@pytest.mark.parametrize(
    "name", ["gpt\u200b-4o", "gрt-4o", "🦙 Llama", "tiny\u2011h", "ｇｐｔ", "a\x00b", "é", "e\u0301"]
)
def test_strange_characters_stay_byte_identical(raw_of: Raw, record_of: Record, name: str) -> None:
    assert json.loads(raw_of(record_of(model=name))["record"][0])["model"].encode() == name.encode()


@pytest.mark.parametrize(
    ("value", "raw", "token"),
    [
        (0, None, "0"),
        (0.0, None, "0.0"),
        (27, None, "27"),
        (27.0, "27.00", "27.00"),
        (Decimal("0.1"), None, "0.1"),
        (2**53 + 1, None, "9007199254740993"),
        (None, "null", None),
        ("", None, ""),
        ("-", None, "-"),
        ("77.47%", "'77.47%'", "77.47%"),
        ("🦙", None, "🦙"),
        (True, None, "true"),
        (False, "False", "false"),
        (float("nan"), None, "NaN"),
        (float("nan"), "nan", "nan"),
        (float("inf"), "1e999", "1e999"),
        (float("-inf"), None, "-Infinity"),
        ({"a": [1]}, None, '{"a":[1]}'),
    ],
)
def test_value_tokens(raw_of: Raw, record_of: Record, value: object, raw: str | None, token: str | None) -> None:
    """C01: what is no number stays the token that was received, and null stays null."""
    assert value_token(value, raw) == token
    frame = receive("board", "0" * 64, [ReceivedRow("1", record_of(value=value), None, raw)])
    assert frame["problem"][0] is None
    assert frame["raw_value"][0] == token
    json.loads(frame["record"][0], parse_constant=pytest.fail)


def test_dates_as_yaml_gives_them(raw_of: Raw, record_of: Record) -> None:
    frame = raw_of(record_of(updated_at=date(2026, 10, 20)), record_of(updated_at="2026-10-20"))
    assert frame["is_duplicate"].to_list() == [False, True]


def test_identical_rows_are_one_entry(raw_of: Raw, record_of: Record) -> None:
    """A01, A41: five equal records are one entry and four duplicates; an absent key equals null."""
    frame = raw_of(
        *[record_of() for _ in range(4)],
        record_of(subset=None, protocol={"steps": None, "extra": {}}),
        record_of(value=51.0),
    )
    assert frame["is_duplicate"].to_list() == [False, True, True, True, True, False]
    assert frame["entry_id"].n_unique() == 2


def test_rows_that_share_an_identity_are_ranked_by_content(raw_of: Raw, record_of: Record) -> None:
    one, two = record_of(value=50.0), record_of(value=51.0)
    key = identity_key({**one, "leaderboard": "board"})
    expected = [entry_id(key, 0), entry_id(key, 1)]
    assert raw_of(one, two)["entry_id"].to_list() == expected
    assert raw_of(two, one)["entry_id"].to_list() == expected[::-1]


def test_a_number_is_no_text_even_beyond_2_53(raw_of: Raw, record_of: Record) -> None:
    """D20: canonical JSON holds a huge whole number as text; the two are still two entries."""
    frame = raw_of(record_of(value=2**60), record_of(value=str(2**60)))
    assert not frame["is_duplicate"].any()
    assert frame["entry_id"].n_unique() == 2


def test_settings_that_differ_are_different_entries(raw_of: Raw, record_of: Record) -> None:
    """A26: null and "none" differ. A42: so do prompt variants. G01: keys reordered, same id; k=1 and k=5, other ids."""
    protocols = [None, {"effort": "none"}, {"samples": 1}, {"samples": 5}, {"extra": {"prompt": "zero"}}]
    frame = raw_of(*(record_of(protocol=protocol) for protocol in protocols))
    assert frame["entry_id"].n_unique() == len(protocols)
    assert not frame["is_duplicate"].any()
    shuffled = dict(reversed(record_of(protocol={"samples": 1, "effort": "low"}).items()))
    same = raw_of(shuffled, record_of(protocol={"effort": "low", "samples": 1}))
    assert same["entry_id"].n_unique() == 1


def test_yesterdays_file_again_gives_yesterdays_ids(record_of: Record) -> None:
    """G02: ids depend on content, not on the snapshot, so a resubmission is recognized against what is kept."""
    rows = [ReceivedRow(str(place), record_of(value=float(place))) for place in range(3)]
    yesterday, today = receive("board", "0" * 64, rows), receive("board", "1" * 64, rows[::-1])
    assert set(yesterday["entry_id"]) == set(today["entry_id"])


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PROTOCOL_VALUES = st.none() | TEXTS | st.integers(-(2**70), 2**70)
EXTRAS = st.dictionaries(TEXTS, st.none() | TEXTS | st.integers() | st.floats(allow_nan=False, allow_infinity=False))


@given(
    board=TEXTS,
    texts=st.lists(st.none() | TEXTS, min_size=7, max_size=7),
    protocol=st.none() | st.dictionaries(TEXTS, PROTOCOL_VALUES, max_size=4),
    extra=st.none() | EXTRAS,
    rank=st.integers(0, 10**6),
)
def test_the_fast_identity_is_the_canonical_one(
    board: str, texts: list[str | None], protocol: dict[str, Any] | None, extra: dict[str, Any] | None, rank: int
) -> None:
    fields = ("benchmark", "benchmark_version", "subset", "metric", "model", "source_type", "setting")
    record: dict[str, Any] = dict(zip(fields, texts, strict=True))
    if protocol is not None:
        record["protocol"] = protocol if extra is None else {**protocol, "extra": extra}
    key = identity_key({**record, "leaderboard": board})
    text = identity_text(board, record)
    assert text.encode() == canonical_json(key)
    assert ranked_id(text, rank) == entry_id(key, rank)


RECORDS = st.fixed_dictionaries(
    {
        "benchmark": st.sampled_from(["B", "C"]),
        "metric": st.just("acc"),
        "unit": st.just("score"),
        "value": st.sampled_from([0, 0.0, 1, "1", None, True, 2**60, str(2**60), float("nan"), "NaN"]),
        "model": st.sampled_from(["a", "b"]),
    },
    optional={
        "notes": st.sampled_from([None, "x"]),
        "protocol": st.sampled_from([None, {}, {"steps": 1}, {"steps": "1"}]),
    },
)


@given(st.lists(RECORDS, max_size=12), st.randoms(use_true_random=False))
def test_order_changes_nothing_but_the_first_locator(records: list[dict[str, Any]], random: Any) -> None:
    rows = [ReceivedRow(f"{place:02d}", record) for place, record in enumerate(records)]
    frame = receive("board", "0" * 64, rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert table_hash(receive("board", "0" * 64, shuffled), RAW_ROW) == table_hash(frame, RAW_ROW)
    read = frame.filter(pl.col("problem").is_null())
    assert read.filter(~pl.col("is_duplicate"))["entry_id"].is_unique().all()
    contents = {_said(text) for text in read["record"]}
    assert read["entry_id"].n_unique() == len(contents)


def _said(text: str) -> str:
    """The plain notion of equal in everything: the record without what it does not state."""
    record = {name: value for name, value in json.loads(text).items() if value is not None and value != {}}
    number = isinstance(record.get("value"), int | float) and not isinstance(record.get("value"), bool)
    record["value"] = [number, float(record["value"]) if number else record.get("value")]
    return json.dumps(record, sort_keys=True)
