"""Pages of models and harnesses: every figure and table there, hostile names as text, the same bytes twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from methods.harness.study import harness_tables
from resources.attempts.evidence import attempts_of
from resources.site.build import shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.pages.agents import agents
from resources.site.rendering import render
from warehouse.methodology import HarnessRules

EXAMPLE = Path(__file__).resolve().parent.parent.parent.parent / "warehouse" / "demo" / "agents"
RULES = HarnessRules(resamples=200, level=0.95, lower_quartile=0.25, search_limit=100)


def study(folder: Path, *, is_hostile: bool = False, configurations: str = "") -> dict[str, pl.DataFrame]:
    """The tables of the bundled example; with bad names, or not all of its configurations, where asked."""
    attempts = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8")
    panel = (EXAMPLE / "panel.yaml").read_text(encoding="utf-8") + configurations
    if is_hostile:
        attempts = attempts.replace("north-1", f'"{HOSTILE[0].replace(chr(34), chr(34) * 2)}"')
        panel = panel.replace("north-1", _quoted(HOSTILE[0]))
    (folder / "attempts.csv").write_text(attempts, encoding="utf-8")
    (folder / "panel.yaml").write_text(panel, encoding="utf-8")
    maps = [EXAMPLE / "repair-map.yaml", EXAMPLE / "desk-map.yaml"]
    return harness_tables(attempts_of([folder / "attempts.csv"], folder / "panel.yaml", maps), "crossing", RULES, 1)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pages(base: SiteInputs, tables: dict[str, pl.DataFrame]) -> dict[str, str]:
    inputs = replace(base, tables={**base.tables, **tables})
    shared = shared_values(inputs)
    made: dict[str, str] = {}
    for page in agents(Facts(inputs)):
        assert isinstance(page, Page)
        values: dict[str, Any] = {**shared, **page.values, "page": page, "root": page.root}
        made[page.path] = render(page.template, values | page.content()).decode()
    return made


def test_no_page_without_a_study(hostile_inputs: SiteInputs) -> None:
    assert pages(hostile_inputs, {}) == {}


def test_every_figure_and_table_is_there_and_bytes_repeat(hostile_inputs: SiteInputs, tmp_path: Path) -> None:
    tables = study(tmp_path)
    found = pages(hostile_inputs, tables)
    assert set(found) == {"agents.html", "agents/crossing.html"}
    page = found["agents/crossing.html"]
    for heading in ("Who is to blame", "What clean ends would change", "Harnesses", "Models", "How they go together",
                    "Choosing a harness for another model", "References outside the panel"):  # fmt: skip
        assert f"<h2>{heading}</h2>" in page
    assert page.count('class="figure"') == 4 + 2 * 2  # shares, fit, interaction, front; S and V of two benchmarks
    assert "no configuration is as good on both" in page
    assert all(f"<dt>{name}</dt>" in page for name in ("S", "V", "J", "Fit", "R"))
    assert pages(hostile_inputs, tables) == found
    [row] = tables["out__harness_verdict"].filter(pl.col("benchmark") == "desk").rows(named=True)
    assert row["sentence"] in page
    assert row["sentence"] in found["agents.html"]


def test_hostile_names_stay_text(hostile_inputs: SiteInputs, tmp_path: Path) -> None:
    for path, text in pages(hostile_inputs, study(tmp_path, is_hostile=True)).items():
        page = HtmlPage(path, text)
        assert page.faults == []
        assert path == "agents.html" or HOSTILE[0] in "".join(page.text)


@pytest.mark.parametrize(
    ("configurations", "said"),
    [
        ("configurations: [[north-1, loop], [north-1, shell], [south-2, loop], [south-2, shell], [south-2, planner]]\n",
         "What needs balance is of the largest balanced sub-panel"),
        ("configurations: [[north-1, loop], [south-2, shell]]\n", "so nobody can be blamed"),
    ],
)  # fmt: skip
def test_an_unbalanced_panel_says_so(
    hostile_inputs: SiteInputs, tmp_path: Path, configurations: str, said: str
) -> None:
    page = pages(hostile_inputs, study(tmp_path, configurations=configurations))["agents/crossing.html"]
    assert said in page
