"""z, q, variance and the three exclusions of standardization, worked by hand (METHODS 3 and 7)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_boards import METHODOLOGY, catalog_for, kept_rows, random_kept

from methods.scoring.dimensions import score_dimensions
from methods.scoring.kept import KEPT_SCHEMA
from methods.scoring.standardize import metric_scale, quantile, robust_scale, standardize, standardize_rows
from warehouse.hashing import table_hash
from warehouse.records import LARGEST_NUMBER
from warehouse.tables import CORE_EVIDENCE, CORE_EXCLUSION

RULES = METHODOLOGY.standardization


def _metric(values: list[float], **common: Any) -> list[dict[str, Any]]:
    return [{"model_id": f"m{n}", "metric_id": "b", "value": value, **common} for n, value in enumerate(values)]


def test_worked_metric() -> None:
    # fractions .2 .5 .8 -> x = -ln4, 0, ln4 ; median 0 ; MAD ln4 ; scale 1.4826 ln4 ; z = -1/1.4826, 0, 1/1.4826
    # n = 3, three developers: q = 3/8 * 1 ; official without stderr: variance = .35^2 / .375 = .326666...
    # 1/variance = 3.06 > 1: the family cap gives precision 1
    evidence = standardize_rows(kept_rows(_metric([20.0, 50.0, 80.0])), METHODOLOGY).evidence
    assert evidence["value"].to_list() == [0.2, 0.5, 0.8]
    assert evidence["x"].to_list() == [-1.3862943611198906, 0.0, 1.3862943611198906]
    assert evidence["z"].to_list() == pytest.approx([-1 / 1.4826, 0, 1 / 1.4826], abs=1e-15)
    assert evidence["q"].to_list() == [0.375] * 3
    assert evidence["variance"].to_list() == pytest.approx([0.1225 / 0.375] * 3, abs=1e-15)
    assert evidence["precision"].to_list() == [1.0] * 3
    assert evidence["n_models"].to_list() == evidence["n_developers"].to_list() == [3] * 3


def test_stated_error_by_the_delta_method_at_the_clipped_fraction() -> None:
    # stderr 10 (percent) at .5: .1 * 4 = .4 on the logit scale; over 1.4826 ln 4 = .1946..., below the floor .35
    # stderr 30 at 0 (clipped to .005): .3 / (.005 * .995) / scale, above any floor
    rows = _metric([0.0, 50.0, 100.0])
    rows[0]["stderr"], rows[1]["stderr"] = 30.0, 10.0
    evidence = standardize_rows(kept_rows(rows), METHODOLOGY).evidence
    scale = 1.4826 * math.log(199)
    big = 0.3 / (0.005 * 0.995) / scale
    assert evidence["stderr_norm"].to_list() == pytest.approx([big, 0.4 / scale, 0.0], abs=1e-12)
    assert evidence["variance"].to_list() == pytest.approx([big**2 / 0.375, 0.1225 / 0.375, 0.1225 / 0.375])


def test_lower_is_better_mirrors_higher() -> None:
    up = standardize_rows(kept_rows(_metric([20.0, 30.0, 90.0])), METHODOLOGY).evidence
    down = standardize_rows(kept_rows(_metric([80.0, 70.0, 10.0], direction="lower")), METHODOLOGY).evidence
    assert up["z"].to_list() == down["z"].to_list()
    rating = standardize_rows(
        kept_rows(_metric([5.0, 7.0, 9.0], direction="lower", unit="rating", transform="identity")), METHODOLOGY
    ).evidence
    assert rating["x"].to_list() == [-5.0, -7.0, -9.0]
    assert rating["z"].to_list() == pytest.approx([1 / 1.4826, 0, -1 / 1.4826])


def test_scale_falls_back_from_mad_to_iqr_to_sd() -> None:
    # MAD: deviations from 3 are 2 1 0 1 2, median 1
    assert robust_scale(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), RULES) == 1.4826
    # more than half equal, quartiles differ (type 7 of 0 0 0 0 4 8: positions 1.25 and 3.75 -> 0 and 3): 3/1.349
    assert robust_scale(np.array([0.0, 0.0, 0.0, 0.0, 4.0, 8.0]), RULES) == 3 / 1.349
    # quartiles equal too: 0 0 0 0 5 has mean 1, squares 1+1+1+1+16 = 20, over 4 = 5
    assert robust_scale(np.array([0.0, 0.0, 0.0, 0.0, 5.0]), RULES) == math.sqrt(5)
    # the same, so small that its squares are 0
    tiny = robust_scale(np.array([0.0, 0.0, 0.0, 0.0, 5e-200]), RULES)
    assert tiny == pytest.approx(math.sqrt(5) * 1e-200, rel=1e-15)


# Whatever a record may say of a number (`warehouse.records`): one such row must never take the board with it.
ENDS = st.sampled_from([0.0, -0.0, 5e-324, 1e-200, 1e-150, 1.0, 1.0000000000000002, 100.0, LARGEST_NUMBER])
RATINGS = st.one_of(ENDS, ENDS.map(lambda end: -end), st.floats(-LARGEST_NUMBER, LARGEST_NUMBER))
ERRORS = st.one_of(st.none(), ENDS.map(abs), st.floats(0, LARGEST_NUMBER))


@given(st.lists(st.tuples(RATINGS, ERRORS), min_size=1, max_size=9), st.booleans())
def test_no_number_that_a_record_may_hold_ends_in_infinities(
    rows: list[tuple[float, float | None]], rated: bool
) -> None:
    kind: dict[str, Any] = {"unit": "rating", "transform": "identity"} if rated else {"unit": "score"}
    values = [value if rated else abs(value) / LARGEST_NUMBER * 100 for value, _ in rows]
    metric = _metric(values, **kind)
    for row, (_, stderr) in zip(metric, rows, strict=True):
        row["stderr"] = stderr
    evidence = standardize_rows(kept_rows(metric), METHODOLOGY).evidence  # the contract refuses NaN and infinities
    assert evidence.filter(pl.col("precision") <= 0).is_empty()
    for fit in score_dimensions(evidence, METHODOLOGY):
        assert np.all(np.isfinite(fit.posterior.mean))
        assert np.all((fit.posterior.variance > 0) & (fit.posterior.variance <= 1))


def test_z_is_clamped() -> None:
    evidence = standardize_rows(kept_rows(_metric([50.0, 50.1, 49.9, 99.0, 1.0])), METHODOLOGY).evidence
    assert (evidence["z"].max(), evidence["z"].min()) == (3.0, -3.0)


def test_quality_counts_models_and_known_developers() -> None:
    x = np.linspace(0, 1, 6)
    assert metric_scale(x, ["a", "b", None, None, "a", "b"], RULES).quality == (6 / 8) * (2 / 3)
    assert metric_scale(np.linspace(0, 1, 16), ["a", "b", "c", "d"] * 4, RULES).quality == 1.0


def test_one_developer_is_counted_once_however_it_is_spelled() -> None:
    spelled = ["Nous Research", "NousResearch", "nousresearch", "Ｎous-Research"]
    assert metric_scale(np.linspace(0, 1, 8), [*spelled, "b", None, None, None], RULES).developers == 2
    assert metric_scale(np.linspace(0, 1, 3), ["", " ", "-"], RULES).reason == "no_known_developer"


def test_exclusions_in_their_order_of_precedence() -> None:
    # each metric also has the faults that come later: the first one is named
    rows = [
        *({"model_id": f"m{n}", "metric_id": "few", "value": 5.0, "developer": None} for n in range(2)),
        *({"model_id": f"m{n}", "metric_id": "nodev", "value": 5.0, "developer": None} for n in range(3)),
        *({"model_id": f"m{n}", "metric_id": "flat", "value": 5.0} for n in range(3)),
        *({"model_id": f"m{n}", "metric_id": "fine", "value": 5.0 + n} for n in range(3)),
    ]
    kept = kept_rows(rows)
    evidence, exclusions = standardize(kept, catalog_for(["m0"]))
    assert set(evidence["metric_id"]) == {"fine"}
    reasons = dict(exclusions.select("metric_id", "reason_code").rows())
    assert reasons == {"few": "too_few_models", "nodev": "no_known_developer", "flat": "no_spread"}
    assert set(exclusions["stage"]) == {"standardize"}
    assert "2 models on the metric, 3 needed" in exclusions["detail"].to_list()
    assert exclusions["raw_value"].to_list() == ["5.0"] * 8
    assert evidence.height + exclusions.height == kept.height


def test_values_that_meet_only_at_the_clip_have_no_spread() -> None:
    # three different fractions below epsilon are one point on the transformed scale
    exclusions = standardize_rows(kept_rows(_metric([0.0, 0.1, 0.2])), METHODOLOGY).exclusions
    assert set(exclusions["reason_code"]) == {"no_spread"}


def test_family_cap_is_shared_within_model_dimension_and_family() -> None:
    # one family, two metrics: 1/variance 3.06 each (official) -> .5 each; another dimension has its own cap
    rows = []
    for metric, dimension in (("a", "basic"), ("b", "basic"), ("c", "proof")):
        rows += [
            {"model_id": f"m{n}", "metric_id": metric, "family": "f", "dimension": dimension, "value": 20.0 + 30 * n}
            for n in range(3)
        ]
    evidence = standardize_rows(kept_rows(rows), METHODOLOGY).evidence
    assert set(evidence.filter(evidence["dimension"] == "basic")["precision"]) == {0.5}
    assert set(evidence.filter(evidence["dimension"] == "proof")["precision"]) == {1.0}


def test_precision_below_the_cap_is_left_alone() -> None:
    # self_reported with stderr large enough: 1/variance < 1 stays as it is
    rows = _metric([20.0, 50.0, 80.0], tier="self_reported", stderr=60.0)
    evidence = standardize_rows(kept_rows(rows), METHODOLOGY).evidence
    assert evidence["precision"].max() < 1
    assert evidence["precision"].to_list() == pytest.approx((1 / evidence["variance"]).to_list(), rel=1e-15)


def test_rows_that_break_the_promise_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        standardize_rows(kept_rows([*_metric([1.0, 2.0, 3.0]), *_metric([4.0])]), METHODOLOGY)
    with pytest.raises(ValueError, match="standard error"):
        standardize_rows(kept_rows(_metric([1.0, 2.0, 3.0], stderr=-1.0)), METHODOLOGY)
    with pytest.raises(ValueError, match="not finite"):
        standardize_rows(kept_rows(_metric([1.0, 2.0, float("nan")])), METHODOLOGY)


def test_no_rows_give_empty_tables() -> None:
    evidence, exclusions = standardize_rows(KEPT_SCHEMA.to_frame(), METHODOLOGY)
    assert (evidence.height, exclusions.height) == (0, 0)
    assert evidence.columns == list(CORE_EVIDENCE.columns)


def test_d05_row_order_does_not_reach_the_hash() -> None:
    """D05, D06: the same rows in another order, and again, hash the same."""
    kept = random_kept(5, models=40, metrics=12, fill=0.7)
    first = standardize_rows(kept, METHODOLOGY)
    for seed in range(3):
        again = standardize_rows(kept.sample(fraction=1.0, shuffle=True, seed=seed), METHODOLOGY)
        assert table_hash(again.evidence, CORE_EVIDENCE) == table_hash(first.evidence, CORE_EVIDENCE)
        assert table_hash(again.exclusions, CORE_EXCLUSION) == table_hash(first.exclusions, CORE_EXCLUSION)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_quantile_is_type_seven(values: list[float], share: float) -> None:
    ordered = np.sort(np.array(values))
    assert quantile(ordered, share) == pytest.approx(float(np.quantile(ordered, share)), rel=1e-12, abs=1e-9)
