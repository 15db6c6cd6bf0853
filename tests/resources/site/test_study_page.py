"""The page of the study and its figures: published or not named; hostile names stay text; the same bytes twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.pages.study import study
from resources.site.pair_figures import direction_intervals, pair_decisions, source_coverage
from resources.site.rendering import render
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.tables import CORE_STUDY_PAIR, OUT_SOURCE_DIFFERENCE, RAW_EVIDENCE

SPEC = StudySpec(id="sources-1", kind="source_difference", evidence="frozen-1", publish=True)


def difference(direction: str, **known: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(OUT_SOURCE_DIFFERENCE.columns)
    usual = {"direction": direction, "n": 0, "n_models": 0, "left_out": 0, "is_bias_readable": False,
             "reason_code": "no_aligned_pairs", "scope": "Freeze frozen-1: 2 boards."}  # fmt: skip
    return nothing | usual | known


DIFFERENCES = [
    difference(SOURCE_DIRECTIONS[1], n=6, n_models=3, mean_pp=2.5, mean_low_pp=-0.5, mean_high_pp=5.5,
               reason_code="too_few_models"),
    *(difference(name) for name in SOURCE_DIRECTIONS if name != SOURCE_DIRECTIONS[1]),
]  # fmt: skip
PAIR: dict[str, Any] = {
    "pair_id": "a~b", "entry_id_a": "a", "entry_id_b": "b", "benchmark": HOSTILE[0], "direction": SOURCE_DIRECTIONS[0],
    "rules": ["token_similarity"], "decision": "version_mismatch", "state": "agreed", "blocking_fields": ["harness"],
    "to_record": ["harness", "runs"], "model_a": HOSTILE[0], "model_b": HOSTILE[1], "surface_difference_pp": -7.64,
    "supports": "a surface difference", "does_not_support": "no claim about the source",
}  # fmt: skip


def inputs_with(base: SiteInputs, *studies: StudySpec, **tables: pl.DataFrame) -> SiteInputs:
    fields = {name: getattr(base.catalog, name) for name in Catalog.model_fields}
    return replace(base, catalog=Catalog(**(fields | {"studies": studies})), tables={**base.tables, **tables})


def page_of(inputs: SiteInputs) -> tuple[Page, str]:
    from resources.site.build import shared_values

    (made,) = study(Facts(inputs))
    assert isinstance(made, Page)
    values = {**shared_values(inputs), **made.values, **made.content()}
    data = render(made.template, {**values, "page": made, "root": made.root})
    page = HtmlPage(made.path, data.decode())
    assert page.faults == []
    return made, "".join(page.text)


@pytest.fixture
def studied(hostile_inputs: SiteInputs) -> Iterator[SiteInputs]:
    evidence = {"study": "sources-1", "analysis": "source_difference", "kind": "freeze", "name": "frozen-1",
                "sha256": "f" * 64, "rows": 1706, "problem": None}  # fmt: skip
    yield inputs_with(
        hostile_inputs,
        SPEC,
        raw__evidence=pl.DataFrame([evidence], schema=RAW_EVIDENCE.polars_schema()),
        core__study_pair=pl.DataFrame(
            [PAIR, PAIR | {"pair_id": "a~c", "to_record": None, "decision": None}],
            schema=CORE_STUDY_PAIR.polars_schema(),
        ),
        out__source_difference=pl.DataFrame(DIFFERENCES, schema=OUT_SOURCE_DIFFERENCE.polars_schema()),
    )


def test_the_page_says_what_is_known_and_what_to_record(studied: SiteInputs) -> None:
    _, text = page_of(studied)
    for part in (
        "f" * 64, "mean +2.50; no reading as bias: too few models", "no aligned pair; nothing can be said",
        "1 pair: harness, runs", "1 pairs state something differently", "-7.64", "no claim about the source",
        "awaiting a person", HOSTILE[0], HOSTILE[1],
    ):  # fmt: skip
        assert part in text, part


def test_a_release_without_a_study_says_so(hostile_inputs: SiteInputs) -> None:
    empty = {table.name: table.empty() for table in (CORE_STUDY_PAIR, OUT_SOURCE_DIFFERENCE, RAW_EVIDENCE)}
    made, text = page_of(inputs_with(hostile_inputs, **empty))
    assert "its catalog names none" in text
    assert made.content()["intervals"] is None
    assert list(study(Facts(hostile_inputs))) == []


def test_the_figures_are_the_same_bytes_twice_and_hold_their_labels() -> None:
    made = [
        (direction_intervals(DIFFERENCES), "self reported minus official (n = 6)"),
        (pair_decisions({"version_mismatch": 47, "protocol_mismatch": 12}), "version mismatch"),
        (source_coverage({"<b>bench</b>": {"official": 3, "paper": 1}}), "&lt;b&gt;bench&lt;/b&gt;"),
    ]
    again = [
        direction_intervals(DIFFERENCES),
        pair_decisions({"version_mismatch": 47, "protocol_mismatch": 12}),
        source_coverage({"<b>bench</b>": {"official": 3, "paper": 1}}),
    ]
    for (figure, label), second in zip(made, again, strict=True):
        assert figure == second
        assert label in figure
        assert "<b>" not in figure
        assert "no aligned pairs" in made[0][0]
