"""The daily partitions: one per UTC day `as_of`, today included."""

from __future__ import annotations

import dagster as dg

from pipelines.options import FIRST_DAY


def daily() -> dg.DailyPartitionsDefinition:
    """Partitions from the first day to today (UTC)."""
    return dg.DailyPartitionsDefinition(start_date=FIRST_DAY, end_offset=1, timezone="UTC")
