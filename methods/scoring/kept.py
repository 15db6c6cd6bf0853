"""The frame that deduplication hands to scoring: one row per result that still counts for one metric.

Belongs here: the shape only. Does not belong here: how rows got in (`methods.catalog`, `methods.dedup`) or what is
computed from them (`methods.scoring.standardize`). METHODS 3, 4 and 7.
"""

from __future__ import annotations

from typing import Final

import polars as pl

KEPT_SCHEMA: Final = pl.Schema(
    {
        "evidence_id": pl.String(),
        "entry_id": pl.String(),
        "metric_id": pl.String(),
        "model_id": pl.String(),
        "developer": pl.String(),
        "category": pl.String(),
        "dimension": pl.String(),
        "family": pl.String(),
        "protocol": pl.String(),
        "tier": pl.String(),
        "direction": pl.String(),
        "transform": pl.String(),
        "unit": pl.String(),
        "value": pl.Float64(),
        "stderr": pl.Float64(),
        "leaderboard": pl.String(),
        "snapshot_sha256": pl.String(),
        "row_locator": pl.String(),
        "raw_value": pl.String(),
    }
)
"""Columns scoring reads; others are ignored, order does not matter.

`value` and `stderr` are as stated, in `unit` (`score`: percent, `score_fraction`, `rating`); `developer` is the
registry's and may be null, as may `stderr` and `raw_value`; `direction` is `higher` or `lower`; (metric_id, model_id)
is unique. Every row is admitted: finite, and its fraction within 0 to 1.
"""
