"""Marks along an axis, their labels, and how wide a text is about: what a drawing needs to leave room for.

Belongs here: numbers of layout, from values alone. The drawing itself is `axes`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Final

MOST_GAPS: Final = 9
MINUS: Final = "\u2212"
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
_WHOLE_STEPS: Final = (1.0, 2.0, 5.0, 10.0)
_NARROW: Final = frozenset("ijltfrI.,:;'|!()[]{} ·-")
_WIDE: Final = frozenset("mwMW@%—…")


def marks(low: float, high: float, room: float, *, whole: bool = False) -> list[float]:
    """Round values from `low` to `high`, at most as many gaps as there is room for.

    Args:
        low, high: ends of the axis, in any order.
        room: how many labels fit beside one another.
        whole: whether only whole numbers make sense.
    """
    low, high = min(low, high), max(low, high)
    least = (high - low) / max(1, min(MOST_GAPS, math.floor(room)))
    magnitude = 10.0 ** math.floor(math.log10(least)) if least > 0 else 1.0
    steps = _WHOLE_STEPS if whole else _STEPS
    step = next((one * magnitude for one in steps if one * magnitude >= least * (1 - 1e-9)), 10 * magnitude)
    step = max(1.0, step) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def mark_labels(values: Sequence[float]) -> list[str]:
    """The marks as text, all with as many decimals as the one that needs most."""
    decimals = max((_decimals(value) for value in values), default=0)
    return [f"{value:.{decimals}f}".replace("-", MINUS) for value in values]


def _decimals(value: float) -> int:
    return next((n for n in range(7) if abs(value - round(value, n)) <= 1e-9 * max(1.0, abs(value))), 7)


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif face of a size, in the size's unit: rather too wide than too narrow."""
    return size * sum(_sign_width(sign) for sign in text)


def _sign_width(sign: str) -> float:
    if sign in _NARROW:
        return 0.36
    if sign in _WIDE or unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    if unicodedata.combining(sign):
        return 0.0
    return 0.72 if sign.isupper() else 0.59
