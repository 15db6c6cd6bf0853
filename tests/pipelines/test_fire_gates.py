"""Bad content in a legal file: the sync keeps what came, and a gate of the day says no; the release before stays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from small_homes import DAY, NEXT, SmallWorld, board_rows, failing_gates, gate_row

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources"))
from local_server import local_server

from resources.day_snapshots import snapshot_history
from resources.settings import Settings
from resources.side_by_side import grouped, sync_all
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec

Rows = list[dict[str, Any]]


def half(rows: Rows) -> Rows:
    return rows[::2]


def zero(rows: Rows) -> Rows:
    return [row | {"value": 0} for row in rows]


def hundredth(rows: Rows) -> Rows:
    return [row | {"value": round(row["value"] / 100, 4)} for row in rows]


def shifted(rows: Rows) -> Rows:
    """Each value beside another model: a column sorted without its names."""
    values = sorted(row["value"] for row in rows)
    return [row | {"value": value} for row, value in zip(rows, values[5:] + values[:5], strict=True)]


def renamed_models(rows: Rows) -> Rows:
    return [row | {"model": f"{row['model']} (new)"} for row in rows]


BAD: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "half the rows gone": (half, "rows-lost"),
    # Without spread nothing of it counts: noticed before degenerate-column is asked (tests/checks).
    "all zero": (zero, "evidence-lost"),
    "divided by 100": (hundredth, "scale-change"),
    "a shifted column": (shifted, "value-jump"),
    "other models in place of those": (renamed_models, "board-models-gone"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_content_stops_at_its_gate_and_harms_no_other(published: SmallWorld, case: str) -> None:
    change, gate = BAD[case]
    before = published.current()
    published.write_board("alpha", change(board_rows("alpha")), "2026-03-29T06:00:00Z")
    ran = published.run(day=NEXT)
    assert ran.code == 1, ran.said
    assert ran.json["published"] is None
    assert published.current() == published.published() == before
    assert gate in failing_gates(published, NEXT)
    row = gate_row(published, gate, NEXT)
    assert "alpha" in row["detail"]
    statuses = {source["leaderboard"]: source["status"] for source in ran.json["sources"]}
    assert statuses == dict.fromkeys(("alpha", "beta", "gamma", "delta"), "asserted")
    if gate == "rows-lost":
        published.write_board("alpha", board_rows("alpha", 0.1), "2026-03-29T07:00:00Z")
        assert published.run(day=NEXT).code == 0, "once the board is sound again, so is the day"


def test_a_field_that_vanishes_is_shown_and_stops_nothing(fresh: SmallWorld) -> None:
    rows = [row | {"protocol": {"harness": "v1"}} for row in board_rows("alpha")]
    fresh.write_board("alpha", rows)
    assert fresh.run().code == 0
    fresh.write_board("alpha", [row | {"n_samples": None} for row in rows], "2026-03-29T06:00:00Z")
    ran = fresh.run(day=NEXT)
    assert ran.code == 0, ran.said
    row = gate_row(fresh, "schema-drift", NEXT)
    assert row["verdict"] == "fail"
    assert "gone: n_samples" in row["detail"]


def test_the_history_of_snapshots_is_what_was_known_by_the_day(published_twice: SmallWorld) -> None:
    workspace = Workspace.open(Settings.from_env(home=published_twice.home, catalog_dir=published_twice.catalog))
    for day, contents in ((DAY, 1), (NEXT, 2), (date(2026, 1, 1), 0)):
        history = snapshot_history(workspace, day)
        assert history.filter(history["leaderboard"] == "alpha").height == contents
    assert snapshot_history(workspace, NEXT, contents=1).height == 4


def source(leaderboard: str, url: str) -> SourceSpec:
    return SourceSpec(
        id=leaderboard, title="T", connector="native", url=url, source_type="official", allow_private=True
    )


def test_sources_are_grouped_by_host_and_files_are_spread() -> None:
    sources = [source(f"s{n}", f"https://host-{n % 2}/x.json") for n in range(6)]
    sources += [source(f"f{n}", f"f{n}.json") for n in range(9)]
    groups = [[entry.id for entry in group] for group in grouped(sources, local=False)]
    assert ["s0", "s2", "s4"] in groups
    assert ["s1", "s3", "s5"] in groups
    assert sorted(len(group) for group in groups) == [2, 2, 2, 3, 3, 3]
    assert sorted(len(group) for group in grouped(sources, local=True)) == [3, 4, 4, 4]


def test_progress_counts_and_one_bad_source_costs_the_others_nothing(fresh: SmallWorld) -> None:
    said: list[str] = []
    with local_server() as server:
        for board, entry in fresh.entries.items():
            entry |= {"url": server.serve(f"/{board}", fresh.board_file(board).read_bytes()), "allow_private": True}
        server.answers.pop("/gamma")
        fresh.write_sources()
        workspace = Workspace.open(
            Settings.from_env(home=fresh.home, catalog_dir=fresh.catalog, environ={"SCORETRAIL_RETRY_SECONDS": "0"}),
            progress=said.append,
        )
        done = {entry.id: outcome.status for entry, outcome in sync_all(workspace, workspace.catalog.sources)}
    assert done == {"alpha": "fresh", "beta": "fresh", "gamma": "failed", "delta": "fresh"}
    assert [line.split(" ")[0] for line in said] == ["[1/4]", "[2/4]", "[3/4]", "[4/4]"]
