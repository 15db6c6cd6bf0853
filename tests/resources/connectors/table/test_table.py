"""The table connector: every format into results by the same mapping, and nothing lost or guessed on the way."""

from __future__ import annotations

import io
import json
from typing import Any

import polars as pl
import pytest
from inbound import source_of

from methods.catalog.received import receive
from resources.connectors import ConnectorError, SnapshotFile, parse
from warehouse.received import ReceivedRow

FIELDS: dict[str, Any] = {
    "benchmark": {"const": "B"},
    "metric": {"const": "m"},
    "unit": {"const": "score"},
    "value": {"field": "score", "type": "number"},
    "model": "model",
}


def rows_of(data: bytes | list[SnapshotFile], format: str = "csv", **options: Any) -> tuple[ReceivedRow, ...]:  # noqa: A002
    files = data if isinstance(data, list) else [SnapshotFile("f", data)]
    spec = source_of("x", connector="table", options={"format": format, "fields": FIELDS} | options)
    return parse(spec, files).rows


def values(rows: tuple[ReceivedRow, ...]) -> list[tuple[object, object]]:
    return [(row.record["model"], row.record["value"]) for row in rows if row.record is not None and not row.problem]


def readable(rows: tuple[ReceivedRow, ...]) -> bool:
    return receive("board", "0" * 64, rows)["problem"].null_count() == len(rows)


TABLE = [{"model": "A", "score": 61.5}, {"model": "2024-11-20", "score": 0}]


def parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame({"model": ["A", "2024-11-20"], "score": [61.5, 0.0]}).write_parquet(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("json", json.dumps(TABLE).encode()),
        ("jsonl", "\n".join(map(json.dumps, TABLE)).encode() + b"\n"),
        ("yaml", b"- {model: A, score: 61.5}\n- model: 2024-11-20\n  score: 0\n"),
        ("csv", b"model,score\nA,61.5\n2024-11-20,0\n"),
        ("csv", b'\xef\xbb\xbf"model","score"\r\n"A","61.5"\r\n2024-11-20,0'),
        ("tsv", b"model\tscore\nA\t61.5\n2024-11-20\t0\n"),
        ("parquet", parquet()),
    ],
)
def test_every_format_reads_as_the_same(format: str, data: bytes) -> None:  # noqa: A002
    rows = rows_of(data, format)
    assert values(rows) == [("A", 61.5), ("2024-11-20", 0)]
    assert readable(rows)


@pytest.mark.parametrize("token", ["-", "", "NaN", "Infinity", "77.47%", "🚀", "n/a", "1,234", "TBD", "−5"])
def test_a_score_that_is_no_number_keeps_its_token(token: str) -> None:
    rows = rows_of(f'model,score\nA,"{token}"\nB,5\n'.encode())
    assert values(rows) == [("A", token), ("B", 5)]
    assert rows[0].raw == token
    assert readable(rows)


def test_a_percent_text_is_a_number_only_where_declared() -> None:
    data = b"model,score\nA,77.47%\nB,77.47\n"
    percent = FIELDS | {"value": {"field": "score", "type": "percent_text"}}
    assert values(rows_of(data)) == [("A", "77.47%"), ("B", 77.47)]
    assert values(rows_of(data, fields=percent)) == [("A", 77.47), ("B", "77.47")]


def test_gbk_where_declared() -> None:
    data = "model,score\n文心一言,71\n".encode("gbk")
    assert values(rows_of(data, encoding="gbk")) == [("文心一言", 71)]
    with pytest.raises(ConnectorError, match="is not utf-8"):
        rows_of(data)


@pytest.mark.parametrize("name", ["1.10", "2024-11-20", "no", "007", "41_10_1", "1e5", "gpt\u200b-4", "ɡpt-4", "true"])
@pytest.mark.parametrize("format", ["csv", "yaml", "json"])
def test_names_stay_byte_identical(name: str, format: str) -> None:  # noqa: A002
    """D11, D12."""
    data = {
        "csv": f"model,score\n{name},5\n",
        "yaml": f"- model: {name}\n  score: 5\n",
        "json": json.dumps([{"model": name, "score": 5}]),
    }[format]
    rows = rows_of(data.encode(), format)
    assert values(rows) == [(name, 5)]
    assert readable(rows)


def test_json_numbers_as_names_keep_their_digits() -> None:
    assert values(rows_of(b'[{"model": 4.10, "score": 5}]', "json")) == [("4.10", 5)]


# ---- changed columns


def test_a_renamed_column_fails_the_source_and_is_named() -> None:
    """A16: header 'NonLive AST Summary' where the mapping knows 'NonLive AST Acc'."""
    fields = FIELDS | {"value": {"field": "NonLive AST Acc", "type": "number"}}
    with pytest.raises(ConnectorError, match="the columns changed; missing: 'NonLive AST Acc'") as caught:
        rows_of(b"model,NonLive AST Summary\nA,5\n", fields=fields)
    assert caught.value.field == "NonLive AST Acc"
    aliases = {"field": "NonLive AST Acc", "aliases": ["NonLive AST Summary"], "type": "number"}
    assert values(rows_of(b"model,NonLive AST Summary\nA,5\n", fields=FIELDS | {"value": aliases})) == [("A", 5)]


def test_listed_columns_are_all_there_may_be() -> None:
    columns = ["model", "score"]
    with pytest.raises(ConnectorError, match="missing: 'score'; new: 'points'"):
        rows_of(b"model,points\nA,5\n", columns=columns)
    with pytest.raises(ConnectorError, match="new: 'rank'"):
        rows_of(b"model,score,rank\nA,5,1\n", columns=columns)
    assert values(rows_of(b"model,score,rank\nA,5,1\n", columns=columns, new_columns="ignore")) == [("A", 5)]


def test_the_order_of_columns_is_free_unless_the_mapping_lists_them() -> None:
    """Cells are read by name; a listed order that changed may be a header that came apart from its cells."""
    assert values(rows_of(b"score,model\n5,A\n")) == [("A", 5)]
    with pytest.raises(ConnectorError, match="another order: 'score' where 'model' was"):
        rows_of(b"score,model\n5,A\n", columns=["model", "score"])


def test_a_header_alone_is_still_compared() -> None:
    with pytest.raises(ConnectorError, match="the columns changed"):
        rows_of(b"garbage\n")


def test_a_key_that_no_row_of_a_tree_has_is_a_changed_column() -> None:
    with pytest.raises(ConnectorError, match="missing: 'score'"):
        rows_of(b'[{"model": "A", "points": 5}]', "json")
    rows = rows_of(b'[{"model": "A", "score": 5}, {"model": "B"}]', "json")
    assert rows[1].problem == "value: the row has no field 'score'"


def test_columns_that_repeat_are_an_error() -> None:
    with pytest.raises(ConnectorError, match="columns repeat: 'score'"):
        rows_of(b"model,score,score\nA,5,6\n")


# ---- bad rows


def test_a_short_row_is_a_problem_and_never_shifts_values() -> None:
    rows = rows_of(b"model,score\nA,5\nB\nC,6,7\nD,8\n")
    assert values(rows) == [("A", 5), ("D", 8)]
    assert [(row.row_locator, row.problem) for row in rows if row.problem] == [
        ("line 3", "1 cells where the header has 2"),
        ("line 4", "3 cells where the header has 2"),
    ]
    assert rows[2].raw == "C,6,7"


def test_a_quoted_line_break_keeps_later_line_numbers_right() -> None:
    rows = rows_of(b'model,score\n"A\nB",5\n\nC\n')
    assert values(rows) == [("A\nB", 5)]
    assert rows[1].row_locator == "line 5"


@pytest.mark.parametrize("data", [b'model,score\n"A,5\n', b'model,score\n"A"x,5\n'])
def test_broken_quotes_are_an_error_with_their_line(data: bytes) -> None:
    with pytest.raises(ConnectorError, match="not csv"):
        rows_of(data)


def test_a_bad_line_of_json_lines_is_one_problem_but_a_cut_last_one_is_a_truncated_file() -> None:
    good = b'{"model": "A", "score": 5}\n'
    rows = rows_of(good + b"{bad}\n" + good, "jsonl")
    assert [row.problem is None for row in rows] == [True, False, True]
    assert rows[1].raw == "{bad}"
    with pytest.raises(ConnectorError, match="line 2: the last line is cut short: truncated"):
        rows_of(good + b'{"model": "B", "sco', "jsonl")


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("json", b'[{"model": "A", "score": 5}, {"mod'),
        ("yaml", b"- {model: A, sc"),
        ("parquet", parquet()[:-20]),
        ("parquet", b"PAR1 nonsense"),
    ],
)
def test_truncated_files_are_errors(format: str, data: bytes) -> None:  # noqa: A002
    with pytest.raises(ConnectorError):
        rows_of(data, format)


def test_a_field_that_cannot_be_read_is_a_problem_of_its_row_or_null_where_allowed() -> None:
    data = b"model,score,n\nA,5,many\nB,6,10\n"
    strict = rows_of(data, fields=FIELDS | {"n_samples": "n"})
    assert strict[0].problem == "n_samples: 'many' is no whole number"
    assert strict[0].raw == "5"
    assert strict[1].record is not None
    assert strict[1].record["n_samples"] == 10
    lenient = rows_of(data, fields=FIELDS | {"n_samples": {"field": "n", "on_error": "null"}})
    assert values(lenient) == [("A", 5), ("B", 6)]


def test_an_empty_optional_cell_states_nothing_and_an_empty_name_is_unreadable() -> None:
    rows = rows_of(b"model,score,dev\nA,5,\n,6,X\n", fields=FIELDS | {"developer": "dev"})
    assert rows[0].record is not None
    assert "developer" not in rows[0].record
    received = receive("board", "0" * 64, rows)
    assert received["problem"].null_count() == 1
    assert received.height == 2


def test_rows_left_out_by_rule_are_listed_with_their_reason() -> None:
    skip = [{"field": "model", "equals": "Human", "reason": "people, not a model"},
            {"field": "score", "is_missing": True, "reason": "not run"},
            {"field": "model", "matches": "^Random", "reason": "a baseline"}]  # fmt: skip
    rows = rows_of(b"model,score\nHuman,99\nA,5\nB,\nRandom 1,2\n", skip=skip)
    assert [row.problem for row in rows] == [
        "left out by the source's mapping: people, not a model", None,
        "left out by the source's mapping: not run", "left out by the source's mapping: a baseline",
    ]  # fmt: skip


def test_too_many_rows_are_an_error() -> None:
    with pytest.raises(ConnectorError, match="more than 1 rows"):
        rows_of(b"model,score\nA,5\nB,6\n", max_rows=1)
    wide = {"each": {"columns": ["x", "y"]}, "fields": FIELDS | {"value": {"each": "value", "type": "number"}}}
    with pytest.raises(ConnectorError, match="more than 1 results"):
        rows_of(b"model,x,y\nA,5,6\n", max_rows=1, **wide)


# ---- origins and steps


def test_a_wide_table_gives_a_result_per_column() -> None:
    fields = FIELDS | {"metric": {"each": "name"}, "value": {"each": "value", "type": "number"}}
    rows = rows_of(b"model,easy,hard\nA,5,0\nB,,7\n", fields=fields, each={"columns": ["easy", "hard"]})
    assert [(r.record["model"], r.record["metric"], r.record["value"]) for r in rows if r.record] == [
        ("A", "easy", 5), ("A", "hard", 0), ("B", "easy", ""), ("B", "hard", 7),
    ]  # fmt: skip
    assert [row.row_locator for row in rows[:2]] == ["line 2, easy", "line 2, hard"]


def test_columns_may_fix_their_own_fields() -> None:
    each = {"columns": {"cost": {"metric": "cost", "unit": "usd"}, "score": {"metric": "accuracy"}}}
    fields = FIELDS | {"value": {"each": "value", "type": "number"}}
    rows = rows_of(b"model,score,cost\nA,5,1\n", fields=fields, each=each)
    found = [row.record or {} for row in rows]
    assert [(r["metric"], r["unit"], r["value"]) for r in found] == [("cost", "usd", 1), ("accuracy", "score", 5)]


def test_a_key_that_a_row_of_a_tree_lacks_was_not_measured() -> None:
    fields = FIELDS | {"metric": {"each": "name"}, "value": {"each": "value", "type": "number"}}
    data = b'[{"model": "A", "x": 1, "y": null}, {"model": "B", "x": 2}]'
    rows = rows_of(data, "json", fields=fields, each={"columns": ["x", "y"]})
    assert [(r.record["model"], r.record["metric"], r.record["value"]) for r in rows if r.record] == [
        ("A", "x", 1), ("A", "y", None), ("B", "x", 2),
    ]  # fmt: skip


def test_columns_may_lie_deeper() -> None:
    fields = FIELDS | {"model": {"key": 0}, "subset": {"each": "name"}, "value": {"each": "value", "type": "number"}}
    each = {"columns": {"pass@1.instruct": {"setting": "instruct"}, "pass@1.complete": {}}}
    data = b'{"A": {"pass@1": {"instruct": 5, "complete": null}}, "B": {"pass@1": {"complete": 7}}}'
    rows = rows_of(data, "json", rows="{*}", fields=fields, each=each)
    assert values(rows) == [("A", 5), ("A", None), ("B", 7)]
    assert rows[0].record is not None
    assert rows[0].record["setting"] == "instruct"
    with pytest.raises(ConnectorError, match=r"missing: 'pass@1\.instruct'"):
        rows_of(b'{"B": {"pass@1": {"complete": 7}}}', "json", rows="{*}", fields=fields, each=each)


def test_parents_keys_and_files() -> None:
    document = {"day": "2026-10-20", "boards": {"lite": {"m-1": {"score": 5}, "m-2": {"score": 6}}}}
    fields = FIELDS | {
        "model": {"key": 0},
        "subset": {"key": 1},
        "updated_at": {"parent": "day", "level": 2, "type": "date"},
        "setting": {"file": "stem"},
    }
    files = [
        SnapshotFile("a/one.json", json.dumps(document).encode()),
        SnapshotFile("b/two.json", json.dumps(document).encode()),
    ]
    rows = rows_of(files, "json", rows="boards{*}{*}", fields=fields)
    assert len(rows) == 4
    assert rows[3].record == {
        "benchmark": "B", "metric": "m", "unit": "score", "value": 6, "model": "m-2", "subset": "lite",
        "updated_at": "2026-10-20", "setting": "two",
    }  # fmt: skip
    assert rows[3].row_locator == "b/two.json: boards.lite.m-2"
    assert len({row.row_locator for row in rows}) == 4


def test_a_bare_value_is_a_row_too() -> None:
    fields = FIELDS | {"model": {"key": 0}, "value": {"field": ".", "type": "number"}}
    assert values(rows_of(b'{"A": 5, "B": 6.5}', "json", rows="{*}", fields=fields)) == [("A", 5), ("B", 6.5)]


def test_steps_of_a_rule() -> None:
    data = json.dumps([{
        "model": "org/m-1", "score": 5, "cost": 0, "mark": True, "board": "Lite", "links": ["https://a", "https://b"],
        "tags": ["Model: m-1", "Org: X"], "v": "1.2", "inner": {"n": 7}, "state": "none",
    }]).encode()  # fmt: skip
    fields = FIELDS | {
        "model": {"field": "model", "pattern": "org/(.+)"},
        "subset": {"field": "board", "lower": True},
        "tier": {"field": "mark", "map": {"true": "verified"}, "otherwise": None},
        "source_url": {"field": "links", "first": True},
        "model_id": {"field": "tags", "pick": "Model: (.+)"},
        "setting": {"field": "state", "null_if": ["none"]},
    }
    protocol = {"harness": {"field": "v", "template": "agent {}"}, "steps": "inner.n"}
    extra = {"cost_usd": {"field": "cost", "type": "number", "zero_means": "not_tracked"}, "tags": "tags"}
    row = rows_of(data, "json", fields=fields, protocol=protocol, extra=extra)[0]
    assert row.problem is None
    assert row.record == {
        "benchmark": "B", "metric": "m", "unit": "score", "value": 5, "model": "m-1", "subset": "lite",
        "tier": "verified", "source_url": "https://a", "model_id": "m-1",
        "protocol": {"harness": "agent 1.2", "steps": 7,
                     "extra": {"cost_usd": "not_tracked", "tags": ["Model: m-1", "Org: X"]}},
    }  # fmt: skip
    assert readable((row,))


def test_a_cost_of_zero_that_is_not_tracked_is_no_number() -> None:
    """A27."""
    extra = {"cost_usd": {"field": "cost", "type": "number", "zero_means": "not_tracked"}}
    rows = rows_of(b"model,score,cost\nA,5,0.0000\nB,5,0.1\n", extra=extra)
    assert [row.record["protocol"]["extra"]["cost_usd"] for row in rows if row.record] == ["not_tracked", 0.1]  # type: ignore[index]


def test_null_and_the_word_none_are_different_settings() -> None:
    """A26."""
    rows = rows_of(
        b'[{"model":"A","score":1,"e":null},{"model":"B","score":1,"e":"none"}]', "json", protocol={"effort": "e"}
    )
    assert [row.record.get("protocol") for row in rows if row.record] == [None, {"effort": "none"}]


def test_a_name_in_a_link_is_split_by_patterns() -> None:
    """A59: the text is the name, the link is stored."""
    fields = FIELDS | {"model": {"field": "model", "pattern": r"\[(.+)\]\(.*\)"},
                       "model_url": {"field": "model", "pattern": r"\[.+\]\((.*)\)"}}  # fmt: skip
    row = rows_of(b"model,score\n[foo-v2](https://h/x),5\n", fields=fields)[0]
    assert row.record is not None
    assert (row.record["model"], row.record["model_url"]) == ("foo-v2", "https://h/x")


def test_a_token_outside_a_closed_map_is_a_problem() -> None:
    fields = FIELDS | {"tier": {"field": "mark", "map": {"yes": "verified", "no": None}}}
    rows = rows_of(b"model,score,mark\nA,1,yes\nB,1,no\nC,1,maybe\n", fields=fields)
    assert [row.problem for row in rows] == [None, None, "tier: 'maybe' is none of 'yes', 'no'"]


def test_parquet_keeps_large_integers_dates_and_not_a_number() -> None:
    """D20 and NaN in a column."""
    buffer = io.BytesIO()
    pl.DataFrame(
        {"model": ["A", "B"], "score": [float("nan"), 0.1], "big": [14000000000000000001, 1]},
        schema_overrides={"big": pl.UInt64},
    ).write_parquet(buffer)
    rows = rows_of(buffer.getvalue(), "parquet", extra={"id": {"field": "big", "type": "text"}})
    assert values(rows) == [("A", "NaN"), ("B", 0.1)]
    assert rows[0].record is not None
    assert rows[0].record["protocol"]["extra"]["id"] == "14000000000000000001"  # type: ignore[index]


def test_a_parquet_that_expands_too_far_is_refused_before_it_is_read() -> None:
    buffer = io.BytesIO()
    pl.DataFrame({"model": ["A"] * 5, "score": [1.0] * 5}).write_parquet(buffer)
    with pytest.raises(ConnectorError, match="5 rows"):
        rows_of(buffer.getvalue(), "parquet", max_rows=4)
