"""What a page says that its content rests on is all it rests on: whatever else moves, the content is the same text.

A night takes the content of a page over where the tables in `Page.rests_on` are unchanged. A table that is missing
there would leave yesterday's words on today's page.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import polars.selectors as cs
import pytest

from methods.backtest.tables import backtest_tables
from methods.linked.tables import linked_tables
from methods.sensitivity.board_shifts import board_sensitivity
from resources.site.build import MAKERS, shared_values
from resources.site.facts import Facts
from resources.site.former_site import AFTER_CONTENT, BEFORE_CONTENT, PLACE, with_content
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.rendering import render

Rests = frozenset[str]


def contents(inputs: SiteInputs, wanted: Rests | None = None) -> dict[str, tuple[Rests, bytes]]:
    """By path: what a page rests on, and its content; of all pages that can be taken over, or of those of one kind."""
    facts, shared, found = Facts(inputs), shared_values(inputs), dict[str, tuple[Rests, bytes]]()
    for item in (item for maker in MAKERS for item in maker(facts)):
        if not isinstance(item, Page) or item.rests_on is None:
            continue
        if wanted is not None and wanted != frozenset(item.rests_on):
            continue
        values = {**shared, **item.values, "page": item, "root": item.root, **item.content()}
        page = render(item.template, values)
        start = page.index(BEFORE_CONTENT) + len(BEFORE_CONTENT)
        found[item.path] = frozenset(item.rests_on), page[start : page.rindex(AFTER_CONTENT)]
    return found


def moved(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with every figure another, and what is said of gates."""
    frame = frame.with_columns(cs.float() + 1.0)
    return frame.with_columns(pl.lit("said otherwise").alias("detail")) if "detail" in frame.columns else frame


@pytest.fixture(scope="module")
def whole(hostile_inputs: SiteInputs) -> SiteInputs:
    """The release with bad names, with the tables beside its board."""
    tables, catalog = hostile_inputs.tables, hostile_inputs.catalog
    evidence, board = tables["core__evidence"], tables["out__category_score"]
    more = {
        **linked_tables(evidence, board, catalog),
        **backtest_tables(evidence, board, catalog),
        **board_sensitivity(evidence, tables["core__exclusion"], tables["core__result"], catalog),
    }
    return replace(hostile_inputs, tables={**tables, **more})


@pytest.fixture(scope="module")
def pages(whole: SiteInputs) -> dict[str, tuple[Rests, bytes]]:
    """Its pages that can be taken over."""
    return contents(whole)


def test_content_rests_on_nothing_that_it_does_not_name(
    whole: SiteInputs, pages: dict[str, tuple[Rests, bytes]]
) -> None:
    kinds = {rests for rests, _ in pages.values()}
    assert {"linked.html", "sensitivity.html", "index.html"} < set(pages)
    assert len(kinds) > 6
    for rests in kinds:
        tables = {
            name: frame if name in rests else moved(frame) for name, frame in whole.tables.items()
        }  # fmt: skip
        now = contents(replace(whole, tables=tables), rests)
        assert now == {path: page for path, page in pages.items() if page[0] == rests}, sorted(rests)


def test_content_follows_what_it_rests_on(whole: SiteInputs, pages: dict[str, tuple[Rests, bytes]]) -> None:
    """The control: figures that moved are seen."""
    tables = {name: moved(frame) for name, frame in whole.tables.items()}
    now = contents(replace(whole, tables=tables))
    assert {path.partition("/")[0] for path, page in now.items() if page != pages[path]} >= {
        "models", "boards", "linked.html", "sensitivity.html",
    }  # fmt: skip


def test_a_page_put_together_is_the_page() -> None:
    """Text of a table that looks like the place of the content is escaped, and nothing is put there."""
    page = f"<h1>&lt;!-- content --&gt;</h1>{PLACE}<footer>".encode()
    assert with_content(page, b"<p>x</p>") == b"<h1>&lt;!-- content --&gt;</h1><p>x</p><footer>"
