"""Declared types: exact or refused; nothing is guessed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.connectors.table.scalars import ScalarError, Type, convert


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("61.0", "number", 61.0), ("61", "number", 61), (" .5 ", "number", 0.5), ("-1e-3", "number", -0.001),
        ("0", "number", 0), ("0.000", "number", 0.0), (Decimal("72.30"), "number", 72.3), (5, "number", 5),
        (2**60, "number", float(2**60)), ("9007199254740993", "number", 9007199254740992.0),
        ("77.47%", "percent_text", 77.47), (" 5 % ", "percent_text", 5), ("0%", "percent_text", 0),
        ("225", "integer", 225), (Decimal("225.0"), "integer", 225), ("-3", "integer", -3), ("007", "integer", 7),
        ("2024-11-20", "text", "2024-11-20"), (Decimal("1.10"), "text", "1.10"), (4, "text", "4"),
        (True, "text", "true"),
        (date(2026, 1, 8), "text", "2026-01-08"), ("2026-01-08", "date", "2026-01-08"),
        (date(2026, 1, 8), "date", "2026-01-08"), ("2026-01-08T01:02:03Z", "date", "2026-01-08T01:02:03Z"),
        ("true", "flag", True), (False, "flag", False), ("TRUE", "flag", True),
        ([1, Decimal("0.5")], "as_received", [1, 0.5]), ("x", "as_received", "x"), (None, "number", None),
    ],
)  # fmt: skip
def test_what_fits(value: Any, kind: Type, expected: Any) -> None:
    got = convert(value, kind)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("77.47%", "number"), ("1,234", "number"), ("-", "number"), ("", "number"), ("NaN", "number"),
        ("inf", "number"),
        ("0x1F", "number"), ("１２", "number"), ("٣", "number"), ("−5", "number"), ("1_000", "number"),
        ("1 2", "number"),
        ("1e999", "number"), ("🚀", "number"), (True, "number"), (date(2026, 1, 1), "number"), ([1], "number"),
        ("3.14.15", "number"), ("± 2", "number"), ("77.47", "percent_text"), (77.47, "percent_text"),
        ("%", "percent_text"),
        ("1.5", "integer"), (True, "integer"), ("", "integer"), ("1e3", "integer"), ("2026-13-01", "date"),
        ("8/1/2026", "date"), ("Nov 2026", "date"), ("yes", "flag"), (1, "flag"), ({"a": 1}, "text"), (b"x", "text"),
    ],
)  # fmt: skip
def test_what_does_not_fit(value: Any, kind: Type) -> None:
    with pytest.raises(ScalarError):
        convert(value, kind)


def test_dates_are_read_as_they_are_declared() -> None:
    assert convert("8/1/2026", "date", ["%d/%m/%Y"]) == "2026-01-08"
    assert convert("20250108 0203", "date", ["%d.%m.%Y", "%Y%m%d %H%M"]) == "2025-01-08T02:03:00+00:00"
    with pytest.raises(ScalarError, match="not written as"):
        convert("2026-01-08", "date", ["%d/%m/%Y"])


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_a_decimal_text_and_a_json_number_are_the_same_double(number: Decimal) -> None:
    assert convert(format(number, "f"), "number") == convert(number, "number") == float(number)


@given(st.text(max_size=12))
def test_text_stays_itself(text: str) -> None:
    assert convert(text, "text") == text
