"""Divergence: who meets whom, errors worked by hand, naive against fast, calibration under equal truths (METHODS 6)."""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_rows import catalog, metric, registry, results

from methods.statistics.divergence import Divergence, source_divergence
from methods.statistics.standard_errors import StandardError, standard_error
from warehouse.catalog_model import Catalog
from warehouse.hashing import table_hash
from warehouse.metric_model import BenchmarkSpec
from warehouse.tables_statistics import OUT_SOURCE_DIVERGENCE

Z = 1.959963984540054
KNOWN = catalog(metric("quiz"))
SELF = {"source_type": "self_reported"}


def diverge(frame: pl.DataFrame, known: Catalog = KNOWN) -> Divergence:
    return source_divergence(frame, registry(known), known)


def test_worked_pair() -> None:
    """62% of 400 against 70.4% with a stated error of 1.2 points: sqrt(.62 x .38/400) = 2.427; 8.4/2.707 = 3.10."""
    found = diverge(results({"value": 62.0, "n_samples": 400}, {"value": 70.4, "stderr": 1.2, **SELF}))
    row = found.table.row(0, named=True)
    binomial = 100 * math.sqrt(0.62 * 0.38 / 400)
    assert (row["value_a_pp"], row["value_b_pp"], row["difference_pp"]) == (70.4, 62.0, 8.4)
    assert (row["direction"], row["error_basis_a"], row["error_basis_b"]) == (
        "self_reported_minus_official", "stated", "binomial",
    )  # fmt: skip
    assert (row["stderr_a_pp"], row["stderr_b_pp"]) == (1.2, pytest.approx(binomial, rel=1e-15))
    assert row["standard_errors"] == pytest.approx(8.4 / math.hypot(1.2, binomial), rel=1e-14)
    assert (row["place"], row["model_id"], row["metric_id"], row["reason_code"]) == (1, "m0", "quiz", None)
    assert found.uncompared == {}


def test_without_an_error_there_is_no_figure_but_a_reason() -> None:
    row = diverge(results({"value": 62.0, "n_samples": 400}, {"value": 70.0, **SELF})).table.row(0, named=True)
    assert (row["standard_errors"], row["stderr_a_pp"], row["error_basis_a"]) == (None, None, None)
    assert (row["reason_code"], row["difference_pp"]) == ("no_error_stated", 8.0)


def test_errors_of_single_values() -> None:
    assert standard_error(Decimal(62), "score_fraction", 0.012, 400, Z) == StandardError(1.2, "stated")
    assert standard_error(Decimal(62), "score", 0.0, None, Z) is None
    assert standard_error(Decimal(62), "score", None, 0, Z) is None
    assert standard_error(Decimal(50), "score", 0.0, 100, Z) == StandardError(5.0, "binomial")


def test_none_or_all_right_claims_no_certainty() -> None:
    """0 of 20: Wilson's centre is 0.0806 with weight 23.84: error 5.57 points, the same for 20 of 20."""
    none = standard_error(Decimal(0), "score", None, 20, Z)
    every = standard_error(Decimal(100), "score", None, 20, Z)
    assert none is not None
    assert every is not None
    assert none.points == pytest.approx(5.574, abs=1e-3)
    assert every.points == pytest.approx(none.points, rel=1e-12)


def test_sorted_by_standard_errors_then_points_with_errorless_pairs_last() -> None:
    frame = results(
        {"value": 50.0, "stderr": 2.0}, {"value": 58.0, "stderr": 2.0, **SELF},
        {"value": 10.0, "stderr": 0.1, "model": "Model 1"}, {"value": 11.0, "stderr": 0.1, "model": "Model 1", **SELF},
        {"value": 1.0, "model": "Model 2"}, {"value": 99.0, "model": "Model 2", **SELF},
        {"value": 1.0, "model": "Model 3"}, {"value": 2.0, "model": "Model 3", **SELF},
    )  # fmt: skip
    table = diverge(frame).table
    assert table["model_id"].to_list() == ["m1", "m0", "m2", "m3"]
    assert table["place"].to_list() == [1, 2, 3, 4]


def test_rows_meet_by_registered_metric_or_by_equal_names() -> None:
    """One id joins boards that name a metric differently; unregistered metrics meet by name, case and width aside."""
    first = {"leaderboard": "one", "benchmark": "SWE-bench Verified", "metric": "resolved"}
    second = {"leaderboard": "two", "benchmark": "SWE-bench (verified)", "metric": "% resolved"}
    known = catalog(metric("swe", places=(first, second)))
    frame = results(
        first, {**second, "benchmark_version": "2"},
        {"leaderboard": "one", "benchmark": "Other", "metric": "Acc"},
        {"leaderboard": "two", "benchmark": "OTHER", "metric": "acc"},
        {"leaderboard": "two", "benchmark": "OTHER", "metric": "acc", "subset": "hard"},
    )  # fmt: skip
    table = diverge(frame, known).table.sort("pair_id")
    assert table["metric_id"].to_list() == ["swe", None]
    assert table["direction"].to_list() == [None, None]
    assert [sorted(pair) for pair in table.select("entry_id_a", "entry_id_b").rows()] == [
        [f"{0:016x}", f"{1:016x}"], [f"{2:016x}", f"{3:016x}"],
    ]  # fmt: skip


def test_one_source_does_not_meet_itself_and_what_is_no_measurement_meets_nobody() -> None:
    frame = results(
        {}, {"setting": "high"}, {"copied_from": "board", **SELF}, {"kind": "estimated", **SELF},
        {"unit": "rating", "value": 1200.0, **SELF}, {"value": None, **SELF}, {"value": 101.0, **SELF},
        {"model": "Unheard-of", **SELF},
    )  # fmt: skip
    found = diverge(frame)
    assert found.table.height == 0
    assert found.uncompared == {
        "copy": 1, "model_unidentified": 1, "not_measured": 1, "unit_excluded": 1, "value_missing": 1,
        "value_out_of_range": 1,
    }  # fmt: skip


def test_fields_that_differ_and_fields_nobody_states() -> None:
    """15 and 50 steps, one read from the setting; "unknown" states nothing; what does not apply is not asked for."""
    applies = BenchmarkSpec(benchmark="quiz", applies=("steps", "harness", "effort", "observation"))
    known = catalog(metric("quiz"), benchmarks=(applies,))
    frame = results(
        {"setting": "15 steps", "protocol_harness": "Unknown", "protocol_extra": '{"judge":"a","k":1}',
         "subset": "All"},
        {"protocol_steps": 50, "protocol_harness": "x", "protocol_effort": "high", "setting": "reasoning low",
         "protocol_extra": '{"judge":"b","k":1}', "subset": "all", **SELF},
    )  # fmt: skip
    row = diverge(frame, known).table.row(0, named=True)
    assert row["differing_fields"] == ["steps", "extra.judge"]
    assert row["unstated_fields"] == ["benchmark_version", "harness", "observation"]
    assert row["scope"] == (
        "A surface difference; differing: steps, extra.judge; not stated on both sides: benchmark_version, harness, "
        "observation. No claim about the source."
    )


board = st.lists(
    st.tuples(
        st.sampled_from(["one", "two", "three"]), st.sampled_from(["official", "paper", "self_reported"]),
        st.sampled_from(["Model 0", "Model 1", "Stranger"]), st.sampled_from(["quiz", "Quiz", "exam"]),
        st.integers(0, 1000), st.sampled_from([None, 10, 250]), st.sampled_from([None, "paper"]),
    ),
    max_size=14,
)  # fmt: skip


def _frame(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    names = ("leaderboard", "source_type", "model", "benchmark", "value", "n_samples", "copied_from")
    return results(*(dict(zip(names, (*row[:4], row[4] / 10, *row[5:]), strict=True)) for row in rows))


@given(board)
@settings(max_examples=30, deadline=None)
def test_equals_the_naive_comparison_of_every_two_rows(rows: list[tuple[Any, ...]]) -> None:
    expected = set()
    for (i, one), (j, other) in combinations(enumerate(rows), 2):
        same = one[2] == other[2] != "Stranger" and one[3].casefold() == other[3].casefold()
        if same and one[:2] != other[:2] and not one[6] and not other[6]:
            expected.add((f"{i:016x}~{j:016x}", abs(one[4] - other[4])))
    table = diverge(_frame(rows)).table
    assert {(p, round(abs(d) * 10)) for p, d in table.select("pair_id", "difference_pp").rows()} == expected
    assert table.height == len(expected)
    apart = table["standard_errors"].drop_nulls().to_list()
    assert apart == sorted(apart, reverse=True)


@given(board, st.integers(0, 100))
@settings(max_examples=15, deadline=None)
def test_row_order_moves_nothing(rows: list[tuple[Any, ...]], seed: int) -> None:
    frame = _frame(rows)
    shuffled = diverge(frame.sample(fraction=1.0, shuffle=True, seed=seed)).table
    assert table_hash(shuffled, OUT_SOURCE_DIVERGENCE) == table_hash(diverge(frame).table, OUT_SOURCE_DIVERGENCE)


def test_equal_truths_lie_about_one_standard_error_apart() -> None:
    """300 pairs of runs with one truth each: about 5% lie beyond 1.96, as they should were sources all alike."""
    rng = np.random.default_rng(20261020)
    known = catalog(*(metric(f"b{n}") for n in range(300)))
    rows = []
    for n in range(300):
        truth = rng.uniform(0.2, 0.8)
        for kind in ("official", "self_reported"):
            value = 100 * float(rng.binomial(500, truth)) / 500
            rows.append({"benchmark": f"b{n}", "value": value, "n_samples": 500, "source_type": kind})
    apart = diverge(results(*rows), known).table["standard_errors"].to_numpy()
    assert len(apart) == 300
    assert 0.02 < (apart > Z).mean() < 0.09
    assert np.sqrt((apart**2).mean()) == pytest.approx(1.0, abs=0.12)
