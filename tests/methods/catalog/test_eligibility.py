"""Eligibility: every exclusion code of METHODS 3, in its order, and what is handed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from methods.catalog.eligibility import Admitted, admit
from methods.catalog.matching import CatalogConflict
from methods.catalog.results import build_results
from warehouse.catalog_model import Catalog
from warehouse.reasons import EXCLUSION_CODES

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]
Metric = Callable[..., dict[str, Any]]


@pytest.fixture(name="admitted")
def _admitted(raw_of: Raw, catalog_of: MakeCatalog) -> Callable[..., Admitted]:
    def admitted(*records: dict[str, Any], **catalog: Any) -> Admitted:
        raw_rows, whole = raw_of(*records), catalog_of(**catalog)
        return admit(raw_rows, build_results(raw_rows, whole), whole)

    return admitted


def only_reason(admitted: Admitted) -> str:
    assert admitted.candidates.height == 0
    assert admitted.exclusions["stage"].to_list() == ["eligibility"]
    return str(admitted.exclusions["reason_code"][0])


STEPS = {"benchmark": "B", "metric": "acc", "requires": ["steps"]}
LADDER: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # code, what in the record brings it about, what in the metric does: in the order of METHODS 3
    ("unregistered_metric", {"benchmark": "nowhere"}, {}),
    ("display_only", {}, {"status": "display_only"}),
    ("aggregate", {"kind": "aggregate"}, {}),
    ("direction_unknown", {}, {"direction": "unknown"}),
    ("protocol_unknown", {}, {"from": [STEPS]}),
    ("unit_excluded", {"unit": "percent"}, {}),
    ("value_missing", {"value": None}, {}),
    ("value_out_of_range", {"value": 100.5}, {}),
    ("model_unidentified", {"model": "nobody"}, {}),
]


@pytest.mark.parametrize("rung", range(len(LADDER)))
def test_the_first_code_that_applies(
    admitted: Callable[..., Admitted], record_of: Record, metric: Metric, rung: int
) -> None:
    code, record, entry = LADDER[rung]
    assert only_reason(admitted(record_of(**record), metrics=[metric("x", **entry)])) == code
    records, entries = {}, {}
    for _, record, entry in LADDER[rung:][::-1]:
        records.update(record)
        entries.update(entry)
    assert only_reason(admitted(record_of(**records), metrics=[metric("x", **entries)])) == code


def test_the_ladder_is_the_order_of_the_codes() -> None:
    places = [EXCLUSION_CODES.index(code) for code, _, _ in LADDER]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", ["aggregate", "estimated", "inferred"])
def test_what_was_not_measured(admitted: Callable[..., Admitted], record_of: Record, kind: str) -> None:
    assert only_reason(admitted(record_of(kind=kind))) == kind


@pytest.mark.parametrize("value", [None, "", "-"])
def test_missing_values(admitted: Callable[..., Admitted], record_of: Record, value: object) -> None:
    assert only_reason(admitted(record_of(value=value))) == "value_missing"


@pytest.mark.parametrize(
    "value",
    ["77.47%", "77.4", " ", "--", "—", "n/a", "null", "NaN", "🦙", True, False, {}, [50.0], float("nan"), float("inf")],
)
def test_unparseable_values(admitted: Callable[..., Admitted], record_of: Record, value: object) -> None:
    """C01: a NaN is no value and no text "nan"; the token received stands in the exclusion."""
    found = admitted(record_of(value=value))
    assert only_reason(found) == "value_unparseable"
    if isinstance(value, str):
        assert found.exclusions["raw_value"][0] == value


@pytest.mark.parametrize(
    ("unit", "transform", "value", "code"),
    [
        ("score", "logit", 0, None),
        ("score", "logit", 100, None),
        ("score", "logit", 0.52, None),  # a small percentage stays one; nothing is guessed from its size
        ("score", "logit", 100.00000000000001, "value_out_of_range"),
        ("score", "logit", -0.1, "value_out_of_range"),
        ("score_fraction", "logit", 0.0, None),
        ("score_fraction", "logit", 1, None),
        ("score_fraction", "logit", 58.4, "value_out_of_range"),
        ("score_fraction", "logit", 1e200, "value_out_of_range"),
        ("rating", "identity", 1.1e150, "value_out_of_range"),
        ("rating", "identity", -1e308, "value_out_of_range"),
        ("score_fraction", "logit", -1e-9, "value_out_of_range"),
        ("rating", "identity", -12.0, None),
        ("rating", "identity", 4967.0, None),
        ("rating", "logit", 0.5, "unit_excluded"),
        ("score", "identity", 50.0, "unit_excluded"),
        ("score_fraction", "identity", 0.5, "unit_excluded"),
        ("percent", "logit", 50.0, "unit_excluded"),
        ("Score", "logit", 50.0, "unit_excluded"),
        ("usd", "logit", 0.0, "unit_excluded"),
        ("usd", "identity", 0.0, "unit_excluded"),
    ],
)
def test_units_and_ranges(
    admitted: Callable[..., Admitted],
    record_of: Record,
    metric: Metric,
    unit: str,
    transform: str,
    value: float,
    code: str | None,
) -> None:
    """A08: 58.4 declared a fraction is out of range. A27: an untracked cost of 0.0 is no evidence. A44: no clipping."""
    found = admitted(record_of(unit=unit, value=value), metrics=[metric("x", transform=transform)])
    if code is None:
        assert found.candidates.select("unit", "value").rows() == [(unit, float(value))]
    else:
        assert only_reason(found) == code


def test_mixed_scales_are_quarantined_one_by_one(admitted: Callable[..., Admitted], record_of: Record) -> None:
    """A08: [0.52, 0.61, 58.4] declared as fractions: the last is out of range and is not divided."""
    records = [
        record_of(unit="score_fraction", value=value, model=f"m{n}") for n, value in enumerate((0.52, 0.61, 58.4), 1)
    ]
    found = admitted(*records)
    assert sorted(found.candidates["value"]) == [0.52, 0.61]
    assert found.exclusions.select("reason_code", "raw_value").rows() == [("value_out_of_range", "58.4")]
    assert "58.4" in found.exclusions["detail"][0]


def test_zero_is_evidence_unless_nothing_was_measured(admitted: Callable[..., Admitted], record_of: Record) -> None:
    """A14: 0.00 of 0 samples is a missing value, and a measured 0 is a value."""
    assert admitted(record_of(value=0)).candidates["value"].to_list() == [0.0]
    assert admitted(record_of(value=0.0, n_samples=500)).candidates["value"].to_list() == [0.0]
    skipped = admitted(record_of(value=0.0, n_samples=0))
    assert only_reason(skipped) == "value_missing"
    assert "0 samples" in skipped.exclusions["detail"][0]


def test_without_a_direction_nothing_is_ranked(
    admitted: Callable[..., Admitted], record_of: Record, metric: Metric
) -> None:
    """A38: no direction, no place in the score."""
    assert only_reason(admitted(record_of(), metrics=[metric("density", direction="unknown")])) == "direction_unknown"


def test_several_undecided_metrics_make_one_exclusion(
    admitted: Callable[..., Admitted], record_of: Record, metric: Metric
) -> None:
    base = {"benchmark": "B", "metric": "acc"}
    budgets = [metric(f"b-{n}", {**base, "match": {"steps": n}}) for n in (15, 50)]
    several = admitted(record_of(), metrics=budgets).exclusions
    assert several.select("metric_id", "reason_code").rows() == [(None, "protocol_unknown")]
    assert several["detail"][0] == "steps not stated in field, setting or name; asked for by b-15, b-50"
    assert admitted(record_of(), metrics=budgets[:1]).exclusions["metric_id"].to_list() == ["b-15"]
    shown = [{**entry, "status": "display_only"} for entry in budgets]
    assert only_reason(admitted(record_of(), metrics=shown)) == "display_only"
    assert only_reason(admitted(record_of(), metrics=[budgets[0], shown[1]])) == "protocol_unknown"


def test_one_result_serves_two_places(admitted: Callable[..., Admitted], record_of: Record, metric: Metric) -> None:
    found = admitted(
        record_of(),
        metrics=[
            metric("one"),
            metric("two", dimension="recovery"),
            metric("shown", category="math", dimension="basic", status="display_only"),
        ],
    )
    assert found.candidates.select("metric_id", "dimension").rows() == [("one", "planning"), ("two", "recovery")]
    assert found.candidates["evidence_id"].to_list() == [
        f"{found.candidates['entry_id'][0]}:{m}" for m in ("one", "two")
    ]
    assert found.exclusions.select("metric_id", "reason_code").rows() == [("shown", "display_only")]


def test_a_conflict_names_metrics_and_entry(
    admitted: Callable[..., Admitted], record_of: Record, metric: Metric
) -> None:
    with pytest.raises(CatalogConflict, match=r"entry [0-9a-f]{16} is claimed by one and two, both in agent/planning"):
        admitted(record_of(), metrics=[metric("one"), metric("two")])


@pytest.mark.parametrize(
    ("record", "tier"),
    [
        ({}, "official"),
        ({"source_type": "paper"}, "reported"),
        ({"source_type": "reproduced"}, "reported"),
        ({"source_type": "self_reported"}, "self_reported"),
        ({"source_type": "self_reported", "tier": "verified"}, "verified"),
    ],
)
def test_tiers(admitted: Callable[..., Admitted], record_of: Record, record: dict[str, str], tier: str) -> None:
    assert admitted(record_of(**record)).candidates["tier"].to_list() == [tier]


def test_model_and_developer_are_the_registrys(admitted: Callable[..., Admitted], record_of: Record) -> None:
    """F02: an unknown name is unresolved and says so; the row's own developer never enters the score."""
    models = [{"id": "x", "name": "X-1", "developer": "Registry"}, {"id": "y", "name": "Y"}]
    found = admitted(
        record_of(model="x 1", developer="REGISTRY!"),
        record_of(model="Y", developer="Z"),
        record_of(model="X-2"),
        models=models,
    )
    assert sorted(found.candidates.select("model_id", "developer").rows()) == [("x", "Registry"), ("y", None)]
    assert found.exclusions.select("reason_code", "detail").rows() == [
        ("model_unidentified", "no model of the registry has this name")
    ]


def test_names_that_look_like_dates_find_their_model(admitted: Callable[..., Admitted], record_of: Record) -> None:
    """D11, D12: a model called 2024-11-20."""
    found = admitted(record_of(model="2024-11-20"), models=[{"id": "dated", "name": "2024-11-20"}])
    assert found.candidates["model_id"].to_list() == ["dated"]
