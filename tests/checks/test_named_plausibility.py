"""Named gates on a day by itself: degenerate and mixed columns, reasons, minimum rows, broken sources."""

from __future__ import annotations

import json
from collections.abc import Callable

import polars as pl
import pytest

from warehouse.catalog_model import Catalog
from warehouse.received import ReceivedRow
from warehouse.verdicts import GateResult

Tables = dict[str, pl.DataFrame]
Rows = dict[str, list[ReceivedRow]]
Judge = Callable[..., GateResult]


def valued(results: pl.DataFrame, benchmark: str, value: float, unit: str = "score_fraction") -> Tables:
    there = pl.col("benchmark") == benchmark
    return {
        "core__result": results.with_columns(
            pl.when(there).then(pl.lit(value)).otherwise(pl.col("value")).alias("value"),
            pl.when(there).then(pl.lit(unit)).otherwise(pl.col("unit")).alias("unit"),
        )
    }


@pytest.mark.parametrize(
    ("value", "unit", "verdict"),
    [
        (0.0, "score_fraction", "fail"),
        (1.0, "score_fraction", "fail"),
        (100.0, "score", "fail"),
        (1.0, "score", "pass"),
        (0.0, "rating", "fail"),
        (0.5, "score_fraction", "pass"),
    ],
)
def test_degenerate_column(judge: Judge, sound: Tables, value: float, unit: str, verdict: str) -> None:
    """A36: a board that shows 0, or 100, for everyone is a setup failure, held and not published."""
    result = judge("degenerate-column", valued(sound["core__result"], "Bench 3", value, unit))
    assert result.verdict == verdict
    if verdict == "fail":
        assert "board-one metric-3: 6 rows" in result.detail
        assert result.figure == 6.0


def test_a_short_or_unscored_column_may_be_all_zero(judge: Judge, sound: Tables) -> None:
    zeros = valued(sound["core__result"], "Bench 3", 0.0)
    assert judge("degenerate-column", zeros, threshold=7.0).verdict == "pass"
    unscored = valued(sound["core__result"], "Bench 9", 0.0)
    assert judge("degenerate-column", unscored, threshold=1.0).verdict == "pass"


def test_a_column_of_zeros_that_standardization_excluded_is_still_held(
    judge: Judge, catalog: Catalog, rows: Rows, remake: Callable[[Catalog, Rows], Tables]
) -> None:
    """A36: the column has no spread and brings no evidence; it is held all the same."""
    zeros = {
        board: [
            ReceivedRow(row.row_locator, {**row.record, "value": 0.0}, raw="0.0")
            if row.record is not None and row.record["benchmark"] == "Bench 4"
            else row
            for row in given
        ]
        for board, given in rows.items()
    }
    tables = remake(catalog, zeros)
    assert "no_spread" in set(tables["core__exclusion"]["reason_code"])
    result = judge("degenerate-column", tables)
    assert result.verdict == "fail"
    assert "metric-4: 6 rows, all 0" in result.detail
    assert judge("conservation", tables).verdict == "pass"
    assert judge("suite-core__evidence", tables).verdict == "pass"


def test_mixed_scale(judge: Judge, sound: Tables) -> None:
    """A08: percent among fractions is told; no value is changed or guessed."""
    results = sound["core__result"]
    assert judge("mixed-scale").verdict == "pass"

    first = pl.int_range(pl.len()) == 0
    outside = results.with_columns(pl.when(first).then(58.4).otherwise(pl.col("value")).alias("value"))
    result = judge("mixed-scale", {"core__result": outside})
    assert result.verdict == "fail"
    assert "values outside the unit's range" in result.detail

    units = results.with_columns(pl.when(first).then(pl.lit("score")).otherwise(pl.col("unit")).alias("unit"))
    assert "percent and fractions in one column" in judge("mixed-scale", {"core__result": units}).detail

    percent = results.with_columns(pl.lit("score").alias("unit"))
    small = judge("mixed-scale", {"core__result": percent})
    assert small.verdict == "fail"
    assert "stated in percent, and none of" in small.detail
    assert judge("mixed-scale", {"core__result": percent}, threshold=100.0).verdict == "pass"


def test_a08_quarantines_the_value_and_the_gate_says_so(
    judge: Judge, catalog: Catalog, rows: Rows, remake: Callable[[Catalog, Rows], Tables]
) -> None:
    """A08: [0.52, 0.61, 58.4] declared as fractions: 58.4 is excluded as out of range and the column is named."""
    given = [
        ReceivedRow(f"/results/{place}", {
            "benchmark": "Bench 0", "metric": "accuracy", "unit": "score_fraction", "value": value,
            "model": f"model-{letter}",
        }, raw=str(value))
        for place, (letter, value) in enumerate(zip("abc", (0.52, 0.61, 58.4), strict=True))
    ]  # fmt: skip
    tables = remake(catalog, {**rows, "board-two": given})
    out = tables["core__exclusion"].filter(pl.col("reason_code") == "value_out_of_range")
    assert out["raw_value"].to_list() == ["58.4"]
    result = judge("mixed-scale", tables)
    assert result.verdict == "fail"
    assert "board-two / Bench 0 / accuracy: 1/3 values outside the unit's range" in result.detail


@pytest.mark.parametrize(
    ("gate", "table", "reason", "part"),
    [
        ("duplicate-share", "raw__row", "exact_duplicate", "1/43"),
        ("catalog-coverage", "core__result", "unregistered_metric", "1/42"),
        ("unidentified-models", "core__result", "model_unidentified", "1/40"),
    ],
)
def test_reason_shares(judge: Judge, gate: str, table: str, reason: str, part: str) -> None:
    """A01, A41: what collapsed is counted, and too much of it is told."""
    assert judge(gate).verdict == "pass"
    strict = judge(gate, threshold=0.02)
    assert strict.verdict == "fail"
    assert f"board-one {part} > 0.02" in strict.detail


def test_unreadable_rows(judge: Judge) -> None:
    assert "board-two 1/4 > 0.05" in judge("unreadable-rows").detail
    assert judge("unreadable-rows", threshold=0.25).verdict == "pass"


def test_rows_minimum(judge: Judge, sound: Tables, catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> None:
    """A48: an emptied leaderboard does not pass for a sound one."""
    sources = tuple(source.model_copy(update={"min_rows": 4}) for source in catalog.sources)
    result = judge("rows-minimum", of=changed_catalog(catalog, sources=sources))
    assert result.verdict == "fail"
    assert "board-two 3 < 4" in result.detail
    assert result.figure == -1.0
    never = sound["raw__snapshot"].with_columns(pl.lit(None, pl.String).alias("sha256"))
    assert judge("rows-minimum", {"raw__snapshot": never}).evaluated == 0


def test_broken_sources(judge: Judge, sound: Tables, catalog: Catalog, changed_catalog: Callable[..., Catalog]) -> None:
    """A47: a source that brought nothing is visibly not green; the others go on, since it only warns."""
    assert catalog.gate_by_id["broken-sources"].severity == "warning"
    never = sound["raw__snapshot"].with_columns(
        pl.when(pl.col("leaderboard") == "board-two").then(None).otherwise(pl.col("sha256")).alias("sha256")
    )
    result = judge("broken-sources", {"raw__snapshot": never})
    assert (result.verdict, result.failed, result.evaluated) == ("fail", 1, 2)
    assert "never received: board-two" in result.detail
    broken = judge("broken-sources", of=changed_catalog(catalog, broken_sources=("board-three",)))
    assert "1/3 sources bring nothing: broken entry: board-three" in broken.detail
    absent = judge("broken-sources", {"raw__snapshot": sound["raw__snapshot"].head(1)})
    assert "not in this run: board-two" in absent.detail


def test_broken_sources_does_not_depend_on_the_clock(judge: Judge, sound: Tables) -> None:
    """The status of a snapshot is outside its table's hash: no verdict may rest on it."""
    for status in ("stale", "failed", "skipped", "missing_credential", "fresh"):
        changed = sound["raw__snapshot"].with_columns(pl.lit(status).alias("status"))
        assert judge("broken-sources", {"raw__snapshot": changed}) == judge("broken-sources")


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ([("none", 882), ("xhigh", 886)], "fail"),
        ([("low", 882), ("xhigh", 20_000)], "pass"),
        ([("low", 882), ("low", 882)], "pass"),
        ([("low", 0), ("high", 0)], "pass"),
    ],
)
def test_efforts_that_wrote_the_same_tokens_are_told(
    judge: Judge, sound: Tables, told: list[tuple[str, int]], verdict: str
) -> None:
    """A61: 882 and 886 tokens at efforts none and xhigh are one configuration."""
    one = sound["core__result"].head(1)
    results = pl.concat(
        [sound["core__result"]]
        + [
            one.with_columns(
                entry_id=pl.lit(f"{place:016d}"),
                protocol_effort=pl.lit(effort),
                protocol_extra=pl.lit(json.dumps({"completion_tokens": tokens})),
            )
            for place, (effort, tokens) in enumerate(told)
        ]
    )
    result = judge("same-config", {"core__result": results})
    assert result.verdict == verdict
    if verdict == "fail":
        assert "no independent evidence" in result.detail
        assert result.figure == pytest.approx(4 / 886)
