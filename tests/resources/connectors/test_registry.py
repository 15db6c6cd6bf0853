"""The registry of connectors: none is forgotten, and what no connector may read is refused before any is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from inbound import native, source_of

from resources import connectors
from resources.connectors import CONNECTORS, ConnectorError, SnapshotFile, option_problems, parse

SUPPORT = {"errors", "files", "packed"}


def test_every_connector_module_is_registered() -> None:
    folder = Path(connectors.__file__).parent
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert {name.replace("_", "-") for name in modules - SUPPORT - {"__init__"}} == set(CONNECTORS)


def test_an_unknown_connector_is_a_problem_of_its_entry() -> None:
    problems = option_problems(source_of("x", connector="magic"))
    assert problems == [(("connector",), "'magic' is none of every-eval-ever, native, table")]


def test_an_option_where_none_is_known() -> None:
    assert option_problems(source_of("x", options={"rows": 1})) == [
        (("options", "rows"), "the native connector has no options")
    ]


def test_no_file_an_empty_file_and_a_web_page() -> None:
    source = source_of("x")
    for files, message in [
        ([], "no file"),
        ([SnapshotFile("a.json", b"")], r"a.json: empty \(0 bytes\)"),
        ([SnapshotFile("a.json", b"\n\n")], "empty"),
        ([SnapshotFile("a.json", b"<html><body>Sign in</body></html>")], "web page"),
    ]:
        with pytest.raises(ConnectorError, match=message):
            parse(source, files)


def test_an_error_names_file_row_and_field() -> None:
    """D21."""
    error = ConnectorError("a.csv", "is wrong", row="line 3", field="score")
    assert str(error) == "a.csv, line 3, score: is wrong"
    assert (error.file, error.row, error.field) == ("a.csv", "line 3", "score")


def test_native_is_read() -> None:
    assert len(parse(source_of("x"), [SnapshotFile("a.json", native(3))]).rows) == 3
