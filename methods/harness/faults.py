"""What is wrong with attempt records, each named: by file and row, or by configuration and task (METHODS 11).

Belongs here: the rows of the fault list. Does not belong here: finding a fault in a record (`grid`), whether it stops
publication (`checks`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.harness.plan import Block
from methods.harness.records import KEY_FIELDS, Batch
from warehouse.harness_words import FAULTS

FAULT_SCHEMA: Final = pl.Schema(
    {
        "fault": pl.String(),
        "file": pl.String(),
        "row": pl.Int64(),
        **{name: pl.String() for name in KEY_FIELDS},
        "attempts": pl.Int64(),
        "detail": pl.String(),
    }
)


def no_faults() -> pl.DataFrame:
    """The list without entries."""
    return pl.DataFrame(schema=FAULT_SCHEMA)


def of_rows(batch: Batch, rows: NDArray[np.int64], fault: str, detail: str) -> pl.DataFrame:
    """One entry a record.

    Args:
        batch: the records.
        rows: which of them.
        fault: one of FAULTS.
        detail: what more there is to say of all of them.
    """
    keys = {name: _texts(batch, name, rows) for name in KEY_FIELDS}
    return pl.DataFrame(
        {
            "fault": [fault] * rows.size,
            "file": [batch.file] * rows.size,
            "row": batch.rows[rows],
            **keys,
            "attempts": [1] * rows.size,
            "detail": [detail or None] * rows.size,
        },
        schema=FAULT_SCHEMA,
    )


def missing_attempts(block: Block, recorded: NDArray[np.bool_]) -> pl.DataFrame:
    """One entry for each configuration, task or part of a task that was planned and has no record.

    Args:
        block: what was planned.
        recorded: (configurations, tasks, repetitions).
    """
    gone = ~recorded
    rows: list[dict[str, Any]] = []
    for number in np.flatnonzero(gone.any(axis=(1, 2))).tolist():
        model, harness = block.configurations[number]
        own = {"model": model, "harness": harness, "benchmark": block.benchmark, "condition": block.condition}
        if gone[number].all():
            rows.append({**own, "fault": "cell_missing", "attempts": gone[number].size})
            continue
        for task in np.flatnonzero(gone[number].any(axis=1)).tolist():
            environment, name = block.task_names[task]
            away = np.flatnonzero(gone[number, task]).tolist()
            is_whole = len(away) == len(block.repetitions)
            detail = None if is_whole else "repetitions " + ", ".join(block.repetitions[place] for place in away)
            fault = "task_missing" if is_whole else "attempt_missing"
            here = {"fault": fault, "environment": environment, "task": name, "attempts": len(away), "detail": detail}
            rows.append({**own, **here})
    return pl.DataFrame(rows, schema=FAULT_SCHEMA, orient="row")


def in_order(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """All entries in a total order: by fault as FAULTS lists them, then by what they name."""
    together = pl.concat([no_faults(), *parts])
    rank = pl.col("fault").replace_strict({name: n for n, name in enumerate(FAULTS)}, return_dtype=pl.Int64)
    return (
        together.with_columns(rank=rank)
        .sort(
            ["rank", "benchmark", "condition", "environment", "model", "harness", "task", "repetition", "file", "row"]
        )
        .drop("rank")
    )


def _texts(batch: Batch, name: str, rows: NDArray[np.int64]) -> list[str | None]:
    column = batch.column(name)
    texts = [*column.values, None]
    return [texts[code] for code in column.codes[rows].tolist()]
