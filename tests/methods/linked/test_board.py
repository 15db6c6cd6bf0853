"""The linked board on 3.0's columns: status taken over, order, clamps, rank ranges; the tables beside it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest
from simulated_linked import RULES, SCALE, known_board

from methods.linked.abilities import abilities, derivative
from methods.linked.board import linked_board
from methods.linked.explanation import weights
from methods.linked.model import LinkedFit, fit_linked
from methods.linked.published import linked_metrics, linked_parameters, published_fit
from warehouse.tables_linked import OUT_LINKED_SCORE
from warehouse.vocabulary import CATEGORIES


@pytest.fixture(scope="module")
def fit() -> LinkedFit:
    return fit_linked(known_board(1, models=40, metrics=30).evidence, RULES)


@pytest.fixture(scope="module")
def board(fit: LinkedFit) -> pl.DataFrame:
    """A board of 3.0 for the same models; every third is rated, every third unrated."""
    rows = abilities(fit.cells, fit.posterior, fit.hyperparameters)
    made = []
    for number, (model, category) in enumerate(zip(rows.model.tolist(), rows.category.tolist(), strict=True)):
        status = ("rated", "estimated", "unrated")[number % 3]
        made.append({
            "release_id": "r", "as_of": dt.date(2026, 10, 20), "category": list(CATEGORIES)[category],
            "model_id": fit.cells.model_ids[model], "model_name": "n", "developer": None, "status": status,
            "observed_dimensions": 1, "families": 1, "overlap_dimensions": 0, "catalog_version": "c",
            "reason_code": "too_few_dimensions" if status == "unrated" else None, "methodology_version": "3.0",
        })  # fmt: skip
    return pl.DataFrame(made, schema_overrides={"developer": pl.String, "reason_code": pl.String})


def test_board_follows_from_the_posterior(fit: LinkedFit, board: pl.DataFrame) -> None:
    found = linked_board(fit, board, SCALE)
    assert found.schema == OUT_LINKED_SCORE.polars_schema()
    assert set(found.select("category", "model_id", "status").rows()) == set(
        board.select("category", "model_id", "status").rows()
    )
    for row in found.rows(named=True):
        if row["status"] == "unrated":
            assert row["score"] is row["low80"] is row["high80"] is row["rank"] is None
            continue
        assert row["score"] == min(max(50 + 15 * row["mu"], 0), 100)
        assert row["low80"] == min(max(50 + 15 * (row["mu"] - SCALE.interval_z * row["sigma"]), 0), 100)
        assert (row["rank"] is not None) == (row["status"] == "rated")


def test_rank_ranges_by_hand(fit: LinkedFit, board: pl.DataFrame) -> None:
    """Counted again from dense derivatives: who is surely better or worse by the difference."""
    found = linked_board(fit, board, SCALE)
    rows = abilities(fit.cells, fit.posterior, fit.hyperparameters)
    entries = derivative(fit.cells, fit.posterior, rows, np.arange(len(rows.model)))
    dense = np.zeros((len(rows.model), fit.cells.metrics))
    np.add.at(dense, (entries.target, fit.cells.metric[entries.cell]), entries.value)
    place = {(list(CATEGORIES)[c], fit.cells.model_ids[m]): n
             for n, (m, c) in enumerate(zip(rows.model.tolist(), rows.category.tolist(), strict=True))}  # fmt: skip
    category = max(
        CATEGORIES, key=lambda name: found.filter((pl.col("category") == name) & pl.col("rank").is_not_null()).height
    )
    rated: list[dict[str, Any]] = (
        found.filter((pl.col("category") == category) & pl.col("rank").is_not_null()).sort("rank").rows(named=True)
    )
    assert len(rated) > 3
    for one in rated:
        better = worse = 0
        for other in rated:
            a, b = place[category, one["model_id"]], place[category, other["model_id"]]
            if a == b:
                continue
            together = dense[a] @ fit.posterior.cohort_covariance @ dense[b]
            spread = rows.variance[a] + rows.variance[b] - 2 * together
            if abs(rows.mean[a] - rows.mean[b]) > SCALE.interval_z * np.sqrt(spread):
                better += rows.mean[b] > rows.mean[a]
                worse += rows.mean[b] < rows.mean[a]
        assert (one["rank_low"], one["rank_high"]) == (1 + better, len(rated) - worse)
        assert one["rank_low"] <= one["rank"] <= one["rank_high"]


def test_tables_beside_it(fit: LinkedFit) -> None:
    metrics, parameters = linked_metrics(fit, SCALE), linked_parameters(fit, RULES)
    assert metrics.height == fit.cells.metrics
    general = dict(zip(fit.cells.model_ids, fit.posterior.mean[0].tolist(), strict=True))
    first = metrics.row(0, named=True)
    cohort = [fit.cells.model_ids[m] for m, b in zip(fit.cells.model, fit.cells.metric, strict=True)
              if fit.cells.metric_ids[b] == first["metric_id"]]  # fmt: skip
    mean = sum(general[name] for name in cohort) / len(cohort)
    middle = sum(general.values()) / len(general)
    assert first["cohort_score"] == pytest.approx(50 + 15 * (mean - middle))
    assert first["offset"] == pytest.approx(fit.posterior.cohort_mean[0] + first["slope"] * middle)
    told = {(name, subject): value for name, subject, value in parameters.rows()}
    effects = [told["effect_variance", "model"]]
    effects += [
        np.mean([told["effect_variance", f"{level} in {name}"] for name in CATEGORIES])
        for level in ("category", "dimension")
    ]
    assert sum(effects) == pytest.approx(1.0)  # so that 15 points are one standard deviation
    assert told["has_settled", "full"] in {0.0, 1.0}
    assert told["prior_width", "model"] == RULES.prior_width


def test_the_published_tables_give_the_fit_again(fit: LinkedFit) -> None:
    """The posterior under the published parameters is the published one, and so are the weights of its scores."""
    evidence = known_board(1, models=40, metrics=30).evidence
    again = published_fit(evidence, linked_metrics(fit, SCALE), linked_parameters(fit, RULES), RULES)
    assert np.allclose(again.posterior.mean[-1], fit.posterior.mean[-1], rtol=0, atol=1e-11)
    rows = abilities(fit.cells, fit.posterior, fit.hyperparameters)
    model, category = fit.cells.model_ids[rows.model[5]], list(CATEGORIES)[rows.category[5]]
    assert np.allclose(weights(again, model, category), weights(fit, model, category), rtol=0, atol=1e-11)
