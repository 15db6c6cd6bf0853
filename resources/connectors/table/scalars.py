"""Declared types: one received scalar into text, number, integer, date or flag, exactly or not at all.

Nothing is inferred. A text becomes a number only where the mapping says `number` and the text is a plain decimal;
"77.47%" is one only under `percent_text`, "9/26" (9 of 26) under `ratio_text`, "$1,234.50" under `money_text`; "1,234",
"-" and "NaN" never are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

from resources.json_documents import as_floats

Type = Literal["text", "number", "integer", "percent_text", "ratio_text", "money_text", "date", "flag", "as_received"]

LARGEST_EXACT: Final = 2**53
_DECIMAL: Final = re.compile(r"[ \t]*([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)[ \t]*", re.ASCII)
_INTEGER: Final = re.compile(r"[ \t]*([-+]?[0-9]{1,19})(?:\.0*)?[ \t]*", re.ASCII)
_RATIO: Final = re.compile(r"([^/]+)/([^/]+)")
_MONEY: Final = re.compile(r"[ \t]*\$[ \t]*([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?)[ \t]*", re.ASCII)
_EXCEL: Final = "excel"
_EXCEL_EPOCH: Final = date(1899, 12, 30)
_LAST_SERIAL: Final = 2_958_465
_FLAGS: Final = {"true": True, "false": False}


class ScalarError(ValueError):
    """A value that is not of its declared type."""


def token(value: object) -> str:
    """A scalar as text, as it was written: null, true and false as in JSON, a number by its digits."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def convert(value: Any, kind: Type, formats: Sequence[str] = ()) -> Any:
    """A value of its declared type, in JSON's terms; null stays null.

    Args:
        value: as a reader hands it on: text, int, Decimal, float, bool, date, list or mapping.
        kind: the declared type.
        formats: for `date`, how it is written (as in strptime); ISO 8601 where none is given.

    Raises:
        ScalarError: where the value is not of that type.
    """
    if value is None:
        return None
    if kind == "as_received":
        return as_floats(value.isoformat() if isinstance(value, date) else value)
    if isinstance(value, dict | list | bytes):
        raise ScalarError(f"a single value is expected, not a {type(value).__name__}")
    return _CONVERSIONS[kind](value) if kind != "date" else _date(value, formats)


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else token(value)


def _number(value: Any) -> int | float:
    if isinstance(value, bool | date):
        raise ScalarError(f"{token(value)} is no number")
    if isinstance(value, str):
        match = _DECIMAL.fullmatch(value)
        if match is None:
            raise ScalarError(f"{value[:40]!r} is no plain decimal number")
        return _plain(Decimal(match[1]))
    return _plain(value)


def _plain(value: int | float | Decimal) -> int | float:
    """The number as an integer where it is written as one and a double holds it exactly, else as the nearest double."""
    if isinstance(value, Decimal) and value.as_tuple().exponent == 0 and abs(value) < LARGEST_EXACT:
        return int(value)
    if isinstance(value, int) and abs(value) < LARGEST_EXACT:
        return value
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not math.isfinite(number):
        raise ScalarError(f"{token(value)[:40]} is no finite number")
    return number


def _percent(value: Any) -> int | float:
    if not isinstance(value, str) or not value.rstrip().endswith("%"):
        raise ScalarError(f"{token(value)[:40]!r} is no percentage such as '77.47%'")
    return _number(value.rstrip()[:-1])


def _ratio(value: Any) -> float:
    match = _RATIO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ScalarError(f"{token(value)[:40]!r} is no ratio such as '9/26'")
    return quotient(match[1], match[2])


def _money(value: Any) -> int | float:
    match = _MONEY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ScalarError(f"{token(value)[:40]!r} is no sum such as '$1.25'")
    return _number(match[1].replace(",", ""))


def quotient(part: Any, whole: Any) -> float:
    """Part of whole, both numbers or plain decimal texts.

    Raises:
        ScalarError: where one is no number, or the whole is 0.
    """
    above, below = _decimal(part), _decimal(whole)
    if below == 0:
        raise ScalarError("a part of 0 is nothing")
    return float(above / below)


def half_span(low: Any, high: Any) -> Decimal:
    """Half the distance of two numbers or plain decimal texts, never negative.

    Raises:
        ScalarError: where one is no number.
    """
    return abs(_decimal(high) - _decimal(low)) / 2


def _decimal(value: Any) -> Decimal:
    number = _number(value)
    return Decimal(value) if isinstance(value, int | Decimal) else Decimal(repr(number))


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _INTEGER.fullmatch(token(value)) if not isinstance(value, bool | date) else None
    if match is None:
        raise ScalarError(f"{token(value)[:40]!r} is no whole number")
    return int(match[1])


def _flag(value: Any) -> bool:
    found = _FLAGS.get(token(value).lower())
    if found is None:
        raise ScalarError(f"{token(value)[:40]!r} is neither true nor false")
    return found


def _date(value: Any, formats: Sequence[str]) -> str:
    if isinstance(value, date):
        return value.isoformat()
    text = token(value).strip()
    for form in formats:
        if form == _EXCEL:
            if _INTEGER.fullmatch(text) and 1 <= float(text) <= _LAST_SERIAL:
                return (_EXCEL_EPOCH + timedelta(days=int(float(text)))).isoformat()
            continue
        try:
            moment = datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return (
            moment.isoformat() if any(sign in form for sign in ("%H", "%I", "%X", "%c")) else moment.date().isoformat()
        )
    if not formats:
        try:
            datetime.fromisoformat(text)
        except ValueError:
            raise ScalarError(f"{text[:40]!r} is no ISO date such as 2026-10-20") from None
        return text
    raise ScalarError(f"{text[:40]!r} is not written as {' or '.join(formats)}")


_CONVERSIONS: Final = {
    "text": _text,
    "number": _number,
    "integer": _whole,
    "percent_text": _percent,
    "ratio_text": _ratio,
    "money_text": _money,
    "flag": _flag,
}
