"""A study of judges: its tables, rows in any order giving the same hashes, the bundled example being the code's own."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from judging_cases import JUDGING, METHODOLOGY
from simulated_judgments import EXAMPLE, example_csv, example_rows, frame

from methods.judging.columns import JudgmentsError
from methods.judging.judgments import gather
from methods.judging.review import SHEET, blind_sheet
from methods.judging.study import judge_study, judge_tables
from methods.judging.verdicts import cost_sentence, held_against, order_verdict
from warehouse.hashing import table_hash
from warehouse.study_options import JudgeOptions
from warehouse.tables_judging import JUDGE_TABLES

ROWS = frame([{name: value for name, value in row.items() if value != ""} for row in example_rows()])
OPTIONS = JudgeOptions(fallbacks=("large",))


def tables(rows: pl.DataFrame = ROWS, options: JudgeOptions = OPTIONS) -> dict[str, pl.DataFrame]:
    return judge_tables("s", judge_study(gather(rows, {}), options, METHODOLOGY), METHODOLOGY)


TABLES = tables()


def only(table: str, **wanted: Any) -> dict[str, Any]:
    rows = TABLES[table].filter(*(pl.col(name) == value for name, value in wanted.items())).rows(named=True)
    (row,) = rows
    return row


def test_the_bundled_example_is_what_the_code_makes() -> None:
    assert EXAMPLE.read_bytes() == example_csv(), "make it again: python tests/methods/judging/simulated_judgments.py"


def test_every_table_is_there_with_rows() -> None:
    assert set(TABLES) == {contract.name for contract in JUDGE_TABLES}
    assert all(frame.height for frame in TABLES.values())
    assert all(frame.columns[0] == "study" for frame in TABLES.values())


def test_rows_in_any_order_give_the_same_tables() -> None:
    shuffled = tables(ROWS.sample(fraction=1, shuffle=True, seed=3))
    for contract in JUDGE_TABLES:
        assert table_hash(shuffled[contract.name], contract) == table_hash(TABLES[contract.name], contract)


def test_the_example_opens_where_confidence_orders_errors_and_nowhere_else() -> None:
    free, preference = (only("out__judge_cascade", task_type=task) for task in ("free-text", "preference"))
    assert (free["tau"], free["open_state"], free["acceptance"]) == (None, "auroc_below_limit", 0.0)
    assert (preference["open_state"], preference["cascade_verdict"], preference["shared_items"]) == ("open", "pass", 0)
    assert preference["random_accuracy"] < preference["cascade_accuracy"] <= preference["optimal_accuracy"]
    assert 0.4 < preference["gain_captured"] < 1
    assert preference["cost_ratio"] < preference["conservative_cost_ratio"] < 0.6
    curve = TABLES["out__judge_curve"].filter(
        pl.col("task_type") == "preference", pl.col("threshold") == preference["tau"]
    )
    assert curve["cascade_accuracy"].to_list() == [preference["cascade_accuracy"]]


def test_a_threshold_does_not_carry_to_another_task_type() -> None:
    row = only("out__judge_transfer")
    assert (row["transfer"], row["transferred_to"], row["is_within_tolerance"]) == ("task_type", "free-text", False)
    assert row["loss_pp"] > 2


def test_a_threshold_does_not_carry_to_another_fallback() -> None:
    """Beside a third judge, always right: what is near enough to one fallback is not to another."""
    perfect = ROWS.filter(pl.col("judge") == "large", pl.col("repeat") == "1")
    gold = ROWS.filter(pl.col("gold").is_not_null()).select("item", label=pl.col("gold"))
    right = perfect.drop("gold", strict=False).join(gold, on="item").with_columns(
        judge=pl.lit("perfect"), first_prob_ab=pl.when(pl.col("label") == "A").then(pl.lit("1")).otherwise(pl.lit("0")),
        first_prob_ba=pl.when(pl.col("label") == "A").then(pl.lit("0")).otherwise(pl.lit("1")),
    ).drop("label")  # fmt: skip
    found = tables(
        pl.concat([ROWS, right], how="diagonal"),
        JudgeOptions(judges=("small",), fallbacks=("large", "perfect"), rule="point"),
    )
    carried = found["out__judge_transfer"].filter(pl.col("transfer") == "fallback", pl.col("fallback") == "large")
    (row,) = carried.filter(pl.col("transferred_to") == "perfect").rows(named=True)
    own = found["out__judge_cascade"].filter(pl.col("fallback") == "perfect", pl.col("task_type") == "preference")
    assert row["loss_pp"] > 2
    assert row["is_within_tolerance"] is False
    assert own["tau"][0] is None or own["tau"][0] > row["tau"]


def test_failures_repeats_and_labels_are_counted() -> None:
    row = only("out__judge_summary", judge="small", slice="all")
    assert row["parse_failures"] > 0
    assert row["refusals"] > 0
    assert row["cannot_judge"] > 0
    assert row["valid"] == row["items"] - row["parse_failures"] - row["refusals"] - row["cannot_judge"]
    assert row["repeated"] == 79
    assert 0.8 < row["repeat_stability"] < 1
    assert row["first_place_share"] > 0.5
    labels = only("out__judge_label", slice="all")
    assert labels["double_labelled"] == 220
    assert labels["adjudicated"] == round((1 - labels["label_agreement"]) * 220)


def test_the_queue_holds_what_people_should_see() -> None:
    queue = TABLES["out__judge_queue"]
    row = only("out__judge_summary", judge="small", slice="all")
    reasons = dict(queue.group_by("queue_reason").len().rows())
    assert reasons == {"position_discordant": row["discordant"], "cannot_judge": row["cannot_judge"]}
    discordant = queue.filter(pl.col("queue_reason") == "position_discordant")
    assert ((discordant["prob_a_shown_first"] - 0.5) * (discordant["prob_a_shown_second"] - 0.5) < 0).all()


def test_one_order_costs_half_and_sees_less() -> None:
    found = tables(options=JudgeOptions(fallbacks=("large",), one_order=True))
    single = found["out__judge_summary"].filter(pl.col("judge") == "small", pl.col("slice") == "all").row(0, named=True)
    double = only("out__judge_summary", judge="small", slice="all")
    assert (single["is_one_order"], single["discordant"]) == (True, None)
    assert single["cost_per_1000"] == pytest.approx(double["cost_per_1000"] / 2, rel=0.02)
    assert single["valid"] >= double["valid"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fallbacks": ("medium",)}, "no judgments of medium; there are those of large, small"),
        ({"judges": ("medium",)}, "no judgments of medium"),
        ({"fallbacks": ("large", "small")}, "no judge is left to study"),
        ({"judges": ("large",), "fallbacks": ("large",)}, "large cannot be its own fallback: name another of the two"),
        ({"fallbacks": ("large",), "split": 0.5}, "state a split themselves"),
    ],
)
def test_what_cannot_be_studied_says_why(options: dict[str, Any], said: str) -> None:
    with pytest.raises(JudgmentsError, match=said):
        tables(options=JudgeOptions.model_validate(options))
    with pytest.raises(JudgmentsError, match="needs items to choose its threshold on and others"):
        tables(ROWS.drop("split"))


def test_a_drawn_split_serves_as_well() -> None:
    found = tables(ROWS.drop("split"), JudgeOptions(fallbacks=("large",), split=0.5))["out__judge_cascade"]
    assert found["shared_items"].to_list() == [0, 0]
    assert found.filter(pl.col("task_type") == "preference")["tau"][0] is not None


def test_without_a_fallback_there_is_no_cascade() -> None:
    found = tables(options=JudgeOptions())
    assert found["out__judge_cascade"].height == 0
    assert found["out__judge_bin"]["fallback"].unique().to_list() == ["none"]
    assert found["out__judge_summary"].filter(pl.col("slice") == "all")["judge"].to_list() == ["large", "small"]


def test_sentences_say_what_the_verdicts_mean() -> None:
    row = only("out__judge_cascade", task_type="preference")
    assert held_against(row, 2.0, JUDGING)[0] == "pass"
    failed = {**row, "loss_pp": 2.5, "loss_bound_pp": 4.0}
    assert held_against(failed, 2.0, JUDGING) == ("fail", "loses 2.50 points on 450 held-out items, against 2")
    open_ended = {**row, "loss_pp": 1.5, "loss_bound_pp": 3.0, "items_to_decide": 5154}
    assert held_against(open_ended, 2.0, JUDGING)[1].endswith("about 5,154 items would decide")
    assert held_against({**row, "held_out_items": 0}, 2.0, JUDGING)[0] == "inconclusive"
    assert order_verdict({**row, "held_out_auroc": None}, 0.7) == "inconclusive"
    assert order_verdict({**row, "held_out_auroc": 0.69}, 0.7) == "fail"
    assert order_verdict({**row, "tau": None, "held_out_auroc": 0.5}, 0.7) == "pass"
    assert "more than the fallback alone" in cost_sentence({**row, "conservative_cost_ratio": 1.096})
    assert "states no reserve" in cost_sentence({**row, "conservative_cost_ratio": None})
    assert "not tracked" in cost_sentence({**row, "cost_ratio": None, "conservative_cost_ratio": None})


def test_people_are_asked_blind() -> None:
    """No judge, no verdict, no probability; which answer stands first, and the order of rows, are drawn by hash."""
    queue = TABLES["out__judge_queue"].rows(named=True)
    sheet = blind_sheet([*queue, {**queue[0], "judge": "another"}], METHODOLOGY.seed)
    assert sheet.columns == list(SHEET)
    assert sorted(sheet["item"]) == sorted({row["item"] for row in queue})
    assert sheet["item"].to_list() != sorted(sheet["item"])
    assert 0.3 < (sheet["shown_first"] == "A").mean() < 0.7
    assert sheet["gold"].null_count() == sheet.height
    assert blind_sheet(reversed(queue), METHODOLOGY.seed).equals(sheet)
