"""A handmade file for every format beyond the plain ones: Markdown, HTML, XLSX, cells of HTML, scripts, gzip."""

from __future__ import annotations

import gzip
import io
import zipfile
from datetime import date
from typing import Any

import pytest
from small_mapping import FIXED, records, rows
from small_workbook import workbook

from resources.connectors import ConnectorError

PAGE = """
# A board

Talk with `a | b` and a pipe.

## First

| x |
|---|
| 1 |

## Results[^1]

| Rank | Model | Score[^2] | Note |
|:-:|---|--:|---|
| 1 | **[Foo v2](https://h.example/foo)**<br>(Lab) | 72.8 ± 0.9[^pad] | `x\\|y` |
| | **Group** | | |
| 2 | Bar &amp; Co | **n/a** |

[^1]: All of them.
[^2]: Percent.
[^pad]: Computed by padding.
""".encode()


def test_a_markdown_table_with_links_footnotes_bold_and_plus_minus() -> None:
    """A59: the name is the link's text, the link stands beside it; footnotes in words; a group's heading is no row."""
    found = rows(
        PAGE,
        format="markdown",
        table={"heading": "Results"},
        columns=["Rank", "Model", "Score", "Note"],
        skip=[{"field": "Rank", "is_missing": True, "reason": "the heading of a group"}],
        fields={
            **FIXED,
            "model": "Model",
            "model_url": {"field": "Model::link", "optional": True},
            "value": {"field": "Score", "pattern": r"([0-9.]+) ± [0-9.]+", "type": "number"},
            "stderr": {"field": "Score", "pattern": r"[0-9.]+ ± ([0-9.]+)", "type": "number", "on_error": "null"},
            "notes": {"field": "Score::notes", "optional": True},
        },
        extra={"note": "Note"},
    )
    first, group, last = found
    assert first.row_locator == "line 16"
    assert first.record == {
        "benchmark": "B", "metric": "m", "unit": "score", "model": "Foo v2 (Lab)", "value": 72.8, "stderr": 0.9,
        "model_url": "https://h.example/foo", "notes": "Computed by padding.", "protocol": {"extra": {"note": "x|y"}},
    }  # fmt: skip
    assert group.problem == "left out by the source's mapping: the heading of a group"
    assert (last.record or {})["model"] == "Bar & Co"
    assert (last.record or {})["value"] == "n/a"


def test_a_markdown_table_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(ConnectorError, match=r"0 tables below the heading 'Scores'.*'First', 'Results'"):
        fields = {**FIXED, "model": "M", "value": {"const": 1}}
        rows(PAGE, format="markdown", table={"heading": "Scores"}, fields=fields)


HTML = b"""<!doctype html><html><body><h2>Old</h2><table><tr><td>x</td></tr></table>
<h2>Board  <i>now</i></h2><table>
<thead><tr><th>Model</th><th>A</th><th>B</th></tr></thead>
<tr><td rowspan=2><a href="https://h.example/m">M<b>1</b></a></td><td>1.5</td><td>2.5</td></tr>
<tr><td colspan="2">3.5<script>alert(1)</script></td></tr>
<tr><td>M2</td><td>4.5</td></tr></table></body></html>"""


def test_an_html_table_with_spanning_cells() -> None:
    found = rows(
        HTML,
        format="html",
        table={"heading": "Board now"},
        each={"columns": ["A", "B"]},
        fields={
            **FIXED,
            "subset": {"each": "name"},
            "value": {"each": "value", "type": "number"},
            "model": "Model",
            "model_url": {"field": "Model::link", "optional": True},
        },
    )
    values = [(r.record["model"], r.record["subset"], r.record["value"]) for r in found if r.record]
    assert values == [("M1", "A", 1.5), ("M1", "B", 2.5), ("M1", "A", 3.5), ("M1", "B", 3.5)]
    assert (found[0].record or {})["model_url"] == "https://h.example/m"
    assert found[-1].problem == "2 cells where the header has 3"


def test_a_web_page_is_an_error_where_none_is_meant() -> None:
    with pytest.raises(ConnectorError, match="a web page came in place of data"):
        rows(HTML, format="csv", fields={**FIXED, "model": "Model", "value": {"const": 1}})


def test_a_csv_with_two_header_rows_and_cells_of_html() -> None:
    text = (
        "<span>Task</span>,<a href='t'>Reading</a>,hidden\n"
        "Model,<a href='u'>squad</a>,Open\n"
        "\"<a href='https://hf.example/o/m'>o/m#thinking (val)</a>\",69.12 ± 1.83 / 70.52 ± 1.64@@69.12,(✓)\n"
        "plain <b>name</b>,?,✗\n"
    )
    common = {
        "format": "csv",
        "header_row": 2,
        "cells": "html",
        "each": {"columns": ["squad"]},
        "fields": {**FIXED, "model": "Model", "model_url": {"field": "Model::link", "optional": True}},
        "extra": {"open": "Open"},
    }
    value = {"each": "value", "null_if": ["?"], "type": "number"}
    first = {"value": value | {"pattern": r"([0-9.]+) ± .*"}}
    first["stderr"] = first["value"] | {"pattern": r"[0-9.]+ ± ([0-9.]+) .*", "interval": 0.95, "on_error": "null"}
    second = {"value": value | {"pattern": r".* / ([0-9.]+) ± .*"}}
    found = rows(
        text.encode(), common=common, parts=[{"name": "main", "fields": first}, {"name": "second", "fields": second}]
    )
    assert [row.row_locator for row in found] == [
        "main: line 3, squad", "main: line 4, squad", "second: line 3, squad", "second: line 4, squad",
    ]  # fmt: skip
    made = [row.record or {} for row in found]
    assert [(r["model"], r["value"]) for r in made] == [
        ("o/m#thinking (val)", 69.12), ("plain name", None), ("o/m#thinking (val)", 70.52), ("plain name", None),
    ]  # fmt: skip
    assert made[0]["stderr"] == pytest.approx(1.83 / 1.959964)
    assert made[0]["model_url"] == "https://hf.example/o/m"
    assert found[1].problem is None


def test_a_workbook_with_mixed_dates_blank_rows_and_ratios() -> None:
    """A date is a date, a serial number or a text; trailing blank columns and rows are nothing."""
    data = workbook({
        "Notes": [["nothing here"]],
        "Runs": [
            ["Model", "Max steps", "Rate", "Solved", "Date", None],
            ["a", 15, 26, "9.5/26", date(2025, 7, 28)],
            [None, None],
            ["b", 100.0, "🚧", "-", 45887],
            ["2024-11-20", None, 31.4, "12/360", "Nov 5, 2025"],
        ],
    })  # fmt: skip
    options: dict[str, Any] = {
        "format": "xlsx",
        "sheet": "Runs",
        "columns": ["Model", "Max steps", "Rate", "Solved", "Date"],
        "fields": {
            **FIXED,
            "model": "Model",
            "value": {"field": "Rate", "type": "number", "null_if": ["🚧"]},
            "updated_at": {"field": "Date", "type": "date", "format": ["excel", "%Y-%m-%d", "%b %d, %Y"]},
        },
        "protocol": {"steps": {"field": "Max steps", "type": "integer"}},
    }
    found = records(data, **options)
    assert [(r["model"], r["value"], r["updated_at"]) for r in found] == [
        ("a", 26, "2025-07-28"), ("b", None, "2025-08-18"), ("2024-11-20", 31.4, "2025-11-05"),
    ]  # fmt: skip
    assert [r.get("protocol", {}).get("steps") for r in found] == [15, 100, None]
    ratios = options | {"fields": options["fields"] | {"value": {"field": "Solved", "type": "ratio_text"}}}
    assert [r["value"] for r in records(data, **ratios)] == [9.5 / 26, "-", 12 / 360]
    with pytest.raises(ConnectorError, match="no sheet 'Old'; there are 'Notes', 'Runs'"):
        rows(data, **(options | {"sheet": "Old"}))


def test_a_damaged_or_swollen_workbook_is_refused() -> None:
    data = workbook({"S": [["Model"], ["a"]]})
    options: dict[str, Any] = {"format": "xlsx", "fields": {**FIXED, "model": "Model", "value": {"const": 1}}}
    with pytest.raises(ConnectorError, match="not a workbook, or damaged"):
        rows(data[:-60], **options)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 5_000_000)
    with pytest.raises(ConnectorError, match="expands more than 200 times"):
        rows(buffer.getvalue(), **options)


def test_json_that_a_script_assigns_and_nothing_else_of_it() -> None:
    fields = {**FIXED, "model": "m", "value": {"field": "v", "type": "number"}}
    script = b'window.DATA =\n[{"m": "a", "v": 1.5}];\n'
    assert records(script, format="json", assigned_to="window.DATA", fields=fields)[0]["value"] == 1.5
    assert records(b'const d = [{"m": "a", "v": 2}]', format="json", assigned_to="d", fields=fields)[0]["value"] == 2
    for other in (b"alert(1); window.DATA = []", b"window.DATA = f()", b"window.DATA = []; alert(1)"):
        with pytest.raises(ConnectorError):
            rows(other, format="json", assigned_to="window.DATA", fields=fields)


def test_a_gzipped_file_is_read_and_a_bomb_refused() -> None:
    fields = {**FIXED, "model": "m", "value": {"field": "v", "type": "number"}}
    text = b"m,v\na,1.5\n"
    assert records({"t.csv.gz": gzip.compress(text)}, format="csv", fields=fields)[0]["value"] == 1.5
    with pytest.raises(ConnectorError, match="truncated"):
        rows({"t.csv.gz": gzip.compress(text)[:-6]}, format="csv", fields=fields)
    with pytest.raises(ConnectorError, match="expands to more than"):
        rows({"t.csv.gz": gzip.compress(b"0" * 9_000_000)}, format="csv", fields=fields)
