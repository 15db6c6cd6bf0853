"""Every leaderboard of ../shared: registered, read whole, units and values as its file states them.

The counts are what the files hold (rows of a table times its columns of results); the single values were read by eye in
the upstream files. Skips where the files are absent; `table/test_formats.py` holds a handmade file for every format.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from board_facts import COUNTS, NO_RESULTS, SPOTS

from methods.catalog.received import receive
from methods.catalog.results import build_results
from resources.catalog_files import load_catalog
from resources.connectors import parse
from resources.paths import read_local
from warehouse.catalog_model import Catalog
from warehouse.received import ReceivedRow

REPOSITORY = Path(__file__).resolve().parents[3]

EXPLAINED = re.compile(
    r"left out by the source's mapping: (?:the heading of a group|dropped in BenchPress's own audit)"
    r"|rows 'scores\{\*\}\[\*\]': document: no key 'scores'.*"  # MTEB's first schema names no main score
    r"|21 cells where the header has 24"  # one line of LiveBench's table
    r"|model: Field required.*",  # Epoch's hub has rows that name no model
    re.S,
)


@cache
def catalog() -> Catalog:
    return load_catalog(REPOSITORY / "warehouse" / "catalog").catalog


@cache
def rows_of(leaderboard: str, upstream: Path) -> tuple[ReceivedRow, ...]:
    source = catalog().source_by_id[leaderboard]
    files = read_local(str(source.path), upstream, [upstream], max_bytes=256_000_000).files
    return parse(source, files).rows


def records_of(leaderboard: str, upstream: Path) -> list[dict[str, Any]]:
    return [dict(row.record) for row in rows_of(leaderboard, upstream) if row.problem is None and row.record]


@pytest.fixture(scope="session")
def upstream(upstream_dir: Path) -> Path:
    return upstream_dir.resolve()


def test_every_slug_that_holds_results_is_registered(upstream: Path) -> None:
    slugs = {folder.name for folder in upstream.iterdir() if folder.is_dir()}
    read = {str(source.path).split("/")[0] for source in catalog().sources}
    assert read == slugs - NO_RESULTS.keys()
    assert len(slugs) == 42


def test_every_source_is_counted_here() -> None:
    assert COUNTS.keys() == catalog().source_by_id.keys()


@pytest.mark.parametrize("leaderboard", sorted(COUNTS))
def test_a_board_is_read_whole_and_every_unread_row_is_explained(leaderboard: str, upstream: Path) -> None:
    rows = rows_of(leaderboard, upstream)
    received = receive(leaderboard, "0" * 64, rows)
    problems = received["problem"].drop_nulls().to_list()
    assert (received.height, received.height - len(problems)) == COUNTS[leaderboard]
    assert [text for text in problems if not EXPLAINED.fullmatch(text)] == []
    source = catalog().source_by_id[leaderboard]
    assert received.height - len(problems) >= source.min_rows
    assert source.license
    assert source.url.startswith(("https://", "git+https://"))


@pytest.mark.parametrize(("leaderboard", "where", "stated"), SPOTS)
def test_a_value_as_its_file_states_it(
    leaderboard: str, where: dict[str, Any], stated: dict[str, Any], upstream: Path
) -> None:
    found = [
        record
        for record in records_of(leaderboard, upstream)
        if all(record.get(key) == want for key, want in where.items())
    ]
    assert found
    wanted = {key: pytest.approx(want, abs=1e-5) if isinstance(want, float) else want for key, want in stated.items()}
    assert wanted in [{key: record.get(key) for key in stated} for record in found]


def test_units_are_what_upstream_states_never_what_a_number_looks_like(upstream: Path) -> None:
    """A08, A44: one unit a column; a value beyond its unit stays as received, for the gates to see."""
    for leaderboard in ("arc-agi", "llm-stats", "mteb", "wise"):
        assert {record["unit"] for record in records_of(leaderboard, upstream)} == {"score_fraction"}
    for leaderboard in ("bfcl", "bigcodebench", "tau2-bench", "mmmu", "mathvista"):
        assert {record["unit"] for record in records_of(leaderboard, upstream)} == {"score"}
    strange = [
        r for r in records_of("benchpress", upstream) if r["unit"] not in {"score", "score_fraction", "rating", "usd"}
    ]
    assert strange == []


def test_predictions_of_benchpress_are_never_scores(upstream: Path) -> None:
    """Only observed cells become rows; a cell that was dropped in the audit is none."""
    rows = rows_of("benchpress", upstream)
    assert all(row.row_locator.startswith("observed[") for row in rows)
    audits = Counter(r["protocol"]["extra"].get("audit") for r in records_of("benchpress", upstream))
    assert audits["verified"] > 2000
    assert "dropped" not in audits


def test_what_aggregators_repeat_is_marked_as_a_copy(upstream: Path) -> None:
    for leaderboard in ("llm-stats", "steel-agents"):
        assert all(record.get("copied_from") for record in records_of(leaderboard, upstream))
    own = Counter(
        bool(record.get("copied_from")) for record in records_of("epoch-hub", upstream) if "run" in _extra(record)
    )
    assert own == {False: 541}
    others = [record for record in records_of("epoch-hub", upstream) if "run" not in _extra(record)]
    assert sum(1 for record in others if record.get("copied_from")) > 0.97 * len(others)


def test_the_protocol_that_upstream_states_is_kept(upstream: Path) -> None:
    """A20, A21, A25, A26, A28, A33, A42: harness, simulator, effort, changed prompts, attempts, prompt variant."""
    opus = next(r for r in records_of("tau2-bench", upstream) if r["model"] == "Claude Opus 5")["protocol"]
    assert opus["harness"] == "tau2-bench 1.0.1"
    assert opus["effort"] == "max"
    assert opus["extra"]["user_simulator"] == "gpt-5.2"
    assert opus["extra"]["modified_prompts"] is False
    efforts = Counter(r.get("protocol", {}).get("effort") for r in records_of("tau2-bench", upstream))
    assert efforts["none"] > 0
    assert efforts[None] > 0
    run = next(r for r in records_of("openhands-index", upstream) if r["model"] == "DeepSeek-V3.2-Reasoner")
    assert (run["protocol"]["harness"], _extra(run)["agent_version"]) == ("OpenHands", "v1.8.3")
    harnesses = {r["protocol"]["harness"] for r in records_of("openhands-index", upstream)}
    assert {"OpenHands", "Claude Code"} <= harnesses
    step = next(r for r in records_of("osworld", upstream) if r["model"] == "computer-use-preview")["protocol"]
    assert (step["steps"], step["observation"], step["action_interface"]) == (15, "screenshot", "GUI")
    edit = next(r for r in records_of("aider-editing", upstream) if r["model"] == "claude-3-opus-20240229")
    assert _extra(edit)["edit_format"] == "diff"
    decoding = {_extra(r)["decoding"] for r in records_of("zeroeval", upstream)}
    assert decoding == {"greedy", "sampling", "greedy@no_cot"}


def test_a_cost_of_zero_is_no_cost(upstream: Path) -> None:
    """A27: aider writes 0.0 where the cost was not tracked."""
    costs = [_extra(r).get("total_cost_usd") for name in ("aider", "aider-editing") for r in records_of(name, upstream)]
    assert "not_tracked" in costs
    assert 0 not in costs


def test_categories_that_were_not_run_are_missing_not_zero(upstream: Path) -> None:
    """A14, A15, A18: an N/A cell is null; an overall column is an aggregate of its own, never a component."""
    missing = [r for r in records_of("tau2-bench", upstream) if r["value"] is None]
    assert len(missing) == 88
    kinds = defaultdict(set)
    for record in records_of("bfcl", upstream):
        kinds[record["metric"]].add(record.get("kind"))
    assert kinds == {"overall": {"aggregate"}, "accuracy": {None}}


def test_links_stand_beside_names(upstream: Path) -> None:
    """A59: a name that upstream writes as a link is its text, and the link is kept."""
    claude = next(r for r in records_of("openai-simple-evals", upstream) if r["model"] == "Claude 3 Opus")
    assert claude["model_url"] == "https://www.anthropic.com/news/claude-3-family"
    danish = next(r for r in records_of("euroeval", upstream) if r["model"].startswith("google/gemma-4-31B-it"))
    assert danish["model_url"].startswith("https://hf.co/")
    names = {record["model"] for name in ("euroeval", "mle-bench") for record in records_of(name, upstream)}
    assert not [name for name in names if "<" in name or "](" in name]


def test_the_two_rows_of_osworld_whose_rate_and_count_are_exchanged_stay_as_received(upstream: Path) -> None:
    """A32: the count beside the rate tells that the rates of two runs stand in each other's row."""
    runs = [r for r in records_of("osworld", upstream) if r["model"] == "opencua-32b" and not r.get("subset")]
    odd = []
    for run in runs:
        solved, _, total = _extra(run)["success_of_total"].partition("/")
        if abs(100 * float(solved) / float(total) - run["value"]) > 0.2:
            odd.append((run["value"], _extra(run)["success_of_total"]))
    assert sorted(odd) == [(34.8, "127.95/358"), (35.7, "125.22/360")]


def test_no_contact_address_is_left(upstream: Path) -> None:
    for leaderboard in sorted(COUNTS):
        for record in records_of(leaderboard, upstream):
            said = f"{record.get('notes')} {record.get('setting')} {_extra(record)}"
            assert not re.search(r"[A-Za-z0-9._]+@[A-Za-z0-9-]+\.(?:com|org|net|edu|ai|io)\b", said), record


def test_every_metric_of_the_catalog_is_reached(upstream: Path, repository: Path) -> None:
    """Every matcher finds a row of an upstream or of the demonstration."""
    places = Counter(
        (source, r["benchmark"], r.get("benchmark_version"), r.get("subset"), r["metric"])
        for source in COUNTS
        for r in records_of(source, upstream)
    )
    demo = load_catalog(
        repository / "warehouse" / "catalog", repository / "warehouse" / "demo" / "sources.yaml"
    ).catalog
    for source in demo.sources:
        file = repository / "warehouse" / "demo" / source.url
        for row in parse(source, read_local(str(file), file.parent, [repository], max_bytes=64_000_000).files).rows:
            record = dict(row.record or {})
            place = (record["benchmark"], record.get("benchmark_version"), record.get("subset"), record["metric"])
            places[(source.id, *place)] += 1
    unreached = [
        f"{metric.id}: {matcher.benchmark} / {matcher.subset} / {matcher.metric}"
        for metric in catalog().metrics
        for matcher in metric.from_
        if not any(_agrees(matcher, place) for place in places)
    ]
    # Declared for a board that the SWE-bench file has gained since this copy of it was taken, and for BFCL as it was up
    # to the middle of 2025, which its older versions hold.
    assert sorted(unreached) == [
        "bfcl-v3-ast: BFCL / non-live AST / accuracy",
        "bfcl-v3-multi-turn: BFCL / multi-turn / accuracy",
        "swe-bench-multilingual: SWE-bench / multilingual / resolved",
    ]


def test_the_real_boards_reach_every_dimension_with_more_than_sixty_scored_metrics(upstream: Path) -> None:
    from methods.catalog.matching import ambiguous, claims

    served: set[str] = set()
    for leaderboard in sorted(COUNTS):
        results = build_results(receive(leaderboard, "0" * 64, rows_of(leaderboard, upstream)), catalog())
        assert ambiguous(results, catalog()) == []
        served |= {metric for claim in claims(results, catalog()).distinct for metric in claim.metric_ids}
    scored = [catalog().metric_by_id[name] for name in served if catalog().metric_by_id[name].status == "scored"]
    assert len(scored) >= 60
    assert len({(metric.category, metric.dimension) for metric in scored}) == 32


def _extra(record: dict[str, Any]) -> dict[str, Any]:
    extra: dict[str, Any] = record.get("protocol", {}).get("extra", {})
    return extra


def _agrees(matcher: Any, place: tuple[Any, ...]) -> bool:
    board, benchmark, version, subset, metric = place
    return (
        (matcher.benchmark, matcher.metric) == (benchmark, metric)
        and matcher.leaderboard in {None, board}
        and (not matcher.constrains_version or matcher.benchmark_version == version)
        and (not matcher.constrains_subset or matcher.subset == subset)
    )
