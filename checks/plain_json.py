"""Values as strict, short JSON: what a validation result, a verdict or Dagster metadata may hold (B11, B13).

Belongs here: the form of single values. NaN and infinities, which no JSON has, become null where a number is wanted
and their name where an example is shown.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Final

from warehouse.canonical import LARGEST_EXACT_INTEGER, Json

VALUE_LIMIT: Final = 200


def short(text: str, limit: int) -> str:
    """The text on one line, cut to `limit` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def json_value(value: object) -> Json:
    """One cell as strict JSON: numbers that JSON cannot hold exactly as text, times in ISO form, the rest as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_EXACT_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    return short(str(value), VALUE_LIMIT)


def finite(value: float | None) -> float | None:
    """The number, or null where it is NaN or infinite: what could not be measured is null."""
    return value if value is not None and math.isfinite(value) else None
