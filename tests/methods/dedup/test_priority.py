"""Deduplication: the order of METHODS 4, losers kept with their winner, and the plain definition under hypothesis."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.catalog.eligibility import CANDIDATE_SCHEMA
from methods.dedup.priority import deduplicate
from methods.scoring.kept import KEPT_SCHEMA
from warehouse.tables import CORE_EXCLUSION

DAY = datetime(2026, 10, 20, tzinfo=UTC)


def candidate(entry: str, **changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "entry_id": entry, "metric_id": "x", "model_id": "m", "developer": "D", "category": "agent",
        "dimension": "planning", "family": "F", "protocol": "p", "tier": "official", "direction": "higher",
        "transform": "logit", "unit": "score", "value": 50.0, "stderr": None, "leaderboard": "board",
        "snapshot_sha256": "0" * 64, "row_locator": f"row {entry} {changes.get('metric_id', 'x')}", "raw_value": "50",
        "copied_from": None, "confidence": None, "updated_at": None, **changes,
    }  # fmt: skip
    return {**row, "evidence_id": f"{row['entry_id']}:{row['metric_id']}"}


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=CANDIDATE_SCHEMA)


@pytest.mark.parametrize(
    ("winner", "loser", "detail"),
    [
        ({"tier": "self_reported"}, {"tier": "verified", "copied_from": "another board"}, "a copy of another board"),
        ({"tier": "verified"}, {"tier": "official", "confidence": 1.0}, "tier verified preferred to official"),
        ({"tier": "official"}, {"tier": "reported"}, "tier official preferred to reported"),
        ({"tier": "reported"}, {"tier": "self_reported"}, "tier reported preferred to self_reported"),
        ({"confidence": 0.9}, {"confidence": 0.5, "updated_at": DAY}, "confidence 0.9 preferred to 0.5"),
        ({"confidence": 0.0}, {"confidence": None}, "confidence 0.0 preferred to none"),
        ({"updated_at": DAY}, {"updated_at": DAY - timedelta(days=1)}, "updated_at 2026-10-20"),
        ({"updated_at": DAY}, {"updated_at": None}, "preferred to none"),
        ({}, {}, "equal in priority; the smaller entry id was kept"),
        ({"value": 0.0}, {"value": 99.0}, "kept 0.0 score, this one 99.0 score (better)"),
    ],
)
def test_each_rule_decides(winner: dict[str, Any], loser: dict[str, Any], detail: str) -> None:
    """Whatever stands lower in the order, and whatever the value, plays no part. Row order neither."""
    equal_otherwise = winner == {} or "value" in winner
    entries = ("a", "b") if equal_otherwise else ("b", "a")
    rows = [candidate(entries[0], **winner), candidate(entries[1], **loser)]
    for given_rows in (rows, rows[::-1]):
        found = deduplicate(frame(*given_rows))
        assert found.kept["entry_id"].to_list() == [entries[0]]
        assert found.exclusions.select("entry_id", "reason_code", "kept_entry_id").rows() == [
            (entries[1], "lower_priority_duplicate", entries[0])
        ]
        assert detail in found.exclusions["detail"][0]


def test_verified_outranks_self_reported_where_lower_is_better() -> None:
    """A31: the verified 1.54 counts although the self-reported 1.36 is better, and the difference is on record."""
    common = {"direction": "lower", "transform": "identity", "unit": "rating"}
    found = deduplicate(
        frame(
            candidate("a", tier="self_reported", value=1.36, **common),
            candidate("b", tier="verified", value=1.54, **common),
        )
    )
    assert found.kept["value"].to_list() == [1.54]
    assert found.exclusions["detail"][0] == (
        "tier verified preferred to self_reported; kept 1.54 rating, this one 1.36 rating (better)"
    )


@pytest.mark.parametrize("field", ["model_id", "family", "protocol", "metric_id"])
def test_rows_that_differ_in_a_group_field_are_no_duplicates(field: str) -> None:
    found = deduplicate(frame(candidate("a"), candidate("b", **{field: "other"})))
    assert found.kept.height == 2
    assert found.exclusions.height == 0


def test_an_empty_copy_mark_is_no_copy() -> None:
    for nothing in ("", " ", None):
        found = deduplicate(frame(candidate("a", copied_from=nothing), candidate("b")))
        assert found.kept["entry_id"].to_list() == ["a"]


def test_nothing_in_nothing_out() -> None:
    found = deduplicate(frame())
    assert found.kept.schema == KEPT_SCHEMA
    assert found.exclusions.equals(CORE_EXCLUSION.empty())


CANDIDATES = st.lists(
    st.builds(
        candidate,
        st.text("abcdef", min_size=1, max_size=3),
        model_id=st.sampled_from(["m", "n"]),
        metric_id=st.sampled_from(["x", "y"]),
        tier=st.sampled_from(["verified", "official", "reported", "self_reported"]),
        copied_from=st.sampled_from([None, None, "", "board"]),
        confidence=st.sampled_from([None, 0.0, -0.0, 0.5, 1.0]),
        updated_at=st.sampled_from([None, DAY, DAY + timedelta(microseconds=1)]),
        value=st.sampled_from([0.0, 50.0]),
    ),
    max_size=20,
    unique_by=lambda row: (row["entry_id"], row["metric_id"]),
)


@settings(max_examples=60, deadline=None)
@given(CANDIDATES, st.randoms(use_true_random=False))
def test_deduplicate_as_the_plain_definition(rows: list[dict[str, Any]], random: Any) -> None:
    found = deduplicate(frame(*rows))
    winners: dict[tuple[str, ...], str] = {}
    for row in sorted(rows, key=_preference):
        winners.setdefault(_group(row), row["entry_id"])
    kept = [row for row in rows if winners[_group(row)] == row["entry_id"]]
    assert found.kept["evidence_id"].to_list() == sorted(row["evidence_id"] for row in kept)
    lost = {row["row_locator"]: winners[_group(row)] for row in rows if row not in kept}
    assert dict(found.exclusions.select("row_locator", "kept_entry_id").rows()) == lost
    random.shuffle(rows)
    again = deduplicate(frame(*rows))
    assert again.kept.equals(found.kept)
    assert again.exclusions.equals(found.exclusions)


def _group(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("model_id", "family", "protocol", "metric_id"))


def _preference(row: dict[str, Any]) -> tuple[Any, ...]:
    confidence, moment = row["confidence"], row["updated_at"]
    return (
        bool(row["copied_from"]),
        ["verified", "official", "reported", "self_reported"].index(row["tier"]),
        confidence is None,
        0.0 if confidence is None else -confidence,
        moment is None,
        timedelta(0) if moment is None else DAY - moment,
        row["entry_id"],
    )
