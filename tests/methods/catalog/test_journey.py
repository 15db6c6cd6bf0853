"""The whole way from received rows to evidence and exclusions: every code, every row, whatever the order."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from methods.catalog.conservation import conservation
from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.scoring.evidence import build_evidence
from warehouse.catalog_model import Catalog
from warehouse.hashing import table_hash
from warehouse.reasons import EXCLUSION_CODES, STAGE_OF
from warehouse.received import ReceivedRow
from warehouse.tables import CORE_EVIDENCE, CORE_EXCLUSION, CORE_RESULT

Record = Callable[..., dict[str, Any]]
MakeCatalog = Callable[..., Catalog]
Metric = Callable[..., dict[str, Any]]


def _of(benchmark: str, **matcher: Any) -> dict[str, Any]:
    return {"benchmark": benchmark, "metric": "acc", **matcher}


def _metrics(metric: Metric) -> list[dict[str, Any]]:
    return [
        metric("good"),
        metric("rated", _of("R"), transform="identity", dimension="recovery"),
        metric("lower", _of("L"), direction="lower", dimension="recovery"),
        metric("steps", _of("S", match={"steps": 15}), dimension="tool-use"),
        metric("shown", _of("shown"), status="display_only"),
        metric("blind", _of("blind"), direction="unknown"),
        metric("few", _of("few")),
        metric("flat", _of("flat")),
        metric("unknown-makers", _of("anon")),
    ]


def _one_of_each(record_of: Record) -> list[dict[str, Any]]:
    """Rows that bring about every exclusion code, by the notes they carry."""
    good = [record_of(model=f"m{n}", value=10.0 * n) for n in range(6)]
    flat = [record_of(benchmark="flat", model=f"m{n}") for n in range(1, 4)]
    anonymous = [record_of(benchmark="anon", model=f"anon{n}", value=10.0 * n) for n in range(3)]
    odd = {
        "row_unparseable": {"unit": None},
        "unregistered_metric": {"benchmark": "nowhere"},
        "display_only": {"benchmark": "shown"},
        "aggregate": {"kind": "aggregate"},
        "estimated": {"kind": "estimated"},
        "inferred": {"kind": "inferred"},
        "direction_unknown": {"benchmark": "blind"},
        "protocol_unknown": {"benchmark": "S"},
        "unit_excluded": {"unit": "%"},
        "value_missing": {"value": "-"},
        "value_unparseable": {"value": "77.47%"},
        "value_out_of_range": {"value": 104},
        "model_unidentified": {"model": "nobody"},
        "lower_priority_duplicate": {"source_type": "self_reported"},
        "too_few_models": {"benchmark": "few"},
        "superseded": {"value": 33.0},
    }
    odd_rows = [record_of(notes=code, **changes) for code, changes in odd.items()]
    twins = [record_of(notes="exact_duplicate", value=12.0, model="m7") for _ in range(2)]
    return [*good, *flat, *anonymous, *odd_rows, *twins]


def _catalog(catalog_of: MakeCatalog, metric: Metric, superseded: str) -> Catalog:
    models = [{"id": f"m{n}", "name": f"m{n}", "developer": f"D{n % 3}"} for n in range(9)]
    models += [{"id": f"anon{n}", "name": f"anon{n}"} for n in range(3)]
    withdrawal = {
        "id": "c", "entry_id": superseded, "reason": "tainted", "expected": 33.0, "exclude": True, "who": "reviewer",
        "approved_by": "second reviewer", "when": "2026-10-20",
    }  # fmt: skip
    return catalog_of(metrics=_metrics(metric), models=models, corrections=[withdrawal])


@pytest.fixture(name="rows")
def _rows(record_of: Record) -> list[ReceivedRow]:
    return [ReceivedRow(f"{place:03d}", record) for place, record in enumerate(_one_of_each(record_of))]


@pytest.fixture(name="catalog")
def _whole_catalog(catalog_of: MakeCatalog, metric: Metric, rows: list[ReceivedRow]) -> Catalog:
    received = receive("board", "0" * 64, rows)
    entry = received.filter(pl.col("record").str.contains('"superseded"', literal=True))["entry_id"][0]
    return _catalog(catalog_of, metric, entry)


def test_every_code_is_given_and_every_row_accounted_for(rows: list[ReceivedRow], catalog: Catalog) -> None:
    raw_rows = receive("board", "0" * 64, rows)
    results = build_results(raw_rows, catalog)
    tables = build_evidence(raw_rows, results, catalog)
    noted = tables.exclusions.join(raw_rows.select("row_locator", "record"), on="row_locator")
    assert set(noted["reason_code"]) == set(EXCLUSION_CODES)
    assert all(STAGE_OF[code] == stage for code, stage in noted.select("reason_code", "stage").rows())
    for code, record in noted.select("reason_code", "record").rows():
        assert f'"{code}"' in record or code in {"no_spread", "no_known_developer"}
    counted = conservation(raw_rows, results, tables.evidence, tables.exclusions, catalog)
    assert counted.unaccounted == []
    assert counted.received == len(rows)
    zero = tables.evidence.filter(pl.col("model_id") == "m0")
    assert zero.select("metric_id", "value").rows() == [("good", 0.0)]


def _hashes(rows: list[ReceivedRow], catalog: Catalog) -> dict[str, str]:
    raw_rows = receive("board", "0" * 64, rows)
    results = build_results(raw_rows.sample(fraction=1, shuffle=True, seed=len(rows)), catalog)
    tables = build_evidence(raw_rows, results, catalog)
    frames = {CORE_RESULT: results, CORE_EVIDENCE: tables.evidence, CORE_EXCLUSION: tables.exclusions}
    return {contract.name: table_hash(frame, contract) for contract, frame in frames.items()}


def test_the_order_of_rows_changes_no_hash(rows: list[ReceivedRow], catalog: Catalog) -> None:
    expected = _hashes(rows, catalog)
    for seed in range(5):
        shuffled = list(rows)
        random.Random(seed).shuffle(shuffled)
        assert _hashes(shuffled, catalog) == expected


def test_shuffled_tables_change_no_hash(rows: list[ReceivedRow], catalog: Catalog) -> None:
    raw_rows = receive("board", "0" * 64, rows)
    results = build_results(raw_rows, catalog)
    expected = build_evidence(raw_rows, results, catalog)
    for seed in range(3):
        tables = build_evidence(
            raw_rows.sample(fraction=1, shuffle=True, seed=seed),
            results.sample(fraction=1, shuffle=True, seed=seed),
            catalog,
        )
        assert tables.evidence.equals(expected.evidence)
        assert tables.exclusions.equals(expected.exclusions)


def test_percentages_are_read_as_the_exact_decimal_over_100(journey: Callable[..., Any], record_of: Record) -> None:
    """0.07 is 7/100 rounded once, not 7 times a rounded 0.01."""
    records = [record_of(model=f"m{n}", value=value) for n, value in enumerate((7, 28.9, 77.47), 1)]
    assert sorted(journey(*records).evidence["value"]) == [0.07, 0.289, 0.7747]


def test_lower_is_better_is_flipped(journey: Callable[..., Any], record_of: Record, metric: Metric) -> None:
    records = [record_of(model=f"m{n}", value=10.0 * n) for n in range(1, 5)]
    evidence = journey(*records, metrics=[metric("x", direction="lower")]).evidence.sort("model_id")
    assert evidence["value"].to_list() == [0.1, 0.2, 0.3, 0.4]
    assert evidence["z"].to_list() == sorted(evidence["z"], reverse=True)


def test_look_alike_names_never_merge(journey: Callable[..., Any], record_of: Record) -> None:
    """A zero-width space is no letter; a Cyrillic m is another letter."""
    records = [
        record_of(model=name, value=value) for name, value in (("m\u200b1", 10), ("м1", 20), ("m2", 30), ("m3", 40))
    ]
    run = journey(*records)
    assert set(run.evidence["model_id"]) == {"m1", "m2", "m3"}
    assert run.reasons() == {"1": "model_unidentified"}
    assert run.results.filter(pl.col("value") == 10)["model"][0] == "m\u200b1"


def test_a_simulated_truth_is_recovered(journey: Callable[..., Any], record_of: Record, metric: Metric) -> None:
    """Spellings, copies, weaker sources, repeats and broken rows around one true value per model and metric."""
    draw = random.Random(20261020)
    metrics = [metric(f"x{n}", _of(f"B{n}"), family=f"F{n % 2}") for n in range(4)]
    models = [{"id": f"model-{n}", "name": f"Model-{n} v1.{n}", "developer": f"D{n % 4}"} for n in range(12)]
    truth: dict[tuple[str, str], float] = {}
    records: list[dict[str, Any]] = []
    for entry in metrics:
        for model in models:
            value = round(draw.uniform(0, 100), 2)
            truth[entry["id"], model["id"]] = value / 100
            name = str(model["name"])
            told = {"benchmark": entry["from"][0]["benchmark"], "updated_at": "2026-10-01"}
            spelt = draw.choice([name, name.upper(), name.replace("-", " "), f"{name}\u200b"])
            best = record_of(**told, model=spelt, value=value, developer=draw.choice([None, model["developer"]]))
            noise = [
                {"source_type": "self_reported", "confidence": 1.0},
                {"copied_from": "another board", "tier": "verified"},
                {"updated_at": "2025-01-01"},
                {"kind": "estimated", "tier": "verified"},
                {"tier": "verified", "value": "-"},
                {"tier": "verified", "unit": "score_fraction", "value": 58.4},
                {"tier": "verified", "model": f"{name} mini"},
                {"tier": "verified", "benchmark": "unregistered"},
            ]
            others = [{**best, "value": round(draw.uniform(0, 100), 2), **change} for change in noise]
            records += [best, best, *draw.sample(others, 4)]
    draw.shuffle(records)
    run = journey(*records, metrics=metrics, models=models)
    found = {(m, model): value for m, model, value in run.evidence.select("metric_id", "model_id", "value").rows()}
    assert found.keys() == truth.keys()
    assert max(abs(found[key] - truth[key]) for key in truth) < 1e-15
    assert conservation(run.raw_rows, run.results, run.evidence, run.exclusions, run.catalog).unaccounted == []
