"""Matchers: exact strings, null against left out, protocol fields from field, setting or name, conflicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from methods.catalog.matching import Claim, ambiguous, claims
from methods.catalog.overlaps import overlaps
from methods.catalog.results import build_results
from methods.names.state_budget import effort_of, steps_of
from warehouse.catalog_model import Catalog

Raw = Callable[..., pl.DataFrame]
Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]
Metric = Callable[..., dict[str, Any]]
FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)


@pytest.fixture(name="claim_of")
def _claim_of(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric) -> Callable[..., Claim]:
    def claim_of(matcher: dict[str, Any], **changes: Any) -> Claim:
        catalog = catalog_of(metrics=[metric("x", {"benchmark": "B", "metric": "acc", **matcher})])
        claimed = claims(build_results(raw_of(record_of(**changes)), catalog), catalog)
        return claimed.distinct[claimed.number[0]]

    return claim_of


SERVED, NOTHING = Claim(("x",)), Claim()


def undecided(*fields: str) -> Claim:
    return Claim((), ("x",), fields)


@pytest.mark.parametrize(
    ("matcher", "changes", "claim"),
    [
        ({}, {}, SERVED),
        ({}, {"benchmark": "b"}, NOTHING),
        ({}, {"metric": "acc "}, NOTHING),
        ({"leaderboard": "board"}, {}, SERVED),
        ({"leaderboard": "other"}, {}, NOTHING),
        # A version or subset that the matcher leaves out matches anything; null matches rows that state none.
        ({}, {"benchmark_version": "v2", "subset": "easy"}, SERVED),
        ({"benchmark_version": None}, {}, SERVED),
        ({"benchmark_version": None}, {"benchmark_version": "v2"}, NOTHING),
        ({"benchmark_version": "v2"}, {"benchmark_version": "v2"}, SERVED),
        ({"benchmark_version": "v2"}, {}, NOTHING),
        ({"subset": None}, {"subset": "easy"}, NOTHING),
        ({"subset": ""}, {}, NOTHING),
        ({"subset": "easy"}, {"subset": "easy"}, SERVED),
    ],
)
def test_exact_strings(claim_of: Callable[..., Claim], matcher: Any, changes: Any, claim: Claim) -> None:
    """A15: composite and component are different metrics by their subset. D18: null agrees only with null."""
    assert claim_of(matcher, **changes) == claim


@pytest.mark.parametrize(
    ("matcher", "changes", "claim"),
    [
        ({"match": {"steps": 15}}, {"protocol": {"steps": 15}}, SERVED),
        ({"match": {"steps": 15}}, {"protocol": {"steps": 50}, "setting": "15 steps"}, NOTHING),
        ({"match": {"steps": 15}}, {"setting": "15 steps"}, SERVED),
        ({"match": {"steps": 15}}, {"model": "m1 (15步)"}, SERVED),
        ({"match": {"steps": 15}}, {"setting": "50 steps", "model": "m1 (15 steps)"}, NOTHING),
        ({"match": {"steps": 15}}, {}, undecided("steps")),
        ({"match": {"effort": "high"}}, {"protocol": {"effort": "HIGH"}}, SERVED),
        ({"match": {"effort": "high"}}, {"setting": "推理 high"}, SERVED),
        ({"match": {"effort": "high"}}, {"model": "m1 reasoning low"}, NOTHING),
        ({"match": {"effort": "none"}}, {"protocol": {"effort": "none"}}, SERVED),
        ({"match": {"effort": "none"}}, {}, undecided("effort")),
        ({"requires": ["steps"]}, {"setting": "any 100 steps"}, SERVED),
        ({"requires": ["effort"]}, {"protocol": {"effort": "16k tokens"}}, SERVED),
        ({"requires": ["effort"]}, {}, undecided("effort")),
        ({"match": {"harness": "mini"}}, {"protocol": {"harness": "mini"}}, SERVED),
        ({"match": {"harness": "mini"}}, {"protocol": {"harness": "Mini"}}, NOTHING),
        ({"match": {"harness": "mini"}}, {"setting": "mini"}, undecided("harness")),
        ({"match": {"extra.attempts": 1}}, {"protocol": {"extra": {"attempts": 1}}}, SERVED),
        ({"match": {"extra.attempts": 1}}, {"protocol": {"extra": {"attempts": 2}}}, NOTHING),
        ({"match": {"extra.attempts": 1}}, {"protocol": {"extra": {"attempts": "1"}}}, NOTHING),
        ({"match": {"extra.attempts": 1}}, {"protocol": {"extra": {"attempts": True}}}, NOTHING),
        ({"match": {"extra.attempts": 1}}, {"protocol": {"extra": {"attempts": None}}}, undecided("extra.attempts")),
        ({"match": {"extra.attempts": 1}}, {}, undecided("extra.attempts")),
        ({"match": {"extra.basis": "DB"}}, {"protocol": {"extra": {"basis": ["DB", "COMM"]}}}, NOTHING),
        ({"requires": ["extra.tracked"]}, {"protocol": {"extra": {"tracked": False}}}, SERVED),
        ({"requires": ["harness"]}, {"protocol": {"harness": ""}}, undecided("harness")),
        ({"match": {"effort": "low"}}, {"protocol": {"effort": ""}, "setting": "reasoning low"}, SERVED),
        # A field stated otherwise settles it, whatever else is not stated.
        ({"match": {"steps": 15, "harness": "mini"}}, {"protocol": {"steps": 50}}, NOTHING),
        ({"match": {"steps": 15}, "requires": ["harness"]}, {"protocol": {"steps": 50}}, NOTHING),
        ({"match": {"steps": 15}, "requires": ["harness", "runs"]}, {}, undecided("harness", "runs", "steps")),
    ],
)
def test_protocol_fields(claim_of: Callable[..., Claim], matcher: Any, changes: Any, claim: Claim) -> None:
    """A20, A33: harness and attempt policy keep rows apart. A25: so does the scoring basis. A26: null is not "none"."""
    assert claim_of(matcher, **changes) == claim


def test_budgets_meet_their_own_metric(raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric) -> None:
    base = {"benchmark": "B", "metric": "acc"}
    catalog = catalog_of(metrics=[metric(f"b-{n}", {**base, "match": {"steps": n}}) for n in (15, 50, 100)])
    records = [record_of(setting=setting) for setting in ("15 steps", "50 steps", None, "7 steps")]
    claimed = claims(build_results(raw_of(*records), catalog).sort("row_locator"), catalog)
    assert [claimed.distinct[number] for number in claimed.number] == [
        Claim(("b-15",)),
        Claim(("b-50",)),
        Claim((), ("b-100", "b-15", "b-50"), ("steps",)),
        Claim(),
    ]


def test_boards_that_name_one_metric_differently_meet(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric
) -> None:
    spellings = [{"benchmark": "B", "metric": "acc"}, {"benchmark": "B!", "metric": "accuracy", "requires": ["steps"]}]
    catalog = catalog_of(metrics=[metric("b", *spellings)])
    results = build_results(
        raw_of(record_of(), record_of(benchmark="B!", metric="accuracy", setting="1 step")), catalog
    )
    claimed = claims(results, catalog)
    assert {claimed.distinct[number] for number in claimed.number} == {Claim(("b",))}


def test_another_matcher_that_agrees_decides(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric
) -> None:
    base = {"benchmark": "B", "metric": "acc"}
    catalog = catalog_of(metrics=[metric("b", {**base, "match": {"steps": 15}}, {**base, "leaderboard": "board"})])
    claimed = claims(build_results(raw_of(record_of()), catalog), catalog)
    assert claimed.distinct == (Claim(("b",)),)


def test_two_metrics_in_one_place_are_a_catalog_error(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric
) -> None:
    raw_rows = raw_of(record_of(), record_of(benchmark="C"))
    elsewhere = catalog_of(
        metrics=[
            metric("one"),
            metric("two", dimension="recovery"),
            metric("three", category="math", dimension="basic"),
        ]
    )
    assert ambiguous(build_results(raw_rows, elsewhere), elsewhere) == []
    double = catalog_of(metrics=[metric("one"), metric("two")])
    found = ambiguous(build_results(raw_rows, double), double)
    assert [(error.metric_ids, error.category, error.dimension) for error in found] == [
        (("one", "two"), "agent", "planning")
    ]
    assert str(found[0]).startswith(f"entry {found[0].entry_id} is claimed by one and two")


def test_matchers_that_exclude_each_other_are_no_error(
    raw_of: Raw, record_of: Record, catalog_of: MakeCatalog, metric: Metric
) -> None:
    base = {"benchmark": "B", "metric": "acc"}
    catalog = catalog_of(metrics=[metric(f"b-{n}", {**base, "match": {"steps": n}}) for n in (15, 50)])
    results = build_results(raw_of(record_of(setting="15 steps"), record_of(), record_of(setting="50 steps")), catalog)
    assert ambiguous(results, catalog) == []


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ({}, {}, False),
        ({}, {"leaderboard": "board", "requires": ["steps"]}, False),
        ({"leaderboard": "a"}, {"leaderboard": "b"}, True),
        ({"subset": None}, {"subset": "s"}, True),
        ({"subset": None}, {}, False),
        ({"benchmark_version": "v1"}, {"benchmark_version": "v2"}, True),
        ({"match": {"steps": 15}}, {"match": {"steps": 50}}, True),
        ({"match": {"steps": 15}}, {"match": {"effort": "low"}}, False),
        ({"benchmark": "C"}, {}, True),
    ],
)
def test_overlaps_are_seen_before_anything_is_received(
    catalog_of: MakeCatalog, metric: Metric, one: dict[str, Any], other: dict[str, Any], apart: bool
) -> None:
    base = {"benchmark": "B", "metric": "acc"}
    found = overlaps(catalog_of(metrics=[metric("y", {**base, **one}), metric("x", {**base, **other})]).metrics)
    assert [str(overlap) for overlap in found] == (
        [] if apart else ["x and y can claim the same result of benchmark B, metric acc"]
    )
    places = [metric("y", {**base, **one}), metric("x", {**base, **other}, dimension="recovery")]
    assert overlaps(catalog_of(metrics=places).metrics) == []


MATCHERS = st.fixed_dictionaries(
    {"benchmark": st.sampled_from(["B", "C"]), "metric": st.just("acc")},
    optional={
        "leaderboard": st.sampled_from(["board", "other"]),
        "benchmark_version": st.sampled_from([None, "v2"]),
        "subset": st.sampled_from([None, "s"]),
        "match": st.fixed_dictionaries(
            {},
            optional={"steps": st.sampled_from([1, 2]), "effort": st.just("low"), "extra.k": st.sampled_from([1, "1"])},
        ),
        "requires": st.lists(st.sampled_from(["steps", "harness", "extra.k"]), unique=True, max_size=2),
    },
)
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "benchmark": st.sampled_from(["B", "C", "D"]),
        "benchmark_version": st.sampled_from([None, "v2"]),
        "subset": st.sampled_from([None, "s"]),
        "setting": st.sampled_from([None, "1 step", "2 steps", "reasoning low", "reasoning high 1 step"]),
        "model": st.sampled_from(["m1", "m1 (2 steps)"]),
        "protocol": st.fixed_dictionaries(
            {},
            optional={
                "steps": st.sampled_from([None, 1, 2]),
                "harness": st.sampled_from([None, "h"]),
                "effort": st.sampled_from(["low", "none"]),
                "extra": st.sampled_from([{}, {"k": 1}, {"k": "1"}, {"k": None}]),
            },
        ),
    },
)


@FIXTURES
@given(st.lists(st.lists(MATCHERS, min_size=1, max_size=2), min_size=1, max_size=3), st.lists(ROWS, max_size=8))
def test_claims_as_the_plain_definition(
    raw_of: Raw,
    record_of: Record,
    catalog_of: MakeCatalog,
    metric: Metric,
    described: list[list[dict[str, Any]]],
    rows: list[dict[str, Any]],
) -> None:
    catalog = catalog_of(metrics=[metric(f"x{place}", *matchers) for place, matchers in enumerate(described)])
    results = build_results(raw_of(*(record_of(**row) for row in rows)), catalog)
    claimed = claims(results, catalog)
    for row, number in zip(results.rows(named=True), claimed.number, strict=True):
        assert claimed.distinct[number] == _plain(row, described)
    possible = {pair for overlap in overlaps(catalog.metrics) for pair in [overlap.metric_ids]}
    for error in ambiguous(results, catalog):
        assert set(combinations(error.metric_ids, 2)) <= possible


def _plain(row: dict[str, Any], described: list[list[dict[str, Any]]]) -> Claim:
    served, open_fields = set(), {}
    for place, matchers in enumerate(described):
        answers = [_answer(row, matcher) for matcher in matchers]
        if set() in answers:
            served.add(f"x{place}")
        elif any(answers):
            open_fields[f"x{place}"] = set().union(*(answer or set() for answer in answers))
    missing = set().union(*open_fields.values()) if open_fields else set()
    return Claim(tuple(sorted(served)), tuple(sorted(open_fields)), tuple(sorted(missing)))


def _answer(row: dict[str, Any], matcher: dict[str, Any]) -> set[str] | None:
    """None: does not apply; an empty set: serves; else the fields that are not stated."""
    for name in ("leaderboard", "benchmark", "benchmark_version", "subset", "metric"):
        if name in matcher and row[name] != matcher[name]:
            return None
    missing = set()
    for name in [*matcher.get("match", {}), *matcher.get("requires", [])]:
        stated = _stated(row, name)
        if stated is None:
            missing.add(name)
        elif name in matcher.get("match", {}):
            wanted = matcher["match"][name]
            if isinstance(stated, str) != isinstance(wanted, str) or stated != wanted:
                return None
    return missing


def _stated(row: dict[str, Any], name: str) -> object:
    if name == "steps":
        return steps_of(row["protocol_steps"], row["setting"], row["model"])
    if name == "effort":
        levels = ("max", "xhigh", "high", "medium", "low")
        return effort_of(row["protocol_effort"], row["setting"], row["model"], levels) or row["protocol_effort"]
    if name == "extra.k":
        return json.loads(row["protocol_extra"] or "{}").get("k")
    return row[f"protocol_{name}"]
