"""Mappings over several files and places: parts, joins, matrices, folders, spans, ratios, alternatives, contacts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_mapping import FIXED, records, rows

from resources.connectors import ConnectorError

MATRIX = {
    "models": [{"name": "M0"}, {"name": "M1"}],
    "benchmarks": [{"id": "aime", "name": "AIME 2025"}, {"id": "odd", "name": "Odd thing"}],
    "observed": [[60.4, None], [0.0, 7]],
    "predictions": [[60.4, 50.1], [3.0, 7]],
    "sources": [
        [{"type": "leaderboard", "setting": {"effort": "high"}}, None],
        [{"type": "blog", "setting": "0-shot"}, {"type": None, "setting": None, "audit": "dropped"}],
    ],
}


def test_a_matrix_with_a_source_and_a_protocol_for_each_cell() -> None:
    """Empty cells of a sparse matrix are no rows; a zero is one; predicted values beside them are never read."""
    found = rows(
        json.dumps(MATRIX).encode(),
        format="json",
        rows="observed[*][*]",
        is_sparse=True,
        skip=[{"at": "sources.{1}.{0}.audit", "equals": "dropped", "reason": "dropped"}],
        joins={"boards": {"values": {"aime": {"benchmark": "AIME", "version": "2025"}}}},
        fields={
            "benchmark": [
                {"join": "boards", "by": {"at": "benchmarks.{0}.id"}, "get": "benchmark"},
                {"at": "benchmarks.{0}.name"},
            ],
            "benchmark_version": {
                "join": "boards", "by": {"at": "benchmarks.{0}.id"}, "get": "version", "optional": True,
            },
            "metric": {"const": "accuracy"},
            "unit": {"const": "score"},
            "value": {"field": ".", "type": "number"},
            "model": {"at": "models.{1}.name"},
            "source_type": {
                "at": "sources.{1}.{0}.type", "map": {"leaderboard": "official"}, "otherwise": "self_reported",
                "optional": True,
            },
            "setting": {"at": "sources.{1}.{0}.setting", "optional": True, "on_error": "null"},
        },
        protocol={"effort": {"at": "sources.{1}.{0}.setting.effort", "optional": True}},
    )  # fmt: skip
    assert [(row.row_locator, row.record and row.record["value"]) for row in found] == [
        ("observed[0][0]", 60.4), ("observed[1][0]", 0.0), ("observed[1][1]", None),
    ]  # fmt: skip
    first, second, dropped = found
    assert first.record == {
        "benchmark": "AIME", "benchmark_version": "2025", "metric": "accuracy", "unit": "score", "value": 60.4,
        "model": "M0", "source_type": "official", "protocol": {"effort": "high"},
    }  # fmt: skip
    assert (second.record or {})["setting"] == "0-shot"
    assert dropped.problem == "left out by the source's mapping: dropped"


def test_one_folder_a_model_with_its_facts_beside_it() -> None:
    """The folder is the name; another file of it is joined; the first schema's file is one unread row, no failure."""
    files = {
        "data/Foo (7B)/meta.json": b'{"Source": "https://h.example/foo"}',
        "data/Foo (7B)/scores_foo.json": b'{"scores": {"average": {"accuracy": "69.0"}, "task": {"a": "-"}}}',
        "data/Bar*/meta.json": b"{}",
        "data/Bar*/scores.json": b'{"scores": {"average": {"accuracy": "51.5"}}}',
        "data/Old/meta.json": b"{}",
        "data/Old/scores.json": b'{"test": 1}',
        "README.md": b"# read me",
        "new.txt": b"?",
    }
    found = rows(
        files,
        format="json",
        files="data/*/scores*.json",
        rows="scores",
        ignore={"README.md": "how to submit"},
        joins={"meta": {"files": "data/*/meta.json", "format": "json", "rows": "", "key": {"file": "folder"}}},
        each={"columns": {"average.accuracy": {}, "task.a": {"subset": "a"}}},
        fields={
            **FIXED,
            "value": {"each": "value", "type": "number"},
            "model": {"file": "folder"},
            "model_url": {"join": "meta", "by": {"file": "folder"}, "get": "Source", "optional": True},
        },
    )
    good = [
        (r.record["model"], r.record.get("subset"), r.record["value"], r.record.get("model_url"))
        for r in found
        if r.record
    ]
    assert good == [
        ("Bar*", None, 51.5, None),
        ("Foo (7B)", None, 69, "https://h.example/foo"),
        ("Foo (7B)", "a", "-", "https://h.example/foo"),
    ]
    assert {row.row_locator: row.problem for row in found if row.problem} == {
        "data/Old/scores.json: whole file": "rows 'scores': document: no key 'scores'; found 'test'",
        "new.txt": "no part of the source's mapping reads this file",
    }


def test_a_join_whose_key_repeats_is_an_error_unless_only_what_agrees_is_wanted() -> None:
    files = {
        "m.json": b'[{"id": "x", "maker": "A", "name": "one"}, {"id": "x", "maker": "A", "name": "two"}]',
        "r.json": b'[{"model": "x", "score": 1}]',
    }
    join = {"files": "m.json", "format": "json", "key": "id"}
    options: dict[str, Any] = {
        "format": "json",
        "files": "r.json",
        "fields": {
            **FIXED,
            "value": {"field": "score", "type": "number"},
            "model": [{"join": "m", "by": "model", "get": "name"}, "model"],
            "developer": {"join": "m", "by": "model", "get": "maker"},
        },
    }
    with pytest.raises(ConnectorError, match="two different rows have the key 'x'"):
        rows(files, joins={"m": join}, **options)
    (found,) = records(files, joins={"m": join | {"repeated": "agreed"}}, **options)
    assert (found["model"], found["developer"]) == ("x", "A")


def test_a_part_without_any_of_its_files_fails_the_source() -> None:
    fields = {**FIXED, "model": "a", "value": {"const": 1}}
    with pytest.raises(ConnectorError, match=r"b\.csv: no such file in the snapshot"):
        rows(
            {"a.csv": b"a\nx\n"},
            common={"format": "csv", "fields": fields},
            parts=[{"files": "a.csv"}, {"files": "b.csv"}],
        )


def test_spans_ratios_and_sums_of_money() -> None:
    data = b"m,lo,hi,n,of,cost\na,80.75,84.60,7,91,$1.25\nb,,1,0,0,$0.00\n"
    fields = {
        **FIXED, "model": "m", "value": {"ratio": ["n", "of"]},
        "stderr": {"span": ["lo", "hi"], "interval": 0.95},
    }  # fmt: skip
    extra = {"cost": {"field": "cost", "type": "money_text", "zero_means": "not_tracked"}}
    good, bad = rows(data, format="csv", fields=fields, extra=extra)
    assert good.record is not None
    assert good.record["value"] == 7 / 91
    assert good.record["stderr"] == pytest.approx(1.925 / 1.959964)
    assert good.record["protocol"] == {"extra": {"cost": 1.25}}
    assert bad.problem == "value: a part of 0 is nothing"
    assert bad.record is not None
    assert bad.record["protocol"] == {"extra": {"cost": "not_tracked"}}


def test_contact_addresses_are_taken_out_of_prose_and_names_left_alone() -> None:
    data = json.dumps(
        [{"m": "x@reasoning=high", "v": 1, "n": "ask jane.doe@lab.example, or see @lab", "e": {"by": ["a@b.org"]}}]
    )
    fields = {**FIXED, "model": "m", "value": {"field": "v", "type": "number"}, "notes": "n"}
    (found,) = records(data.encode(), format="json", fields=fields, extra={"who": {"field": "e"}})
    assert found["model"] == "x@reasoning=high"
    assert found["notes"] == "ask (address removed), or see @lab"
    assert found["protocol"]["extra"]["who"] == {"by": ["(address removed)"]}


def test_a_pattern_reads_before_a_map_and_alternatives_follow_in_order() -> None:
    data = b'[{"m": "o3-high", "s": "70.4%", "v": 1}, {"m": "gpt", "s": "12", "v": 2}]'
    fields = {
        **FIXED, "model": "m", "value": {"field": "v", "type": "number"},
        "subset": [{"field": "m", "pattern": "(o3)-.*", "map": {"o3": "new"}, "on_error": "null"}, {"const": "old"}],
        "unit": {"field": "s", "pattern": ".*(%).*", "map": {"%": "score"}},
    }  # fmt: skip
    first, second = rows(data, format="json", fields=fields)
    assert (first.record or {})["subset"] == "new"
    assert (first.record or {})["unit"] == "score"
    assert (second.record or {})["subset"] == "old"
    assert second.problem == "unit: '12' does not match '.*(%).*'"


def test_keys_with_dots_in_them_are_found() -> None:
    data = b'{"M 1.5": {"pass@1": {"human.eval": 3.5, "mbpp+": null}}}'
    fields = {**FIXED, "model": {"key": 0}, "value": {"each": "value", "type": "number"}, "subset": {"each": "name"}}
    each = {"columns": {"h": {"column": "pass@1.human.eval"}, "pass@1.mbpp+": {"subset": "plus"}}}
    found = records(data, format="json", rows="{*}", each=each, fields=fields)
    assert [(r["model"], r["subset"], r["value"]) for r in found] == [("M 1.5", "h", 3.5), ("M 1.5", "plus", None)]
