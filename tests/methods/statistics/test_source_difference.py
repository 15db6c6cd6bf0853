"""The six directions: worked rows, recovery of a planted difference, reasons for every null (METHODS 6)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_rows import METHODOLOGY, aligned_pairs, catalog, metric, registry, results

from methods.statistics.aligned import AlignedDifference, LeftOut, aligned_differences
from methods.statistics.source_difference import Scope, difference_statistics, source_differences
from warehouse.hashing import table_hash
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.tables_statistics import OUT_SOURCE_DIFFERENCE

SCOPE = Scope("2026-10-20", boards=3, results=775)
FIGURES = (
    "mean_pp", "median_pp", "mean_low_pp", "mean_high_pp", "median_low_pp", "median_high_pp", "positive_share",
    "wilson_low", "wilson_high", "zeros", "sign_p", "mde_pp", "n_for_one_pp", "interval_method",
)  # fmt: skip


def study(points: list[float], models: list[str] | None = None) -> dict[str, Any]:
    """The numbers of one direction."""
    names = models or [f"m{n}" for n in range(len(points))]
    decimals = [Decimal(repr(value)) for value in points]
    return difference_statistics(decimals, names, METHODOLOGY.source_statistics, METHODOLOGY.seed)


def test_no_pair_gives_nulls_with_the_reason_and_the_scope() -> None:
    """The sources' own finding: 775 results, no valid pair. Six rows, no number, and no zero."""
    table = source_differences([], [], METHODOLOGY, SCOPE)
    assert table["direction"].to_list() == sorted(SOURCE_DIRECTIONS)
    for row in table.iter_rows(named=True):
        assert all(row[name] is None for name in FIGURES)
        assert (row["n"], row["n_models"], row["left_out"], row["reason_code"]) == (0, 0, 0, "no_aligned_pairs")
        assert row["is_bias_readable"] is False
        assert row["scope"] == (
            "Freeze 2026-10-20: 3 boards, 775 results; 0 aligned pairs of 0 models in this direction. "
            "It says nothing about boards, models or protocols outside these pairs."
        )


def test_worked_direction() -> None:
    """Differences 4.06, 1.98, 2.26, -1, 0, 3 of six models."""
    row = study([4.06, 1.98, 2.26, -1.0, 0.0, 3.0])
    assert row["mean_pp"] == pytest.approx(10.3 / 6, rel=1e-15)
    assert row["median_pp"] == 2.12
    assert (row["zeros"], row["positive_share"]) == (1, 0.8)
    assert row["sign_p"] == 2 * (1 + 5) / 32
    assert (round(row["wilson_low"], 3), round(row["wilson_high"], 3)) == (0.376, 0.964)
    assert row["mean_low_pp"] < row["mean_pp"] < row["mean_high_pp"]
    assert -1 <= row["median_low_pp"] < row["median_pp"] < row["median_high_pp"] <= 4.06
    spread = np.std([4.06, 1.98, 2.26, -1.0, 0.0, 3.0], ddof=1)
    assert row["mde_pp"] == pytest.approx(2.8015852 * spread / 6**0.5, rel=1e-6)
    assert row["n_for_one_pp"] == int(np.ceil((2.8015852 * spread) ** 2))
    assert (row["reason_code"], row["is_bias_readable"], row["interval_method"]) == (None, True, "percentile")


def test_one_pair_has_no_interval() -> None:
    row = study([4.06])
    assert (row["n"], row["mean_pp"], row["median_pp"], row["reason_code"]) == (1, 4.06, 4.06, "too_few_pairs")
    assert all(row[name] is None for name in ("mean_low_pp", "median_high_pp", "mde_pp", "n_for_one_pp"))
    assert row["sign_p"] == 1.0


def test_several_pairs_of_one_model_have_no_interval() -> None:
    """E16."""
    row = study([4.06, 1.98, 2.26], ["jedi"] * 3)
    assert (row["n"], row["n_models"], row["reason_code"]) == (3, 1, "one_model")
    assert row["mean_low_pp"] is None
    assert row["mde_pp"] is None


def test_all_zero_has_no_sign_test() -> None:
    """E19, E21: no direction is no direction, not a share of 0."""
    row = study([0.0] * 6)
    assert (row["sign_p"], row["positive_share"], row["wilson_low"], row["zeros"]) == (None, None, None, 6)
    assert (row["mean_pp"], row["mean_low_pp"], row["mean_high_pp"]) == (0.0, 0.0, 0.0)
    assert (row["interval_method"], row["reason_code"], row["is_bias_readable"]) == ("degenerate", "all_zero", False)


def test_equal_differences_are_labelled() -> None:
    """E14, E15: a constant difference is no proof of certainty."""
    row = study([1.5] * 6)
    assert (row["mean_low_pp"], row["mean_high_pp"], row["interval_method"]) == (1.5, 1.5, "degenerate")
    assert (row["reason_code"], row["mde_pp"], row["is_bias_readable"]) == ("no_spread", None, False)


def test_fewer_than_five_models_give_numbers_but_no_reading() -> None:
    row = study([4.0, 2.0, 3.0, 1.0, 2.5], ["a", "b", "c", "d", "d"])
    assert row["mean_low_pp"] is not None
    assert (row["n"], row["n_models"], row["reason_code"], row["is_bias_readable"]) == (5, 4, "too_few_models", False)


def test_recovers_a_planted_difference() -> None:
    """80 models, self-reported 2.5 points above official, spread 3: found, and sure of its sign."""
    points = np.random.default_rng(20261020).normal(2.5, 3.0, 80).round(2).tolist()
    row = study(points)
    assert row["mean_low_pp"] < 2.5 < row["mean_high_pp"]
    assert row["median_low_pp"] < 2.5 < row["median_high_pp"]
    assert row["mean_low_pp"] > 0
    assert row["sign_p"] < 1e-6
    assert row["mde_pp"] == pytest.approx(2.8 * 3 / 80**0.5, rel=0.25)
    assert row["n_for_one_pp"] == pytest.approx((2.8 * 3) ** 2, rel=0.5)


pairs_of = st.lists(
    st.tuples(st.integers(-10000, 10000), st.sampled_from("abcdefg"), st.sampled_from(SOURCE_DIRECTIONS)), max_size=20
)


@given(pairs_of, st.randoms())
@settings(max_examples=15, deadline=None)
def test_rows_in_any_order_give_the_same_table(rows: list[tuple[int, str, str]], shuffle: Any) -> None:
    pairs = [AlignedDifference(str(n), to, name, Decimal(v) / 100) for n, (v, name, to) in enumerate(rows)]
    first = source_differences(pairs, [], METHODOLOGY, SCOPE)
    shuffle.shuffle(pairs)
    second = source_differences(pairs, [], METHODOLOGY, SCOPE)
    assert table_hash(first, OUT_SOURCE_DIFFERENCE) == table_hash(second, OUT_SOURCE_DIFFERENCE)


def test_values_are_oriented_flipped_and_read_in_their_units() -> None:
    """Self-reported minus official in points: 30 - 27 as stated, 0.305 - 0.27 as fractions, 12 - 10 errors flipped."""
    known = catalog(metric("quiz"), metric("errors", "lower"))
    frame = results(
        {"value": 27.0}, {"value": 30.0, "source_type": "self_reported"},
        {"value": 0.27, "unit": "score_fraction", "model": "Model 1"},
        {"value": 0.305, "unit": "score_fraction", "model": "Model 1", "source_type": "self_reported"},
        {"value": 10.0, "benchmark": "errors"}, {"value": 12.0, "benchmark": "errors", "source_type": "self_reported"},
        {"value": 0.1, "unit": "score_fraction"}, {"value": 10.0, "source_type": "paper"},
    )  # fmt: skip
    found = aligned_differences(aligned_pairs(frame, (0, 1), (3, 2), (5, 4), (6, 7)), frame, registry(known), known)
    assert [(pair.direction, pair.model, pair.points) for pair in found.differences] == [
        ("self_reported_minus_official", "m0", Decimal("3.0")),
        ("self_reported_minus_official", "m1", Decimal("3.5")),
        ("self_reported_minus_official", "m0", Decimal("-2.0")),
        ("paper_minus_official", "m0", Decimal("0.0")),
    ]
    assert found.left_out == []
    table = source_differences(*found, METHODOLOGY, SCOPE).filter(pl.col("n") > 0)
    assert table.select("direction", "n", "n_models").rows() == [
        ("paper_minus_official", 1, 1), ("self_reported_minus_official", 3, 2),
    ]  # fmt: skip


def test_what_enters_no_number_is_left_out_with_its_reason() -> None:
    """E06: 1.7 as a fraction is refused, not clipped; ratings and undirected metrics are no percentage points."""
    known = catalog(metric("quiz"), metric("odd", "unknown"))
    other = {"source_type": "paper"}
    frame = results(
        {"unit": "rating", "value": 1200.0}, {"unit": "rating", "value": 1210.0, **other},
        {"value": None}, other,
        {"unit": "score_fraction", "value": 1.7}, {"unit": "score_fraction", "value": 0.5, **other},
        {"benchmark": "odd"}, {"benchmark": "odd", **other},
        {"benchmark": "nobody knows"}, {"benchmark": "nobody knows", **other},
        {}, {"model": "Model 2", **other},
        {}, {"model": "Somebody's Model", **other},
    )  # fmt: skip
    pairs = aligned_pairs(frame, *((n, n + 1) for n in range(0, 14, 2)))
    found = aligned_differences(pairs, frame, registry(known), known)
    assert [pair.reason for pair in found.left_out] == [
        "unit_excluded", "value_missing", "value_out_of_range", "direction_unknown", "direction_unknown",
        "models_differ",
    ]  # fmt: skip
    assert [pair.model for pair in found.differences] == ["m0"]
    table = source_differences(*found, METHODOLOGY, SCOPE)
    assert table.filter(pl.col("direction") == "paper_minus_official").select("n", "left_out").row(0) == (1, 6)


def test_only_aligned_pairs_count_and_unknown_models_go_by_their_names() -> None:
    known = catalog(metric("quiz"))
    frame = results({"model": "New-1"}, {"model": "new 1", "source_type": "paper", "value": 51.0})
    pairs = aligned_pairs(frame, (0, 1))
    found = aligned_differences(pairs, frame, registry(known), known)
    assert [(pair.model, pair.points) for pair in found.differences] == [("name:new1", Decimal("1.0"))]
    unsure = aligned_pairs(frame, (0, 1), decision="unsure")
    assert aligned_differences(unsure, frame, registry(known), known) == ([], [])


def test_left_out_pairs_alone_leave_the_direction_empty() -> None:
    table = source_differences([], [LeftOut("p", "paper_minus_official", "unit_excluded")], METHODOLOGY, SCOPE)
    row = table.filter(pl.col("direction") == "paper_minus_official").row(0, named=True)
    assert (row["n"], row["left_out"], row["mean_pp"], row["reason_code"]) == (0, 1, None, "no_aligned_pairs")
