"""JSON: exact numbers, tokens that are no numbers, refusals with their place."""

from __future__ import annotations

from decimal import Decimal

import pytest

from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError


def test_numbers_keep_their_digits() -> None:
    """D20: whole numbers beyond 64 bits and decimals as written."""
    assert load_json("[14000000000000000001, 72.30, 1e2]", "t") == [
        14000000000000000001,
        Decimal("72.30"),
        Decimal(100),
    ]
    assert str(load_json("72.30", "t")) == "72.30"


def test_tokens_that_are_no_numbers_stay_text() -> None:
    assert load_json('{"a": NaN, "b": Infinity, "c": -Infinity}', "t") == {
        "a": "NaN",
        "b": "Infinity",
        "c": "-Infinity",
    }
    assert as_floats(load_json("[1e400, 0.1]", "t")) == ["1E+400", 0.1]


def test_a_number_of_a_million_digits_is_a_token() -> None:
    assert load_json("1" * 1_000_000, "t") == "1" * 1_000_000


@pytest.mark.parametrize("text", ['"2024-11-20"', '"1.10"', '"no"', '"41_10_1"'])
def test_text_stays_byte_identical(text: str) -> None:
    """D11, D12."""
    assert load_json(text, "t") == text.strip('"')


def test_a_mark_is_tolerated() -> None:
    assert load_json(b"\xef\xbb\xbf[1]", "t") == [1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "key 'a' repeats"),
        ('{"a": [1, 2', "truncated"),
        ('{"a": "unfinis', "truncated"),
        ('{"a": 1,', "truncated"),
        ('{"a": 1,}', "not JSON"),
        ("", "empty"),
        ("[" * 100_000, "nested|truncated"),
        ("[" * 70 + "]" * 70, "nested more than 64"),
        ('["\\ud800"]', "surrogate"),
        ("{'a': 1}", "not JSON"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        load_json(text, "t")


def test_a_whole_surrogate_pair_is_text() -> None:
    assert load_json('"\\ud83d\\ude00"', "t") == "😀"


def test_the_error_names_the_line() -> None:
    with pytest.raises(DocumentError) as caught:
        load_json('{\n"a": 1,\n"b" 2}', "f.json")
    assert caught.value.line == 3


def test_size_is_limited() -> None:
    with pytest.raises(DocumentError, match="at most"):
        load_json(b"[1,2,3]", "t", max_bytes=3)


@pytest.mark.parametrize("text", ["x", "[x", "[1] x", "no JSON at all"])
def test_what_never_was_json_is_not_called_truncated(text: str) -> None:
    with pytest.raises(DocumentError, match="not JSON") as raised:
        load_json(text.encode(), "x.json")
    assert "truncated" not in str(raised.value)
