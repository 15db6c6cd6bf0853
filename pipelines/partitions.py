"""The daily partitions: one per UTC day `as_of`, today included."""

from __future__ import annotations

from datetime import date

import dagster as dg

FIRST_DAY = "2023-01-01"
"""No leaderboard of the catalog holds a usable result from before; a backfill ascends from here."""


def daily(last: date | None = None) -> dg.DailyPartitionsDefinition:
    """Partitions from the first day to today (UTC), or to a later `last`, for runs whose clock is not today's."""
    if last is None:
        return dg.DailyPartitionsDefinition(start_date=FIRST_DAY, end_offset=1, timezone="UTC")
    return dg.DailyPartitionsDefinition(start_date=FIRST_DAY, end_date=_next(last), timezone="UTC")


def _next(day: date) -> str:
    return date.fromordinal(day.toordinal() + 1).isoformat()
