"""A first look at rows: all accounted for, unknown metrics with a stanza the catalog can read, names counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
import yaml

from methods.catalog.first_look import first_look, stanza
from methods.catalog.received import receive
from warehouse.catalog_model import Catalog
from warehouse.metric_model import MetricSpec
from warehouse.received import ReceivedRow

Make = Callable[..., Any]


def test_every_row_is_a_result_or_quarantined_with_its_reason(
    record_of: Make, catalog_of: Callable[..., Catalog], metric: Make
) -> None:
    records = [
        record_of(model="m1", value=1.5),
        record_of(model="m1", value=1.5),
        record_of(model="stranger", value="-"),
        record_of(model="stranger", value="n/a", notes="x"),
        record_of(metric="other", subset="s", model="stranger", value=7),
    ]
    rows = [ReceivedRow(f"line {n}", record) for n, record in enumerate(records)]
    rows.append(ReceivedRow("line 9", None, "left out by the source's mapping: a mean"))
    catalog = catalog_of(metrics=[metric("x")])
    look = first_look(receive(catalog.sources[0].id, "0" * 64, rows), catalog, shown=2)
    assert (look.rows, look.results, len(look.first)) == (6, 4, 2)
    assert look.first[0]["row"] == "line 0"
    assert {(one.reason, one.rows, one.example) for one in look.quarantined} == {
        ("left out by the source's mapping: a mean", 1, "line 9"),
        ("equal in everything to another row", 1, "line 1"),
        ("no value", 1, "line 2"),
        ("no number: 'n/a'", 1, "line 3"),
    }
    assert look.metrics == {"x": 3}
    (unknown,) = look.unknown_metrics
    assert (unknown.metric, unknown.subset, unknown.rows, unknown.lowest) == ("other", "s", 1, 7)
    assert (look.models, [(one.name, one.rows) for one in look.unknown_models]) == (2, [("stranger", 3)])


@pytest.mark.parametrize(
    ("benchmark", "version", "subset", "metric", "unit"),
    [
        ("A Bench", None, None, "accuracy", "score"),
        ("Humanity's Last: #1", "2.0", "a, b", "pass^1", "score_fraction"),
        ("null", "2026", "yes", "50%", "rating"),
        ("多语言", None, "{x}", "m\\n", "usd"),
    ],
)
def test_a_stanza_is_read_back_as_the_rows_it_is_for(
    benchmark: str, version: str | None, subset: str | None, metric: str, unit: str
) -> None:
    """Only the place stays to be chosen; nothing is scored, no direction claimed, before somebody read the page."""
    text = "metrics:\n" + stanza(benchmark, version, subset, metric, unit)
    (entry,) = yaml.safe_load(text)["metrics"]
    assert (entry["category"], entry["dimension"]) == ("CHOOSE", "CHOOSE")
    spec = MetricSpec.model_validate(entry | {"category": "coding", "dimension": "generation"})
    (matcher,) = spec.from_
    assert (matcher.benchmark, matcher.benchmark_version) == (benchmark, version)
    assert (matcher.subset, matcher.metric) == (subset, metric)
    assert (spec.status, spec.direction) == ("display_only", "unknown")
    assert spec.transform == ("identity" if unit == "rating" else "logit")
    assert ("never scored" in text) == (unit == "usd")


def test_an_empty_board_has_an_empty_look(
    raw_of: Callable[..., pl.DataFrame], catalog_of: Callable[..., Catalog]
) -> None:
    look = first_look(raw_of(), catalog_of())
    assert (look.rows, look.first, look.unknown_metrics, look.unknown_models) == (0, (), (), ())


def test_a_known_metric_under_another_protocol_is_no_unknown_metric(
    record_of: Make, catalog_of: Callable[..., Catalog], metric: Make
) -> None:
    """A stanza for it would claim the metric a second time."""
    spec = metric("x", **{"from": [{"benchmark": "b", "metric": "m", "match": {"steps": 15}}]})
    records = [record_of(benchmark="b", metric="m", protocol={"steps": steps}) for steps in (15, 50, 100)]
    records.append(record_of(benchmark="b", metric="other", protocol={"steps": 50}))
    catalog = catalog_of(metrics=[spec])
    rows = [ReceivedRow(f"line {n}", record) for n, record in enumerate(records)]
    look = first_look(receive(catalog.sources[0].id, "0" * 64, rows), catalog)
    (known,) = look.other_protocols
    assert (known.benchmark, known.metric, known.metric_ids, known.rows) == ("b", "m", ("x",), 2)
    assert [one.metric for one in look.unknown_metrics] == ["other"]


@pytest.mark.parametrize("form", ["line {}", "results[{}]", "data/m-{}.json#/results/0"])
def test_the_first_rows_are_the_first_of_the_file(
    record_of: Make, catalog_of: Callable[..., Catalog], metric: Make, form: str
) -> None:
    """Locators are texts, in which 10 comes before 2."""
    catalog = catalog_of(metrics=[metric("x")])
    rows = [ReceivedRow(form.format(n), record_of(model=f"m{n}", value=n)) for n in range(12)]
    look = first_look(receive(catalog.sources[0].id, "0" * 64, rows), catalog, shown=12)
    assert [row["row"] for row in look.first] == [form.format(n) for n in range(12)]
