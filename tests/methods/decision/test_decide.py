"""Decisions of METHODS 12, rule by rule: each test changes one thing and sees the gate that it is about."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from decision_cases import contract, quick, rows, samples

from methods.decision.decide import decide
from methods.decision.samples import SampleError
from methods.decision.verdict import Decision, Gate, verdict_of

FEW = quick(600)
RIGHT = np.r_[np.ones(144), np.zeros(56)].astype(int)


def alike(flips: int = 0) -> np.ndarray:
    """The candidate's answers: as the baseline's, but for so many tasks won and as many lost."""
    new = RIGHT.copy()
    new[:flips], new[150 : 150 + flips] = 0, 1
    return new


def decided(frame: pl.DataFrame, stage: Any = "offline", **parts: Any) -> Decision:
    of = contract(**parts)
    return decide(of, samples(of, frame, stage), FEW)


def gate(found: Decision, name: str) -> Gate:
    return next(one for one in found.gates if one.id == name)


def test_golden_proportion() -> None:
    """144 of 200: 72.0%, Wilson 95% from 65.4 to 77.8."""
    level = decided(rows(RIGHT, alike(4))).levels[0]
    assert level.successes == 144 and level.rows == 200
    assert level.share is not None and level.low is not None and level.high is not None
    assert [round(100 * one, 1) for one in (level.share, level.low, level.high)] == [72.0, 65.4, 77.8]


def test_offline_evidence_never_ships() -> None:
    stages = {**contract().stages.model_dump(), "is_shadow_needed": False}
    found = decided(rows(RIGHT, alike(4)), stages=stages)
    assert {one.outcome for one in found.gates} == {"pass"} and found.verdict == "canary"
    shadow = dict.fromkeys(("purpose", "recipient", "retention"), "stated") | dict.fromkeys(
        ("is_data_minimized", "are_write_tools_off", "is_provider_checked", "is_residency_checked",
         "is_baseline_independent"), True)  # fmt: skip
    asked = {**stages, "is_shadow_needed": True, "shadow": shadow}
    assert decided(rows(RIGHT, alike(4)), stages=asked).verdict == "shadow_only"
    passed = found.gates
    assert verdict_of(passed, "shadow", is_shadow_needed=True) == "canary"
    assert verdict_of(passed, "canary", is_shadow_needed=True) == "ship"
    assert verdict_of([], "canary", is_shadow_needed=True) == "insufficient_evidence"


def test_three_values_of_the_objective() -> None:
    worse, unclear = RIGHT.copy(), RIGHT.copy()
    worse[:40], unclear[:12] = 0, 0
    found = decided(rows(RIGHT, worse))
    assert gate(found, "objective").outcome == "fail" and found.verdict == "block"
    found = decided(rows(RIGHT, unclear))
    one = gate(found, "objective")
    assert one.outcome == "inconclusive" and found.verdict == "insufficient_evidence"
    assert one.needed_tasks is not None and one.needed_tasks > 200
    assert one.method == "tango_exact" and one.low is not None and one.low < -5 < (one.high or 0)
    assert "exact McNemar p" in one.detail and one.detectable is not None


def test_superiority_needs_more_than_any_gain() -> None:
    better = RIGHT.copy()
    better[150:160] = 1
    asked = {"kind": "superiority", "delta_ship_pp": 0, "alpha": 0.05, "expected_pp": 5}
    assert gate(decided(rows(RIGHT, better), objective=asked), "objective").outcome == "pass"
    more = {**asked, "delta_ship_pp": 3, "expected_pp": 6}
    assert gate(decided(rows(RIGHT, better), objective=more), "objective").outcome == "inconclusive"


def test_fewer_tasks_than_the_contract_asks_for_decide_nothing() -> None:
    found = decided(rows(RIGHT, alike()), sampling={"minimum_tasks": 201})
    one = gate(found, "objective")
    assert one.outcome == "inconclusive" and "the contract asks for 201" in one.detail
    assert one.needed_tasks is not None and one.needed_tasks >= 201


def test_red_line_blocks_voids_and_is_not_taken_for_kept() -> None:
    lines = [{"id": "leak", "column": "leak", "harm": "told a secret"}]
    frame = rows(RIGHT, alike(4))
    once = (pl.col("system") == "new") & (pl.col("task") == "t00010")
    broken = decided(frame.with_columns(leak=once), red_lines=lines)
    assert gate(broken, "red-line.leak").outcome == "fail" and broken.verdict == "block"
    assert [level.voided for level in broken.levels if level.role == "candidate"] == [1, 1]
    kept = frame.with_columns(leak=pl.lit(False))
    assert gate(decided(kept, red_lines=lines), "red-line.leak").outcome == "pass"
    unknown = kept.with_columns(leak=pl.when(once).then(None).otherwise(pl.col("leak")))
    assert gate(decided(unknown, red_lines=lines), "red-line.leak").outcome == "inconclusive"
    assert gate(decided(frame, red_lines=lines), "red-line.leak").outcome == "inconclusive"


def test_a_success_beyond_its_budget_is_none() -> None:
    frame = rows(RIGHT, alike()).with_columns(tokens=pl.when(pl.col("system") == "new").then(900).otherwise(400))
    found = decided(frame, sample_budgets=[{"column": "tokens", "at_most": 500}])
    level = next(one for one in found.levels if one.role == "candidate")
    assert level.successes == 0 and level.voided == 144


def test_parse_failures_count_both_ways_and_must_agree() -> None:
    frame = rows(RIGHT, alike(2))
    lost = (pl.col("system") == "new") & pl.col("task").is_in([f"t{i:05d}" for i in range(20, 32)])
    status = pl.when(lost).then(pl.lit("failed")).otherwise(pl.lit("ok"))
    found = decided(frame.with_columns(parse_status=status))
    assert gate(found, "objective").outcome == "inconclusive"
    assert gate(found, "objective.parsed-only").outcome == "pass"
    assert gate(found, "objective.parsed-only").tasks == 188
    disagree = gate(found, "evidence.parse-agreement")
    assert disagree.outcome == "inconclusive" and "inconclusive as failures, pass left out" in disagree.detail
    assert {level.parse_failures for level in found.levels if level.role == "candidate"} == {12}
    few = decided(frame.with_columns(parse_status=status), failures={
        "infrastructure": "exclude", "max_infrastructure_frac": 0.1, "max_parse_frac": 0.01})  # fmt: skip
    assert gate(few, "evidence.parse").outcome == "inconclusive"


@pytest.mark.parametrize(("rule", "tasks", "successes"), [("exclude", 195, 139), ("fail", 200, 139)])
def test_infrastructure_failures_count_as_the_contract_says(rule: str, tasks: int, successes: int) -> None:
    lost = (pl.col("system") == "new") & pl.col("task").is_in([f"t{i:05d}" for i in range(5)])
    frame = rows(RIGHT, alike()).with_columns(
        infrastructure_status=pl.when(lost).then(pl.lit("failed")).otherwise(pl.lit("ok")),
        success=pl.when(lost).then(None).otherwise(pl.col("success")),
    )
    found = decided(
        frame, failures={"infrastructure": rule, "max_infrastructure_frac": 0.1, "max_parse_frac": 0.1},
        sampling={"minimum_tasks": 20, "max_unpaired_frac": 0.05},
    )  # fmt: skip
    level = next(one for one in found.levels if one.role == "candidate")
    assert (level.tasks, level.successes, level.infrastructure_failures) == (tasks, successes, 5)
    assert gate(found, "objective").tasks == tasks


def test_missing_pairs_are_counted_and_stay_out() -> None:
    frame = rows(RIGHT, alike()).filter(~((pl.col("system") == "new") & (pl.col("task") < "t00010")))
    found = decided(frame)
    assert gate(found, "evidence.pairs").outcome == "inconclusive"
    assert gate(found, "objective").tasks == 190
    assert found.verdict == "insufficient_evidence"
    allowed = decided(frame, sampling={"minimum_tasks": 20, "max_unpaired_frac": 0.1})
    assert gate(allowed, "evidence.pairs").outcome == "pass"


def test_unequal_repeats_weigh_a_task_once() -> None:
    """Task a: 4 of 4 against 0 of 2; task b: 0 of 1 against 1 of 1: the mean difference is 0, not 3 of 8."""
    frame = pl.DataFrame(
        {
            "system": ["new"] * 5 + ["old"] * 3, "task": ["a"] * 4 + ["b"] + ["a"] * 2 + ["b"],
            "trial": [1, 2, 3, 4, 1, 1, 2, 1], "success": [1, 1, 1, 1, 0, 0, 0, 1],
        }
    )  # fmt: skip
    one = gate(decided(frame, sampling={"minimum_tasks": 2}), "objective")
    assert one.estimate == 0.0 and one.rows == 8 and one.method == "bootstrap_bounded"
    assert gate(decided(frame, sampling={"minimum_tasks": 2, "minimum_trials": 2}), "evidence.trials").outcome == (
        "inconclusive"
    )


def test_every_slice_by_its_own_margin_and_minimum() -> None:
    new = alike()
    new[100:130] = 0
    frame = rows(RIGHT, new, lang=["en"] * 100 + ["de"] * 60 + ["fr"] * 40)
    slices = [
        {"id": "german", "column": "lang", "value": "de", "delta_pp": 10, "minimum_tasks": 30},
        {"id": "french", "column": "lang", "value": "fr", "delta_pp": 10, "minimum_tasks": 50},
        {"id": "english", "column": "lang", "value": "en", "delta_pp": 10, "minimum_tasks": 30},
    ]
    found = decided(frame, slices=slices, objective={
        "kind": "non_inferiority", "delta_regress_pp": 30, "alpha": 0.05, "expected_pp": 0})  # fmt: skip
    outcomes = {one.id: one.outcome for one in found.gates}
    assert outcomes["objective"] == "pass" and outcomes["slice.german"] == "fail"
    assert outcomes["slice.french"] == "inconclusive" and outcomes["slice.english"] == "pass"
    assert found.verdict == "block"
    assert set(found.holm) == {"slice.german", "slice.french", "slice.english"}


def test_budgets_have_three_values_and_missing_is_not_free() -> None:
    rng = np.random.default_rng(1)
    frame = rows(RIGHT, alike()).with_columns(latency_s=pl.Series(rng.gamma(4, 0.25, 400)), steps=pl.lit(3.0))

    def outcome(column: str, statistic: str, limit: float, of: pl.DataFrame = frame) -> Gate:
        asked = {"id": "b", "column": column, "statistic": statistic, "at_most": limit, "unit": "s"}
        return gate(decided(of, budgets=[asked]), "budget.b")

    assert [outcome("latency_s", "p95", limit).outcome for limit in (4.0, 1.95, 1.0)] == [
        "pass",
        "inconclusive",
        "fail",
    ]
    assert [outcome("latency_s", "mean", limit).outcome for limit in (1.5, 1.0, 0.5)] == [
        "pass",
        "inconclusive",
        "fail",
    ]
    assert [outcome("latency_s", "max", limit).outcome for limit in (99, 1.0)] == ["pass", "fail"]
    assert outcome("steps", "mean", 3.0).outcome == "pass"
    assert outcome("latency_s", "p99", 9.0).needed_tasks == 299  # 200 values do not bound it
    assert outcome("cost", "mean", 1.0).outcome == "inconclusive"
    some = frame.with_columns(latency_s=pl.when(pl.col("task") == "t00003").then(None).otherwise(pl.col("latency_s")))
    assert "not tracked is not free" in outcome("latency_s", "p95", 9.0, some).detail


def test_metrics_leave_out_what_does_not_apply() -> None:
    value = pl.when(pl.col("task") < "t00100").then(pl.lit(0.9)).otherwise(None)
    frame = rows(RIGHT, alike()).with_columns(correctness=value, supported=pl.lit(9), judged=pl.lit(10))
    asked = {"id": "m", "column": "correctness", "at_least": 0.8, "minimum_tasks": 50}
    one = gate(decided(frame, metrics=[asked]), "metric.m")
    assert one.outcome == "pass" and one.tasks == 100 and one.estimate == pytest.approx(0.9)
    assert "50.0% of 200 rows have a value" in one.detail
    uncovered = gate(decided(frame, metrics=[{**asked, "minimum_coverage_frac": 0.6}]), "metric.m")
    assert uncovered.outcome == "inconclusive"
    lost = gate(
        decided(frame, metrics=[{"id": "m", "column": "correctness", "delta_pp": 5, "minimum_tasks": 50}]), "metric.m"
    )
    assert lost.outcome == "pass" and lost.estimate == 0.0 and lost.unit == "pp"
    ratio = {"id": "m", "column": "supported", "divide_by": "judged", "at_least": 0.8, "minimum_tasks": 50}
    assert gate(decided(frame, metrics=[ratio]), "metric.m").estimate == pytest.approx(0.9)
    with pytest.raises(SampleError, match="outside 0 to 1"):
        decided(frame.with_columns(correctness=pl.lit(2.0)), metrics=[asked])


def test_trials_count_in_pass_at_k_as_they_count_in_the_objective() -> None:
    """Three trials that all succeed, of which the first breaks a budget, a red line, or was not parsed."""
    frame = rows(np.ones((40, 3), dtype=int), np.ones((40, 3), dtype=int))
    first = pl.col("trial") == 0
    metrics = [
        {"id": name, "column": column, "at_least": 0.5, "minimum_tasks": 20}
        for name, column in (("any", "pass@1"), ("all", "pass^3"))
    ]

    def shares(more: pl.Expr, **parts: Any) -> tuple[float | None, float | None]:
        found = decided(frame.with_columns(more), metrics=metrics, **parts)
        return gate(found, "metric.any").estimate, gate(found, "metric.all").estimate

    budget = {"sample_budgets": [{"column": "cost", "at_most": 5}]}
    line = {"red_lines": [{"id": "act", "column": "broke", "harm": "harm"}]}
    assert shares(pl.lit(1.0).alias("cost"), **budget) == (1.0, 1.0)
    for more, parts in (
        (pl.when(first).then(9.0).otherwise(1.0).alias("cost"), budget),
        (first.alias("broke"), line),
        (pl.when(first).then(pl.lit("failed")).otherwise(pl.lit("ok")).alias("parse_status"), {}),
    ):
        assert shares(more, **parts) == (pytest.approx(2 / 3), 0.0)
    away = pl.when(first).then(pl.lit("failed")).otherwise(pl.lit("ok"))
    assert shares(away.alias("infrastructure_status")) == (1.0, None)


def test_a_ratio_of_large_numbers_is_the_same_ratio() -> None:
    """Sums that 64 bits of billionths cannot hold: both columns are scaled alike; beyond that it is said."""
    counts = np.arange(200) % 7 + 1.0
    frame = rows(RIGHT, alike(), supported=counts + np.arange(200) % 3, judged=counts)
    asked = {"id": "m", "column": "supported", "divide_by": "judged", "at_least": 0.8, "minimum_tasks": 50}

    def ratio(factor: float) -> Gate:
        large = frame.with_columns(pl.col("supported", "judged") * factor)
        return gate(decided(large, metrics=[asked]), "metric.m")

    small, large = ratio(1.0), ratio(1e9)
    assert small.estimate == pytest.approx((counts + np.arange(200) % 3).sum() / counts.sum())
    assert (large.estimate, large.low, large.high) == pytest.approx((small.estimate, small.low, small.high))
    for far in (1e25, 1e300):
        with pytest.raises(SampleError, match=r"metric m: values up to .* are too large to be added up"):
            ratio(far)


def test_another_ruler_is_not_compared() -> None:
    frame = rows(RIGHT, alike()).with_columns(scorer_type=pl.lit("rule"), scorer_version=pl.lit("2"))
    one = gate(decided(frame), "evidence.scorer")
    assert one.outcome == "inconclusive" and "another ruler" in one.detail
    of = contract()
    bare = decide(of, samples(of, rows(RIGHT, alike())).__class__(rows(RIGHT, alike()), of.sha256, "offline"), FEW)
    assert gate(bare, "evidence.scorer").outcome == "inconclusive"


def test_agents_begin_alike() -> None:
    frame = rows(RIGHT, alike())
    assert gate(decided(frame, modality="agent"), "evidence.environment").outcome == "inconclusive"
    stated = frame.with_columns(
        fixture_version=pl.lit("3"), environment_version=pl.lit("9"),
        image_version=pl.when(pl.col("system") == "new").then(pl.lit("b")).otherwise(pl.lit("a")),
    )  # fmt: skip
    one = gate(decided(stated, modality="agent"), "evidence.environment")
    assert one.outcome == "inconclusive" and "200 tasks have more than one image_version" in one.detail
    same = stated.with_columns(image_version=pl.lit("a"))
    assert gate(decided(same, modality="agent"), "evidence.environment").outcome == "pass"


def test_what_every_row_must_state() -> None:
    frame = rows(RIGHT, alike()).with_columns(licence=pl.lit("CC-BY-4.0"))
    asked = {"must_state": ["licence"]}
    assert gate(decided(frame, **asked), "evidence.stated").outcome == "pass"
    some = frame.with_columns(licence=pl.when(pl.col("task") != "t00003").then(pl.col("licence")))
    one = gate(decided(some, **asked), "evidence.stated")
    assert one.outcome == "inconclusive" and "2 rows state no licence" in one.detail
    assert "no column purpose" in gate(decided(frame, must_state=["purpose"]), "evidence.stated").detail


def test_rows_that_are_not_eligible_are_in_no_denominator() -> None:
    frame = rows(RIGHT, alike()).with_columns(
        eligibility=pl.when(pl.col("task") < "t00020").then(pl.lit("ineligible")).otherwise(pl.lit("eligible"))
    )
    found = decided(frame, sampling={"minimum_tasks": 20, "max_unpaired_frac": 0.1})
    assert gate(found, "objective").tasks == 180 and "40 rows were not eligible" in gate(found, "evidence.pairs").detail


def test_clusters_are_resampled_whole() -> None:
    """Twenty tasks of two repositories say no more than two repositories."""
    new = alike()
    new[:10] = 0
    frame = rows(RIGHT, new, repo=[f"r{i // 10}" for i in range(200)])
    asked = {"minimum_tasks": 20, "cluster": "repo", "minimum_clusters": 10}
    together, apart = gate(decided(frame, sampling=asked), "objective"), gate(decided(frame), "objective")
    assert together.clusters == 20 and apart.clusters == 200
    assert together.low is not None and apart.low is not None and together.low < apart.low
    few = gate(decided(frame, sampling={**asked, "minimum_clusters": 21}), "objective")
    assert few.outcome == "inconclusive" and "20 clusters, the contract asks for 21" in few.detail
    single = gate(decided(rows(RIGHT, new, repo=["r"] * 200), sampling={**asked, "minimum_clusters": 2}), "objective")
    assert single.outcome == "inconclusive" and single.low is None and single.high is None
    with pytest.raises(SampleError, match="its cluster is missing or differs"):
        decided(frame.with_columns(repo=pl.col("system")), sampling=asked)


def test_two_stage_counts_trials_twice() -> None:
    rng = np.random.default_rng(3)
    rate = rng.beta(0.6, 0.5, 80)[:, None]
    frame = rows((rng.random((80, 4)) < rate).astype(int), (rng.random((80, 4)) < rate).astype(int))
    one = gate(decided(frame), "objective")
    two = gate(decided(frame, sampling={"minimum_tasks": 20, "resampling": "two_stage"}), "objective")
    assert one.estimate == two.estimate
    assert two.detectable is not None and one.detectable is not None and two.detectable > 1.15 * one.detectable


def test_instability_is_measured_where_trials_repeat() -> None:
    rng = np.random.default_rng(4)
    rate = np.full((100, 1), 0.5)
    frame = rows((rng.random((100, 3)) < rate).astype(int), (rng.random((100, 3)) < rate).astype(int))
    shaky = decided(frame, objective={
        "kind": "non_inferiority", "delta_regress_pp": 5, "alpha": 0.05, "expected_pp": 0}).instability  # fmt: skip
    assert shaky is not None and shaky.flip_rate is not None and 0.05 < shaky.flip_rate < 0.95
    same = np.tile(RIGHT[:100, None], 3)
    still = decided(rows(same, same)).instability
    assert still is not None and still.flip_rate == 0.0
    single = decided(rows(RIGHT, alike())).instability
    assert single is not None and single.flip_rate is None and single.reason == "one_trial"


def test_weights_move_the_estimate() -> None:
    frame = rows(RIGHT, alike(), weight=[3.0] * 10 + [1.0] * 190)
    lost = frame.with_columns(
        success=pl.when((pl.col("system") == "new") & (pl.col("task") < "t00010")).then(0).otherwise(pl.col("success"))
    )
    one = gate(decided(lost, task={"unit": "q", "weight": "weight"}), "objective")
    assert one.estimate == pytest.approx(-100 * 30 / 220, abs=1e-6)


def test_weights_beyond_all_sums_are_refused() -> None:
    with pytest.raises(SampleError, match="too large to be added up"):
        decided(rows(RIGHT, alike(), weight=[1e308] * 200), task={"unit": "q", "weight": "weight"})


def test_order_of_rows_moves_no_bit() -> None:
    rng = np.random.default_rng(5)
    rate = rng.beta(0.6, 0.5, 60)[:, None]
    frame = rows(
        (rng.random((60, 3)) < rate).astype(int), (rng.random((60, 3)) < rate).astype(int),
        lang=["en", "de"] * 30, repo=[f"r{i % 12}" for i in range(60)],
    ).with_columns(latency_s=pl.Series(rng.gamma(2, 1, 360)))  # fmt: skip
    parts: dict[str, Any] = {
        "sampling": {"minimum_tasks": 20, "cluster": "repo", "minimum_clusters": 5},
        "slices": [{"id": "german", "column": "lang", "value": "de", "delta_pp": 10, "minimum_tasks": 10}],
        "budgets": [{"id": "b", "column": "latency_s", "statistic": "p95", "at_most": 9, "unit": "s"}],
    }
    assert decided(frame, **parts) == decided(frame.sample(fraction=1.0, shuffle=True, seed=6), **parts)


def test_what_cannot_be_judged_is_refused() -> None:
    frame, of = rows(RIGHT, alike()), contract()
    good = samples(of, frame)
    with pytest.raises(SampleError, match="names contract"):
        decide(of, good.__class__(frame, "0" * 64, "offline"), FEW)
    with pytest.raises(SampleError, match="not sealed"):
        decide(of.model_copy(update={"seal": None}), good, FEW)
    with pytest.raises(SampleError, match="was changed after it was sealed"):
        decide(of.model_copy(update={"title": "Another"}), good, FEW)
    for broken, said in (
        (frame.drop("success"), "lack the column success"),
        (pl.concat([frame, frame.head(1)]), "stands in more than one row"),
        (frame.filter(pl.col("system") == "old"), "no row of system 'new'"),
        (frame.with_columns(success=pl.lit("maybe")), "'maybe' is not a finite number"),
        (frame.with_columns(success=pl.lit(0.5)), "neither 0 nor 1"),
        (frame.with_columns(success=pl.lit(1e-12)), "neither 0 nor 1"),
        (frame.with_columns(success=pl.lit(1e30)), "neither 0 nor 1"),
        (frame.with_columns(success=pl.lit(2**63, dtype=pl.UInt64)), "neither 0 nor 1"),
        (frame.with_columns(trial=pl.lit(1.5)), "trial 1.5 is not a whole number"),
        (frame.with_columns(success=pl.lit(1).cast(pl.Duration)), "success holds times"),
        (frame.with_columns(eligibility=pl.lit("Ineligible")), "eligibility 'Ineligible': eligible, ineligible, or"),
        (frame.with_columns(eligibility=pl.lit(value=False)), "eligibility 'false': eligible, ineligible, or"),
        (frame.with_columns(success=pl.lit(None, dtype=pl.Int64)), "no failed status"),
        (frame.with_columns(parse_status=pl.lit("broken")), "ok, failed, or nothing"),
        (frame.with_columns(recorded_at=pl.lit("2026-09-30T00:00:00Z")), "before the contract was sealed"),
    ):
        with pytest.raises(SampleError, match=said):
            decide(of, samples(of, broken), FEW)
