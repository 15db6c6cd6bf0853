"""What people are asked to judge, blind: no judge's name, no verdict, in an order that says nothing (METHODS 10).

Belongs here: the sheet. Does not belong here: which items are on it (`summary.queue_reasons`, `study.queue`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from warehouse.judge_words import UNSTATED

SHEET: Final = ("item", "task_type", "shown_first", "gold", "adjudication_reason")
"""Columns of the sheet; `gold` and `adjudication_reason` are to be filled, and read back with the judgments."""


def blind_sheet(queue: Iterable[Mapping[str, Any]], seed: int) -> pl.DataFrame:
    """One row an item: which answer to show first, drawn by hash, and room for a label and its reason.

    Rows stand in an order drawn by hash too, so that neither order nor place tells what any judge said. An item that
    several judges brought up stands once.

    Args:
        queue: rows of out__judge_queue.
        seed: the methodology's.
    """
    tasks = {str(row["item"]): None if row["task_type"] == UNSTATED else row["task_type"] for row in queue}
    drawn = sorted((hashlib.sha256(f"{seed}:{item}".encode()).digest(), item) for item in tasks)
    rows = [(item, tasks[item], "AB"[digest[-1] % 2], None, None) for digest, item in drawn]
    return pl.DataFrame(rows, schema=dict.fromkeys(SHEET, pl.String), orient="row")
