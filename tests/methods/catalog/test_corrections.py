"""Corrections: applied only where the expected old value is found; the received value stays in the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from methods.catalog.corrections import unmet_corrections
from methods.catalog.eligibility import admit
from methods.catalog.results import build_results
from warehouse.catalog_model import Catalog

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]


def correction(entry: str, name: str = "c1", **changes: Any) -> dict[str, Any]:
    return {
        "id": name, "entry_id": entry, "reason": "the page says so", "expected": 50.0, "who": "reviewer",
        "approved_by": "second reviewer",
        "when": "2026-10-20", **changes,
    }  # fmt: skip


def test_a_new_value_counts_and_the_received_one_stays(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    """A17, G12: the corrected number is used, the received one is still there."""
    raw_rows = raw_of(record_of())
    catalog = catalog_of(corrections=[correction(raw_rows["entry_id"][0], value=48.0)])
    results = build_results(raw_rows, catalog)
    assert results["value"].to_list() == [50.0]
    assert admit(raw_rows, results, catalog).candidates.select("value", "raw_value").rows() == [(48.0, "50.0")]
    assert unmet_corrections(results, catalog) == []


def test_a_value_that_was_no_number_can_be_corrected(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    raw_rows = raw_of(record_of(value="77.47%"))
    catalog = catalog_of(corrections=[correction(raw_rows["entry_id"][0], expected=None, value=77.47)])
    admitted = admit(raw_rows, build_results(raw_rows, catalog), catalog)
    assert admitted.candidates.select("value", "raw_value").rows() == [(77.47, "77.47%")]


def test_a_corrected_value_is_judged_like_any_other(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    raw_rows = raw_of(record_of())
    catalog = catalog_of(corrections=[correction(raw_rows["entry_id"][0], value=480.0)])
    assert admit(raw_rows, build_results(raw_rows, catalog), catalog).exclusions["reason_code"].to_list() == [
        "value_out_of_range"
    ]


def test_a_withdrawn_row_is_superseded(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog) -> None:
    """A34, G08: withdrawn with a reason, nothing deleted; the former reasons of METHODS 3 come first."""
    raw_rows = raw_of(record_of(), record_of(value=60.0, model="nobody"))
    first, second = raw_rows["entry_id"]
    catalog = catalog_of(
        corrections=[correction(first, exclude=True), correction(second, "c2", expected=60.0, exclude=True)]
    )
    results = build_results(raw_rows, catalog)
    admitted = admit(raw_rows, results, catalog)
    assert results.height == 2
    assert admitted.candidates.height == 0
    assert admitted.exclusions.select("reason_code", "raw_value", "detail").rows() == [
        ("superseded", "50.0", "correction c1: the page says so"),
        ("model_unidentified", "60.0", "no model of the registry has this name"),
    ]


def test_a_correction_that_does_not_fit_is_named_and_not_applied(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog
) -> None:
    raw_rows = raw_of(record_of())
    entry = raw_rows["entry_id"][0]
    catalog = catalog_of(
        corrections=[
            correction("0" * 16, "gone", value=1.0),
            correction(entry, "old", expected=49.0, value=1.0),
            correction(entry, "none", expected=None, value=1.0),
        ]
    )
    results = build_results(raw_rows, catalog)
    assert admit(raw_rows, results, catalog).candidates["value"].to_list() == [50.0]
    assert [(unmet.correction_id, unmet.message) for unmet in unmet_corrections(results, catalog)] == [
        ("gone", "no result has the entry id 0000000000000000"),
        ("old", "expects the old value 49.0, found 50.0"),
        ("none", "expects the old value None, found 50.0"),
    ]


def test_corrections_are_append_only_and_follow_each_other(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog
) -> None:
    raw_rows = raw_of(record_of())
    entry = raw_rows["entry_id"][0]
    chain = [
        correction(entry, "c1", value=48.0),
        correction(entry, "c2", expected=48.0, value=47.0),
        correction(entry, "c3", expected=47.0, exclude=True),
        correction(entry, "c4", expected=47.0, value=46.0),
    ]
    two = catalog_of(corrections=chain[:2])
    results = build_results(raw_rows, two)
    assert admit(raw_rows, results, two).candidates["value"].to_list() == [47.0]
    four = catalog_of(corrections=chain)
    assert admit(raw_rows, results, four).exclusions["reason_code"].to_list() == ["superseded"]
    assert [unmet.correction_id for unmet in unmet_corrections(results, four)] == ["c4"]
