"""Named gates that compare with the former release: what fires, what does not, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.named.shares import Share, compared, judge_shares
from methods.lineage.baseline import BaselineFigures
from warehouse.catalog_model import Catalog
from warehouse.verdicts import GateResult

Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]


def test_a_share_is_compared_raw_and_printed_as_compared() -> None:
    """C15: 8/267 is within 3%, though it rounds to it. C16: the text is the comparison that was made."""
    assert not Share("x", 8, 267, 0.03).fails
    assert judge_shares([Share("x", 8, 267, 0.03)], "bad").outcome == "pass"
    assert compared(8, 13, 0.64) == "8/13 < 0.64"
    assert "8/13 < 0.64" in judge_shares([Share("x", 8, 13, 0.64)], "bad").detail
    assert judge_shares([Share("x", 9, 13, 0.64)], "bad").detail == "bad: 1 of 1 over the limit: x 9/13 > 0.64"
    assert not Share("x", 3, 100, 0.03).fails
    assert compared(3, 100, 0.03) == "3/100 = 0.03"


@given(st.integers(0, 500), st.integers(1, 500), st.floats(0, 1))
def test_verdict_and_text_never_contradict(part: int, whole: int, limit: float) -> None:
    """C16."""
    finding = judge_shares([Share("x", part, whole, limit)], "bad")
    assert (finding.outcome == "fail") == (" > " in finding.detail) == (part / whole > limit)
    assert f"{part}/{whole}" in finding.detail
    assert finding.figure == part / whole
    assert finding.threshold == limit


def test_nothing_to_count_is_nothing_evaluated() -> None:
    assert judge_shares([], "bad").evaluated == 0


@pytest.mark.parametrize(("kept", "verdict"), [(34, "pass"), (33, "fail"), (0, "fail")])
def test_rows_lost(judge: Judge, sound: Tables, former: BaselineFigures, kept: int, verdict: str) -> None:
    """A48: a leaderboard that comes back short, or empty, is noticed."""
    results = sound["core__result"]
    is_one = pl.col("leaderboard") == "board-one"
    fewer = pl.concat([results.filter(is_one).head(kept), results.filter(~is_one)])
    result = judge("rows-lost", {"core__result": fewer}, baseline=former)
    assert result.verdict == verdict
    assert f"{42 - kept}/42 {'>' if verdict == 'fail' else '<'} 0.2 (42 -> {kept})" in result.detail
    assert result.figure == (42 - kept) / 42


def test_rows_lost_takes_the_limit_that_the_source_states(
    judge: Judge, sound: Tables, former: BaselineFigures, catalog: Catalog, changed_catalog: Callable[..., Catalog]
) -> None:
    lenient = tuple(source.model_copy(update={"max_drop": 0.9}) for source in catalog.sources)
    stated = tuple(type(source).model_validate(source.model_dump()) for source in lenient)
    of = changed_catalog(catalog, sources=stated)
    few = {"core__result": sound["core__result"].group_by("leaderboard", maintain_order=True).head(1)}
    assert judge("rows-lost", few, baseline=former).threshold == 0.2
    result = judge("rows-lost", few, baseline=former, of=of)
    assert (result.verdict, result.threshold, result.figure) == ("fail", 0.9, 41 / 42)


def test_a_leaderboard_taken_out_of_the_catalog_is_not_lost(
    judge: Judge, sound: Tables, former: BaselineFigures, catalog: Catalog, changed_catalog: Callable[..., Catalog]
) -> None:
    gone = {"core__result": sound["core__result"].filter(pl.col("leaderboard") == "board-one")}
    assert judge("rows-lost", gone, baseline=former).verdict == "fail"
    removed = changed_catalog(catalog, sources=catalog.sources[:1])
    assert judge("rows-lost", gone, baseline=former, of=removed).verdict == "pass"
    broken = changed_catalog(catalog, sources=catalog.sources[:1], broken_sources=("board-two",))
    assert judge("rows-lost", gone, baseline=former, of=broken).verdict == "fail"


def test_nothing_in_common_with_the_baseline_is_no_pass(judge: Judge, former: BaselineFigures) -> None:
    values = {"elsewhere": {f"model {n}": (f"entry {n}", 0.5) for n in range(9)}}
    gone = {"coding": ("model 1", "model 2")}
    other = replace(former, rows={"elsewhere": 9}, counted={"elsewhere": 9}, models=gone, values=values, tiers={})
    for gate in ("rows-lost", "evidence-lost", "value-jump", "scale-change", "source-tier-mix"):
        result = judge(gate, baseline=other)
        assert (result.verdict, result.evaluated) == ("fail", 0), gate
    assert judge("models-disappeared", baseline=other).verdict == "fail"


def test_evidence_lost_sees_a_renamed_metric(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """A16: no row is lost, and yet nothing of them counts any more."""
    without = {"core__evidence": sound["core__evidence"].head(10)}
    assert judge("rows-lost", without, baseline=former).verdict == "pass"
    result = judge("evidence-lost", without, baseline=former)
    assert result.verdict == "fail"
    assert "board-one 29/39 > 0.2 (39 -> 10)" in result.detail


def test_models_disappeared(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    scores = sound["out__category_score"]
    one_gone = scores.filter(pl.col("model_id") != "model-a")
    assert judge("models-disappeared", {"out__category_score": one_gone}, baseline=former).verdict == "pass"
    unrated = scores.with_columns(
        pl.when(pl.col("model_id").is_in(["model-a", "model-b"])).then(None).otherwise(pl.col("score")).alias("score")
    )
    result = judge("models-disappeared", {"out__category_score": unrated}, baseline=former)
    assert result.verdict == "fail"
    assert "coding 2/7 > 0.2 (model-a, model-b)" in result.detail
    vanished = judge("models-disappeared", {"out__category_score": scores.clear()}, baseline=former)
    assert (vanished.verdict, vanished.figure) == ("fail", 1.0)


def moved(evidence: pl.DataFrame, metric: str, models: list[str], change: pl.Expr) -> Tables:
    there = (pl.col("metric_id") == metric) & pl.col("model_id").is_in(models)
    return {
        "core__evidence": evidence.with_columns(pl.when(there).then(change).otherwise(pl.col("value")).alias("value"))
    }


def test_value_jump(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """A17: one corrected value is an event, not a jump; a column shifted against its models is one."""
    evidence = sound["core__evidence"]
    one = moved(evidence, "metric-2", ["model-a"], pl.col("value") + 0.48)
    assert judge("value-jump", one, baseline=former).verdict == "pass"
    many = moved(evidence, "metric-2", ["model-a", "model-b", "model-c"], pl.col("value") + 0.48)
    result = judge("value-jump", many, baseline=former)
    assert result.verdict == "fail"
    assert "metric-2 3/6 > 0.2" in result.detail
    small = moved(evidence, "metric-2", ["model-a", "model-b", "model-c"], pl.col("value") + 0.01)
    assert judge("value-jump", small, baseline=former).verdict == "pass"


def test_a_small_board_cannot_hide_in_a_large_metric(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """Two of eight models on a metric come from a board that divided by 100: the metric's median hides them."""
    few = pl.col("model_id").is_in(["model-g", "model-f"])
    entries = sound["core__evidence"].filter((pl.col("metric_id") == "metric-0") & few)["entry_id"].to_list()
    results = sound["core__result"].with_columns(
        pl.when(pl.col("entry_id").is_in(entries)).then(pl.lit("small")).otherwise(pl.col("leaderboard"))
        .alias("leaderboard")
    )  # fmt: skip
    scaled = moved(sound["core__evidence"], "metric-0", ["model-g", "model-f"], pl.col("value") / 100)
    result = judge("scale-change", {**scaled, "core__result": results}, baseline=former)
    assert result.verdict == "fail"
    assert "1 of 13 groups changed scale by more than 10^1.5: metric-0 at small x0.01 over 2 models" in result.detail


def test_a_board_spread_over_many_metrics_cannot_hide(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """One row on each of six metrics: too few for any metric, enough for the leaderboard."""
    is_one = pl.col("model_id") == "model-a"
    entries = sound["core__evidence"].filter(is_one)["entry_id"].to_list()
    results = sound["core__result"].with_columns(
        pl.when(pl.col("entry_id").is_in(entries)).then(pl.lit("thin")).otherwise(pl.col("leaderboard"))
        .alias("leaderboard")
    )  # fmt: skip
    value = pl.when(is_one).then(pl.col("value") + 0.5).otherwise(pl.col("value")).alias("value")
    jumped = {"core__evidence": sound["core__evidence"].with_columns(value), "core__result": results}
    result = judge("value-jump", jumped, baseline=former)
    assert result.verdict == "fail"
    assert "1 of 14 over the limit: all of thin 6/6 > 0.2" in result.detail


def test_a_source_that_gives_way_to_another_is_no_jump(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    evidence = sound["core__evidence"].with_columns(pl.col("value") + 0.4, pl.lit("0" * 16).alias("entry_id"))
    result = judge("value-jump", {"core__evidence": evidence}, baseline=former)
    assert (result.verdict, result.evaluated) == ("fail", 0)
    assert "nothing was looked at" in result.detail


def test_scale_change_fires_on_a_division_by_a_hundred(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """A09: .71, .68 before and .0071, .0068 now are all legal fractions; the factor .01 is not."""
    before = {"metric-0": {"model-a": ("a" * 16, 0.71), "model-b": ("b" * 16, 0.68)}}
    now = sound["core__evidence"].filter(
        (pl.col("metric_id") == "metric-0") & pl.col("model_id").is_in(["model-a", "model-b"])
    )
    values = pl.Series("value", [0.0071, 0.0068])
    result = judge(
        "scale-change",
        {"core__evidence": now.sort("model_id").with_columns(values)},
        baseline=replace(former, values=before),
    )
    assert result.verdict == "fail"
    assert result.figure == pytest.approx(2.0)
    assert "metric-0 at board-one x0.01 over 2 models" in result.detail


@pytest.mark.parametrize(("factor", "verdict"), [(100.0, "fail"), (0.01, "fail"), (1.0, "pass"), (2.0, "pass")])
def test_scale_change_by_factor(
    judge: Judge, sound: Tables, former: BaselineFigures, factor: float, verdict: str
) -> None:
    scaled = moved(sound["core__evidence"], "metric-3", [f"model-{x}" for x in "abcdef"], pl.col("value") * factor)
    assert judge("scale-change", scaled, baseline=former).verdict == verdict


def test_zeros_have_no_factor(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    """A raw 0 is evidence; the gate on factors leaves it out and judges the rest."""
    zero = moved(sound["core__evidence"], "metric-3", ["model-a", "model-b"], pl.lit(0.0))
    assert judge("scale-change", zero, baseline=former).verdict == "pass"


def test_source_tier_mix(judge: Judge, sound: Tables, former: BaselineFigures) -> None:
    evidence = sound["core__evidence"]
    some = evidence.with_columns(
        pl.when(pl.int_range(pl.len()) < 8).then(pl.lit("self_reported")).otherwise(pl.col("tier")).alias("tier")
    )
    result = judge("source-tier-mix", {"core__evidence": some}, baseline=former)
    assert result.verdict == "fail"
    assert "8/39 > 0.2: verified 0/39 -> 0/39, official 39/39 -> 31/39" in result.detail
    assert result.figure == 8 / 39
    few = some.with_columns(
        pl.when(pl.int_range(pl.len()) < 1).then(pl.lit("official")).otherwise(pl.col("tier")).alias("tier")
    )
    assert judge("source-tier-mix", {"core__evidence": few}, baseline=former).verdict == "pass"
