"""The whole board against an independent dense computation: every mean, variance, score, interval, status, rank,
rank range and weight (METHODS 7; issue "Exact")."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from dense_board import DenseBoard, dense_board
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simulated_boards import METHODOLOGY, catalog_for, random_kept

from methods.scoring.board import Board, build_board
from methods.scoring.standardize import Standardized, standardize_rows

CLOSE = 1e-9


def _compare(kept: pl.DataFrame) -> tuple[Standardized, Board, DenseBoard]:
    standardized = standardize_rows(kept, METHODOLOGY)
    board = build_board(
        standardized.evidence,
        catalog_for(sorted(set(kept["model_id"]))),
        release_id="2026-10-20-000000000000",
        as_of=date(2026, 10, 20),
    )
    dense = dense_board(kept)
    _compare_evidence(standardized, dense)
    _compare_dimensions(board, dense)
    _compare_categories(board, dense)
    _compare_weights(board, dense)
    return standardized, board, dense


def _compare_evidence(standardized: Standardized, dense: DenseBoard) -> None:
    assert standardized.evidence.height == len(dense.evidence)
    for row in standardized.evidence.iter_rows(named=True):
        other = dense.evidence[row["metric_id"], row["model_id"]]
        for name in ("x", "z", "q", "variance", "precision"):
            assert row[name] == pytest.approx(other[name], rel=CLOSE, abs=CLOSE), name
    reasons = {
        (row["metric_id"], row["row_locator"].split("/")[0]): row["reason_code"]
        for row in standardized.exclusions.iter_rows(named=True)
    }
    assert reasons == dense.excluded


def _compare_dimensions(board: Board, dense: DenseBoard) -> None:
    assert board.dimension_scores.height == sum(len(dim.models) for dim in dense.dimensions.values())
    for row in board.dimension_scores.iter_rows(named=True):
        dim = dense.dimensions[row["category"], row["dimension"]]
        m = dim.models.index(row["model_id"])
        assert row["mu"] == pytest.approx(dim.mean[m], abs=CLOSE)
        assert row["sigma"] ** 2 == pytest.approx(dim.covariance[m, m], abs=CLOSE)
        assert row["families"] == len(dim.families[row["model_id"]])
        assert row["observations"] == sum(one["model_id"] == row["model_id"] for one in dim.rows)
        assert row["is_overlap_calibrated"] == dim.is_overlap[row["model_id"]]


def _compare_categories(board: Board, dense: DenseBoard) -> None:
    assert board.category_scores.height == len(dense.categories)
    for row in board.category_scores.iter_rows(named=True):
        other = dense.categories[row["category"], row["model_id"]]
        assert row["status"] == other["status"]
        assert row["reason_code"] == other["reason"]
        assert (row["observed_dimensions"], row["families"], row["overlap_dimensions"]) == (
            other["k"], other["families"], other["overlap"],
        )  # fmt: skip
        for name, against in (("mu", "mu"), ("sigma", "sigma"), ("effective_coverage", "coverage")):
            assert row[name] == pytest.approx(other[against], abs=CLOSE)
        for name in ("score", "low80", "high80"):
            expected = None if other["status"] == "unrated" else pytest.approx(other[name], abs=CLOSE)
            assert row[name] == expected
        for name in ("rank", "rank_low", "rank_high"):
            assert row[name] == other.get(name), (row, other)


def _compare_weights(board: Board, dense: DenseBoard) -> None:
    own, cohort = {}, {}
    for row in board.weights.iter_rows(named=True):
        key = (row["category"], row["dimension"], row["model_id"], row["metric_id"])
        (own if row["role"] == "own" else cohort)[key] = (row["weight"], row["contribution"], row["z"])
    for (category, dimension), dim in dense.dimensions.items():
        for m, model in enumerate(dim.models):
            k = dense.categories[category, model]["k"]
            summed: dict[str, list[float]] = {}
            for i, row in enumerate(dim.rows):
                weight = dim.weights[m, i] / k
                if row["model_id"] == model:
                    found = own.pop((category, dimension, model, row["metric_id"]))
                    assert found[0] == pytest.approx(weight, abs=CLOSE)
                    assert found[1] == pytest.approx(15 * weight * row["z"], abs=CLOSE)
                    assert found[2] == pytest.approx(row["z"], abs=CLOSE)
                else:
                    both = summed.setdefault(row["metric_id"], [0.0, 0.0])
                    both[0] += weight
                    both[1] += 15 * weight * row["z"]
            for metric, (weight, contribution) in summed.items():
                found = cohort.pop((category, dimension, model, metric), (0.0, 0.0, None))
                assert found[0] == pytest.approx(weight, abs=CLOSE)
                assert found[1] == pytest.approx(contribution, abs=CLOSE)
    assert not own
    assert not cohort
    sums = board.weights.group_by("category", "model_id").agg(pl.col("contribution").sum())
    joined = board.category_scores.join(sums, on=["category", "model_id"])
    assert joined.height == board.category_scores.height
    for row in joined.iter_rows(named=True):
        assert 50 + row["contribution"] == pytest.approx(50 + 15 * row["mu"], abs=CLOSE)


@pytest.mark.parametrize(
    ("seed", "fill", "categories", "dimensions"),
    [(1, 0.5, ("math",), 4), (2, 0.15, ("math", "coding"), 4), (3, 0.9, ("agent",), 1)],
)
def test_large_random_boards(seed: int, fill: float, categories: tuple[str, ...], dimensions: int) -> None:
    kept = random_kept(seed, models=140, metrics=40, fill=fill, categories=categories, dimensions=dimensions)
    standardized, board, _ = _compare(kept)
    assert standardized.evidence.height + standardized.exclusions.height == kept.height
    assert board.exactness == "hash"
    if fill == 0.15:
        assert set(board.category_scores["status"]) == {"rated", "estimated", "unrated"}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10_000),
    models=st.integers(1, 12),
    metrics=st.integers(1, 14),
    fill=st.sampled_from([0.2, 0.5, 1.0]),
)
def test_small_random_boards(seed: int, models: int, metrics: int, fill: float) -> None:
    _compare(random_kept(seed, models=models, metrics=metrics, fill=fill, categories=("math",)))
