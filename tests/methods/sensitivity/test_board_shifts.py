"""The board under its variants: naive figures, statuses, separated ranks, the reference, and the same bits."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import scipy.stats
from day_tables import Day, day

from methods.scoring.categories import score_categories
from methods.scoring.dimensions import DimensionFit, score_dimensions
from methods.sensitivity.abilities import drawn_precision
from methods.sensitivity.board_shifts import board_sensitivity
from warehouse.hashing import table_hash
from warehouse.tables import TABLES

Frames = dict[str, pl.DataFrame]


def analysed(a_day: Day) -> Frames:
    made = board_sensitivity(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    return {name: TABLES[name].conform(frame) for name, frame in made.items()}


@pytest.fixture(scope="module")
def a_day() -> Day:
    return day(4, models=16, metrics=16, categories=("coding", "math"))


@pytest.fixture(scope="module")
def made(a_day: Day) -> Frames:
    return analysed(a_day)


def fits_of(a_day: Day, **changes: float) -> list[DimensionFit]:
    methodology = a_day.catalog.methodology
    latent = methodology.latent.model_copy(update=changes)
    return score_dimensions(a_day.evidence, methodology.model_copy(update={"latent": latent}))


def test_pss_and_swaps_equal_scipy_over_the_boards_own_fits(a_day: Day, made: Frames) -> None:
    board, other = fits_of(a_day), fits_of(a_day, cohort_variance=1)
    rows = made["out__board_sensitivity"].filter(variant="cohort-variance-1")
    assert rows.height == 2
    for row in rows.rows(named=True):
        shifts, swapped = [], []
        for one, two in zip(board, other, strict=True):
            if one.category == row["category"]:
                a, b = one.posterior.mean, two.posterior.mean
                shifts.append(1 - scipy.stats.kendalltau(a, b).statistic)
                swapped.append(int(np.argmax(a)) != int(np.argmax(b)))
        assert row["pss"] == pytest.approx(math.fsum(shifts) / len(shifts), abs=1e-9)
        assert row["swap_share"] == sum(swapped) / len(swapped)
        assert row["is_swapped"] == (sum(swapped) > len(swapped) / 2)


def test_statuses_and_leader_without_a_family(a_day: Day, made: Frames) -> None:
    methodology = a_day.catalog.methodology
    board = {(s.category, s.model_id): s for s in score_categories(fits_of(a_day), methodology)}
    for family in ("family-1", "family-4"):
        less = a_day.evidence.filter(pl.col("family") != family)
        scores = score_categories(score_dimensions(less, methodology), methodology)
        after = {(s.category, s.model_id): s for s in scores}
        for row in made["out__board_sensitivity"].filter(variant=f"without:{family}").rows(named=True):
            own = {key: one for key, one in board.items() if key[0] == row["category"]}
            assert row["models_lost"] == sum(key not in after for key in own)
            moved = sum(key not in after or after[key].status != one.status for key, one in own.items())
            assert row["status_changes"] == moved
            first = [next((s.model_id for s in of.values() if s.category == row["category"] and s.rank == 1), None)
                     for of in (board, after)]  # fmt: skip
            assert row["is_leader_changed"] == (first[0] != first[1] if None not in first else None)


def test_separated_neighbours_are_those_of_the_exact_difference(a_day: Day, made: Frames) -> None:
    """By the whole covariance of each dimension: the inverse of its precision matrix, dense."""
    methodology = a_day.catalog.methodology
    fits = fits_of(a_day)
    scores = score_categories(fits, methodology)
    for row in made["out__board_separation"].rows(named=True):
        rated = sorted((s for s in scores if s.category == row["category"] and s.rank), key=lambda s: s.rank or 0)
        assert (row["rated"], row["adjacent_pairs"]) == (len(rated), max(len(rated) - 1, 0))
        apart = 0
        for one, other in pairwise(rated):
            spread = 0.0
            for fit in (f for f in fits if f.category == row["category"]):
                direction = np.zeros(len(fit.model_ids))
                for score, sign in ((one, 1), (other, -1)):
                    if score.model_id in fit.row_of:
                        direction[fit.row_of[score.model_id]] = sign / score.observed_dimensions
                spread += float(direction @ dense_covariance(fit) @ direction)
            missing = sum((4 - s.observed_dimensions) / 16 for s in (one, other))
            apart += abs(one.mu - other.mu) > 1.281552 * math.sqrt(spread + missing)
        assert row["separated_pairs"] == apart


def dense_covariance(fit: DimensionFit) -> np.ndarray:
    data, models = fit.observations, len(fit.model_ids)
    whole = np.diag([1.0] * models + [0.1] * data.metrics)
    row_of = np.repeat(np.arange(models), np.diff(data.start))
    for m, b, p in zip(row_of, data.metric, data.precision, strict=True):
        whole[m, m] += p
        whole[models + b, models + b] += p
        whole[m, models + b] += p
        whole[models + b, m] += p
    inverse: np.ndarray = np.linalg.inv(whole)[:models, :models]
    return inverse


def test_the_reference_draws_are_evidence_taken_several_times(a_day: Day) -> None:
    variance = np.array([0.2, 0.5, 1.0, 2.0])
    found = drawn_precision(np.array([3, 1, 3, 1]), variance, np.array([[1], [0], [2], [3]]), 1.0)[:, 0]
    total = 1 / 0.2 + 2 / 1.0
    assert found == pytest.approx([(1 / 0.2) / total, 0.0, (2 / 1.0) / total, 1.0])
    loose = drawn_precision(np.array([0, 1, 2, 3]), variance * 10, np.array([[1], [1], [1], [2]]), 1.0)[:, 0]
    assert loose == pytest.approx([0.5, 0.2, 0.1, 0.1])


def test_more_evidence_shrinks_the_reference_and_separates_ranks() -> None:
    figures = []
    for metrics in (8, 64):
        frames = analysed(day(5, models=14, metrics=metrics, fill=0.8))
        reference = frames["out__board_sensitivity"].filter(variant_kind="reference").row(0, named=True)
        separated = frames["out__board_separation"].row(0, named=True)
        figures.append((reference["pss"], separated["separated_pairs"]))
    assert figures[1][0] < 0.6 * figures[0][0]
    assert figures[1][1] >= figures[0][1]


def test_same_bits_in_any_row_order(a_day: Day, made: Frames) -> None:
    mixed = (
        frame.sample(fraction=1.0, shuffle=True, seed=9) for frame in (a_day.evidence, a_day.exclusions, a_day.results)
    )
    again = board_sensitivity(*mixed, a_day.catalog)
    for name, frame in made.items():
        assert table_hash(frame, TABLES[name]) == table_hash(TABLES[name].conform(again[name]), TABLES[name])


def test_every_category_meets_every_variant_and_its_own_families(a_day: Day, made: Frames) -> None:
    table = made["out__board_sensitivity"]
    for category in ("coding", "math"):
        own = table.filter(category=category)
        families = set(a_day.evidence.filter(category=category)["family"])
        assert set(own.filter(variant_kind="family")["variant"]) == {f"without:{family}" for family in families}
        assert own.filter(pl.col("variant_kind") != "family").height == 12


def test_no_evidence_gives_empty_tables(a_day: Day) -> None:
    nothing = board_sensitivity(a_day.evidence.head(0), a_day.exclusions, a_day.results, a_day.catalog)
    assert [frame.height for frame in nothing.values()] == [0, 0]


def test_a_category_of_one_model_says_why_it_has_no_figure() -> None:
    made_day = day(6, models=4, metrics=4, fill=1.0)
    alone = made_day.evidence.filter(pl.col("model_id") == "model-01")
    frames = analysed(Day(made_day.raw, made_day.results, alone, made_day.exclusions, made_day.catalog))
    rows = frames["out__board_sensitivity"]
    assert rows["pss"].null_count() == rows.height
    assert set(rows["reason_code"]) == {"no_defined_dimension"}
