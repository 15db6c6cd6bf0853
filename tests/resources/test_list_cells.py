"""Lists in cells of samples: arrays, bars, nothing stated, and what is no list."""

from __future__ import annotations

import polars as pl
import pytest

from resources.list_cells import ListCellError, with_lists


def read(*cells: str | None) -> list[list[str] | None]:
    return with_lists(pl.DataFrame({"retrieved": list(cells)}, schema={"retrieved": pl.String}), ["retrieved", "gone"])[
        "retrieved"
    ].to_list()


def test_forms() -> None:
    assert read('["a", "b|c", 7]', "a | b", "a", "[]", None) == [["a", "b|c", "7"], ["a", "b"], ["a"], [], None]


def test_arrays_of_the_form_itself_stay() -> None:
    frame = pl.DataFrame({"relevant": [[1, 2], None]})
    assert with_lists(frame, ["relevant"])["relevant"].to_list() == [["1", "2"], None]
    assert with_lists(pl.DataFrame({"relevant": [None]}), ["relevant"])["relevant"].to_list() == [None]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("a||b", "empty part"),
        ("[1, 2", "no JSON array"),
        ("[[1]]", "other than texts"),
        ("[1.5]", "other than texts"),
        ("", "empty part"),
    ],
)
def test_what_is_no_list_is_named(cell: str, said: str) -> None:
    with pytest.raises(ListCellError, match=f"row 2, retrieved: .*{said}"):
        read("a", cell)
    with pytest.raises(ListCellError, match="no list"):
        with_lists(pl.DataFrame({"claims": [1.0]}), ["claims"])
