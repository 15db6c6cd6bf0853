"""The mapping language: what may not be written is said plainly, at its place."""

from __future__ import annotations

from typing import Any

import pytest
from inbound import source_of

from resources.connectors import option_problems
from resources.connectors.table.options import TableOptions

FIELDS: dict[str, Any] = {
    "benchmark": {"const": "B"},
    "metric": {"const": "m"},
    "unit": {"const": "score"},
    "value": {"field": "score", "type": "number"},
    "model": "model",
}


def problems(**options: Any) -> list[tuple[str, str]]:
    found = option_problems(source_of("x", connector="table", options={"format": "csv", "fields": FIELDS} | options))
    return [(".".join(map(str, path)), message) for path, message in found]


def test_a_sound_mapping_has_no_problem() -> None:
    assert problems() == []
    assert problems(extra=["a", "b"], protocol={"steps": {"const": 15}}, columns=["model", "score"]) == []


def test_a_name_alone_means_the_field_of_that_name() -> None:
    options = TableOptions.model_validate({"format": "csv", "fields": FIELDS})
    assert options.fields["model"].field == "model"


def test_json_rows_are_the_items_of_the_document_unless_said() -> None:
    assert TableOptions.model_validate({"format": "json", "fields": FIELDS}).rows_path == "[*]"
    assert TableOptions.model_validate({"format": "jsonl", "fields": FIELDS}).rows_path == ""


@pytest.mark.parametrize(
    ("options", "path", "message"),
    [
        ({"format": "xls"}, "options.format", "Input should be"),
        ({"unknown": 1}, "options.unknown", "unknown key"),
        ({"fields": {"model": "m"}}, "options", "fields.benchmark must be given"),
        ({"fields": FIELDS | {"colour": "c"}}, "options.fields", "colour is none of ours: benchmark"),
        ({"fields": FIELDS | {"value": "score"}}, "options.fields", "value needs its type"),
        (
            {"fields": FIELDS | {"value": {"field": "s", "type": "text"}}},
            "options.fields",
            "value holds money_text or number or percent_text or ratio_text",
        ),
        ({"fields": FIELDS | {"benchmark": 5}}, "options.fields.benchmark", "write {const: …}"),
        ({"fields": FIELDS | {"benchmark": {"const": 1.1}}}, "options.fields", "put it in quotes"),
        ({"fields": FIELDS | {"model": {}}}, "options.fields.model", "needs exactly one of const, field"),
        ({"fields": FIELDS | {"model": {"field": "a", "const": "b"}}}, "options.fields.model", "has const, field"),
        (
            {"fields": FIELDS | {"model": {"field": "a", "pattern": "("}}},
            "options.fields.model.pattern",
            "not a regular",
        ),
        ({"fields": FIELDS | {"model": {"field": "a", "template": "x"}}}, "options.fields.model", "holds {} once"),
        ({"fields": FIELDS | {"model": {"field": "a", "otherwise": 1}}}, "options.fields.model", "needs a `map`"),
        ({"fields": FIELDS | {"metric": {"each": "name"}}}, "options", "needs the columns to be named"),
        ({"fields": FIELDS | {"subset": {"parent": "name"}}}, "options", "csv row has no parent"),
        ({"rows": "a[*]"}, "options", "`rows` is a path in a tree"),
        ({"format": "json", "rows": "a[*"}, "options.rows", "not understood"),
        (
            {"format": "json", "fields": FIELDS | {"subset": {"parent": "n", "level": 2}}},
            "options",
            "level 2, but rows",
        ),
        ({"format": "json", "fields": FIELDS | {"model": {"key": 1}}}, "options", "key 1, but rows"),
        ({"format": "json", "delimiter": ";"}, "options", "`delimiter` is for csv"),
        ({"skip": [{"field": "a", "reason": "r"}]}, "options.skip.0", "exactly one of equals"),
        ({"skip": [{"field": "a", "equals": 1}]}, "options.skip.0.reason", "must be given"),
        ({"each": {"columns": []}}, "options.each", "names no column"),
        ({"each": {"columns": {"a": {"colour": "x"}}}}, "options.each", "no text field of a result"),
        ({"encoding": "latin-1"}, "options.encoding", "Input should be"),
    ],
)
def test_faults_are_named_with_their_place(options: dict[str, Any], path: str, message: str) -> None:
    found = problems(**options)
    assert len(found) == 1
    assert found[0][0] == path
    assert message in found[0][1]
