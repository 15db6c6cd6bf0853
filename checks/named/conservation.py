"""The gate on conservation: every received row ends in a result or an exclusion, every result in evidence or one.

Belongs here: the verdict over five tables. The account itself is `methods.catalog.conservation`.
"""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs
from checks.plain_json import short
from methods.catalog import conservation as account
from warehouse.catalog_model import GateSpec

_PLACE = ["leaderboard", "snapshot_sha256", "row_locator"]


def conservation(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Rows that are unaccounted for, or accounted for twice; none may be (METHODS, general rules).

    Beyond the account of `methods.catalog.conservation`: a snapshot states as many rows as raw__row holds of it, and
    exactly the unread rows are excluded as such, exactly the repeated ones as such.
    """
    rows, exclusions = inputs.frame("raw__row"), inputs.frame("core__exclusion")
    counted = account.conservation(
        rows, inputs.frame("core__result"), inputs.frame("core__evidence"), exclusions, inputs.catalog
    )
    unread = rows.filter(pl.col("entry_id").is_null())
    repeated = rows.filter(pl.col("is_duplicate"))
    faults = [
        *_snapshot_faults(inputs.frame("raw__snapshot"), rows),
        *_reason_faults(unread, exclusions, "row_unparseable"),
        *_reason_faults(repeated, exclusions, "exact_duplicate"),
        *counted.unaccounted,
    ]
    detail = (
        f"{len(faults)} faults in the account of {counted.received} received rows: {'; '.join(faults[:3])}"
        if faults
        else f"each of {counted.received} received rows is accounted for: {counted.evidence_rows} in evidence, "
        f"{counted.excluded_rows} excluded, for one metric never both"
    )
    examples = tuple({"fault": short(fault, 200)} for fault in faults[:20])
    return Finding(
        "fail" if faults else "pass", float(len(faults)), counted.received, len(faults), detail, examples, threshold=0.0
    )


def _snapshot_faults(snapshots: pl.DataFrame, rows: pl.DataFrame) -> list[str]:
    found = rows.group_by("leaderboard", "snapshot_sha256").len("found")
    compared = snapshots.filter(pl.col("sha256").is_not_null()).join(
        found, left_on=["leaderboard", "sha256"], right_on=["leaderboard", "snapshot_sha256"], how="left"
    )
    wrong = compared.with_columns(pl.col("found").fill_null(0)).filter(pl.col("found") != pl.col("rows"))
    return [
        f"{board}: its snapshot states {stated} rows, raw__row holds {held}"
        for board, stated, held in wrong.select("leaderboard", "rows", "found").sort("leaderboard").iter_rows()
    ]


def _reason_faults(rows: pl.DataFrame, exclusions: pl.DataFrame, reason: str) -> list[str]:
    excluded = exclusions.filter(pl.col("reason_code") == reason).select(_PLACE)
    places = rows.select(_PLACE)
    missing = places.join(excluded, on=_PLACE, how="anti").sort(_PLACE)
    wrong = excluded.join(places, on=_PLACE, how="anti").sort(_PLACE)
    return [
        *(f"{board} {locator}: should be excluded as {reason}" for board, _, locator in missing.iter_rows()),
        *(f"{board} {locator}: is excluded as {reason} and is not" for board, _, locator in wrong.iter_rows()),
    ]
