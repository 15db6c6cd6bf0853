"""Two models, two harnesses, two benchmarks, two tasks, two repetitions: every figure computed by hand (METHODS 11)."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from panels import attempt, panel, tables

SPEC = panel(
    ["A", "B"], ["x", "y"],
    [
        {"id": "b1", "map": "stated", "tasks": ["t1", "t2"], "repetitions": 2},
        {"id": "b2", "map": "hundred", "tasks": ["t1", "t2"], "repetitions": 2},
    ],
)  # fmt: skip
C, U = True, False
ATTEMPTS: dict[tuple[str, str, str], list[tuple[float, bool] | None]] = {
    # t1 r1, t1 r2, t2 r1, t2 r2
    ("A", "x", "b1"): [(1, C), (1, C), (0, C), (1, U)],
    ("A", "y", "b1"): [(1, C), (0, C), (0, C), (0, U)],
    ("B", "x", "b1"): [(0, C), (0, C), (0, U), (0, U)],
    ("B", "y", "b1"): [(1, C), (1, C), (0, C), None],  # the last never came back
    ("A", "x", "b2"): [(80, C), (60, C), (40, C), (20, C)],
    ("A", "y", "b2"): [(100, C), (100, C), (50, U), (50, C)],
    ("B", "x", "b2"): [(20, C), (20, C), (20, C), (20, C)],
    ("B", "y", "b2"): [(0, U), (0, U), (0, U), (0, U)],
}
TOKENS = {"x": 100, "y": 400}


def rows() -> list[dict[str, Any]]:
    found = []
    for (model, harness, benchmark), cells in ATTEMPTS.items():
        for place, cell in enumerate(cells):
            if cell is not None:
                score, clean = cell
                task, repetition = f"t{place // 2 + 1}", place % 2 + 1
                found.append(attempt(model, harness, benchmark, task, repetition, score, clean, tokens=TOKENS[harness]))
    return found


@pytest.fixture(scope="module")
def found() -> dict[str, pl.DataFrame]:
    return tables(SPEC, rows())


def one(frame: pl.DataFrame, **keys: str) -> dict[str, Any]:
    [row] = frame.filter(*(pl.col(name) == value for name, value in keys.items())).rows(named=True)
    return row


@pytest.mark.parametrize(
    ("benchmark", "model", "harness", "score", "best", "clean", "joint", "within_clean", "within_unclean"),
    [
        ("b1", "A", "x", 0.75, 1.0, 0.75, 0.5, 2 / 3, 1.0),
        ("b1", "A", "y", 0.25, 0.5, 0.75, 0.25, 1 / 3, 0.0),
        ("b1", "B", "x", 0.0, 0.0, 0.5, 0.0, 0.0, 0.0),
        ("b1", "B", "y", 0.5, 0.5, 0.75, 0.5, 2 / 3, 0.0),
        ("b2", "A", "x", 0.5, 0.6, 1.0, 0.5, 0.5, None),
        ("b2", "A", "y", 0.75, 0.75, 0.75, 0.625, 0.625 / 0.75, 0.5),
        ("b2", "B", "x", 0.2, 0.2, 1.0, 0.2, 0.2, None),
        ("b2", "B", "y", 0.0, 0.0, 0.0, 0.0, None, 0.0),
    ],
)
def test_cells(
    found: dict[str, pl.DataFrame],
    benchmark: str,
    model: str,
    harness: str,
    score: float,
    best: float,
    clean: float,
    joint: float,
    within_clean: float | None,
    within_unclean: float | None,
) -> None:
    row = one(found["out__harness_cell"], benchmark=benchmark, model=model, harness=harness)
    assert (row["score"], row["best_of_r"], row["clean"], row["joint"]) == pytest.approx((score, best, clean, joint))
    assert row["within_clean"] == (within_clean if within_clean is None else pytest.approx(within_clean))
    assert row["within_unclean"] == (within_unclean if within_unclean is None else pytest.approx(within_unclean))
    assert row["unclean_score"] == pytest.approx(score - joint)
    assert row["loss_unclean"] + row["loss_clean"] == pytest.approx(1 - score)
    assert row["reason_code"] == {0.0: "no_clean", 1.0: "all_clean"}.get(clean)


def test_a_planned_attempt_without_a_record_counts(found: dict[str, pl.DataFrame]) -> None:
    row = one(found["out__harness_cell"], benchmark="b1", model="B", harness="y")
    assert (row["planned"], row["recorded"]) == (4, 3)
    [fault] = found["out__harness_fault"].rows(named=True)
    assert (fault["fault"], fault["model"], fault["harness"], fault["task"]) == ("attempt_missing", "B", "y", "t2")
    assert fault["detail"] == "repetitions 2"
    assert one(found["out__harness_panel"], benchmark="b1")["missing"] == 1


def test_fit(found: dict[str, pl.DataFrame]) -> None:
    blocks = {
        (r["benchmark"], r["model"], r["harness"]): r["fit"] for r in found["out__harness_block"].rows(named=True)
    }
    assert blocks == pytest.approx(
        {
            ("b1", "A", "x"): 1, ("b1", "A", "y"): 0.5, ("b1", "B", "x"): 0, ("b1", "B", "y"): 1,
            ("b2", "A", "x"): 0.8, ("b2", "A", "y"): 1, ("b2", "B", "x"): 1, ("b2", "B", "y"): 0,
        }
    )  # fmt: skip
    pairs = {(r["model"], r["harness"]): r["fit"] for r in found["out__harness_pair"].rows(named=True)}
    assert pairs == pytest.approx({("A", "x"): 0.9, ("A", "y"): 0.75, ("B", "x"): 0.5, ("B", "y"): 0.5})
    x = one(found["out__harness_summary"], side="harness", one="x")
    y = one(found["out__harness_summary"], side="harness", one="y")
    assert (x["fit"], y["fit"]) == pytest.approx((math.sqrt(0.45), math.sqrt(0.375)))
    assert (x["fit_arithmetic"], y["fit_arithmetic"]) == pytest.approx((0.7, 0.625))
    # on S in place of J: b1 A (1, 1/3), B (0, 1); b2 A (2/3, 1), B (1, 0)
    assert (x["score_fit"], y["score_fit"]) == pytest.approx((math.sqrt(5 / 6 * 0.5), math.sqrt(2 / 3 * 0.5)))
    assert x["score_fit_arithmetic"] == pytest.approx((5 / 6 + 0.5) / 2)


def test_wins(found: dict[str, pl.DataFrame]) -> None:
    wins = {
        (r["measure"], r["side"], r["one"], r["within"], r["opponent"]): (
            r["wins"],
            r["ties"],
            r["losses"],
            r["win_rate"],
        )
        for r in found["out__harness_win"].rows(named=True)
    }
    # S: b1 A x, b1 B y, b2 A y, b2 B x
    assert wins["score", "harness", "x", "*", "*"] == (2, 0, 2, 0.5)
    # V: b1 A tie, b1 B y, b2 A x, b2 B x
    assert wins["clean", "harness", "x", "*", "*"] == (2, 1, 1, 0.625)
    assert wins["clean", "harness", "x", "A", "*"] == (1, 1, 0, 0.75)
    assert wins["clean", "harness", "y", "B", "*"] == (1, 0, 1, 0.5)
    assert wins["clean", "harness", "x", "*", "y"] == (2, 1, 1, 0.625)
    # the model's side on V: b1 x A, b1 y tie, b2 x tie, b2 y A
    assert wins["clean", "model", "A", "*", "*"] == (2, 2, 0, 0.75)
    row = one(found["out__harness_summary"], side="harness", one="x")
    assert (row["win_clean"], row["win_clean_mean"]) == (0.625, 0.625)


def test_interaction_and_shares(found: dict[str, pl.DataFrame]) -> None:
    rest = {
        (r["model"], r["harness"]): r["residual_pp"]
        for r in found["out__harness_block"].filter(pl.col("benchmark") == "b1").rows(named=True)
    }
    assert rest == pytest.approx({("A", "x"): 25, ("A", "y"): -25, ("B", "x"): -25, ("B", "y"): 25})
    blame = {r["part"]: r for r in found["out__harness_blame"].filter(pl.col("benchmark") == "b1").rows(named=True)}
    assert {part: row["squares"] for part, row in blame.items()} == pytest.approx(
        {"model": 0.0625, "harness": 0, "interaction": 0.25}
    )
    assert {part: row["share"] for part, row in blame.items()} == pytest.approx(
        {"model": 0.2, "harness": 0, "interaction": 0.8}
    )
    # b2: A (.5, .75), B (.2, 0): residuals -+.1125; aggregate (25 - 11.25) / 2
    assert one(found["out__harness_pair"], model="A", harness="x")["residual_pp"] == pytest.approx(6.875)


def test_clean_ends_by_harness_and_by_model(found: dict[str, pl.DataFrame]) -> None:
    x = one(found["out__harness_summary"], side="harness", one="x")  # V: .5 .75 1 1
    assert (x["clean"], x["clean_quartile"], x["clean_nearest_quartile"], x["clean_minimum"]) == (
        0.8125, 0.6875, 0.5, 0.5,
    )  # fmt: skip
    b = one(found["out__harness_summary"], side="model", one="B")  # V: 0 .5 .75 1
    assert (b["clean"], b["clean_quartile"], b["clean_nearest_quartile"], b["clean_minimum"]) == (0.5625, 0.375, 0, 0)


def test_token_load(found: dict[str, pl.DataFrame]) -> None:
    x = one(found["out__harness_summary"], side="harness", one="x")
    assert (x["token_load"], x["token_blocks"]) == (pytest.approx(0.5), 4)
    assert one(found["out__harness_block"], benchmark="b1", model="A", harness="y")["token_load"] == pytest.approx(2)


def test_stages(found: dict[str, pl.DataFrame]) -> None:
    stages = {
        (r["side"], r["one"], r["stage"]): (r["attempts"], r["rate"])
        for r in found["out__harness_stage"].rows(named=True)
    }
    assert stages["harness", "x", "termination"] == (3, pytest.approx((3 / 8 + 0) / 2))
    assert stages["harness", "y", "no_record"] == (1, pytest.approx(1 / 16))
    assert stages["benchmark", "b1", "termination"] == (4, pytest.approx((3 / 8 + 1 / 8) / 2))
    shares = found["out__harness_stage"].filter(pl.col("one") == "y")["share"].to_list()
    assert sum(shares) == pytest.approx(1)


def test_differences(found: dict[str, pl.DataFrame]) -> None:
    row = one(
        found["out__harness_difference"],
        benchmark="*",
        measure="score",
        model_a="A",
        harness_a="x",
        model_b="B",
        harness_b="y",
    )
    assert row["difference_pp"] == pytest.approx(100 * (0.625 - 0.25))
    row = one(
        found["out__harness_difference"],
        benchmark="b1",
        measure="score",
        model_a="A",
        harness_a="x",
        model_b="A",
        harness_b="y",
    )
    assert (row["difference_pp"], row["a_alone"], row["b_alone"]) == (50, 1, 0)
    assert row["low_pp"] <= 50 <= row["high_pp"]


def test_what_clean_ends_would_change(found: dict[str, pl.DataFrame]) -> None:
    # A x b1: its attempt at t2 that was not clean is expected to do as its clean one there: 0
    row = one(found["out__harness_cell"], benchmark="b1", model="A", harness="x")
    assert (row["score_if_clean"], row["score_at_most"]) == pytest.approx((0.5, 0.75))
    # B y b2 has no clean attempt: at each task as B under x did, 0.2
    row = one(found["out__harness_cell"], benchmark="b2", model="B", harness="y")
    assert (row["score_if_clean"], row["score_at_most"]) == pytest.approx((0.2, 1.0))


def test_unique_tasks_and_front(found: dict[str, pl.DataFrame]) -> None:
    unique = {
        (r["benchmark"], r["task"], r["model"], r["harness"]) for r in found["out__harness_unique"].rows(named=True)
    }
    assert unique == {("b1", "t2", "A", "x"), ("b2", "t1", "A", "y")}
    front = found["out__harness_cell"].filter((pl.col("benchmark") == "b2") & pl.col("is_pareto"))
    assert set(zip(front["model"], front["harness"], strict=True)) == {("A", "x"), ("A", "y")}


def test_verdict_in_words(found: dict[str, pl.DataFrame]) -> None:
    row = one(found["out__harness_verdict"], benchmark="b2")
    assert row["leaders"] == ["y"]
    assert row["sentence"].startswith("b2: ")
    assert "Of 63.8 points lost on average" in row["sentence"]
