"""Category score, status, rank and rank range, worked by hand (METHODS 7, DESIGN "Published tables")."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import polars as pl
import pytest
from simulated_boards import METHODOLOGY, catalog_for, kept_rows, random_kept

from methods.scoring.board import build_board
from methods.scoring.categories import CategoryScore, score_categories
from methods.scoring.dimensions import score_dimensions
from methods.scoring.ranks import BLOCK, rank_ranges
from methods.scoring.standardize import standardize_rows
from warehouse.tables import CORE_EVIDENCE, TABLES


def _scores(kept: pl.DataFrame) -> dict[str, CategoryScore]:
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    return {one.model_id: one for one in score_categories(score_dimensions(evidence, METHODOLOGY), METHODOLOGY)}


def _rows(places: dict[str, tuple[str, str]], values: dict[str, float]) -> list[dict[str, Any]]:
    """Every model on every metric; places: metric -> (dimension, family)."""
    return [
        {"model_id": model, "metric_id": metric, "dimension": dimension, "family": family, "value": value}
        for metric, (dimension, family) in places.items()
        for model, value in values.items()
    ]


def test_worked_category() -> None:
    # Three models, fractions .2 .5 .8, on one metric in each of three dimensions (three families): z = -c, 0, c with
    # c = 1/1.4826, precision 1. S = 1/10 + 3 - 3/2 = 1.6, r = sum z - sum z/2 = 0, so theta = z/2 and
    # variance = 1/2 + (1/2)^2/1.6 = .65625. mu = c/2 ; sigma^2 = 3*.65625/9 + 1/16 = .28125
    # coverage = 3 (1 - .65625)/4 = .2578125 ; three families: estimated, no rank
    places = {"a": ("basic", "fa"), "b": ("proof", "fb"), "c": ("applied", "fc")}
    best = _scores(kept_rows(_rows(places, {"low": 20.0, "mid": 50.0, "high": 80.0})))["high"]
    mu, sigma = 0.5 / 1.4826, math.sqrt(0.28125)
    assert best.mu == pytest.approx(mu, abs=1e-15)
    assert best.sigma == pytest.approx(sigma, abs=1e-15)
    assert best.score == pytest.approx(50 + 15 * mu, abs=1e-12)
    assert best.low80 == pytest.approx(50 + 15 * (mu - 1.281552 * sigma), abs=1e-12)
    assert best.high80 == pytest.approx(50 + 15 * (mu + 1.281552 * sigma), abs=1e-12)
    assert best.effective_coverage == pytest.approx(0.2578125, abs=1e-15)
    assert (best.status, best.rank, best.observed_dimensions, best.families, best.overlap_dimensions) == (
        "estimated", None, 3, 3, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("places", "status", "reason"),
    [
        ({"a": ("basic", "f")}, "unrated", "too_few_dimensions"),
        ({"a": ("basic", "f"), "b": ("basic", "g")}, "unrated", "too_few_dimensions"),
        ({"a": ("basic", "f"), "b": ("proof", "f")}, "unrated", "too_few_families"),
        ({"a": ("basic", "f"), "b": ("proof", "g")}, "estimated", None),
        # three dimensions, four families, but only one dimension with overlap between families
        ({"a": ("basic", "f"), "b": ("basic", "g"), "c": ("proof", "h"), "d": ("applied", "i")}, "estimated", None),
        # the same with a second one
        (
            {"a": ("basic", "f"), "b": ("basic", "g"), "c": ("proof", "h"), "d": ("proof", "i"), "e": ("applied", "j")},
            "rated",
            None,
        ),
    ],
)
def test_status_and_reason(places: dict[str, tuple[str, str]], status: str, reason: str | None) -> None:
    one = _scores(kept_rows(_rows(places, {"low": 20.0, "mid": 50.0, "high": 80.0})))["high"]
    assert (one.status, one.reason_code) == (status, reason)
    assert (one.score is None) == (one.low80 is None) == (one.high80 is None) == (status == "unrated")
    assert math.isfinite(one.mu)
    assert (one.rank is not None) == (one.rank_low is not None) == (one.rank_high is not None) == (status == "rated")


def test_overlap_reaches_through_shared_models() -> None:
    # m0..m2 only on family f, m2..m4 only on g: m2 links both, so the whole component is calibrated; m5..m7 on h alone
    rows = [
        {"model_id": f"m{n}", "metric_id": metric, "family": metric, "value": 20.0 + 7 * n}
        for metric, members in {"f": (0, 1, 2), "g": (2, 3, 4), "h": (5, 6, 7)}.items()
        for n in members
    ]
    (fit,) = score_dimensions(standardize_rows(kept_rows(rows), METHODOLOGY).evidence, METHODOLOGY)
    assert dict(zip(fit.model_ids, fit.is_overlap_calibrated, strict=True)) == {
        **{f"m{n}": True for n in range(5)},
        **{f"m{n}": False for n in range(5, 8)},
    }


RATED_PLACES = {
    "a": ("basic", "f"), "b": ("basic", "g"), "c": ("proof", "h"), "d": ("proof", "i"), "e": ("applied", "j"),
    "k": ("competition", "l"),
}  # fmt: skip


def test_e03_models_that_cannot_be_told_apart_share_a_rank_range() -> None:
    """E03: adjacent ranks that the evidence does not separate are shown as a range."""
    values = {"top-1": 95.0, "top-2": 88.0, "near-1": 61.0, "near-2": 60.0, "near-3": 59.0, "low-1": 14.0, "low-2": 6.0}
    scores = _scores(kept_rows(_rows(RATED_PLACES, values)))
    assert [one.model_id for one in sorted(scores.values(), key=lambda one: one.rank or 0)] == list(values)
    ranges = {model: (scores[model].rank_low, scores[model].rank_high) for model in values}
    assert ranges["near-1"] == ranges["near-2"] == ranges["near-3"]
    assert ranges["near-2"][0] <= 3
    assert ranges["near-2"][1] >= 5
    assert ranges["low-2"][1] == 7
    assert ranges["top-1"][0] == 1


def test_exact_ties_are_ordered_by_model_id() -> None:
    values = {"b": 60.0, "a": 60.0, "c": 20.0, "d": 80.0}
    scores = _scores(kept_rows(_rows(RATED_PLACES, values)))
    assert scores["a"].mu == scores["b"].mu
    assert (scores["a"].rank, scores["b"].rank) == (2, 3)
    assert (scores["a"].rank_low, scores["a"].rank_high) == (scores["b"].rank_low, scores["b"].rank_high)


def test_shared_cohorts_make_differences_surer_than_intervals_suggest() -> None:
    # all models share every metric, so the offsets cancel in differences: ranges from the posterior difference are
    # never wider than ranges from independent errors
    kept = random_kept(4, models=40, metrics=40, fill=0.9, categories=("math",))
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    fits = score_dimensions(evidence, METHODOLOGY)
    rated = [one for one in score_categories(fits, METHODOLOGY) if one.status == "rated"]
    for one in rated:
        assert one.rank_low is not None
        assert one.rank is not None
        assert one.rank_high is not None
        assert one.rank_low <= one.rank <= one.rank_high
        surely_better = sum(
            other.mu - one.mu > 1.281552 * math.hypot(one.sigma, other.sigma) for other in rated if other is not one
        )
        assert one.rank_low >= 1 + surely_better


def test_rank_ranges_do_not_depend_on_the_order_or_block(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = random_kept(8, models=30, metrics=30, fill=0.8, categories=("math",))
    fits = score_dimensions(standardize_rows(kept, METHODOLOGY).evidence, METHODOLOGY)
    rated = [one for one in score_categories(fits, METHODOLOGY) if one.status == "rated"]
    assert len(rated) < BLOCK
    monkeypatch.setattr("methods.scoring.ranks.BLOCK", 7)
    for order in (rated, rated[::-1]):
        mu, variance = ([getattr(one, name) for one in order] for name in ("mu", "sigma"))
        low, high = rank_ranges(
            fits,
            [one.model_id for one in order],
            pl.Series(mu).to_numpy(),
            pl.Series(variance).to_numpy() ** 2,
            1.281552,
        )
        assert low == [one.rank_low for one in order]
        assert high == [one.rank_high for one in order]


def test_scores_and_intervals_are_clamped() -> None:
    scale = METHODOLOGY.category.model_copy(update={"slope": 200.0})
    kept = kept_rows(_rows(RATED_PLACES, {"low": 10.0, "mid": 50.0, "high": 90.0, "mid-2": 55.0}))
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    steep = METHODOLOGY.model_copy(update={"category": scale})
    scores = {one.model_id: one for one in score_categories(score_dimensions(evidence, steep), steep)}
    assert (scores["high"].score, scores["high"].high80) == (100.0, 100.0)
    assert (scores["low"].score, scores["low"].low80) == (0.0, 0.0)


def test_board_tables_keep_their_contracts() -> None:
    kept = kept_rows(_rows(RATED_PLACES, {"low": 10.0, "mid": 50.0, "high": 90.0}))
    evidence = standardize_rows(kept, METHODOLOGY).evidence
    board = build_board(
        evidence, catalog_for(["low", "mid", "high"]), release_id="2026-10-20-0123456789ab", as_of=date(2026, 10, 20)
    )
    row = board.category_scores.row(0, named=True)
    assert (row["model_name"], row["developer"], row["catalog_version"], row["methodology_version"]) == (
        "HIGH", "lab-2", "2026-10-20", "3.0",
    )  # fmt: skip
    for name, frame in (
        ("out__dimension_score", board.dimension_scores),
        ("out__category_score", board.category_scores),
        ("out__score_weight", board.weights),
    ):
        assert frame.equals(TABLES[name].conform(frame))
        for column, low, high in TABLES[name].bounds:
            assert frame[column].drop_nulls().is_between(low if low is not None else -1e300, high or 1e300).all()


def test_no_evidence_gives_empty_tables() -> None:
    board = build_board(
        CORE_EVIDENCE.empty(), catalog_for([]), release_id="2026-10-20-0123456789ab", as_of=date(2026, 10, 20)
    )
    assert [frame.height for frame in board[:3]] == [0, 0, 0]
    assert board.exactness == "hash"
