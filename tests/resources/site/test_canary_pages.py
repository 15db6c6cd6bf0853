"""Pages of shadow and canary evidence, and the one that leads to all studies: as the tables say, text as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from resources.site import links
from resources.site.build import shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Maker, Page
from resources.site.pages.canary import canary
from resources.site.pages.studies import PAGE_OF, studies
from resources.site.rendering import render
from warehouse.rollout_words import ACTION_SAID, STOP_STATES
from warehouse.tables import TABLES

BAD = HOSTILE[0]
LOOK = {
    "study": "mine", "rule": "errors", "stop_column": "is_error", "is_proxy": False, "at_most": 0.02, "alpha": 0.01,
    "units": 300, "unstated": 2, "baseline_mean": 0.01, "baseline_units": 5700, "since": 1, "since_mean": 0.3,
}  # fmt: skip
ROWS: dict[str, list[dict[str, Any]]] = {
    "out__canary_action": [
        {"study": "mine", "action": "rollback", "batches": 2, "rows": 1234, "repeated_units": 5, "rules": ["errors"]}
    ],
    "out__canary_look": [
        {**LOOK, "batch": 1, "state": "open", "mean": 0.015, "low": 0.001, "high": 0.05, "log_evidence": 0.4},
        {**LOOK, "batch": 2, "state": "crossed", "mean": 0.31, "low": 0.25, "high": 0.38, "log_evidence": None},
        {**LOOK, "batch": 2, "rule": "slow", "stop_column": BAD, "is_proxy": True, "state": "not_tracked",
         "units": 0, "mean": None, "low": 0.0, "high": 1.0, "log_evidence": 0.0, "since_mean": None},
    ],
    "out__canary_exposure": [
        {"study": "mine", "batch": 2, "candidate_units": 300, "baseline_units": 5700, "planned_frac": 0.1,
         "observed_frac": 0.05, "log_evidence": 60.0, "p_always": 0.0003, "p_single": 0.0001, "is_mismatch": True,
         "in_both_groups": 3}
    ],
    "out__canary_cohort": [
        {"study": "mine", "cohort_column": "region", "cohort": BAD, "candidate_units": 150, "baseline_units": 2000,
         "candidate_frac": 0.5, "baseline_frac": 0.35, "composition_difference_pp": 15.0, "candidate_mean": 0.9,
         "baseline_mean": 0.8, "effect_pp": None, "effect_low_pp": None, "effect_high_pp": None,
         "reading": "operational"}
    ],
    "out__canary_model": [
        {"study": "mine", "system": BAD, "rows": 600, "same_model": 590, "other_model": 7, "model_unstated": 3}
    ],
}  # fmt: skip


def with_canary(base: SiteInputs, **changed: list[dict[str, Any]]) -> SiteInputs:
    made = {
        name: TABLES[name].conform(pl.DataFrame(rows, schema=TABLES[name].polars_schema()))
        for name, rows in {**ROWS, **changed}.items()
    }
    return replace(base, tables={**base.tables, **made})


def pages(inputs: SiteInputs, maker: Maker = canary) -> Iterator[tuple[Page, str, bytes]]:
    for made in maker(Facts(inputs)):
        assert isinstance(made, Page)
        data = render(made.template, {**shared_values(inputs), **made.values, "page": made, "root": made.root})
        page = HtmlPage(made.path, data.decode())
        assert page.faults == []
        yield made, " ".join("".join(page.text).split()), data


def test_the_pages_say_what_the_tables_say(hostile_inputs: SiteInputs) -> None:
    overview, study = pages(with_canary(hostile_inputs))
    assert (overview[0].path, study[0].path) == ("canary.html", "canary/mine.html")
    assert "rollback" in overview[1] and ACTION_SAID["rollback"] in overview[1] and "1,234" in overview[1]
    for said in (
        "crossed", "0.3100", "0.2500", "infinite", "at most 0.0200", "a proxy", "not tracked", "10.00%", "5.00%",
        "0.0003", "found", "590", "operational", "+15.00", "each counts once",
    ):  # fmt: skip
        assert said in study[1], said
    assert study[2].count(b"<svg") == 1, "a rule of which no unit states a value has no line"
    assert [one[2] for one in pages(with_canary(hostile_inputs))] == [overview[2], study[2]]


def test_names_from_outside_stay_text(hostile_inputs: SiteInputs) -> None:
    for _, _, data in pages(with_canary(hostile_inputs)):
        assert b"<script>window" not in data
        assert b'onmouseover="' not in data


@pytest.mark.parametrize("state", STOP_STATES)
def test_no_state_is_without_a_mark(hostile_inputs: SiteInputs, state: str) -> None:
    looks = [{**ROWS["out__canary_look"][0], "state": state}]
    _, study = pages(with_canary(hostile_inputs, out__canary_look=looks))
    assert any(
        f'status {word}">{state.replace("_", " ")}'.encode() in study[2] for word in ("pass", "fail", "inconclusive")
    )


def test_without_evidence_there_is_no_page(hostile_inputs: SiteInputs) -> None:
    assert list(canary(Facts(hostile_inputs))) == [] and list(studies(Facts(hostile_inputs))) == []
    assert "studies.html" not in dict(shared_values(hostile_inputs)["navigation"])


def test_one_entry_leads_to_every_study(hostile_inputs: SiteInputs) -> None:
    inputs = with_canary(hostile_inputs)
    navigation = dict(shared_values(inputs)["navigation"])
    assert navigation["studies.html"] == "Studies" and "canary.html" not in navigation
    [menu] = pages(inputs, studies)
    assert b'href="canary.html"' in menu[2] and b'href="canary/mine.html">mine' in menu[2]
    overview, study = pages(inputs)
    for made in (overview, study):
        marked = made[2].partition(b'aria-label="Main"')[2].partition(b"</nav>")[0]
        assert marked.count(b"aria-current") == 1 and b'studies.html" aria-current="true"' in marked
    assert list(PAGE_OF) == [page for page, *_ in links.STUDY_PAGES]
