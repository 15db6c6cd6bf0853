"""The unit in which slopes and noise of metrics are drawn to each other: by hand, and what it is for."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from simulated_linked import RULES, evidence_of, known_board

from methods.linked.cells import arrange
from methods.linked.likelihood import maximize
from methods.linked.model import fit_linked
from methods.linked.units import units


def with_values(
    rows: list[dict[str, Any]], scale: dict[str, float], ratings: frozenset[str] = frozenset()
) -> pl.DataFrame:
    """Evidence whose x is z times its metric's scale; a rating's value is its x."""
    x = [row["z"] * scale[row["metric_id"]] for row in rows]
    value = [own if row["metric_id"] in ratings else 1 / (1 + np.exp(-own)) for row, own in zip(rows, x, strict=True)]
    return evidence_of(rows).with_columns(x=pl.Series(x, dtype=pl.Float64), value=pl.Series(value, dtype=pl.Float64))


def rows_of(sizes: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"model_id": f"m{model}", "metric_id": metric, "category": "math", "dimension": "basic", "family": metric,
         "tier": "official", "q": 1.0, "z": float(model - size // 2)}
        for metric, size in sizes.items() for model in range(size)
    ]  # fmt: skip


def test_units_by_hand() -> None:
    """Scales .5 of three models, 1 of five, 2 of seven: S = 1, k = 5; a rating has unit 1 and moves no median."""
    sizes, scale = {"a": 3, "b": 5, "c": 7, "r": 9}, {"a": 0.5, "b": 1.0, "c": 2.0, "r": 100.0}
    frame = with_values(rows_of(sizes), scale, frozenset({"r"}))
    found = units(arrange(frame), frame, 5.0)
    steady = [(3 * 0.25 + 5) / 8, 1.0, (7 * 4 + 5) / 12]
    expected = [np.sqrt(square) / scale[name] for square, name in zip(steady, "abc", strict=True)]
    assert found == pytest.approx([*expected, 1.0], abs=1e-12)
    mixed = frame.sample(fraction=1.0, shuffle=True, seed=3)
    assert units(arrange(mixed), mixed, 5.0).tobytes() == found.tobytes()


def test_no_scale_told_is_unit_one() -> None:
    """Every z of the metric clamped, or ratings alone."""
    rows = [{**row, "z": float(np.sign(row["z"])) * 3.0} for row in rows_of({"a": 5})]
    frame = with_values(rows, {"a": 0.5})
    assert units(arrange(frame), frame, 5.0).tolist() == [1.0]
    ratings = with_values(rows_of({"a": 5}), {"a": 0.5}, frozenset({"a"}))
    assert units(arrange(ratings), ratings, 5.0).tolist() == [1.0]


def test_a_cohort_of_like_models_gets_the_slope_of_the_others() -> None:
    """Three models a hair apart stand on a metric like all others: its unit says how far a step of ability goes there.

    Equal scales change nothing; without x nothing is told.
    """
    truth = known_board(4, models=40, metrics=20)
    metrics = sorted({row["metric_id"] for row in truth.rows})
    same = dict.fromkeys(metrics, 0.7)
    assert fit_linked(with_values(truth.rows, same), RULES).unit == pytest.approx(np.ones(len(metrics)), abs=1e-9)
    assert fit_linked(truth.evidence, RULES).unit is None
    alike = metrics[0]
    models = [row["model_id"] for row in truth.rows if row["metric_id"] == alike][:3]
    rows = [row for row in truth.rows if row["metric_id"] != alike or row["model_id"] in models]
    scale = {**same, alike: 0.07}
    frame = with_values(rows, scale)
    cells = arrange(frame)
    unit = units(cells, frame, RULES.scale_observations)
    assert unit[0] == pytest.approx(np.sqrt((3 * 0.07**2 + 5 * 0.49) / 8) / 0.07, rel=1e-6)
    drawn, plain = (maximize(cells, RULES, RULES.chosen, one) for one in (unit, None))
    assert drawn.slope[0] > 3 * plain.slope[0]
    assert drawn.slope[1:] == pytest.approx(plain.slope[1:], rel=0.2)
