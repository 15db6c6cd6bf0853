"""The pages of protocols and of the board's own sensitivity: bad names stay text, figures say what the tables hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from methods.protocols.study import protocol_tables
from methods.sensitivity.board_shifts import board_sensitivity
from resources.site.build import navigation, shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page, Plain
from resources.site.pages.protocols import protocols
from resources.site.pages.sensitivity import sensitivity
from resources.site.protocol_figures import growing, heat, slopes
from resources.site.rendering import render
from warehouse.protocol_words import LOSS_SCHEMA
from warehouse.study_options import ProtocolOptions
from warehouse.tables import TABLES


def bad_losses() -> pl.DataFrame:
    rows = [
        {
            "site": f"{HOSTILE[site % len(HOSTILE)]} {site}", "coordinate": HOSTILE[coordinate],
            "protocol": f"{protocol} {HOSTILE[0]}", "convention": None, "candidate": HOSTILE[place], "unit": None,
            "loss": (place * 7 + site * 3 + coordinate * len(protocol)) % 11 / 10, "weight": None,
        }
        for site in range(12) for coordinate in range(4) for protocol in ("static", "rolling") for place in range(6)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=LOSS_SCHEMA)


@pytest.fixture(scope="module")
def with_tables(hostile_inputs: SiteInputs) -> SiteInputs:
    """The release with bad names, and a study and the board's sensitivity in it."""
    catalog, tables = hostile_inputs.catalog, hostile_inputs.tables
    study = protocol_tables(bad_losses(), "winds", ProtocolOptions(), catalog.methodology)
    board = board_sensitivity(tables["core__evidence"], tables["core__exclusion"], tables["core__result"], catalog)
    more = {name: TABLES[name].conform(frame) for name, frame in {**study, **board}.items()}
    return replace(hostile_inputs, tables={**tables, **more})


@pytest.fixture(scope="module")
def made(with_tables: SiteInputs) -> dict[str, str]:
    facts, shared = Facts(with_tables), shared_values(with_tables)
    return {page.path: shown(page, shared) for page in pages(facts)}


def pages(facts: Facts) -> Iterator[Page]:
    for item in (*sensitivity(facts), *protocols(facts)):
        assert not isinstance(item, Plain)
        yield item


def shown(page: Page, shared: dict[str, Any]) -> str:
    return render(page.template, {**shared, **page.values, "page": page, "root": page.root, **page.content()}).decode()


def test_each_page_is_sound_whatever_the_names(made: dict[str, str]) -> None:
    assert set(made) == {"sensitivity.html", "protocols.html", "protocols/winds.html"}
    for path, text in made.items():
        page = HtmlPage(path, text)
        assert page.faults == []


def test_a_study_page_shows_its_figures(made: dict[str, str], with_tables: SiteInputs) -> None:
    text = made["protocols/winds.html"]
    row = with_tables.tables["out__protocol_panel"].filter(comparison="across").row(0, named=True)
    assert f"{row['mean_pss']:.3f}" in text
    assert f"{row['swap_share']:.1%}" in text
    assert text.count("<figure>") == 3
    assert "units drawn anew: not known" in text


def test_the_sensitivity_page_shows_every_variant_and_family(made: dict[str, str], with_tables: SiteInputs) -> None:
    text = made["sensitivity.html"]
    for name in ("PSS", "M, H", "<code>without:NAME</code>", "evidence drawn anew", "Resolution"):
        assert f"<dt>{name}</dt>" in text
    table = with_tables.tables["out__board_sensitivity"]
    assert all(variant in text for variant in table.filter(pl.col("variant_kind") == "constant")["variant"].unique())
    assert f"{table.filter(variant_kind='family').height} pairs of family and category" in text
    assert text.count("<figure>") == 1


def test_without_rows_there_is_no_page_and_no_way_to_it(hostile_inputs: SiteInputs, with_tables: SiteInputs) -> None:
    assert list(pages(Facts(hostile_inputs))) == []
    assert "sensitivity.html" not in dict(navigation(hostile_inputs))
    assert {"sensitivity.html", "studies.html"} <= set(dict(navigation(with_tables)))


def test_figures_are_the_same_bytes_and_say_what_is_missing() -> None:
    cells = {(0, 0): (0.5, True), (0, 1): (None, False)}
    first, second = (heat("x", ["a"], ["h1", "h2"], cells, "what") for _ in range(2))
    assert first == second
    assert ">0.50<" in first
    assert ">–<" in first
    moved = slopes("x", "static", "rolling", [("<b>", 1.0, 2.0), ("c", 2.0, 1.0)])
    assert "&lt;b&gt;" in moved
    rows = [{"candidates": n, "mean_pss": 0.5, "swap_share": None} for n in (2, 3)]
    assert "mean PSS" in growing("x", rows, [])
