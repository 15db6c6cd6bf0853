"""Pages of judges: figures and sentences as the tables say, in the navigation where there are any, text as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from methods.judging.judgments import Judgments
from methods.judging.study import judge_study, judge_tables
from resources.judgment_files import judgments_of
from resources.site.build import shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.pages.judges import judges
from resources.site.rendering import render
from warehouse.study_options import JudgeOptions
from warehouse.tables import RAW_EVIDENCE

DEMO = Path(__file__).resolve().parents[3] / "warehouse" / "demo"
BAD_JUDGE, BAD_TASK = HOSTILE[0], HOSTILE[1]


@pytest.fixture(scope="module")
def example() -> Judgments:
    return judgments_of([DEMO / "judgments.csv", DEMO / "judgments.yaml"])


def with_study(base: SiteInputs, judgments: Judgments, options: JudgeOptions) -> SiteInputs:
    methodology = base.catalog.methodology
    tables = judge_tables("judges", judge_study(judgments, options, methodology), methodology)
    evidence = [("judges", "judge", "judgments", "example", "ab" * 32, judgments.height, None)]
    raw = RAW_EVIDENCE.conform(pl.DataFrame(evidence, schema=RAW_EVIDENCE.polars_schema(), orient="row"))
    return replace(base, tables={**base.tables, **tables, "raw__evidence": raw})


def pages(inputs: SiteInputs) -> Iterator[tuple[Page, str, bytes]]:
    for made in judges(Facts(inputs)):
        assert isinstance(made, Page)
        data = render(made.template, {**shared_values(inputs), **made.values, "page": made, "root": made.root})
        page = HtmlPage(made.path, data.decode())
        assert page.faults == []
        yield made, "".join(page.text), data


def test_the_pages_say_what_the_tables_say(hostile_inputs: SiteInputs, example: Judgments) -> None:
    inputs = with_study(hostile_inputs, example, JudgeOptions(fallbacks=("large",)))
    overview, study = pages(inputs)
    assert ("studies.html", "Studies") in shared_values(inputs)["navigation"]
    assert (overview[0].path, study[0].path) == ("judges.html", "judges/judges.html")
    assert "small, else large, on preference: open at tau = 0.88" in " ".join(overview[1].split())
    text = " ".join(study[1].split())
    for said in (
        "84.0%", "55 items", "220 labelled twice, 89.5% alike", "pass: loses 0.00 points on 450",
        "closed, everything escalates", "Carried to", "example-small", "position discordant",
        "50.3% of the fallback's cost",
    ):  # fmt: skip
        assert said in text, said
    assert study[2].count(b"<svg") == 3
    assert b"Lines: accuracy over cost" in study[2]
    assert b"Points: accuracy over mean confidence" in study[2]
    again = list(pages(inputs))
    assert [one[2] for one in again] == [overview[2], study[2]]


def test_names_from_outside_stay_text(hostile_inputs: SiteInputs, example: Judgments) -> None:
    renamed = Judgments(
        example.calls.with_columns(judge=pl.col("judge").replace({"small": BAD_JUDGE})),
        example.items.with_columns(task_type=pl.col("task_type").replace({"preference": BAD_TASK})),
        {BAD_JUDGE: example.stacks["small"], "large": example.stacks["large"]}, {}, example.strange_labels,
    )  # fmt: skip
    for _, _, data in pages(with_study(hostile_inputs, renamed, JudgeOptions(fallbacks=("large",)))):
        assert b"<script>window" not in data
        assert b'onmouseover="' not in data


def test_without_costs_the_curve_is_over_what_is_escalated(hostile_inputs: SiteInputs, example: Judgments) -> None:
    bare = replace(example, calls=example.calls.with_columns(cost_ab=pl.lit(None, dtype=pl.Int64)))
    _, study = pages(with_study(hostile_inputs, bare, JudgeOptions(fallbacks=("large",))))
    assert "share of items escalated" in study[1]
    assert "cost not known" in study[1]


def test_without_a_study_there_is_no_page_and_no_entry(hostile_inputs: SiteInputs, example: Judgments) -> None:
    assert list(judges(Facts(hostile_inputs))) == []
    assert all(path != "studies.html" for path, _ in shared_values(hostile_inputs)["navigation"])
    made = with_study(hostile_inputs, example, JudgeOptions())
    empty = replace(made, tables={name: frame.clear() for name, frame in made.tables.items()})
    assert list(judges(Facts(empty))) == []
    _, study = pages(made)
    assert "Cascade" not in study[1]
