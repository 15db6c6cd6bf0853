"""The catalog: complete, unambiguous, and fitting the bundled demonstration snapshot and the real upstream files.

swebench, aider and livebench are held against it only where their files are at hand.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from methods.catalog.corrections import unmet_corrections
from methods.catalog.eligibility import admit
from methods.catalog.matching import ambiguous
from methods.catalog.results import build_results, received_exclusions
from methods.dedup.priority import deduplicate
from methods.names.hidden_marks import hidden_marks
from methods.names.registry import ModelRegistry
from methods.names.spelling import normalize
from methods.scoring.board import build_board
from methods.scoring.standardize import standardize
from warehouse.catalog_model import Catalog
from warehouse.metric_model import Matcher
from warehouse.vocabulary import CATEGORIES

UPSTREAMS = ("swebench", "aider", "livebench")
LIVEBENCH_RELEASE = "2026-01-08"

Rows = list[tuple[str, dict[str, Any]]]
Place = tuple[str, str, str | None, str | None, str]


def test_metrics_fill_every_dimension(demo_catalog: Catalog) -> None:
    scored = [metric for metric in demo_catalog.metrics if metric.status == "scored"]
    assert len(scored) >= 30
    places = {(category, dimension) for category, dimensions in CATEGORIES.items() for dimension in dimensions}
    assert {(metric.category, metric.dimension) for metric in scored} == places
    assert any(metric.status == "display_only" for metric in demo_catalog.metrics)
    assert any(metric.direction == "lower" for metric in scored)
    assert any(metric.direction == "unknown" for metric in scored)


def test_one_developer_is_spelled_in_one_way(demo_catalog: Catalog) -> None:
    stated = {model.developer for model in demo_catalog.models if model.developer is not None}
    assert len({normalize(developer) for developer in stated}) == len(stated)


def test_every_metric_says_why(repository: Path) -> None:
    """Each entry, or the run of entries it stands in, has a comment above it."""
    block: list[str] = []
    said = False
    for line in (repository / "warehouse" / "catalog" / "metrics.yaml").read_text(encoding="utf-8").splitlines():
        if line.startswith("benchmarks:"):
            break
        if line.lstrip().startswith("#") and "-----" not in line:
            said = True
        elif not line.strip() or "-----" in line:
            said = False
        elif line.startswith("  - {id:") and not said:
            block.append(line)
    assert not block


def test_the_registry_is_large_and_no_spelling_is_claimed_twice(demo_catalog: Catalog) -> None:
    assert len(demo_catalog.models) >= 80
    assert sum(model.developer is not None for model in demo_catalog.models) >= 80
    claimed: dict[tuple[object, ...], str] = {}
    for model in demo_catalog.models:
        for spelling in (model.name, *model.aliases):
            owner = claimed.setdefault((normalize(spelling), hidden_marks(spelling)), model.id)
            assert owner == model.id, f"{spelling!r} is claimed by {owner} and {model.id}"


@pytest.mark.parametrize(
    "names",
    [
        ("GPT-4.1", "gpt-4.1-2025-04-14"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06", "gpt-4o-2024-11-20"),
        ("DeepSeek-V3", "DeepSeek-V3-0324", "deepseek-v3.2", "deepseek-v3.2-thinking"),
        ("gpt-5 (low)", "gpt-5 (medium)", "gpt-5 (high)", "GPT-5", "gpt-5-2025-08-07_high"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929-thinking-64k", "Claude Sonnet 4.5"),
        ("claude-sonnet-4-5-20250929#thinking", "claude-sonnet-4-5-20250929#no-thinking"),
        ("Flux2-Klein-9B", "Flux2-Klein-9B + TRM-guided RL"),
        ("Llama 4 Maverick", "Llama 4 Maverick Instruct", "Llama-4-Maverick-17B-128E-Instruct-FP8"),
    ],
)
def test_what_must_never_be_merged(demo_catalog: Catalog, names: tuple[str, ...]) -> None:
    registry = ModelRegistry(demo_catalog.models)
    ids = [registry.resolve(name).model_id for name in names]
    assert None not in ids
    assert len(set(ids)) == len(names), dict(zip(names, ids, strict=True))


@pytest.mark.parametrize(
    "name",
    [
        "Jedi-7B w/ gpt-4o",
        "Sai w/ Claude Opus 5",
        "o3 (high) + gpt-4.1",
        "DeepSeek R1 + claude-3-5-sonnet-20241022",
        "mini-SWE-agent + GPT-5 (2025-08-07) (medium reasoning)",
        "TRAE + Doubao-Seed-Code",
    ],
)
def test_an_agent_with_a_model_is_never_the_model(demo_catalog: Catalog, name: str) -> None:
    """A60: a row that names a harness and models is credited to none of them."""
    assert ModelRegistry(demo_catalog.models).resolve(name).model_id is None


def test_the_methodology_is_the_one_of_the_source(demo_catalog: Catalog) -> None:
    rules = demo_catalog.methodology
    assert (rules.version, rules.seed) == ("3.0", 20261020)
    assert rules.standardization.source_floors == {
        "verified": 0.25,
        "official": 0.35,
        "reported": 0.5,
        "self_reported": 0.75,
    }
    assert (rules.category.center, rules.category.slope, rules.category.interval_z) == (50, 15, 1.281552)
    assert (rules.latent.ability_variance, rules.latent.cohort_variance) == (1, 10)


def _places(rows: Rows) -> set[Place]:
    return {(b, r["benchmark"], r.get("benchmark_version"), r.get("subset"), r["metric"]) for b, r in rows}


def _agrees(matcher: Matcher, place: Place) -> bool:
    board, benchmark, version, subset, metric = place
    return (
        matcher.leaderboard in {None, board}
        and (matcher.benchmark, matcher.metric) == (benchmark, metric)
        and (not matcher.constrains_version or matcher.benchmark_version == version)
        and (not matcher.constrains_subset or matcher.subset == subset)
    )


def _unmatched(demo_catalog: Catalog, places: Iterable[Place]) -> list[str]:
    known = list(places)
    return [
        f"{metric.id}: {matcher.benchmark} / {matcher.subset} / {matcher.metric}"
        for metric in demo_catalog.metrics
        for matcher in metric.from_
        if not any(_agrees(matcher, place) for place in known)
    ]


def test_every_place_of_the_demonstration_that_counts_is_still_matched(demo_catalog: Catalog, demo_rows: Rows) -> None:
    """A matcher made narrower for an upstream must not lose the demonstration's rows of its benchmark."""
    lost = [
        place
        for place in sorted(_places(demo_rows), key=str)
        if any(matcher.benchmark == place[1] for metric in demo_catalog.metrics for matcher in metric.from_)
        and not any(_agrees(matcher, place) for metric in demo_catalog.metrics for matcher in metric.from_)
    ]
    assert [place[1:] for place in lost] == [("BFCL", "4", "relevance", "accuracy")]


@pytest.fixture(scope="module")
def upstream_places(upstream_dir: Path) -> set[Place]:
    """What rows of the three real upstreams are about, read here without any connector."""
    boards = json.loads((upstream_dir / "swebench" / "leaderboards.json").read_text(encoding="utf-8"))["leaderboards"]
    places: set[Place] = {("swebench", "SWE-bench", None, board["name"].lower(), "resolved") for board in boards}
    places |= {("aider", "Aider polyglot", None, None, metric) for metric in ("pass_rate_1", "pass_rate_2")}
    table = upstream_dir / "livebench" / f"table_{LIVEBENCH_RELEASE.replace('-', '_')}.csv"
    with table.open(encoding="utf-8", newline="") as lines:
        tasks = next(csv.reader(lines))[1:]
    return places | {("livebench", "LiveBench", LIVEBENCH_RELEASE, task, "score") for task in tasks}


def test_every_upstream_has_scored_metrics(demo_catalog: Catalog, upstream_places: set[Place]) -> None:
    for board in UPSTREAMS:
        own = [place for place in upstream_places if place[0] == board]
        served = {
            m.id
            for m in demo_catalog.metrics
            if m.status == "scored"
            for x in m.from_
            if any(_agrees(x, p) for p in own)
        }
        assert len(served) >= 2, board


def test_models_of_the_upstreams_are_known(demo_catalog: Catalog, upstream_dir: Path) -> None:
    registry = ModelRegistry(demo_catalog.models)
    aider = yaml.safe_load((upstream_dir / "aider" / "polyglot_leaderboard.yml").read_text(encoding="utf-8"))
    names = {row["model"] for row in aider if " + " not in row["model"]}
    with (upstream_dir / "livebench" / "table_2026_01_08.csv").open(encoding="utf-8", newline="") as lines:
        names |= {row["model"] for row in csv.DictReader(lines)}
    boards = json.loads((upstream_dir / "swebench" / "leaderboards.json").read_text(encoding="utf-8"))["leaderboards"]
    names |= {row["name"] for board in boards if board["name"] == "bash-only" for row in board["results"]}
    assert sorted(name for name in names if registry.resolve(name).model_id is None) == []
    agents = {row["name"] for board in boards for row in board["results"] if " + " in row["name"]}
    assert sorted(name for name in agents if registry.resolve(name).model_id) == []


def test_each_reason_is_shown_by_an_honest_row(demo_catalog: Catalog, demo_raw_rows: pl.DataFrame) -> None:
    results = build_results(demo_raw_rows, demo_catalog)
    assert ambiguous(results, demo_catalog) == []
    admitted = admit(demo_raw_rows, results, demo_catalog)
    kept = deduplicate(admitted.candidates)
    evidence, standardized = standardize(kept.kept, demo_catalog)
    frames = [received_exclusions(demo_raw_rows), admitted.exclusions, kept.exclusions, standardized]
    reasons = {reason for frame in frames for reason in frame["reason_code"].to_list()}
    assert reasons >= {
        "exact_duplicate",
        "unregistered_metric",
        "display_only",
        "aggregate",
        "estimated",
        "direction_unknown",
        "protocol_unknown",
        "unit_excluded",
        "value_missing",
        "value_unparseable",
        "model_unidentified",
        "superseded",
        "lower_priority_duplicate",
        "too_few_models",
        "no_spread",
    }
    assert evidence.height >= 1000
    assert evidence["metric_id"].n_unique() >= 100


def test_a_zero_that_stands_for_not_run_is_withdrawn_by_a_correction(
    demo_catalog: Catalog, demo_raw_rows: pl.DataFrame
) -> None:
    """A14: a skipped run exported as 0 is missing, never zero; the row stays as received, with its reason."""
    results = build_results(demo_raw_rows, demo_catalog)
    assert unmet_corrections(results, demo_catalog) == []
    (correction,) = demo_catalog.corrections
    row = results.filter(pl.col("entry_id") == correction.entry_id)
    assert row.select("model", "benchmark", "value").row(0) == ("GPT-3.5 Turbo (0125)", "MMMU", 0.0)
    withdrawn = admit(demo_raw_rows, results, demo_catalog).exclusions.filter(pl.col("entry_id") == correction.entry_id)
    assert withdrawn["reason_code"].to_list() == ["superseded"]


def test_the_board_is_worth_looking_at(demo_catalog: Catalog, demo_raw_rows: pl.DataFrame) -> None:
    results = build_results(demo_raw_rows, demo_catalog)
    kept = deduplicate(admit(demo_raw_rows, results, demo_catalog).candidates).kept
    evidence = standardize(kept, demo_catalog)[0]
    board = build_board(evidence, demo_catalog, release_id="demo", as_of=date(2026, 10, 20))
    scores = board.category_scores
    assert set(scores["category"]) == set(CATEGORIES)
    assert set(scores["status"]) == {"rated", "estimated", "unrated"}
    rated = scores.filter(pl.col("status") == "rated")
    assert set(rated["category"]) == set(CATEGORIES)
    assert rated.group_by("model_id").len().filter(pl.col("len") >= 3).height >= 10
