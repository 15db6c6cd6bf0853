"""Figures of a score taken apart and of a metric, as pages state them: the step to points, the unit, the precision."""

from __future__ import annotations

import re

import pytest

from resources.site.inputs import SiteInputs
from warehouse.linked_words import BASELINES

OWN = re.compile(
    rb'<tr><th scope="row"><a href="\.\./metrics/[^>]*>[^<]*</a></th><td class="n"><data value="([^"]+)">.*?'
    rb'<data value="([^"]+)">([^<]*)</data>(.*?)</td><td class="n"><data value="([^"]+)">.*?'
    rb'<data value="([^"]+)">'
)


def test_the_stated_formula_gives_the_points_beside_it(large: dict[str, bytes], large_inputs: SiteInputs) -> None:
    slope = large_inputs.catalog.methodology.category.slope
    checked = 0
    for name, page in large.items():
        if not name.startswith("models/"):
            continue
        assert f"{slope:g} × weight × z points" in page.decode()
        for points, value, _, stated, z, weight in OWN.findall(page):
            assert float(points) == pytest.approx(slope * float(weight) * float(z), abs=1e-9)
            said = re.search(rb"stated as ([0-9.e+-]+) score<", stated)
            assert said is not None, name
            assert float(said[1]) == pytest.approx(100 * float(value), rel=1e-5)
            checked += 1
    assert checked > 500
    assert f"{slope:g} × weight × z of each own observation" in large["reading.html"].decode()


def test_a_metric_shows_how_each_value_was_stated_and_what_precision_is(large: dict[str, bytes]) -> None:
    """The synthetic release states every value in percent; pages show fractions, and the stated value beside each."""
    pages = [page.decode() for name, page in large.items() if name.startswith("metrics/") and b'id="on"' in page]
    assert pages
    for page in pages:
        rows = page.split('id="on"')[1].split("<tbody>")[1].split("</tbody>")[0].count("<tr>")
        assert page.count("stated as ") == rows
        assert "Precision is 1 / variance, and less where" in page


def test_a_dimension_is_marked_as_a_name(large: dict[str, bytes]) -> None:
    """One is called evidence: without a mark, a sentence about it says something else."""
    assert "Dimensions: <code>" in large["boards/coding.html"].decode()
    lacking = [page.decode() for name, page in large.items() if name.startswith("models/")]
    assert any(re.search("Dimensions not measured: <code>[a-z-]+</code>", page) for page in lacking)
    assert not any("Not measured:" in page for page in lacking)


def test_gates_are_counted_apart_and_their_short_names_have_a_key(large: dict[str, bytes]) -> None:
    page = large["gates.html"].decode()
    for name in (
        "PSS",
        "M, H",
        "<code>without:NAME</code>",
        "evidence drawn anew",
        *(f"<code>{b}</code>" for b in BASELINES),
    ):
        assert f"<dt>{name}</dt>" in page, name
    assert "did not pass" not in page + large["index.html"].decode()


def test_a_first_release_says_that_there_is_no_earlier_one(large: dict[str, bytes], large_inputs: SiteInputs) -> None:
    assert large_inputs.manifest.baseline_release_id is None
    assert "there is no earlier one to compare it with" in large["index.html"].decode()
