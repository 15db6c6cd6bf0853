"""Conservation: every received row is accounted for, and every way of losing one is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from methods.catalog.conservation import ConservationCount, conservation

Record = Callable[..., dict[str, Any]]
Metric = Callable[..., dict[str, Any]]


@pytest.fixture(name="run")
def _run(journey: Callable[..., Any], record_of: Record, metric: Metric) -> Any:
    records = [record_of(model=f"m{n}", value=10.0 * n) for n in range(1, 6)]
    records += [record_of(model="m1", value=10.0), record_of(model="nobody"), {"benchmark": "B"}]
    records += [record_of(model="m2", value=1.0, source_type="paper")]
    return journey(*records, metrics=[metric("one"), metric("two", dimension="recovery", transform="identity")])


def count(run: Any, **tables: pl.DataFrame) -> ConservationCount:
    given = {"raw_rows": run.raw_rows, "results": run.results, "evidence": run.evidence, "exclusions": run.exclusions}
    return conservation(**{**given, **tables}, catalog=run.catalog)


def test_a_sound_run_adds_up(run: Any) -> None:
    counted = count(run)
    assert counted == ConservationCount(received=9, evidence_rows=5, excluded_rows=9, unaccounted=[])
    assert conservation(run.raw_rows, run.results, run.evidence, run.exclusions) == counted


@pytest.mark.parametrize("place", range(9))
def test_each_missing_exclusion_is_found(run: Any, place: int) -> None:
    lost = run.exclusions.row(place, named=True)
    rest = run.exclusions.filter(pl.int_range(pl.len()) != place)
    assert any(lost["row_locator"] in fault for fault in count(run, exclusions=rest).unaccounted)


def test_missing_evidence_is_found_per_metric(run: Any) -> None:
    """The rows are excluded for metric two, so only the account per metric can see that metric one lost them."""
    faults = count(run, evidence=run.evidence.clear()).unaccounted
    assert len(faults) == 5
    assert all(fault.endswith("a metric that claims it is missing") for fault in faults)


def test_rows_counted_twice_or_from_nowhere_are_found(run: Any) -> None:
    evidence = run.evidence.with_columns(metric_id=pl.lit("two"))
    assert any(
        "in evidence and excluded for one metric" in fault for fault in count(run, evidence=evidence).unaccounted
    )
    stray = run.evidence.with_columns(entry_id=pl.lit("f" * 16))
    assert any("evidence without a received row" in fault for fault in count(run, evidence=stray).unaccounted)
    elsewhere = run.exclusions.with_columns(row_locator=pl.format("{}x", "row_locator"))
    assert any("an exclusion without a received row" in f for f in count(run, exclusions=elsewhere).unaccounted)
    assert any("a result without a received row" in f for f in count(run, raw_rows=run.raw_rows.head(2)).unaccounted)
    assert any("readable, but no result" in fault for fault in count(run, results=run.results.head(2)).unaccounted)
