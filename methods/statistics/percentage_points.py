"""A result's value as an exact percentage, where its unit is one (METHODS 3 and 6).

Belongs here: reading a value in its unit for differences. Does not belong here: the logit scale of the board
(`methods.scoring.logit`).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from warehouse.vocabulary import PERCENT_UNITS

NoPercentage = Literal["unit_excluded", "value_missing", "value_out_of_range"]


@dataclass(frozen=True, slots=True)
class Percentage:
    """A value in percent, exact; or why there is none."""

    points: Decimal | None
    reason: NoPercentage | None


def percentage(value: float | None, unit: str) -> Percentage:
    """A value in percent: as stated for `score`, times 100 for `score_fraction`, the shortest decimal of the float.

    Ratings and every other unit have none; nor has a missing value, or one outside 0 to 100.
    """
    if unit not in PERCENT_UNITS:
        return Percentage(None, "unit_excluded")
    if value is None:
        return Percentage(None, "value_missing")
    points = Decimal(repr(value)) * 100 / PERCENT_UNITS[unit]
    if not 0 <= points <= 100:
        return Percentage(None, "value_out_of_range")
    return Percentage(points, None)
