"""The pieces of a proof, each by hand: draws, training, figures, baselines, the steady logistic, calibration."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_boards import METHODOLOGY
from simulated_results import board_catalog, board_evidence, question

from methods.backtest.baselines import Grid, additive, metric_median, rank_two
from methods.backtest.calibration import calibrated_intervals, widened, widening
from methods.backtest.forecasts import Forecast
from methods.backtest.report import Answer, backtest_frame, slice_frame, spearman
from methods.backtest.splits import keyed_share, withheld
from methods.backtest.steady import exponential, logistic
from methods.backtest.training import gather, train_on
from methods.backtest.versus import versus_frame

RULES = METHODOLOGY.backtest


def test_draws_depend_on_the_key_alone() -> None:
    """First values written out, so that anybody can draw them again; other rows and their order move nothing."""
    assert keyed_share(20261020, "cells", 0, "a") == pytest.approx(0.5977920848, abs=1e-9)
    evidence, catalog = board_evidence(1), board_catalog()
    whole, fewer = gather(evidence, catalog), gather(evidence.reverse().filter(pl.col("model_id") != "m03"), catalog)
    for split in ("cells", "model-family", "family"):
        out = dict(zip(whole.frame["evidence_id"], withheld(whole, split, 2, 0.3, 7), strict=True))
        assert 0 < sum(out.values()) < len(out)
        again = zip(fewer.frame["evidence_id"], withheld(fewer, split, 2, 0.3, 7), strict=True)
        assert all(out[name] == drawn for name, drawn in again)
    families = whole.frame.with_columns(out=withheld(whole, "family", 0, 0.3, 7))
    assert set(families.group_by("family").agg(pl.col("out").n_unique())["out"]) == {1}
    with pytest.raises(ValueError, match="not drawn"):
        withheld(whole, "forward", 0, 0.1, 1)


def test_training_on_everything_is_the_evidence_itself() -> None:
    evidence = board_evidence(2)
    results = gather(evidence, board_catalog())
    training = train_on(results, np.ones(results.count, dtype=bool), METHODOLOGY.standardization)
    for name in ("z", "q", "variance", "precision"):
        assert training.evidence.sort("evidence_id")[name].to_list() == evidence.sort("evidence_id")[name].to_list()


def test_training_never_sees_what_is_withheld() -> None:
    """Medians, scales and quality come from the rest: changing a withheld value changes nothing of the training."""
    results = gather(board_evidence(3), board_catalog())
    kept = np.ones(results.count, dtype=bool)
    kept[::7] = False
    one = train_on(results, kept, METHODOLOGY.standardization)
    moved = replace(results, x=np.where(kept, results.x, results.x + 5.0))
    other = train_on(moved, kept, METHODOLOGY.standardization)
    assert one.evidence.drop("x").equals(other.evidence.drop("x"))
    assert one.scales.center.tobytes() == other.scales.center.tobytes()


def test_figures_by_hand() -> None:
    """Places 0, 1, -1 at a median of 50%: a forecast of 0 is off by 0, 23.1 and 23.1 points; one of three is within."""
    asked = question([0.0, 1.0, -1.0])
    answer = Answer("linked", "cells", asked, Forecast(np.zeros(3), np.full(3, 0.5)))
    row = backtest_frame([answer], RULES).filter(pl.col("category") == "all").row(0, named=True)
    off = 100 * (1 / (1 + math.exp(-1)) - 0.5)
    assert row["n"] == 3
    assert row["median_error_pp"] == pytest.approx(off)
    assert row["mean_error_pp"] == pytest.approx(2 * off / 3)
    assert row["rank_correlation"] is None  # a constant forecast orders nothing
    assert (row["cover50"], row["cover80"], row["cover95"]) == (1 / 3, 1 / 3, 1 / 3)
    slices = slice_frame([answer], RULES)
    assert set(slices.select("sliced_by", "slice").rows()) == {("tier", "official"), ("observations", "3-5")}


def test_versus_by_hand() -> None:
    asked = question([0.0, 1.0, -1.0, 2.0])
    near, far = Forecast(np.array([0.0, 1.1, -1.1, 0.0]), None), Forecast(np.array([0.1, 0.5, -0.5, 1.0]), None)
    row = versus_frame([Answer("linked", "cells", asked, near), Answer("additive", "cells", asked, far)], 1.96).row(
        0, named=True
    )
    assert (row["nearer"], row["farther"], row["nearer_share"]) == (3, 1, 0.75)
    assert row["wilson_low"] < 0.5 < row["wilson_high"]


@given(values=st.lists(st.integers(0, 5), min_size=2, max_size=30), seed=st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_rank_correlation_against_its_definition(values: list[int], seed: int) -> None:
    """Pearson's correlation of mean ranks, written out."""
    one = [float(value) for value in values]
    two = np.random.default_rng(seed).integers(0, 4, len(one)).astype(float).tolist()
    found = spearman(np.array(one), np.array(two))
    if len(set(one)) == 1 or len(set(two)) == 1:
        assert found is None
        return
    ranks = [[sum(o < v for o in side) + (1 + sum(o == v for o in side)) / 2 for v in side] for side in (one, two)]
    assert found == pytest.approx(float(np.corrcoef(*ranks)[0, 1]), abs=1e-9)


def test_steady_logistic() -> None:
    values = np.concatenate([np.linspace(-40, 40, 4001), [-800.0, 800.0, 0.0]])
    expected = np.array([1 / (1 + math.exp(-v)) if v > -700 else 0.0 for v in values.tolist()])
    assert np.allclose(logistic(values), expected, rtol=1e-14, atol=1e-300)
    assert exponential(np.array([1.0]))[0] == pytest.approx(math.e, rel=1e-15)


def test_baselines_find_what_they_assume() -> None:
    """On an additive board the additive fit, on one of two factors the rank-2 fit, predicts withheld cells."""
    rng = np.random.default_rng(0)
    models, metrics = 60, 25
    ability, second, offset = rng.normal(size=models), rng.normal(size=models), rng.normal(size=metrics)
    loading, other = rng.uniform(0.5, 1.5, metrics), rng.normal(size=metrics) * 0.8
    model, metric = (part.ravel() for part in np.meshgrid(np.arange(models), np.arange(metrics), indexing="ij"))
    out = rng.random(len(model)) < 0.2
    plain = ability[model] + offset[metric]
    rich = loading[metric] * ability[model] + other[metric] * second[model] + offset[metric]
    for z, fit in ((plain, lambda g: additive(g, 0.01, 60)), (rich, lambda g: rank_two(g, 0.01, 0.3, RULES))):
        grid = Grid(models, metrics, model[~out], metric[~out], z[~out], model[out], metric[out])
        assert np.median(np.abs(fit(grid).mean - z[out])) < 0.1 * np.median(np.abs(metric_median(grid).mean - z[out]))


def test_calibration_by_hand() -> None:
    """Errors of 1 to 10 at SD 1: the type-7 80% quantile 8.2 over 1.281552 is the factor of all categories."""
    asked = question([float(n) for n in range(1, 11)])
    forecast = Forecast(np.zeros(10), np.ones(10))
    factor = widening(asked, forecast, RULES)
    assert factor == pytest.approx(np.full(8, 8.2 / 1.281552))
    assert widened(forecast, asked.asked.frame, factor).sd == pytest.approx(np.full(10, 8.2 / 1.281552))
    board = pl.DataFrame({"category": ["math", "math", "coding"], "model_id": ["a", "b", "a"], "mu": [0.0, 2.0, 0.0],
                          "sigma": [0.5, 0.5, 0.5], "status": ["rated", "estimated", "rated"]})  # fmt: skip
    found = calibrated_intervals(board, {"math": 2.0}, METHODOLOGY.category).rows(named=True)
    assert [row["model_id"] for row in found] == ["a", "b"]
    assert found[0]["high80"] == pytest.approx(50 + 15 * 1.281552 * 0.5 * 2)
    assert found[1]["high80"] == pytest.approx(50 + 15 * (2 + 1.281552 * 0.5 * 2))
    nothing = question([])
    assert widening(nothing, Forecast(np.empty(0), np.empty(0)), RULES) == pytest.approx(np.ones(8))
