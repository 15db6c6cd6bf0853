"""What the source rules for the edges: conditions apart, environments alike, nothing clean, ties, one task."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from panels import attempt, crossing_rows, evidence, panel, tables

from methods.harness.study import harness_tables
from warehouse.methodology import HarnessRules


def test_environments_weigh_the_same_whatever_their_tasks() -> None:
    spec = panel(
        ["a"], ["x"],
        [{"id": "b", "map": "stated", "environments": [{"id": "small", "tasks": ["s"]},
                                                       {"id": "large", "tasks": ["l1", "l2", "l3"]}]}],
    )  # fmt: skip
    rows = [attempt("a", "x", "b", "s", 1, 1.0, environment="small")]
    rows += [attempt("a", "x", "b", f"l{n}", 1, 0.0, clean=n > 1, environment="large") for n in (1, 2, 3)]
    cells = {row["environment"]: row for row in tables(spec, rows)["out__harness_cell"].rows(named=True)}
    assert set(cells) == {"small", "large", "*"}
    assert cells["*"]["score"] == 0.5
    assert cells["*"]["clean"] == pytest.approx((1 + 2 / 3) / 2)
    assert cells["*"]["joint"] == 0.5
    assert cells["*"]["best_of_r"] == 0.5


def test_only_the_primary_condition_enters_figures_across_benchmarks() -> None:
    spec = panel(
        ["a", "c"], ["x", "y"],
        [{"id": "b", "map": "stated", "tasks": ["t1", "t2"], "conditions": ["usual", "stress"], "primary": "usual"}],
    )  # fmt: skip
    rows = [
        attempt(model, harness, "b", task, 1, {"usual": 1.0, "stress": 0.25}[condition], condition=condition)
        for model in "ac" for harness in "xy" for task in ("t1", "t2") for condition in ("usual", "stress")
    ]  # fmt: skip
    found = tables(spec, rows)
    assert found["out__harness_cell"].group_by("condition").agg(pl.col("score").mean()).sort("condition").rows() == [
        ("stress", 0.25), ("usual", 1.0),
    ]  # fmt: skip
    assert set(found["out__harness_pair"]["score"]) == {1.0}
    assert found["out__harness_difference"]["difference_pp"].to_list() == [0.0] * 18
    panels = {row["condition"]: row["is_primary"] for row in found["out__harness_panel"].rows(named=True)}
    assert panels == {"usual": True, "stress": False}


def equal(score: float, *, clean: bool) -> dict[str, pl.DataFrame]:
    scores = np.full((1, 2, 2, 3, 2), score)
    rows = crossing_rows(scores, np.full(scores.shape, clean), (["b"], ["m1", "m2"], ["h1", "h2"]))
    return tables(panel(["m1", "m2"], ["h1", "h2"], [{"id": "b", "map": "stated", "tasks": 3, "repetitions": 2}]), rows)


def test_nothing_clean_leaves_joint_zero_and_the_mean_within_clean_unknown() -> None:
    found = equal(1.0, clean=False)
    cell = found["out__harness_cell"].row(0, named=True)
    assert (cell["clean"], cell["joint"], cell["within_clean"], cell["within_unclean"]) == (0, 0, None, 1)
    assert (cell["score_if_clean"], cell["score_at_most"], cell["reason_code"]) == (None, 1, "no_clean")
    assert set(found["out__harness_block"]["fit"]) == {0.0}  # the best J is 0
    assert set(found["out__harness_block"]["score_fit"]) == {1.0}
    harnesses = found["out__harness_summary"].filter(pl.col("side") == "harness")
    assert harnesses["fit"].to_list() == harnesses["fit_arithmetic"].to_list() == [0, 0]


def test_where_all_are_equal_everything_ties_and_nothing_is_shared_out() -> None:
    found = equal(0.5, clean=True)
    wins = found["out__harness_win"]
    assert set(wins["win_rate"]) == {0.5}
    assert wins["wins"].sum() == wins["losses"].sum() == 0
    blame = found["out__harness_blame"]
    assert set(blame["reason_code"]) == {"no_spread"}
    assert blame["share"].null_count() == 3
    [verdict] = found["out__harness_verdict"].rows(named=True)
    assert (verdict["verdict"], verdict["leaders"]) == ("nothing", ["h1", "h2"])
    assert verdict["sentence"].startswith("b: 2 models under 2 harnesses all score the same.")
    choices = found["out__harness_selection"]
    assert set(choices["chosen"]) == {"h1"}
    assert choices["tied"].to_list() == [["h1", "h2"]] * 8
    assert set(choices["regret_pp"]) == {0.0}


def test_outcomes_alone_leave_clean_ends_unknown() -> None:
    spec = panel(["a", "c"], ["x", "y"], [{"id": "b", "map": "outcome", "tasks": ["t1", "t2", "t3"]}])
    rows = [
        attempt(model, harness, "b", f"t{n}", 1, float((n + place) % 2))
        for place, (model, harness) in enumerate(["ax", "ay", "cx", "cy"]) for n in (1, 2, 3)
    ]  # fmt: skip
    found = tables(spec, rows)
    for table in ("out__harness_cell", "out__harness_summary"):
        assert found[table]["clean"].null_count() == found[table].height
        assert found[table]["joint"].null_count() == found[table].height
        assert set(found[table]["reason_code"]) == {"clean_not_tracked"}
    assert set(found["out__harness_difference"]["measure"]) == {"score"}
    assert found["out__harness_stage"].height == 0
    assert found["out__harness_selection"].height == 0
    assert found["out__harness_summary"].filter(pl.col("side") == "harness")["score_fit"].null_count() == 0


def test_one_task_gives_figures_without_intervals() -> None:
    spec = panel(["a", "c"], ["x", "y"], [{"id": "b", "map": "stated", "tasks": ["t"], "repetitions": 2}])
    rows = [
        attempt(model, harness, "b", "t", n, float(model == "a" and harness == "x"))
        for model in "ac" for harness in "xy" for n in (1, 2)
    ]  # fmt: skip
    found = tables(spec, rows)
    assert found["out__harness_cell"]["score_low"].null_count() == 4
    assert found["out__harness_difference"]["low_pp"].null_count() == found["out__harness_difference"].height
    [verdict] = found["out__harness_verdict"].rows(named=True)
    assert (verdict["verdict"], verdict["lead"]) == ("undecided", None)
    assert "one task gives no interval" in verdict["sentence"]


def test_one_harness_alone_blames_nobody() -> None:
    spec = panel(["a", "c"], ["x"], [{"id": "b", "map": "stated", "tasks": ["t1", "t2"]}])
    rows = [attempt(model, "x", "b", task, 1, 1.0) for model in "ac" for task in ("t1", "t2")]
    found = tables(spec, rows)
    assert found["out__harness_verdict"]["reason_code"].to_list() == ["no_crossing"]
    assert found["out__harness_cell"].height == 2


def test_every_record_is_counted_once() -> None:
    spec = panel(["a", "c"], ["x", "y"], [{"id": "b", "map": "stated", "tasks": ["t1", "t2"]}])
    rows = [attempt(m, h, "b", t, 1, 1.0) for m in "ac" for h in "xy" for t in ("t1", "t2")]
    rows += [rows[0], {**rows[1], "score": 0.5}, {**rows[2], "model": "z"}, {**rows[3], "benchmark": "other"}]
    found = evidence(spec, rows)
    recorded = sum(int(grid.recorded.sum()) for grid in found.grids)
    counted = found.faults.filter(pl.col("fault").is_in(["duplicate", "exact_duplicate", "unplanned"]))
    assert found.rows == len(rows) == recorded + counted.height


def test_references_stand_outside_every_figure_of_the_panel() -> None:
    benchmark = [{"id": "b", "map": "stated", "tasks": ["t1", "t2"]}]
    rows = [
        attempt(m, h, "b", t, 1, float(m + h + t in {"axt1", "cyt1", "cyt2"}))
        for m in "ac" for h in "xy" for t in ("t1", "t2")
    ]  # fmt: skip
    extra = [attempt("r", "own", "b", t, 1, 1.0) for t in ("t1", "t2")]
    alone = tables(panel(["a", "c"], ["x", "y"], benchmark), rows)
    beside = tables(
        panel(["a", "c"], ["x", "y"], benchmark, references=[{"model": "r", "harness": "own"}]), [*rows, *extra]
    )
    for table in ("block", "pair", "summary", "win", "blame", "verdict", "selection", "stage"):
        assert alone[f"out__harness_{table}"].equals(beside[f"out__harness_{table}"]), table
    whole = {row["benchmark"]: row for row in beside["out__harness_reference"].rows(named=True)}
    assert (whole["b"]["score_wins"], whole["b"]["score_ties"], whole["b"]["score_losses"]) == (3, 1, 0)
    assert (whole["b"]["clean_wins"], whole["b"]["clean_ties"]) == (0, 4)
    assert whole["*"]["dominated_share"] == 0.75
    assert whole["b"]["alone"] == 0


def test_the_search_for_balance_stops_where_the_methodology_says() -> None:
    pairs = [["a", "x"], ["a", "y"], ["c", "x"], ["c", "y"], ["d", "y"], ["d", "z"]]
    spec = panel(
        ["a", "c", "d"], ["x", "y", "z"],
        [{"id": "b", "map": "stated", "tasks": ["t1", "t2"], "configurations": pairs}],
    )  # fmt: skip
    rows = [attempt(m, h, "b", t, 1, 1.0) for m, h in pairs for t in ("t1", "t2")]
    rules = HarnessRules(resamples=20, level=0.95, lower_quartile=0.25, search_limit=1)
    found = harness_tables(evidence(spec, rows), "s", rules, 1)["out__harness_panel"].row(0, named=True)
    assert not found["is_search_whole"]
    assert tables(spec, rows)["out__harness_panel"].row(0, named=True)["is_search_whole"]
