"""Pages of the linked score: bad names stay text, boards say their own error, parted rank ranges name their cohorts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import polars as pl
import pytest
from html_pages import HtmlPage

from methods.backtest.tables import backtest_tables
from methods.linked.tables import linked_tables
from resources.site.build import navigation, shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page, Plain
from resources.site.pages.boards import boards
from resources.site.pages.linked import apart, linked, ranges_meet
from resources.site.rendering import render
from warehouse.linked_words import BASELINES, BOARD_METHOD, CALIBRATED_METHOD, LINKED_METHOD


@pytest.fixture(scope="module")
def with_tables(hostile_inputs: SiteInputs) -> SiteInputs:
    """The release with bad names, with its linked score and its proof."""
    tables, catalog = hostile_inputs.tables, hostile_inputs.catalog
    evidence, board = tables["core__evidence"], tables["out__category_score"]
    more = {**linked_tables(evidence, board, catalog), **backtest_tables(evidence, board, catalog)}
    return replace(hostile_inputs, tables={**tables, **more})


def shown(inputs: SiteInputs) -> dict[str, str]:
    facts, shared = Facts(inputs), shared_values(inputs)
    found = {}
    for page in (*linked(facts), *boards(facts)):
        assert isinstance(page, Page) and not isinstance(page, Plain)
        values = {**shared, **page.values, "page": page, "root": page.root, **page.content()}
        found[page.path] = render(page.template, values).decode()
    return found


def parted(inputs: SiteInputs) -> tuple[SiteInputs, str, str]:
    """The same with the last rated model of the first category on the first place of the linked board alone."""
    scores = inputs.tables["out__linked_score"]
    rated = scores.filter(pl.col("rank").is_not_null())
    category = rated.group_by("category").len().sort("len", "category")["category"][-1]
    board = inputs.tables["out__category_score"].filter((pl.col("category") == category) & pl.col("rank").is_not_null())
    last = board.sort("rank").row(-1, named=True)
    here = (pl.col("category") == category) & (pl.col("model_id") == last["model_id"])
    moved = scores.with_columns(
        pl.when(here).then(0).otherwise(pl.col(name)).alias(name) for name in ("rank_low", "rank_high")
    )
    return replace(inputs, tables={**inputs.tables, "out__linked_score": moved}), category, last["model_id"]


def test_pages_hold_and_load_nothing(with_tables: SiteInputs) -> None:
    pages = shown(with_tables)
    assert "linked.html" in pages
    assert sum(path.startswith("linked/") for path in pages) == 8
    for path, text in pages.items():
        assert "<script>window.broken" not in text, path
        assert HtmlPage(path, text).faults == []
    assert ("linked.html", "Linked") in navigation(with_tables)
    assert "How far to trust it" in pages["boards/math.html"]
    assert "linked/math.html" in pages["boards/math.html"]


def test_every_method_has_a_key_and_every_table_a_heading(with_tables: SiteInputs) -> None:
    """A method's short name is explained on the page that shows it; no table follows another without words between."""
    page = shown(with_tables)["linked.html"]
    for method in (BOARD_METHOD, CALIBRATED_METHOD, LINKED_METHOD, *BASELINES):
        assert f"<code>{method}</code>" in page, method
    for before, after in pairwise(page.split('<div class="scroll')[1:]):
        assert re.search("<h[23]|<figure", before), after[:90]
    assert "by anybody" not in page and "of nobody" not in page
    assert "drawn without a look at their values" in page


def test_without_them_nothing_is_shown(hostile_inputs: SiteInputs) -> None:
    pages = shown(hostile_inputs)
    assert not any(path.startswith("linked") for path in pages)
    assert "How far to trust it" not in pages["boards/math.html"]
    assert ("linked.html", "Linked") not in navigation(hostile_inputs)


def test_parted_ranges_name_their_cohorts(with_tables: SiteInputs) -> None:
    changed, category, model_id = parted(with_tables)
    facts = Facts(changed)
    found = [one for one in apart(facts, category) if one["linked"]["model_id"] == model_id]
    assert len(found) == 1
    own = {row["metric_id"] for row in facts.rows("core__evidence", ("model_id", "metric_id", "category"))
           if (row["model_id"], row["category"]) == (model_id, category)}  # fmt: skip
    named = [cohort["metric_id"] for cohort in found[0]["cohorts"]]
    assert 0 < len(named) <= 6
    assert set(named) <= own
    far = [abs(cohort["cohort_score"] - 50) for cohort in found[0]["cohorts"]]
    assert far == sorted(far, reverse=True)
    pages = shown(changed)
    for path in (f"linked/{category}.html", f"boards/{category}.html"):
        assert "measured against" in pages[path]
    assert ">apart<" in pages[f"linked/{category}.html"]


def test_ranges_meet() -> None:
    one = {"rank": 3, "rank_low": 2, "rank_high": 4}
    assert ranges_meet(one, {"rank": 5, "rank_low": 4, "rank_high": 9})
    assert not ranges_meet(one, {"rank": 5, "rank_low": 5, "rank_high": 9})
    assert ranges_meet(one, {"rank": None, "rank_low": None, "rank_high": None})
