"""Counting the cells of records: against the standard library's reader, in parts of any size."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import resources.csv_records as module
from resources.csv_records import RaggedRecord, ragged_record


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,b\n1,2\n3\n", RaggedRecord(2, 3, 1, 2)),
        ("a,b\n1,2\n3", RaggedRecord(2, 3, 1, 2)),
        ("a,b\n1,2\n3,4,5\n", RaggedRecord(2, 3, 3, 2)),
        ('a,b\n"x\ny,z",2\n3', RaggedRecord(2, 4, 1, 2)),
        ("a,b\r\n1,2\r\n3\r\n", RaggedRecord(2, 3, 1, 2)),
        ("a,b\n1,2\n3,4", None),
        ("a,b\n1,2\n3,\n", None),
        ('a,b\n"x\n""y"",",2\n', None),
        ("a,b\n1,2\n\n\r\n", None),
        ("a\n1\n\n2\n", None),
        ("a,b\n", None),
        ("a,b", None),
        ("", None),
    ],
)
def test_ragged_records(text: str, found: RaggedRecord | None) -> None:
    assert ragged_record(io.BytesIO(text.encode())) == found


CELLS = st.text(st.sampled_from('a",\n'), max_size=4)


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=6), st.integers(1, 9), st.booleans())
def test_the_standard_reader_agrees(rows: list[list[str]], part: int, is_cut: bool) -> None:
    """Whatever part the file is read in; a quoted file is cut where no quote is open."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    text = written.getvalue()[:-1] if is_cut else written.getvalue()
    wanted = next(((n, len(row), len(rows[0])) for n, row in enumerate(rows) if len(row) != len(rows[0])), None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_BYTES", part)
        found = ragged_record(io.BytesIO(text.encode()))
    assert (None if found is None else (found.row, found.cells, found.heading)) == wanted
    if found is not None:
        before = io.StringIO()
        csv.writer(before, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows[: found.row])
        assert found.line == before.getvalue().count("\n") + 1
