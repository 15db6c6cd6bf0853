"""Pages of inference stacks: what the tables say, in the navigation where there are any, text as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
from html_pages import HtmlPage
from synthetic_release import HOSTILE

from methods.manifests.study import StackRun, StackRuns, manifest_tables
from resources.site.build import shared_values
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.pages.manifests import manifests
from resources.site.rendering import render
from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_words import OUTPUT_SCHEMA
from warehouse.study_options import ReproductionOptions
from warehouse.tables import RAW_EVIDENCE


def run(name: str, flips: int, **stated: Any) -> StackRun:
    rows = [[f"p{at}", [1, 2 + (at < flips)], None, [4.0, (at + 1) / 8], "ok"] for at in range(20)]
    outputs = pl.DataFrame(rows, schema=OUTPUT_SCHEMA, orient="row")
    return StackRun(name, InferenceManifest.model_validate({"run": stated}) if stated else None, outputs)


def with_study(base: SiteInputs, *runs: StackRun) -> SiteInputs:
    tables = manifest_tables(StackRuns(runs), "stacks", ReproductionOptions(), base.catalog.methodology)
    evidence = [("stacks", "reproduction", "manifests", "example", "ab" * 32, 3, None)]
    raw = RAW_EVIDENCE.conform(pl.DataFrame(evidence, schema=RAW_EVIDENCE.polars_schema(), orient="row"))
    return replace(base, tables={**base.tables, **tables, "raw__evidence": raw})


def pages(inputs: SiteInputs) -> Iterator[tuple[Page, str, bytes]]:
    for made in manifests(Facts(inputs)):
        assert isinstance(made, Page)
        data = render(made.template, {**shared_values(inputs), **made.values, "page": made, "root": made.root})
        page = HtmlPage(made.path, data.decode())
        assert page.faults == []
        yield made, " ".join("".join(page.text).split()), data


def test_the_pages_say_what_the_tables_say(hostile_inputs: SiteInputs) -> None:
    runs = (run("a", 0, dtype="bf16", batch_size=4), run("b", 5, dtype="fp16"), run("bare", 0))
    inputs = with_study(hostile_inputs, *runs)
    overview, study = pages(inputs)
    assert ("studies.html", "Studies") in shared_values(inputs)["navigation"]
    assert (overview[0].path, study[0].path) == ("stacks.html", "stacks/stacks.html")
    assert "A run has no manifest: its result may be published, marked" in overview[1]
    for said in (
        "dtype (first)differentbfloat16float16", "not stated by the other", "5 of 20 prompts diverge: 25.0%",
        "half agree for 1 tokens or more", "an upper limit", "batch size of 8 on",
    ):  # fmt: skip
        assert said in study[1], said
    assert study[2].count(b"<svg") == 2, "a and b, b and bare; a and bare agree"
    assert [one[2] for one in pages(inputs)] == [overview[2], study[2]]


def test_names_are_text(hostile_inputs: SiteInputs) -> None:
    bad = " ".join(HOSTILE)
    for _, _, data in pages(with_study(hostile_inputs, run(bad, 0, gpu=bad), run("b", 1, gpu="x"))):
        assert b"<script>alert" not in data


def test_no_study_no_page(hostile_inputs: SiteInputs) -> None:
    assert list(manifests(Facts(hostile_inputs))) == []
