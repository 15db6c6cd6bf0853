"""The exact linear explanation (METHODS 7): worked by hand, its identities, and that it predicts a change."""

from __future__ import annotations

import polars as pl
import pytest
from simulated_boards import METHODOLOGY, kept_rows, random_kept

from methods.scoring.categories import score_categories
from methods.scoring.dimensions import score_dimensions
from methods.scoring.loops import Loops
from methods.scoring.standardize import standardize_rows
from methods.scoring.weights import score_weights


def _weights(kept: pl.DataFrame) -> pl.DataFrame:
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    return score_weights(score_dimensions(evidence, METHODOLOGY), METHODOLOGY)


def test_three_models_on_one_metric_by_hand() -> None:
    # p = 1, a = 1/2, S = 1/10 + 3 - 3/2 = 1.6, C = 5/8. c = C a = 5/16, s = a c = 5/32
    # own = 1/2 - (5/16 - 5/32) = 11/32 ; each other = -(c - c a') = -(5/16 - 5/32) = -5/32, two of them: -10/32
    # k = 1, so category weight = dimension weight ; z = -c0, 0, c0 with c0 = 1/1.4826
    rows = [{"model_id": m, "metric_id": "b", "value": v} for m, v in (("low", 20.0), ("mid", 50.0), ("high", 80.0))]
    table = _weights(kept_rows(rows)).filter(pl.col("model_id") == "high")
    own, cohort = table.row(1, named=True), table.row(0, named=True)
    assert (own["role"], cohort["role"]) == ("own", "cohort")
    assert own["evidence_id"] == "high-b:b"
    assert (cohort["evidence_id"], cohort["z"]) == (None, None)
    assert own["weight"] == pytest.approx(11 / 32, abs=1e-15)
    assert cohort["weight"] == pytest.approx(-10 / 32, abs=1e-15)
    assert own["contribution"] == pytest.approx(15 * 11 / 32 / 1.4826, abs=1e-12)
    assert cohort["contribution"] == pytest.approx(15 * 5 / 32 / 1.4826, abs=1e-12)
    # both together: 15 * (1/2) c0, the worked category's theta = z/2
    assert own["contribution"] + cohort["contribution"] == pytest.approx(15 * 0.5 / 1.4826, abs=1e-12)


def test_weights_predict_what_a_changed_z_does() -> None:
    kept = random_kept(21, models=25, metrics=20, fill=0.6, categories=("math",))
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    table = score_weights(score_dimensions(evidence, METHODOLOGY), METHODOLOGY)
    before = {one.model_id: one.mu for one in score_categories(score_dimensions(evidence, METHODOLOGY), METHODOLOGY)}
    for row in table.filter(pl.col("role") == "own").sample(12, seed=3).iter_rows(named=True):
        moved = evidence.with_columns(
            z=pl.col("z") + (pl.col("evidence_id") == row["evidence_id"]).cast(pl.Float64) * 0.25
        )
        after = {one.model_id: one.mu for one in score_categories(score_dimensions(moved, METHODOLOGY), METHODOLOGY)}
        assert after[row["model_id"]] - before[row["model_id"]] == pytest.approx(0.25 * row["weight"], abs=1e-12)


def test_a_metric_outside_the_models_component_has_no_row() -> None:
    rows = [
        {"model_id": f"{group}{n}", "metric_id": group, "value": 20.0 + 30 * n}
        for group in ("a", "b")
        for n in range(3)
    ]
    table = _weights(kept_rows(rows))
    assert set(table.filter(pl.col("model_id").str.starts_with("a"))["metric_id"]) == {"a"}
    assert table.height == 6 * 2


def test_raw_zero_has_its_weight() -> None:
    rows = [{"model_id": f"m{n}", "metric_id": "b", "value": v} for n, v in enumerate((0.0, 0.0, 40.0, 60.0))]
    table = _weights(kept_rows(rows))
    assert table.filter((pl.col("role") == "own") & (pl.col("weight") == 0)).is_empty()


def test_compiled_interpreted_and_blocks_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = random_kept(22, models=50, metrics=30, fill=0.6)
    fits = score_dimensions(standardize_rows(kept, METHODOLOGY).evidence, METHODOLOGY)
    interpreted = score_weights(fits, METHODOLOGY, Loops(is_compiled=False))
    monkeypatch.setattr("methods.scoring.weights.BLOCK", 7)
    assert score_weights(fits, METHODOLOGY, Loops(is_compiled=True)).equals(interpreted)
