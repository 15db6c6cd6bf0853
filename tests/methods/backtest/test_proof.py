"""The proof as a whole: it sees nothing it must not, finds the right model on known boards, is the same each time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from simulated_boards import METHODOLOGY
from simulated_results import board_catalog, board_evidence

from methods.backtest import proof as proving
from methods.backtest.forecasts import board_forecast, linked_forecast
from methods.backtest.proof import Plan, nightly_plan, prove, whole_plan
from methods.backtest.questions import ask, ask_forward
from methods.backtest.splits import withheld
from methods.backtest.tables import backtest_tables
from methods.backtest.training import gather, scales_of, train_on
from methods.linked.cells import arrange
from methods.linked.tables import linked_tables
from methods.scoring.board import build_board
from warehouse.tables_linked import BACKTEST_TABLES, LINKED_TABLES

RULES = METHODOLOGY.backtest


@pytest.fixture(scope="module")
def evidence() -> pl.DataFrame:
    return board_evidence(5)


def test_no_forecast_depends_on_withheld_values(evidence: pl.DataFrame) -> None:
    """Every method's forecasts of 3.0, linked and baselines are the same bits whatever the withheld results were."""
    catalog = board_catalog()
    results = gather(evidence, catalog)
    out = withheld(results, "cells", 0, 0.2, 1)
    spoiled = replace(
        results,
        x=np.where(out, -results.x - 1.0, results.x),
        value=np.where(out & results.is_fraction[results.metric], 1 - results.value, results.value),
    )
    plan = Plan((("cells", 1),))
    found = []
    for own in (results, spoiled):
        training = train_on(own, ~out, METHODOLOGY.standardization)
        question = ask(own, training, out)
        inside = proving._inner(own, ~out, METHODOLOGY)
        made = proving._forecasts(own, training, question, inside, METHODOLOGY, plan, {})
        bits = {name: (one.mean.tobytes(), None if one.sd is None else one.sd.tobytes()) for name, one in made}
        found.append(bits)
    assert found[0] == found[1]
    assert len(found[0]) == 6


def test_known_board_is_predicted_and_covered() -> None:
    """One ability, slopes and noise made these boards: the linked score is nearest, and its intervals hold."""
    catalog = board_catalog()
    frames = [prove(board_evidence(seed), catalog, Plan((("cells", 1),))).backtest for seed in (1, 2, 3)]
    whole = pl.concat(frames).filter(pl.col("category") == "all")
    errors = {m: whole.filter(pl.col("method") == m)["median_error_pp"].mean() for m in whole["method"].unique()}
    assert errors["linked"] < 1.1 * min(errors.values())  # the two-parameter logistic is the truth of these boards
    assert errors["linked"] < min(errors["3.0"], errors["additive"], errors["metric-median"])
    linked = whole.filter(pl.col("method") == "linked")
    inside = float((linked["cover80"] * linked["n"]).sum() / linked["n"].sum())
    assert 0.70 <= inside <= 0.88


def test_families_and_forward(evidence: pl.DataFrame) -> None:
    """A family nobody was measured on is asked within its cohort; forward in time only new cells are asked."""
    catalog = board_catalog()
    results = gather(evidence, catalog)
    whole = scales_of(
        results.x, results.metric, results.developer, len(results.metric_ids), METHODOLOGY.standardization
    )
    out = withheld(results, "family", 0, 0.3, 3)
    training = train_on(results, ~out, METHODOLOGY.standardization)
    question = ask(results, training, out, whole)
    assert not training.scales.is_scored[np.unique(question.asked.metric)].any()
    for forecast in (board_forecast(training, question.asked, METHODOLOGY),
                     linked_forecast(training, question.asked, METHODOLOGY, METHODOLOGY.linked.chosen)):  # fmt: skip
        centred = proving._centred(forecast, question, training)
        for metric in np.unique(question.asked.metric):
            assert np.median(centred.mean[question.asked.metric == metric]) == pytest.approx(0.0, abs=1e-9)
        assert np.corrcoef(centred.mean, question.place)[0, 1] > 0.2
    former = evidence.filter(pl.col("model_id") < "m30")
    known = gather(former, catalog)
    trained = train_on(known, np.ones(known.count, dtype=bool), METHODOLOGY.standardization)
    asked = ask_forward(known, trained, gather(evidence, catalog))
    assert asked.without_model == asked.withheld == evidence.height - former.height
    half = evidence.filter(pl.col("evidence_id").hash(1) % 2 == 0)
    found = prove(half, catalog, Plan(()), [(half, evidence)])
    assert found.splits.row(0, named=True)["split"] == "forward"
    assert found.backtest["n"].max() <= evidence.height - half.height


def test_plans_and_repetition(evidence: pl.DataFrame) -> None:
    """The same proof in any row order; the whole plan holds every split and variant, the nightly one single results."""
    catalog = board_catalog()
    one = prove(evidence, catalog, nightly_plan(METHODOLOGY))
    other = prove(evidence.reverse(), catalog, nightly_plan(METHODOLOGY))
    assert one.backtest.equals(other.backtest)
    assert one.factors == other.factors
    plan = whole_plan(METHODOLOGY, 1)
    assert [name for name, _ in plan.splits] == ["cells", "model-family", "family"]
    assert set(plan.variants) == {"letter", "slopes", "flat", "narrow"}
    told: list[str] = []
    hurried = METHODOLOGY.linked.model_copy(update={"cycles": 2})
    rules = METHODOLOGY.backtest.model_copy(update={"fit_rounds": 5})
    quick = METHODOLOGY.model_copy(update={"linked": hurried, "backtest": rules})
    whole = prove(evidence, board_catalog().model_copy(update={"methodology": quick}), plan, tell=told.append)
    assert len(told) == 3
    assert sum(whole.chosen["linked"].values()) == 1
    assert {"linked-letter", "linked-slopes", "linked-flat", "linked-narrow"} < set(whole.backtest["method"])


def test_tables_of_a_night(evidence: pl.DataFrame) -> None:
    """Every table conforms; an empty day has them all, empty."""
    import datetime as dt

    catalog = board_catalog()
    board = build_board(evidence, catalog, release_id="r", as_of=dt.date(2026, 10, 20)).category_scores
    made = {**linked_tables(evidence, board, catalog), **backtest_tables(evidence, board, catalog)}
    for table in (*LINKED_TABLES, *BACKTEST_TABLES):
        assert made[table.name].equals(table.conform(made[table.name]))
    assert made["out__linked_score"].height == board.height
    none = evidence.clear(), board.clear(), catalog
    nothing = {**linked_tables(*none), **backtest_tables(*none)}
    assert all(frame.height == 0 for frame in nothing.values())
    assert arrange(evidence).count == evidence.height
