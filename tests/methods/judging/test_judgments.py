"""Judgments from rows of text: states, labels, repeats, facts of items, keys; what is wrong is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from judging_cases import METHODOLOGY
from simulated_judgments import frame

from methods.judging.cascades import world_of
from methods.judging.columns import FILE, JudgmentsError
from methods.judging.judgments import Judgments, gather
from methods.judging.stacks import Stack, differences, plain_value, stack_of
from methods.judging.summary import label_figures, repeats_of, summarize
from warehouse.judge_words import STACK_FIELDS

Row = dict[str, Any]
KEY = {name: f"{name} 1" for name in STACK_FIELDS}


def read(*rows: Row, **stated: Stack) -> Judgments:
    """Rows of judge j unless they name another."""
    return gather(frame([{"judge": "j", **row} for row in rows]), stated)


def figures(found: Judgments, judge: str = "j") -> dict[str, Any]:
    """The summary of one judge over everything."""
    world = world_of(found, (judge,), None)
    record = world.records[judge]
    everything = np.ones(found.items.height, dtype=np.bool_)
    return summarize(record, world.gold, repeats_of(found, record), everything, METHODOLOGY)


def test_labels_and_probabilities_say_the_same() -> None:
    found = read(
        {"item": "1", "verdict_ab": "A", "verdict_ba": "a"},
        {"item": "2", "first_prob_ab": "1", "first_prob_ba": "0"},
        {"item": "3", "verdict_ab": "first", "verdict_ba": "second"},
        {"item": "4", "verdict_ab": "tie", "verdict_ba": "B"},
    )
    world = world_of(found, ("j",), None)
    assert world.records["j"].decided.sides.tolist() == [1, 1, 1, -1]
    assert (world.records["j"].decided.q / 2e9).tolist() == [1.0, 1.0, 1.0, 0.75]


def test_labels_outside_the_closed_set_are_counted_and_stop_nothing() -> None:
    """E33: "NONE", "TIE" and nothing at all: two are invalid, one is a tie."""
    found = read(
        {"item": "1", "verdict_ab": "NONE", "gold": "A"}, {"item": "2", "verdict_ab": "TIE", "gold": "A"},
        {"item": "3", "verdict_ab": "", "gold": "A"},
    )  # fmt: skip
    row = figures(found)
    assert (row["parse_failures"], row["unrecorded"], row["ties"], row["valid"]) == (1, 1, 1, 1)
    assert found.strange_labels.rows() == [("j", "NONE", 1)]
    assert (row["accuracy"], row["accuracy_worst"], row["accuracy_best"]) == (0.5, 0.5 / 3, 2.5 / 3)


def test_failed_calls_are_no_wrong_verdicts_and_no_right_ones() -> None:
    """E06: 8 right and 2 errored of 10: 100% of verdicts, between 80% and 100% of items."""
    rows = [{"item": str(n), "verdict_ab": "A", "verdict_ba": "A", "gold": "A"} for n in range(8)]
    rows += [{"item": f"x{n}", "status_ab": "errored", "verdict_ba": "A", "gold": "A"} for n in range(2)]
    row = figures(read(*rows))
    assert (row["accuracy"], row["accuracy_worst"], row["accuracy_best"]) == (1.0, 0.8, 1.0)
    assert (row["errored"], row["valid"], row["calls"]) == (2, 8, 20)


def test_a_status_speaks_louder_than_a_verdict() -> None:
    found = read(
        {"item": "1", "verdict_ab": "A", "status_ab": "refusal", "verdict_ba": "A"}, {"item": "2", "verdict_ab": "A"}
    )
    assert found.calls["state_ab"].to_list() == ["refusal", "ok"]
    assert found.calls["state_ba"].to_list() == ["ok", "missing"]


def test_an_order_that_nobody_asked_is_not_missing() -> None:
    found = read({"item": "1", "verdict_ab": "A", "gold": "A"}, {"item": "2", "verdict_ab": "B", "gold": "A"})
    assert found.calls["state_ba"].unique().to_list() == ["not_run"]
    row = figures(found)
    assert (row["is_one_order"], row["discordant"], row["swap_consistency"], row["calls"]) == (True, None, None, 2)


def test_only_the_second_order_can_be_there() -> None:
    found = read({"item": "1", "first_prob_ba": "0.2", "gold": "A"})
    assert figures(found)["accuracy"] == 1.0


def test_costs_of_nothing_are_not_tracked() -> None:
    """A cost of 0.0 from a source that tracks none is no price."""
    free = read({"item": "1", "verdict_ab": "A", "cost_ab": "0.0"}, {"item": "2", "verdict_ab": "A", "cost_ab": "0"})
    assert figures(free)["cost_per_1000"] is None
    some = read({"item": "1", "verdict_ab": "A", "cost_ab": "0.004"}, {"item": "2", "verdict_ab": "A", "cost_ab": ""})
    assert (figures(some)["cost_per_1000"], figures(some)["cost_items"]) == (4.0, 1)


def test_repeats_serve_stability_and_nothing_else() -> None:
    found = read(
        {"item": "1", "verdict_ab": "A", "repeat": "1", "gold": "A"}, {"item": "1", "verdict_ab": "B", "repeat": "2"},
        {"item": "2", "verdict_ab": "A", "repeat": "2"}, {"item": "2", "verdict_ab": "A", "repeat": "1", "gold": "A"},
        {"item": "3", "verdict_ab": "A", "gold": "A"},
    )  # fmt: skip
    row = figures(found)
    assert (row["items"], row["accuracy"], row["repeated"], row["repeat_stability"]) == (3, 1.0, 2, 0.5)


def test_favouring_the_first_is_seen() -> None:
    row = figures(read(*({"item": str(n), "verdict_ab": "first", "verdict_ba": "first"} for n in range(5))))
    assert (row["first_place_share"], row["discordant"], row["swap_consistency"]) == (1.0, 5, 0.0)


def test_facts_may_stand_on_any_row_even_one_without_a_judge() -> None:
    found = read(
        {"item": "1", "verdict_ab": "A"},
        {"item": "1", "judge": "", "gold": "b", "label_1": "A", "label_2": "B", "adjudication_reason": "unclear"},
        {"item": "2", "verdict_ab": "A", "judge": "k", "gold": "B"},
    )
    assert found.items.select("item", "gold").rows() == [("1", "B"), ("2", "B")]
    assert found.judges == ("j", "k")
    labels = label_figures(found.items, np.array([True, True]))
    assert (labels["double_labelled"], labels["label_agreement"], labels["adjudication_rate"]) == (1, 0.0, 0.5)
    assert labels["adjudication_reasons"] == ["unclear: 1"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"item": "1", "first_prob_ab": "1.7"}], "j.csv, row 1, first_prob_ab: '1.7' is no number from 0 to 1"),
        ([{"item": "1", "first_prob_ab": "NaN"}], "'NaN' is no number from 0 to 1"),
        ([{"item": "1", "first_prob_ab": "high"}], "'high' is no number from 0 to 1"),
        ([{"item": "1", "verdict_ab": "A", "cost_ab": "-1"}], "cost_ab: '-1' is no cost"),
        ([{"item": "1", "verdict_ab": "A", "status_ab": "odd"}], "status_ab: 'odd' is no status; statuses are ok,"),
        ([{"item": "1", "first_prob_ab": "0.9", "verdict_ab": "B"}], "names the side that first_prob_ab holds"),
        ([{"item": "1", "verdict_ab": "A", "gold": "C"}], "gold: 'C' is no label"),
        ([{"item": "1", "verdict_ab": "A", "split": "train"}], "split: 'train' is no side"),
        ([{"item": "", "verdict_ab": "A"}], "names no item"),
        ([{"item": "1", "verdict_ab": "A", "repeat": "x"}], "repeat: 'x' is no number of a repeat"),
        ([{"item": "1", "judge": "", "gold": "A"}], "no row names a judge"),
        ([{"item": "1", "verdict_ab": "A"}, {"item": "1", "verdict_ab": "B"}], "j.csv, row 2: judge j judges item 1"),
        (
            [{"item": "1", "verdict_ab": "A", "gold": "A"}, {"item": "1", "judge": "k", "gold": "B"}],
            "j.csv, row 2, gold: item 1 is 'B' here and 'A' in j.csv, row 1",
        ),
        ([{"item": "1", "verdict_ab": "1"}, {"item": "2", "verdict_ab": "2"}], "they say '1', '2'"),
        ([{"item": "1", "verdict_ab": "A", "rubric": "v1"}, {"item": "2", "verdict_ab": "A", "rubric": "v2"}],
         "judge j has two keys, which are never put together: rubric is 'v1' and 'v2'"),
        ([{"item": "1", "verdict_ab": "A", "rubric": "v1"}, {"item": "2", "verdict_ab": "A"}],
         "rubric is 'v1' and not stated"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(rows: list[Row], said: str) -> None:
    with pytest.raises(JudgmentsError) as refused:
        read(*rows)
    assert said in str(refused.value)


def two_files(rows: list[Row]) -> pl.DataFrame:
    made = frame([{"judge": "j", **row} for row in rows])
    return made.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("a.csv")).otherwise(pl.lit("b.csv")).alias(FILE)
    )


def test_two_files_are_one_judge_only_where_the_whole_key_is_stated_and_equal() -> None:
    """Results under different keys are never put together; what is not stated is not known to be equal."""
    rows = [{"item": "1", "verdict_ab": "A"}, {"item": "2", "verdict_ab": "A"}]
    with pytest.raises(JudgmentsError, match=r"a\.csv and b\.csv, and model, .* stated in neither"):
        gather(two_files(rows), {})
    whole = gather(two_files([{**KEY, **row} for row in rows]), {})
    assert whole.stack("j").unstated == ()
    assert gather(two_files(rows), {"j": stack_of("j", KEY)}).stack("j").sha256 == whole.stack("j").sha256
    with pytest.raises(JudgmentsError, match="parser is 'parser 1' and 'other'"):
        gather(two_files([{**KEY, **rows[0]}, {**KEY, **rows[1], "parser": "other"}]), {})


def test_keys_compare_as_stated() -> None:
    assert (plain_value("0.0"), plain_value(" 1.10 "), plain_value(""), plain_value(None)) == ("0", "1.1", None, None)
    one, other = stack_of("j", KEY), stack_of("k", {**KEY, "temperature": "0.7"})
    assert differences(one, one) == ()
    assert differences(one, other) == ("temperature: 'temperature 1' against '0.7'",)
    unknown = stack_of("j", {**KEY, "rubric": ""})
    assert differences(unknown, unknown) == ("rubric: not stated against not stated",)
    assert unknown.sha256 is None
    with pytest.raises(JudgmentsError, match="colour: fields are model"):
        stack_of("j", {"colour": "red"})
