"""Proposed copies: same value, same thing, same page; never the row that says so itself; naive and fast alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from methods.catalog.copies import COPY_SCHEMA, propose_copies
from methods.catalog.results import build_results
from methods.names.spelling import normalize
from methods.pairing.links import normalize_url
from warehouse.catalog_model import Catalog

Results = Callable[..., pl.DataFrame]
FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@pytest.fixture
def results_of(
    raw_of: Callable[..., pl.DataFrame], record_of: Callable[..., dict[str, Any]], catalog_of: Callable[..., Catalog]
) -> Results:
    def make(*described: dict[str, Any]) -> pl.DataFrame:
        parts = []
        for leaderboard in sorted({row.get("leaderboard", "board") for row in described}):
            mine = [row for row in described if row.get("leaderboard", "board") == leaderboard]
            records = [record_of(**{key: value for key, value in row.items() if key != "leaderboard"}) for row in mine]
            parts.append(
                build_results(raw_of(*records), catalog_of()).with_columns(
                    leaderboard=pl.lit(leaderboard), entry_id=pl.format("{}-{}", pl.lit(leaderboard), "entry_id")
                )
            )
        return pl.concat(parts)

    return make


def test_a_repeated_figure_is_proposed_once_the_later_row_as_the_copy(results_of: Results) -> None:
    rows = results_of(
        {"leaderboard": "maker", "model": "M-1", "value": 74.9, "source_url": "https://m.example/post/",
         "updated_at": "2026-01-01"},
        {"leaderboard": "hub", "model": "m 1", "value": 0.749, "unit": "score_fraction",
         "source_url": "http://www.m.example/post#x", "updated_at": "2026-02-01"},
        {"leaderboard": "hub", "model": "m 2", "value": 0.749, "unit": "score_fraction",
         "source_url": "https://m.example/post"},
        {"leaderboard": "other", "model": "M 1", "value": 74.9, "source_url": "https://elsewhere.example/"},
        {"leaderboard": "third", "model": "M 1", "value": 74.8, "source_url": "https://m.example/post"},
    )  # fmt: skip
    found = propose_copies(rows)
    assert found.schema == COPY_SCHEMA
    assert found.select("leaderboard", "other_leaderboard", "model", "value").rows() == [("hub", "maker", "m 1", 0.749)]


def test_a_row_that_says_it_is_a_copy_is_not_proposed_again(results_of: Results) -> None:
    page = "https://m.example/post"
    rows = results_of(
        {"leaderboard": "maker", "model": "M", "value": 50, "source_url": page},
        {"leaderboard": "hub", "model": "M", "value": 50, "source_url": page, "copied_from": page},
    )
    found = propose_copies(rows)
    # The maker's own row shares the page with a stated copy: a person sees which is which, and only that is shown.
    assert found["leaderboard"].to_list() == ["maker"]
    assert propose_copies(rows.filter(pl.col("leaderboard") == "hub")).is_empty()


def test_rows_of_one_board_and_rows_without_links_or_values_are_never_proposed(results_of: Results) -> None:
    page = "https://m.example/post"
    rows = results_of(
        {"model": "M", "value": 50, "source_url": page, "notes": "a"},
        {"model": "M", "value": 50, "source_url": page, "notes": "b"},
        {"leaderboard": "hub", "model": "M", "value": 50},
        {"leaderboard": "far", "model": "M", "value": None, "source_url": page},
    )
    assert propose_copies(rows).is_empty()
    assert propose_copies(rows.clear()).is_empty()


ROWS = st.fixed_dictionaries(
    {
        "leaderboard": st.sampled_from(["a", "b", "c"]),
        "model": st.sampled_from(["M 1", "m-1", "M2"]),
        "subset": st.sampled_from([None, "s"]),
        "value": st.sampled_from([None, 50, 0.5]),
        "unit": st.sampled_from(["score", "score_fraction"]),
        "source_url": st.sampled_from([None, "https://x.example/p", "http://x.example/p/", "https://y.example"]),
        "copied_from": st.sampled_from([None, "https://x.example/p", "a board"]),
        "updated_at": st.sampled_from([None, "2026-01-01", "2026-01-02"]),
    }
)


@FIXTURES
@given(st.lists(ROWS, min_size=1, max_size=7))
def test_the_plain_definition(results_of: Results, rows: list[dict[str, Any]]) -> None:
    results = results_of(*rows)
    assert set(propose_copies(results).select("entry_id", "other_entry_id").rows()) == _plain(results)


def _plain(results: pl.DataFrame) -> set[tuple[str, str]]:
    found = set()
    for one in results.rows(named=True):
        for other in results.rows(named=True):
            if one["leaderboard"] == other["leaderboard"] or one["copied_from"] is not None:
                continue
            if _amount(one) is None or _amount(one) != _amount(other) or not _links(one) & _links(other):
                continue
            same = ("benchmark", "benchmark_version", "subset", "metric")
            if normalize(one["model"]) != normalize(other["model"]) or any(one[key] != other[key] for key in same):
                continue
            mine, theirs = (str(row["updated_at"] or "") for row in (one, other))
            if other["copied_from"] is not None or (mine, one["entry_id"]) > (theirs, other["entry_id"]):
                found.add((one["entry_id"], other["entry_id"]))
    return found


def _amount(row: dict[str, Any]) -> float | None:
    if row["value"] is None:
        return None
    return round(row["value"] / (100 if row["unit"] == "score" else 1), 9)


def _links(row: dict[str, Any]) -> set[str]:
    links = {normalize_url(row[key]) for key in ("source_url", "model_url", "copied_from")}
    return links - {""}
