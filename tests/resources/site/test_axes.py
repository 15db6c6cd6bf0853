"""Drawings with axes: every value lands where the axis says, texts stay text, nothing lies outside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from resources.site.axes import Axes
from resources.site.axis_marks import MINUS, mark_labels, marks, text_width
from resources.site.svg_pieces import NO_FILL, STRONG, WEAK


@pytest.mark.parametrize(
    ("low", "high", "room", "wanted"),
    [
        (0, 100, 6, ["0", "20", "40", "60", "80", "100"]),
        (0, 1, 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (1, 0, 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-3, 3, 4, [f"{MINUS}2", "0", "2"]),
        (0.001, 0.0034, 5, ["0.0010", "0.0015", "0.0020", "0.0025", "0.0030"]),
        (5, 5, 4, ["5"]),
        (-0.1, 0.1, 2, [f"{MINUS}0.1", "0.0", "0.1"]),
    ],
)
def test_marks_are_round_and_within_the_axis(low: float, high: float, room: float, wanted: list[str]) -> None:
    assert mark_labels(marks(low, high, room)) == wanted


def test_marks_of_counts_are_whole() -> None:
    assert mark_labels(marks(0, 3, 9, whole=True)) == ["0", "1", "2", "3"]
    assert mark_labels(marks(0, 24, 9, whole=True)) == ["0", "5", "10", "15", "20"]


def test_wide_signs_take_more_room() -> None:
    assert text_width("模型", 10) > text_width("ab", 10) > text_width("il", 10) > 0
    assert text_width("e\u0301", 10) == text_width("e", 10)


def drawn(axes: Axes) -> ElementTree.Element:
    return ElementTree.fromstring(str(axes.svg("a name")))


def labelled(root: ElementTree.Element) -> dict[str, tuple[float, float]]:
    return {
        str(one.text): (float(one.attrib["x"]), float(one.attrib["y"]))
        for one in root.iter("text")
        if "x" in one.attrib
    }


def test_a_point_lies_over_its_marks() -> None:
    axes = Axes(7.2, 3)
    axes.plot([0.5], [40], colour=STRONG, marker="s", size=4)
    axes.x_ends(0, 1)
    axes.y_ends(0, 80)
    root = drawn(axes)
    places = labelled(root)
    path = next(one.attrib["d"] for one in root.iter("path") if "z" in one.attrib["d"])
    left, top = (float(number) for number in re.findall(r"-?\d+\.?\d*", path)[:2])
    middle = (places["0.4"][0] + places["0.6"][0]) / 2
    assert left + 2 == pytest.approx(middle, abs=0.11)
    assert top + 2 == pytest.approx(places["40"][1] - 9.5 * 0.36, abs=0.11)


def test_bars_begin_at_their_start_and_rows_run_downwards() -> None:
    axes = Axes(7.2, 2)
    axes.bar(0, 10, height=0.6, colour=STRONG)
    axes.bar(1, 5, 10, height=0.6, colour=WEAK)
    axes.rows(["first", "second"])
    root = drawn(axes)
    first, second = (one.attrib for one in root.iter("rect"))
    assert float(first["x"]) == pytest.approx(labelled(root)["0"][0], abs=0.11)
    assert float(first["x"]) + float(first["width"]) == pytest.approx(float(second["x"]), abs=0.21)
    assert float(first["y"]) < float(second["y"])
    assert labelled(root)["first"][1] < labelled(root)["second"][1]


def test_nothing_lies_outside_however_long_the_names_are() -> None:
    axes = Axes(7.2, 2)
    axes.bar(0, 120, height=0.6, colour=STRONG, label="one")
    axes.bar(1, -20, height=0.6, colour=STRONG)
    axes.x_ends(0, 100)
    axes.rows(["a long name of a row indeed", "模型"])
    axes.legend(1)
    root = drawn(axes)
    width, height = (float(number) for number in root.attrib["viewBox"].split()[2:])
    bars = list(root.iter("rect"))
    assert len(bars) == 2, "the bar below the axis has no room; the other, and the legend's"
    for one in bars:
        assert float(one.attrib["x"]) >= 0
        assert float(one.attrib["x"]) + float(one.attrib["width"]) <= width
    for x, y in labelled(root).values():
        assert 0 <= x <= width and 0 <= y <= height


def test_names_stay_text_and_marks_are_hollow_where_asked() -> None:
    axes = Axes(4, 2)
    axes.plot([1, None, 3], [1, 2, 3], colour=STRONG, width=1.5, dashes=(4, 2), marker="o", fill=NO_FILL, label="<b>&")
    axes.text(1, 1, '"><script>', align="start")
    axes.titles("<i>", "</svg>")
    axes.legend(1)
    said = str(axes.svg('"name"'))
    root = ElementTree.fromstring(said)
    assert {"<b>&", '"><script>', "<i>", "</svg>"} <= {one.text for one in root.iter("text")}
    assert root.attrib["aria-label"] == '"name"'
    assert "stroke-dasharray: 6 3" in said
    assert 'fill: none; stroke: var(--accent); stroke-width: 1"' in said.replace("stroke-width: 1.0", "stroke-width: 1")


def test_a_drawing_without_values_stands() -> None:
    root = drawn(Axes(4, 2))
    assert root.attrib["role"] == "img"
    alone = Axes(4, 2)
    alone.plot([2], [0.5], colour=STRONG, marker="o")
    assert "nan" not in str(alone.svg("one"))
