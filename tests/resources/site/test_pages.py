"""Pages of a release: links that hold, names that stay names, the same bytes again, sizes."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from html_pages import HtmlPage, read_site, site_faults
from synthetic_release import HOSTILE, model_name

from resources.site.build import shared_values, site_files
from resources.site.facts import Facts
from resources.site.inputs import SiteInputs
from resources.site.page import Page
from resources.site.pages.pairs import pairs
from resources.site.rendering import render
from warehouse.canonical import sha256_hex
from warehouse.vocabulary import CATEGORIES


@pytest.fixture(scope="module")
def pages(hostile: dict[str, bytes]) -> dict[str, HtmlPage]:
    return read_site(hostile)


def test_no_name_gets_out_and_every_link_holds(hostile: dict[str, bytes], pages: dict[str, HtmlPage]) -> None:
    """Strict reading: no element or attribute that no template writes, no link that leads nowhere."""
    assert len(pages) > 100
    assert list(site_faults(hostile, pages)) == []


def test_nothing_is_loaded_from_elsewhere(hostile: dict[str, bytes]) -> None:
    for name, data in hostile.items():
        if name.endswith((".css", ".js")) and name != "assets/search-index.js":
            assert not re.search(rb"https?://|//[a-z]+\.|@import|url\((?!#)", data), name
        if name.endswith(".html"):
            assert not re.search(rb'(?:src|srcset|poster|data|action|xlink:href)="(?:https?:)?//', data), name


def test_hidden_signs_are_written_out(hostile: dict[str, bytes]) -> None:
    """Controls and writing directions stand as their codes, so that no name hides or reorders what is beside it."""
    for name, data in hostile.items():
        if name.endswith((".html", ".xml")):
            text = data.decode()
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", text), name
    assert b"gpt\\u202e4-tpg" in hostile["boards/math.html"]


def test_names_are_shown_whole(hostile: dict[str, bytes], pages: dict[str, HtmlPage]) -> None:
    text = "".join(pages["boards/math.html"].text)
    assert model_name(0, hostile=True) in text
    assert HOSTILE[5] in text
    assert "🙂👩‍👩‍👧‍👦 模型 “mini” é" in text
    assert "{{ 7 * 7 }}" in text


def test_the_search_index_ends_no_script_and_no_line(hostile: dict[str, bytes]) -> None:
    index = hostile["assets/search-index.js"].decode()
    assert "<" not in index
    assert "\u2028" not in index
    assert index.count("\n") == 1


def test_an_estimate_never_stands_without_interval_dimensions_and_families(hostile: dict[str, bytes]) -> None:
    board = hostile["boards/math.html"].decode()
    rows = [row for row in re.findall(r"<tr>.*?</tr>", board, re.DOTALL) if "status estimated" in row]
    assert rows
    for row in rows:
        assert re.search(r"\d – \d", row)
        assert re.search(r">\d/4<", row)
    unrated = [row for row in re.findall(r"<tr>.*?</tr>", board, re.DOTALL) if "status unrated" in row]
    assert all("<svg" not in row and row.count("—") >= 4 for row in unrated)


def test_every_figure_of_a_score_leads_to_entry_snapshot_and_row(hostile: dict[str, bytes]) -> None:
    """From a model's page to its source's page: the row's anchor is its entry id, the page names the snapshot."""
    page = hostile["models/model-0003.html"].decode()
    links = re.findall(r'href="\.\./(sources/[^"#]+)#(e-[0-9a-f]{16})"', page)
    assert len(links) > 20
    for target, anchor in links:
        source = hostile[target].decode()
        assert f'<tr id="{anchor}">' in source
        assert sha256_hex(b"a snapshot") in source


def test_the_waterfall_sums_to_its_score(hostile: dict[str, bytes], hostile_inputs: SiteInputs) -> None:
    """The exact values that stand on the page, added up, are the published score to 1e-9."""
    page = hostile["models/model-0004.html"].decode()
    tables = re.findall(r'<table class="waterfall".*?</table>', page, re.DOTALL)
    scores = hostile_inputs.tables["out__category_score"].filter(model_id="model-0004")
    by_category = {row["category"]: 50 + 15 * row["mu"] for row in scores.rows(named=True)}
    assert len(tables) == len(by_category) == 8
    for table, category in zip(tables, [name for name in CATEGORIES if name in by_category], strict=True):
        rows = re.findall(r'<tr(?: class="others")?><th scope="row">.*?</th><td class="n"><data value="([^"]+)"', table)
        assert len(rows) > 4
        assert abs(50 + sum(map(float, rows)) - by_category[category]) < 1e-9


def test_the_same_release_gives_the_same_bytes(hostile: dict[str, bytes], hostile_inputs: SiteInputs) -> None:
    assert dict(site_files(hostile_inputs)) == hostile


def test_another_process_gives_the_same_bytes() -> None:
    """Another hash seed, another time zone and locale, another folder."""
    script = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1])\n"
        "from synthetic_release import synthetic; from resources.site.build import site_files\n"
        "made = hashlib.sha256()\n"
        "for name, data in site_files(synthetic(6, categories=('math',))): made.update(name.encode() + data)\n"
        "print(made.hexdigest())"
    )
    told = set()
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        command = [sys.executable, "-c", script, str(Path(__file__).resolve().parent)]
        told.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(told) == 1


def test_a_board_of_500_models_is_small(large: dict[str, bytes]) -> None:
    sizes = {name: len(gzip.compress(large[name], 6)) for name in ("boards/coding.html", "models.html", "index.html")}
    print({name: f"{size / 1000:.1f} kB" for name, size in sizes.items()})
    assert all(size < 300_000 for size in sizes.values()), sizes
    assert large["boards/coding.html"].count(b"<tr>") > 450


def test_a_large_board_opens_with_a_part_of_its_rows(large: dict[str, bytes]) -> None:
    """The rows beyond the first page lie in a template, which costs no layout; nothing is cut off."""
    at_once, waiting = large["boards/math.html"].split(b'<template id="waiting">')
    assert at_once.count(b"<tr>") == 201
    assert b"Without JavaScript the first 200 of" in waiting


def test_an_empty_category_and_an_empty_release_have_pages(large: dict[str, bytes], large_inputs: SiteInputs) -> None:
    assert b"No model has evidence in this category" in large["boards/agent.html"]
    tables = {name: frame.clear() for name, frame in large_inputs.tables.items()}
    empty = dict(site_files(replace(large_inputs, tables=tables)))
    pages = read_site(empty)
    faults = [fault for fault in site_faults(empty, pages) if "sources/" not in fault]
    assert faults == []


def test_a_source_of_many_rows_has_several_pages(large: dict[str, bytes]) -> None:
    names = sorted(name for name in large if name.startswith("sources/board-coding"))
    assert names == ["sources/board-coding.html", "sources/board-coding~2.html"]
    assert b"sources/board-coding~2.html#e-" in large["exclusions/exact_duplicate.html"] or any(
        b"sources/board-coding~2.html#e-" in data for name, data in large.items() if name.startswith("models/")
    )


def test_pairs_and_differences_have_a_page_once_the_release_holds_them(hostile_inputs: SiteInputs) -> None:
    assert list(pairs(Facts(hostile_inputs))) == []
    entries = hostile_inputs.tables["core__result"]["entry_id"]
    pair = {
        "pair_id": "p", "entry_id_a": entries[0], "entry_id_b": entries[1], "benchmark": HOSTILE[0],
        "direction": "paper-official", "rules": ["same_model_id", "token_similarity"], "decision": None,
        "blocking_fields": ["steps"],
    }  # fmt: skip
    nothing = dict.fromkeys(
        ("mean_pp", "mean_low_pp", "mean_high_pp", "median_pp", "positive_share", "sign_p", "mde_pp", "n_for_one_pp")
    )
    known = {
        "direction": "paper-official", "n": 9, "n_models": 7, "reason_code": None, "scope": f"one freeze {HOSTILE[1]}",
        "mean_pp": 1.5, "mean_low_pp": -0.5, "mean_high_pp": 3.5, "median_pp": 1.0, "positive_share": 0.75,
        "sign_p": 0.1, "mde_pp": 2.0, "n_for_one_pp": 80,
    }  # fmt: skip
    differences = pl.DataFrame(
        [known, {**known, **nothing, "direction": "x", "n": 0, "reason_code": "no_aligned_pairs"}]
    )
    divergence = {
        "model_id": "model-0000", "benchmark": HOSTILE[0], "metric": "accuracy", "entry_id_a": entries[0],
        "entry_id_b": "gone", "leaderboard_a": "board-math", "leaderboard_b": HOSTILE[1], "source_type_a": "official",
        "source_type_b": "paper", "value_a_pp": 59.36, "value_b_pp": 56.9, "difference_pp": 2.46,
        "standard_errors": 1.18, "differing_fields": ["harness"], "unstated_fields": [],
    }  # fmt: skip
    tables = {
        "core__candidate_pair": pl.DataFrame([pair]),
        "out__source_difference": differences,
        "out__source_divergence": pl.DataFrame([divergence]),
    }
    facts = Facts(replace(hostile_inputs, tables={**hostile_inputs.tables, **tables}))
    (made,) = pairs(facts)
    assert isinstance(made, Page)
    shared = {**shared_values(facts.inputs), "page": made, "root": made.root}
    page = HtmlPage(made.path, render(made.template, {**shared, **made.values, **made.content()}).decode())
    assert page.faults == []
    text = "".join(page.text)
    assert "-0.50 to +3.50" in text
    assert "+2.46" in text
    assert "no aligned pairs" in text
    assert HOSTILE[0] in text
    assert "awaiting a person" in text
