"""Single values of a log: numbers that are numbers, counts, costs that were tracked, time between two moments.

Belongs here: what one value may be, whichever tool wrote it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from resources.logs.rows import CostStatus
from warehouse.records import moment


def number(value: object) -> float | None:
    """A finite number, booleans as 0 and 1; None for everything else, texts of digits among it."""
    if isinstance(value, bool):
        return float(value)
    if not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def count(value: object) -> int | None:
    """A whole number that is not negative and fits 64 bits; None for everything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < 2**63 else None


def text(value: object) -> str | None:
    """A text that is not empty, numbers as written; None for everything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and value else None


def raw(value: object) -> str | None:
    """A value as the log has it: texts as they are, the rest as JSON; None for null."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def cost(value: object) -> tuple[float | None, CostStatus]:
    """A cost in dollars and whether it was tracked. 0.0 is what tools write that track none: it is no cost."""
    found = number(value)
    if found is None or found <= 0 or isinstance(value, bool):
        return None, "not_tracked"
    return found, "tracked"


def tokens(value: object) -> int | None:
    """A number of tokens; 0 is what tools write that count none."""
    return count(value) or None


def seconds_between(start: object, end: object) -> float | None:
    """Seconds between two moments in words; None where either is none, or they run backwards."""
    first, last = _moment(start), _moment(end)
    if first is None or last is None:
        return None
    passed = (last - first).total_seconds()
    return passed if passed >= 0 else None


def _moment(value: object) -> datetime | None:
    try:
        return moment(value) if isinstance(value, str) else None
    except ValueError:
        return None


def part(data: object, *keys: str) -> Any:
    """What lies below these keys; None where a step is no object or has no such key."""
    for key in keys:
        if not isinstance(data, Mapping):
            return None
        data = data.get(key)
    return data


def mapping(data: object) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return data if isinstance(data, Mapping) else {}


def sequence(data: object) -> list[Any]:
    """The list, or an empty one."""
    return data if isinstance(data, list) else []
