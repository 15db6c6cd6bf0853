"""Paths into trees: what they find, what encloses it, and where they lead nowhere."""

from __future__ import annotations

import pytest

from resources.connectors.table.tree_paths import TreePathError, find_rows, parse_path

DOCUMENT = {
    "date": "2026-10-20",
    "boards": [{"name": "A", "results": [{"m": 1}, {"m": 2}]}, {"name": "B", "results": []}, {"name": "C"}],
    "scores": {"gpt 4": {"x": {"v": 1}}, "m-2": {"x": {"v": 2}}},
}


def found(path: str, document: object = DOCUMENT) -> list[tuple[str, object, tuple[str, ...]]]:
    return [(row.locator, row.value, row.keys) for row in find_rows(document, parse_path(path)) if row.problem is None]


def test_items_of_lists_of_lists() -> None:
    assert found("boards[*].results[*]") == [
        ("boards[0].results[0]", {"m": 1}, ("0", "0")),
        ("boards[0].results[1]", {"m": 2}, ("1", "0")),
    ]


def test_parents_are_nearest_first() -> None:
    row = next(iter(find_rows(DOCUMENT, parse_path("boards[*].results[*]"))))
    assert row.parents == (DOCUMENT["boards"][0], DOCUMENT)  # type: ignore[index]
    inner = next(iter(find_rows(DOCUMENT, parse_path("scores{*}.x"))))
    assert (inner.value, inner.parents) == ({"v": 1}, ({"x": {"v": 1}}, DOCUMENT))
    whole = next(iter(find_rows(DOCUMENT, parse_path(""))))
    assert (whole.value, whole.parents, whole.keys) == (DOCUMENT, (), ())
    assert parse_path("boards[*].results[*]").depth == 2
    assert (parse_path("scores{*}.x").depth, parse_path("scores{*}.x").wildcards) == (2, 1)
    assert parse_path("").depth == 0


def test_values_of_mappings_know_their_key_and_odd_keys_are_quoted() -> None:
    assert found("scores{*}") == [
        ("scores.gpt 4", {"x": {"v": 1}}, ("gpt 4",)),
        ("scores.m-2", {"x": {"v": 2}}, ("m-2",)),
    ]
    odd = {"a.b": [1], "a[0]": [2]}
    assert found('"a.b"[*]', odd) == [('["a.b"][0]', 1, ("0",))]
    assert [locator for locator, _, _ in found("{*}[*]", odd)] == ['["a.b"][0]', '["a[0]"][0]']


def test_a_list_at_the_top_and_single_items() -> None:
    assert found("[*]", [1, 2]) == [("[0]", 1, ("0",)), ("[1]", 2, ("1",))]
    assert found("[0][*]", [[5], [6]]) == [("[0][0]", 5, ("0",))]
    assert found("boards[0].name") == [("boards[0].name", "A", ())]


def test_an_element_without_the_key_is_a_problem_of_its_own() -> None:
    rows = list(find_rows(DOCUMENT, parse_path("boards[*].results[*]")))
    assert [(row.locator, row.problem) for row in rows if row.problem] == [
        ("boards[2]", "boards[2]: no key 'results'; found 'name'")
    ]


@pytest.mark.parametrize("path", ["results[*]", "boards{*}", "date[*]", "boards[9]", "date.x[*]"])
def test_another_shape_of_the_document_is_an_error(path: str) -> None:
    with pytest.raises(TreePathError, match="rows"):
        list(find_rows(DOCUMENT, parse_path(path)))


@pytest.mark.parametrize("path", ["a..b", ".a", "a[", "a[x]", "a]", "a{b}", "a.", "a b[*]c", '"a', "a{*"])
def test_paths_that_make_no_sense(path: str) -> None:
    with pytest.raises(TreePathError, match="not understood at character"):
        parse_path(path)
