"""Eligibility against the plain definition: each row judged by itself, code after code, under hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from methods.catalog.eligibility import admit
from methods.catalog.results import build_results
from warehouse.catalog_model import Catalog

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]
Metric = Callable[..., dict[str, Any]]

ROWS = st.fixed_dictionaries(
    {},
    optional={
        "benchmark": st.sampled_from(["B", "C", "nowhere"]),
        "kind": st.sampled_from(["measured", "measured", "aggregate", "estimated", "inferred"]),
        "unit": st.sampled_from(["score", "score_fraction", "rating", "points"]),
        "value": st.sampled_from([0, 0.0, 0.5, 1.0, 58.4, 100, 101, -1, None, "", "-", "x", "50", True, float("nan")]),
        "model": st.sampled_from(["m1", "M-2", "m3 (1 step)", "who"]),
        "setting": st.sampled_from([None, "1 step"]),
        "n_samples": st.sampled_from([None, 0, 5]),
    },
)
METRICS = st.fixed_dictionaries(
    {},
    optional={
        "status": st.sampled_from(["scored", "display_only"]),
        "direction": st.sampled_from(["higher", "lower", "unknown"]),
        "transform": st.sampled_from(["logit", "identity"]),
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(entry=METRICS, requires=st.booleans(), rows=st.lists(ROWS, max_size=8))
def test_codes_as_the_plain_definition(
    raw_of: Raw,
    record_of: Record,
    catalog_of: MakeCatalog,
    metric: Metric,
    entry: dict[str, Any],
    requires: bool,
    rows: list[dict[str, Any]],
) -> None:
    matcher = {"benchmark": "B", "metric": "acc", "requires": ["steps"] if requires else []}
    described = metric("x", matcher, **entry)
    catalog = catalog_of(metrics=[described])
    records = [record_of(**row) for row in rows]
    raw_rows = raw_of(*records)
    results = build_results(raw_rows, catalog)
    found = admit(raw_rows, results, catalog)
    codes: dict[str, str | None] = dict.fromkeys(found.candidates["row_locator"])
    codes |= dict(found.exclusions.select("row_locator", "reason_code").rows())
    assert len(codes) == found.candidates.height + found.exclusions.height == results.height
    for locator, code in codes.items():
        assert code == _plain(records[int(locator.rsplit("/", 1)[1])], described, requires)


def _plain(row: dict[str, Any], metric: dict[str, Any], requires: bool) -> str | None:
    value, unit = row["value"], row["unit"]
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    top = {"score": 100, "score_fraction": 1}.get(unit)
    if row["benchmark"] != "B":
        return "unregistered_metric"
    if metric["status"] == "display_only":
        return "display_only"
    if row.get("kind", "measured") != "measured":
        return str(row["kind"])
    if metric["direction"] == "unknown":
        return "direction_unknown"
    if requires and row.get("setting") is None and "(1 step)" not in row["model"]:
        return "protocol_unknown"
    if (metric["transform"] == "logit" and top is None) or (metric["transform"] == "identity" and unit != "rating"):
        return "unit_excluded"
    if value in (None, "", "-") or row.get("n_samples") == 0:
        return "value_missing"
    if not is_number:
        return "value_unparseable"
    if metric["transform"] == "logit" and not 0 <= value <= (top or 0):
        return "value_out_of_range"
    return None if row["model"] in {"m1", "M-2"} else "model_unidentified"
