"""Named gates over several tables: conservation, references, weights."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from warehouse.verdicts import GateResult

Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]


def without(frame: pl.DataFrame, reason: str) -> pl.DataFrame:
    return frame.filter(pl.col("reason_code") != reason)


@pytest.mark.parametrize(
    "reason",
    [
        "row_unparseable",
        "exact_duplicate",
        "unregistered_metric",
        "value_missing",
        "model_unidentified",
        "lower_priority_duplicate",
    ],
)
def test_a_row_dropped_at_any_stage_without_a_word_is_found(judge: Judge, sound: Tables, reason: str) -> None:
    silent = without(sound["core__exclusion"], reason)
    result = judge("conservation", {"core__exclusion": silent})
    assert result.verdict == "fail"
    assert result.failed >= 1
    assert "/results/" in result.detail


def test_a_row_lost_before_or_after_is_found(judge: Judge, sound: Tables) -> None:
    """B21: rows that vanish from a stored table are missed by the count, whatever wrote it."""
    for table in ("raw__row", "core__result", "core__evidence"):
        result = judge("conservation", {table: sound[table].slice(1)})
        assert result.verdict == "fail", table


def test_a_snapshot_that_states_more_rows_than_were_read_is_found(judge: Judge, sound: Tables) -> None:
    snapshots = sound["raw__snapshot"].with_columns(pl.col("rows") + 1)
    result = judge("conservation", {"raw__snapshot": snapshots})
    assert result.verdict == "fail"
    assert "board-one: its snapshot states 44 rows, raw__row holds 43" in result.detail


def test_a_row_that_counts_twice_is_found(judge: Judge, sound: Tables) -> None:
    kept = sound["core__evidence"].row(0, named=True)
    place = sound["core__result"].filter(pl.col("entry_id") == kept["entry_id"]).row(0, named=True)
    twice = (
        sound["core__exclusion"]
        .filter(pl.col("reason_code") == "value_missing")
        .with_columns(
            pl.lit(kept["entry_id"]).alias("entry_id"),
            pl.lit(kept["metric_id"]).alias("metric_id"),
            pl.lit(place["row_locator"]).alias("row_locator"),
        )
    )
    result = judge("conservation", {"core__exclusion": pl.concat([sound["core__exclusion"], twice])})
    assert result.verdict == "fail"
    assert "in evidence and excluded for one metric" in result.detail


def test_a_readable_row_excluded_as_unreadable_is_found(judge: Judge, sound: Tables) -> None:
    wrong = sound["core__exclusion"].with_columns(
        pl.col("reason_code").replace({"value_missing": "row_unparseable"}).alias("reason_code")
    )
    result = judge("conservation", {"core__exclusion": wrong})
    assert result.verdict == "fail"
    assert "is excluded as row_unparseable and is not" in str(result.validation)


@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        ("raw__row", "snapshot_sha256", "rows in snapshots"),
        ("core__result", "row_locator", "results in rows"),
        ("core__evidence", "entry_id", "evidence in results"),
        ("core__exclusion", "row_locator", "exclusions in rows"),
        ("core__exclusion", "kept_entry_id", "winners of duplicates in results"),
    ],
)
def test_references_from_evidence_to_bytes(judge: Judge, sound: Tables, table: str, column: str, told: str) -> None:
    lost = sound[table].with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("nowhere")).otherwise(pl.col(column)).alias(column)
    )
    result = judge("references-evidence", {table: lost})
    assert result.verdict == "fail"
    assert told in result.detail
    assert "nowhere" in result.detail


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("core__evidence", "dimension scores in evidence"),
        ("out__dimension_score", "evidence in dimension scores"),
        ("out__category_score", "dimension scores in category scores"),
        ("out__score_weight", "evidence in own weights"),
    ],
)
def test_references_of_the_board(judge: Judge, sound: Tables, table: str, told: str) -> None:
    """No score without evidence, no evidence without a score, both ways."""
    fewer = sound[table].filter(pl.col("model_id") != "model-a")
    result = judge("references-board", {table: fewer})
    assert result.verdict == "fail"
    assert told in result.detail


def test_weights_of_strangers_are_found(judge: Judge, sound: Tables) -> None:
    stranger = sound["out__score_weight"].head(1).with_columns(pl.lit("stranger").alias("model_id"))
    result = judge("references-board", {"out__score_weight": pl.concat([sound["out__score_weight"], stranger])})
    assert "weights in dimension scores" in result.detail


def test_weights_sum(judge: Judge, sound: Tables) -> None:
    weights = sound["out__score_weight"]
    good = judge("weights-sum")
    assert good.verdict == "pass"
    assert good.evaluated == 8
    assert good.figure is not None
    assert good.figure <= 1e-9

    nudged = weights.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(pl.col("contribution") + 2e-9).otherwise(pl.col("contribution"))
        .alias("contribution")
    )  # fmt: skip
    result = judge("weights-sum", {"out__score_weight": nudged})
    assert (result.verdict, result.failed) == ("fail", 1)
    assert "do not sum to 1/8 scores within 1e-09" in result.detail
    assert judge("weights-sum", {"out__score_weight": nudged}, threshold=1e-8).verdict == "pass"

    missing = judge("weights-sum", {"out__score_weight": weights.filter(pl.col("model_id") != "model-h")})
    assert (missing.verdict, missing.failed) == ("fail", 1)
    assert "model-h in coding has no weights" in missing.detail


def test_the_figure_of_weights_does_not_depend_on_row_order(judge: Judge, sound: Tables) -> None:
    """D05: the sum is exact, so shuffled rows give the same bits."""
    shuffled = {name: sound[name].sample(fraction=1, shuffle=True, seed=7) for name in sound}
    for gate in ("weights-sum", "conservation", "references-board", "references-evidence"):
        assert judge(gate, shuffled) == judge(gate)
