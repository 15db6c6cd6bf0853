"""The parts a page is made of: numbers and names as shown, addresses, axes, figures, inlined JSON."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic_release import ADDRESSES, HOSTILE

from resources.site import figures, fragments, links
from resources.site.drawing import Axis, axis_over, running
from resources.site.rendering import environment, exact, inline_json, number, shown, signed, size, title


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [(None, 1, "—"), (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (61.25, 2, "61.25"), (1e6, 0, "1000000")],
)
def test_numbers(value: float | None, digits: int, said: str) -> None:
    assert number(value, digits) == said


@pytest.mark.parametrize(
    ("value", "said"), [(None, "—"), (0.0, "0.00"), (0.001, "0.00"), (-0.001, "0.00"), (1.5, "+1.50"), (-1.5, "-1.50")]
)
def test_signed_numbers(value: float | None, said: str) -> None:
    assert signed(value) == said


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_an_exact_number_reads_back(value: float) -> None:
    assert float(exact(value)) == value


def test_words() -> None:
    assert title("instruction-following") == "Instruction following"
    assert [size(n) for n in (12, 1234, 7_654_321)] == ["12 B", "1.2 kB", "7.7 MB"]


def test_signs_that_hide_are_written_out_and_emoji_stay() -> None:
    assert shown("a\u202eb\x07c\x9b") == "a\\u202eb\\x07c\\x9b"
    assert shown("zero\u200bwidth\ufeff soft\u00ad tag\U000e0041") == "zero\\u200bwidth\\ufeff soft\\xad tag\\U000e0041"
    assert shown("👩‍👧 é 模型\n") == "👩‍👧 é 模型\n"


@given(st.text())
def test_any_text_is_escaped_in_text_and_attribute(text: str) -> None:
    rendered = environment().from_string('<p title="{{ t }}">{{ t }}</p>').render(t=text)
    inner = rendered.removeprefix('<p title="').removesuffix("</p>")
    value, content = inner.split('">', 1)
    for part in (value, content):
        assert not re.search(r"[<>\"']", part)
        assert not re.search(r"&(?!(amp|lt|gt|#34|#39);)", part)


@given(st.text() | st.lists(st.text()))
def test_inlined_json_holds_nothing_that_ends_a_script_and_reads_back(value: object) -> None:
    text = str(inline_json(value))
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == value


def test_only_plain_web_addresses_are_linked() -> None:
    linked = [address for address in ADDRESSES if links.outside(address)]
    assert linked == [ADDRESSES[0], ADDRESSES[2]]
    for address in ("ftp://x.example/", "https:///x", "https://", "http://[::1", "https://a.example/" + "x" * 3000, 7):
        assert links.outside(address) is None


@pytest.mark.parametrize("address", [address for address in ADDRESSES if address])
def test_a_link_outward_is_escaped_and_gives_nothing_away(address: str) -> None:
    made = str(fragments.leave(address, HOSTILE[0]))
    assert "<script" not in made
    if links.outside(address):
        assert 'rel="noopener noreferrer external"' in made
    else:
        assert "href" not in made


@pytest.mark.parametrize("identifier", ["gpt-4.1", "a" * 80, "../../etc/passwd", "A b", "x" * 500, "", "名"])
def test_file_names_stay_in_their_folder(identifier: str) -> None:
    name = links.file_name(identifier)
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", name)
    assert (name == identifier) == (identifier in {"gpt-4.1", "a" * 80})


@given(st.lists(st.floats(min_value=-1e6, max_value=1e6), min_size=1, max_size=30))
def test_an_axis_holds_its_values_between_round_marks(values: list[float]) -> None:
    axis = axis_over(values)
    assert axis.low <= min(values) + 1e-6
    assert max(values) <= axis.high + 1e-6
    assert axis.high > axis.low
    assert 1 <= axis.gaps <= 12
    assert all(0 <= float(axis.at(value)) <= 100 for value in values)


def test_an_axis_by_hand() -> None:
    axis = axis_over([33.1, 71.2, None])
    assert (axis.low, axis.high, axis.step) == (30, 80, 10)
    assert axis.at(55) == "50"
    assert axis.ticks[0] == ("0", "30")
    assert axis_over([]) == Axis(0, 100, 20)
    assert running(50, [2.0, -1.0]) == [(50, 52.0), (52.0, 51.0)]


def test_a_figure_is_small_inline_svg_that_follows_the_page() -> None:
    counts = {name: {"rated": 3, "estimated": 2, "unrated": 1} for name in ("math", "a <b> & $x_1$")}
    made = str(figures.statuses(counts))
    root = ElementTree.fromstring(made)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"]
    assert "A <b> & $x 1$" in [text.text for text in root.iter("text")]
    assert not re.search(r"<style|<script|https?:|#0[0-9a-f]{5}|<image|font-family", made)
    assert "var(--accent)" in made
    assert len(made) < 20_000
    assert made == str(figures.statuses(counts))


def test_two_figures_of_a_page_share_no_inner_name() -> None:
    row = {"status": "rated", "effective_coverage": 0.5, "score": 50.0}
    names = [set(re.findall(r' id="([^"]+)"', str(figures.coverage(c, [row])))) for c in ("math", "coding")]
    assert names[0]
    assert not names[0] & names[1]


def test_a_figure_keeps_its_labels_whole() -> None:
    """Coordinates are rounded, what is written beside an axis is not."""
    row = {"status": "rated", "effective_coverage": 0.5, "score": 50.0}
    labels = [text.text for text in ElementTree.fromstring(str(figures.coverage("math", [row]))).iter("text")]
    assert {"0.0", "0.2", "1.0"} <= set(labels)
