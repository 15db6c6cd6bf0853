"""Baseline figures: counted by hand, whole in JSON, the same whatever the row order."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import polars as pl
import pytest

from methods.lineage.baseline import BaselineFigures, baseline_figures
from warehouse.tables import CORE_EVIDENCE, CORE_RESULT, OUT_CATEGORY_SCORE

RESULTS = pl.DataFrame({"entry_id": ["e1", "e2", "e3", "e4"], "leaderboard": ["b", "a", "b", "b"]})
EVIDENCE = pl.DataFrame(
    {
        "entry_id": ["e1", "e2", "e1"],
        "metric_id": ["m2", "m1", "m1"],
        "model_id": ["2024-11-20", "x", "2024-11-20"],
        "category": ["math", "agent", "math"],
        "tier": ["official", "reported", "official"],
        "value": [0.1, 1 / 3, 0.0],
    }
)
SCORES = pl.DataFrame(
    {"category": ["math", "agent", "math"], "model_id": ["x", "2024-11-20", "2024-11-20"], "score": [50.0, None, 0.0]}
)
EXPECTED = BaselineFigures(
    release_id="2026-10-19-0123456789ab",
    rows={"a": 1, "b": 3},
    counted={"a": 1, "b": 1},
    tiers={"official": 2, "reported": 1},
    models={"math": ("2024-11-20", "x")},
    values={"m1": {"2024-11-20": ("e1", 0.0), "x": ("e2", 1 / 3)}, "m2": {"2024-11-20": ("e1", 0.1)}},
    known={"a": date(2026, 10, 18), "b": date(2026, 10, 19)},
    boards={"agent": {"x": ("a",)}, "math": {"2024-11-20": ("b",)}},
)
SNAPSHOTS = pl.DataFrame(
    {
        "leaderboard": ["b", "a", "never received"],
        "synced_at": [datetime(2026, 10, 19, 23, 59, 59, tzinfo=UTC), datetime(2026, 10, 18, tzinfo=UTC), None],
    }
)


def test_figures_counted_by_hand() -> None:
    """A score of 0 is a score; a model without one is none of the baseline's."""
    assert baseline_figures(RESULTS, EVIDENCE, SCORES, EXPECTED.release_id, SNAPSHOTS) == EXPECTED


def test_row_order_changes_neither_figures_nor_bytes() -> None:
    results, evidence, scores = (frame.reverse() for frame in (RESULTS, EVIDENCE, SCORES))
    shuffled = baseline_figures(results, evidence, scores, EXPECTED.release_id, SNAPSHOTS.reverse())
    assert shuffled == EXPECTED
    assert shuffled.to_json() == EXPECTED.to_json()


def test_json_holds_every_bit() -> None:
    assert BaselineFigures.from_json(EXPECTED.to_json()) == EXPECTED
    assert BaselineFigures.from_json(EXPECTED.to_json().decode()) == EXPECTED
    assert json.loads(EXPECTED.to_json())["values"]["m1"]["x"][1] == 1 / 3


def test_figures_of_a_release_made_before_days_were_kept_know_none() -> None:
    content = json.loads(EXPECTED.to_json())
    del content["known"], content["boards"]
    old = BaselineFigures.from_json(json.dumps(content))
    assert (old.known, old.boards, old.rows) == ({}, {}, EXPECTED.rows)


def test_empty_tables_give_empty_figures() -> None:
    empty = baseline_figures(CORE_RESULT.empty(), CORE_EVIDENCE.empty(), OUT_CATEGORY_SCORE.empty(), "r")
    assert empty == BaselineFigures("r", {}, {}, {}, {}, {})
    assert BaselineFigures.from_json(empty.to_json()) == empty


@pytest.mark.parametrize(
    "document",
    [
        b"[]",
        b"{}",
        b"not json",
        b'{"schema": "scoretrail.baseline/2"}',
        b'{"schema": "scoretrail.baseline/1", "release_id": "r"}',
        EXPECTED.to_json().replace(b'"a":1', b'"a":"1"'),
        EXPECTED.to_json().replace(b'"a":1', b'"a":true'),
        EXPECTED.to_json().replace(b'["e1",0]', b'["e1"]'),
        EXPECTED.to_json().replace(b'"2026-10-18"', b'"yesterday"'),
        EXPECTED.to_json().replace(b'"2026-10-18"', b"3"),
    ],
)
def test_a_damaged_document_is_refused(document: bytes) -> None:
    with pytest.raises(ValueError):
        BaselineFigures.from_json(document)
