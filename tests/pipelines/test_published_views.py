"""The views and macros of the published DuckDB answer what `explain` answers, with the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from small_homes import Ran, SmallWorld

from methods.lineage.explain import NEEDED
from methods.lineage.explanation import Explanation
from methods.lineage.explanation_index import ExplanationIndex
from resources.catalog_files import load_catalog
from resources.published_copy import connect_readonly
from resources.published_views import CATALOG_TABLES, EVENT_TABLE, sql_files
from resources.releases import ReleaseStore
from warehouse.tables import TABLES


@pytest.fixture(scope="module")
def published(demo: tuple[Path, Ran]) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = connect_readonly(demo[0])
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def explained(demo: tuple[Path, Ran]) -> list[Explanation]:
    """Every score of the demonstration, explained."""
    release = ReleaseStore(demo[0]).current()
    assert release is not None
    catalog = load_catalog(release.catalog_dir, None).catalog
    index = ExplanationIndex({name: release.read(name) for name in NEEDED}, catalog)
    places = release.read("out__category_score").select("model_id", "category").rows()
    return [index.explain(model, category) for model, category in places]


def rows(connection: duckdb.DuckDBPyConnection, query: str, *values: object) -> list[tuple[Any, ...]]:
    return connection.execute(query, list(values)).fetchall()


def test_every_score_has_the_same_parts_in_sql(
    published: duckdb.DuckDBPyConnection, explained: list[Explanation]
) -> None:
    found: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    query = (
        "SELECT category, model_id, dimension, metric_id, role, evidence_id, points, weight, z, raw_value, unit, "
        "snapshot_sha256, snapshot_path, row_locator, source_url, tier, precision FROM v_score_evidence"
    )
    for row in rows(published, query):
        found.setdefault(row[:2], []).append(row[2:])
    unclamped = {row[:2]: row[2] for row in rows(published, "SELECT category, model_id, unclamped FROM v_score")}
    assert len(explained) == len(unclamped) > 500
    for item in explained:
        wanted = [
            (
                part.dimension, own.metric_id, "own", own.evidence_id, own.contribution, own.weight, own.z,
                own.origin.raw_value, own.origin.unit, own.origin.snapshot_sha256, own.origin.snapshot_path,
                own.origin.row_locator, own.origin.source_url, own.tier, own.precision,
            )
            for part in item.dimensions
            for own in part.own
        ]  # fmt: skip
        wanted += [
            (part.dimension, one.metric_id, "cohort", None, one.contribution, one.weight, *([None] * 9))
            for part in item.dimensions
            for one in part.cohort
        ]
        mine = found.get((item.category, item.model_id), [])
        assert sorted(mine, key=repr) == sorted(wanted, key=repr)
        assert unclamped[item.category, item.model_id] == item.unclamped
        assert abs(math.fsum([item.centre, *(row[4] for row in mine)]) - item.unclamped) <= 1e-9


def test_the_interval_and_the_duplicates_agree(
    published: duckdb.DuckDBPyConnection, explained: list[Explanation]
) -> None:
    shares: dict[tuple[str, str], dict[str | None, float]] = {}
    query = "SELECT category, model_id, dimension, variance_share FROM v_interval"
    for category, model, dimension, share in rows(published, query):
        shares.setdefault((category, model), {})[dimension] = share
    losers = rows(published, "SELECT kept_entry_id, metric_id, entry_id, detail FROM v_lost_duplicate")
    told: set[tuple[Any, ...]] = set()
    for item in explained:
        mine = shares[item.category, item.model_id]
        for part in item.dimensions:
            assert mine[part.dimension] == pytest.approx(part.variance_share, rel=1e-14)
            told |= {
                (own.origin.entry_id, own.metric_id, loser.entry_id, loser.detail)
                for own in part.own
                for loser in own.duplicates
            }
        assert mine.get(None, 0.0) == item.missing_variance
        assert math.fsum(mine.values()) == pytest.approx(item.sigma**2, rel=1e-12)
    assert told == set(losers) and len(losers) > 10


def test_the_macros_answer_for_one_model_by_id_or_name(
    published: duckdb.DuckDBPyConnection, explained: list[Explanation]
) -> None:
    chosen = explained[:: max(1, len(explained) // 40)] + [item for item in explained if item.excluded][:20]
    for item in chosen:
        sums = rows(published, "SELECT sum(points), count(*) FROM explain_score(?, ?)", item.model_id, item.category)
        assert sums[0][0] == pytest.approx(item.unclamped, abs=1e-9)
        by_name = "SELECT * EXCLUDE (step) FROM explain_score(?, ?)"
        assert rows(published, by_name, item.model_name, item.category) == rows(
            published, by_name, item.model_id, item.category
        )
        left_out = rows(published, "SELECT * FROM excluded_rows(?, ?)", item.model_id, item.category)
        wanted = [
            (
                row.metric_id, row.stage, row.reason_code, row.raw_value, row.detail, row.kept_entry_id,
                row.leaderboard, row.snapshot_sha256, row.row_locator, row.entry_id,
            )
            for row in item.excluded
        ]  # fmt: skip
        assert sorted(left_out, key=repr) == sorted(wanted, key=repr)
    assert rows(published, "FROM explain_score('nobody', 'coding')") == []


def test_every_received_row_has_a_fate(published: duckdb.DuckDBPyConnection) -> None:
    lost = "SELECT count(*) FROM raw__row ANTI JOIN v_row_fate USING (leaderboard, snapshot_sha256, row_locator)"
    assert rows(published, lost) == [(0,)]
    tally = dict(rows(published, "SELECT reason_code, sum(rows) FROM v_exclusion_reasons GROUP BY reason_code"))
    assert tally == dict(rows(published, "SELECT reason_code, count(*) FROM core__exclusion GROUP BY reason_code"))
    assert rows(published, "SELECT count(*) FROM v_exclusion_reasons WHERE meaning IS NULL") == [(0,)]
    assert rows(published, "SELECT count(*) FROM v_exclusion") == rows(
        published, "SELECT count(*) FROM core__exclusion"
    )


def test_gates_sources_and_releases_can_be_read(published: duckdb.DuckDBPyConnection) -> None:
    assert rows(published, "SELECT count(*) FROM v_gate WHERE NOT stands AND product = 'scores'") == [(0,)]
    assert rows(published, "SELECT count(*) FROM v_source WHERE license IS NULL OR results < results_that_count") == [
        (0,)
    ]
    assert rows(published, "SELECT status, withdrawn_because FROM v_release") == [("current", None)]
    events = rows(published, f"SELECT number, event FROM {EVENT_TABLE}")
    assert events == [(1, "created")]


def test_names_collide_with_no_table_and_every_view_is_described(published: duckdb.DuckDBPyConnection) -> None:
    views = dict(rows(published, "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"))
    assert all(name.startswith("v_") and name not in TABLES for name in views)
    assert all(views.values())
    assert len(views) == sum(path.read_text(encoding="utf-8").count("CREATE VIEW") for path in sql_files())
    assert not set(CATALOG_TABLES) & set(TABLES)
    for name in views:
        published.execute(f"SELECT * FROM {name} LIMIT 1")


def test_views_stand_empty_where_every_release_is_withdrawn(template: SmallWorld, tmp_path: Path) -> None:
    world = template.copy(tmp_path / "world")
    release = world.current()
    assert release is not None
    assert world.ask("withdraw", release, "--reason", "unit bug").code == 0
    connection = connect_readonly(world.home)
    assert rows(connection, "SELECT count(*) FROM v_score_evidence") == [(0,)]
    found = rows(connection, "SELECT release_id, status, withdrawn_because FROM v_release")
    assert found == [(release, "withdrawn", "unit bug")]
    connection.close()
