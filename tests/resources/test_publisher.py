"""The DuckDB copy: exactly the release, readable while it is replaced, with the manifest inside."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
from small_release import DAY, HELD, LATER, NOON, TEXTS, draft_of, fill_tables

from resources import publisher
from resources.manifest import Release, ReleaseError
from resources.published_copy import connect_readonly, database_path, read_published
from resources.published_proof import PROOF_NAME
from resources.publisher import publish_current, publish_duckdb
from resources.releases import ReleaseStore
from resources.table_files import TableError
from resources.tables import TableStore
from warehouse.canonical import sha256_hex
from warehouse.contracts import TableContract
from warehouse.hashing import table_hash
from warehouse.tables import OUT_RELEASE, TABLES


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """One release of seven awkward rows a table, published."""
    fill_tables(tmp_path, rows=7)
    made = ReleaseStore(tmp_path).create(draft_of(), TableStore(tmp_path))
    publish_current(tmp_path)
    return made


def second_release(home: Path, rows: int = 4) -> Release:
    fill_tables(home, LATER, shift=2, rows=rows)
    return ReleaseStore(home).create(draft_of(LATER), TableStore(home))


def test_every_table_holds_exactly_the_values_of_the_release(release: Release, tmp_path: Path) -> None:
    """D06, D08, D11, D12, D15, D20: no value is rounded, retyped or shifted on its way."""
    with connect_readonly(tmp_path) as connection:
        for name in HELD:
            back = read_published(connection, name)
            assert back.equals(release.read(name), null_equal=True), name
            assert table_hash(back, TABLES[name]) == release.manifest.tables[name].hash
        models = connection.execute("SELECT DISTINCT model FROM core__result").fetchall()
    assert {model for (model,) in models} == set(TEXTS)


def test_tables_that_are_handed_over_in_pieces_hold_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: Release
) -> None:
    """Large tables are inserted piece by piece, committed, and read back column by column, never whole."""
    database_path(tmp_path).unlink()
    monkeypatch.setattr(publisher, "ROWS_AT_ONCE", 3)
    asked: list[str] = []

    def whole(connection: duckdb.DuckDBPyConnection, name: str) -> pl.DataFrame:
        asked.append(name)
        return read_published(connection, name)

    monkeypatch.setattr(publisher, "read_published", whole)
    publish_duckdb(tmp_path, release)
    assert not set(HELD) & set(asked)
    with connect_readonly(tmp_path) as connection:
        for name in HELD:
            assert read_published(connection, name).equals(release.read(name), null_equal=True), name


def test_pieces_that_read_back_otherwise_are_never_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: Release
) -> None:
    database_path(tmp_path).unlink()
    monkeypatch.setattr(publisher, "ROWS_AT_ONCE", 3)

    def spoiled(connection: duckdb.DuckDBPyConnection, contract: TableContract, expected: str) -> bool:
        if contract.name == "core__result":
            connection.execute("UPDATE core__result SET value = value + 1 WHERE value IS NOT NULL")
        return honest(connection, contract, expected)

    honest = publisher._reads_back
    monkeypatch.setattr(publisher, "_reads_back", spoiled)
    with pytest.raises(publisher.PublishError, match="core__result: DuckDB does not give back"):
        publish_duckdb(tmp_path, release)
    assert not database_path(tmp_path).exists()


def test_the_columns_have_the_types_of_the_contract_and_say_what_they_mean(release: Release, tmp_path: Path) -> None:
    with connect_readonly(tmp_path) as connection:
        found = connection.execute(
            "SELECT column_name, data_type, is_nullable, comment FROM duckdb_columns() "
            "WHERE table_name = 'core__result' AND database_name = 'published' ORDER BY column_index"
        ).fetchall()
        grain = connection.execute("SELECT comment FROM duckdb_tables() WHERE table_name = 'core__result'").fetchone()
    contract = TABLES["core__result"]
    assert [name for name, *_ in found] == list(contract.columns)
    assert {name for name, _, nullable, _ in found if nullable} == set(contract.nullable)
    assert {name: kind for name, kind, *_ in found}["model"] == "VARCHAR"
    assert {name: text for name, _, _, text in found}["entry_id"] == contract.entries["entry_id"].meaning
    assert grain == (contract.grain,)


def test_the_manifest_travels_inside(release: Release, tmp_path: Path) -> None:
    """G15: only the .duckdb file is copied elsewhere; the manifest is readable from it, byte for byte."""
    alone = tmp_path / "elsewhere" / "only.duckdb"
    alone.parent.mkdir()
    shutil.copyfile(database_path(tmp_path), alone)
    with duckdb.connect(str(alone), read_only=True) as connection:
        rows = connection.execute("SELECT release_id, manifest_sha256, manifest FROM out__manifest").fetchall()
    [(release_id, sha, text)] = rows
    assert release_id == release.release_id == json.loads(text)["release_id"]
    assert sha == release.manifest_sha256 == sha256_hex(text.encode())
    assert text.encode() == (release.folder / "manifest.json").read_bytes()


def test_the_session_is_utc_read_only_and_loads_nothing(release: Release, tmp_path: Path) -> None:
    """D14, B07: a reader never writes; a time near midnight stays on its day."""
    with connect_readonly(tmp_path) as connection:
        assert connection.execute("SELECT current_setting('TimeZone')").fetchone() == ("UTC",)
        for setting in ("autoinstall_known_extensions", "autoload_known_extensions"):
            assert connection.execute(f"SELECT current_setting('{setting}')").fetchone() == (False,)
        day = connection.execute("SELECT CAST(TIMESTAMPTZ '2026-03-29 23:30:00Z' AS DATE)").fetchone()
        assert day is not None
        assert str(day[0]) == "2026-03-29"
        assert connection.execute("SELECT DISTINCT fetched_at FROM raw__snapshot WHERE fetched_at IS NOT NULL") \
            .fetchall() == [(NOON,)]  # fmt: skip
        with pytest.raises(duckdb.Error, match="read-only"):
            connection.execute("DELETE FROM core__result")
    assert isinstance(NOON, datetime)


READER = """
import sys, duckdb
from pathlib import Path
from resources.published_copy import connect_readonly, database_path
home = Path(sys.argv[1])
plain = duckdb.connect(str(database_path(home)), read_only=True)
ours = connect_readonly(home)
def say():
    for connection in (plain, ours):
        found = connection.execute("SELECT release_id, (SELECT count(*) FROM core__result) FROM out__manifest")
        print(*found.fetchall()[0], flush=True)
say()
for line in sys.stdin:
    say()
"""


def test_an_open_reader_keeps_its_copy_and_publication_never_waits(
    release: Release, tmp_path: Path, repository: Path
) -> None:
    """B06, B09: an auditor in another process holds connections; publication succeeds; each reads a whole release."""
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(tmp_path)],
        cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert reader.stdout is not None
    assert reader.stdin is not None
    old = f"{release.release_id} 7\n"
    try:
        assert [reader.stdout.readline() for _ in range(2)] == [old, old]
        for rows in (4, 4):
            second = second_release(tmp_path, rows)
            publish_current(tmp_path)
            reader.stdin.write("again\n")
            reader.stdin.flush()
            assert [reader.stdout.readline() for _ in range(2)] == [old, old]
            with connect_readonly(tmp_path) as connection:
                assert connection.execute("SELECT release_id FROM out__manifest").fetchall() == [(second.release_id,)]
    finally:
        reader.communicate()


def test_a_reader_in_the_same_process_gets_the_new_copy(release: Release, tmp_path: Path) -> None:
    """DuckDB hands out an open database again for the same path; a new reader must not be given the old release."""
    with connect_readonly(tmp_path) as before:
        second = second_release(tmp_path)
        publish_current(tmp_path)
        with connect_readonly(tmp_path) as after:
            assert after.execute("SELECT release_id FROM out__manifest").fetchall() == [(second.release_id,)]
        assert before.execute("SELECT release_id FROM out__manifest").fetchall() == [(release.release_id,)]
        assert before.execute("SELECT count(*) FROM core__result").fetchall() == [(7,)]


def test_a_backfill_leaves_the_current_tables_and_shows_in_the_list(tmp_path: Path) -> None:
    current = second_release(tmp_path)
    publish_current(tmp_path)
    fill_tables(tmp_path, rows=7)
    backfill = ReleaseStore(tmp_path).create(draft_of(), TableStore(tmp_path))
    publish_current(tmp_path)
    with connect_readonly(tmp_path) as connection:
        assert connection.execute("SELECT release_id FROM out__manifest").fetchall() == [(current.release_id,)]
        assert read_published(connection, "core__result").equals(current.read("core__result"), null_equal=True)
        rows = read_published(connection, "out__release")
    assert dict(rows.select("release_id", "status").iter_rows()) == {
        current.release_id: "current", backfill.release_id: "superseded",
    }  # fmt: skip
    assert rows.equals(OUT_RELEASE.conform(ReleaseStore(tmp_path).release_rows()), null_equal=True)


def test_when_all_are_withdrawn_the_tables_stand_empty(release: Release, tmp_path: Path) -> None:
    ReleaseStore(tmp_path).withdraw(release.release_id, "unit bug", NOON)
    publish_current(tmp_path)
    with connect_readonly(tmp_path) as connection:
        for name in HELD:
            assert read_published(connection, name).is_empty()
        assert connection.execute("SELECT * FROM out__manifest").fetchall() == []
        assert read_published(connection, "out__release")["status"].to_list() == ["withdrawn"]


def test_a_changed_release_is_not_published_and_the_old_copy_stays(release: Release, tmp_path: Path) -> None:
    second = second_release(tmp_path)
    path = second.table_path("core__evidence")
    before = database_path(tmp_path).read_bytes()
    honest = path.read_bytes()
    table = pq.read_table(release.table_path("core__evidence"))
    pq.write_table(table.replace_schema_metadata(pq.read_schema(path).metadata), path)
    with pytest.raises(ReleaseError, match="the manifest says"):
        publish_current(tmp_path)
    path.write_bytes(honest[:-9])
    with pytest.raises(TableError):
        publish_current(tmp_path)
    assert database_path(tmp_path).read_bytes() == before
    assert [name.name for name in tmp_path.iterdir() if "duckdb" in name.name] == ["scoretrail.duckdb"]


def test_a_copy_that_reads_back_otherwise_is_never_put_in_place(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = database_path(tmp_path).read_bytes()
    monkeypatch.setattr(publisher, "read_published", lambda connection, name: TABLES[name].empty())
    with pytest.raises(publisher.PublishError, match="does not give back"):
        publish_duckdb(tmp_path, release)
    assert database_path(tmp_path).read_bytes() == before


def test_a_log_of_the_old_copy_is_not_replayed_onto_the_new(release: Release, tmp_path: Path) -> None:
    log = database_path(tmp_path).with_name("scoretrail.duckdb.wal")
    log.write_bytes(b"changes somebody made to the old copy")
    publish_current(tmp_path)
    assert not log.exists()
    with connect_readonly(tmp_path) as connection:
        assert isinstance(read_published(connection, "core__result"), pl.DataFrame)


def test_before_the_first_publication_readers_are_told_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing was published yet"):
        connect_readonly(tmp_path)


def test_a_home_with_odd_letters_in_its_path(tmp_path: Path) -> None:
    home = tmp_path / 'it\'s a héme; "x"'
    fill_tables(home)
    ReleaseStore(home).create(draft_of(), TableStore(home))
    publish_current(home)
    with connect_readonly(home) as connection:
        assert read_published(connection, "core__result").height == 5
    assert DAY < LATER


def test_a_former_copy_that_was_edited_serves_only_where_it_still_holds(release: Release, tmp_path: Path) -> None:
    """Values changed, a view and a table of somebody's own: the next copy holds the release, and nothing else."""
    with duckdb.connect(str(database_path(tmp_path))) as connection:
        connection.execute("UPDATE core__evidence SET value = value + 1")
        connection.execute("CREATE TABLE mine AS SELECT 1 AS n")
        connection.execute("CREATE VIEW own AS SELECT * FROM mine")
        connection.execute("CREATE MACRO twice(n) AS 2 * n")
    publish_current(tmp_path)
    with connect_readonly(tmp_path) as connection:
        for name in HELD:
            assert table_hash(read_published(connection, name), TABLES[name]) == release.manifest.tables[name].hash
        there = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        views = {name for (name,) in connection.execute("SELECT view_name FROM duckdb_views()").fetchall()}
        macros = connection.execute("SELECT function_name FROM duckdb_functions() WHERE function_name = 'twice'")
        assert "mine" not in there
        assert "own" not in views
        assert macros.fetchall() == []


@pytest.mark.parametrize(
    "spoil",
    ["DELETE FROM out__manifest", "DROP TABLE core__evidence", "ALTER TABLE core__result DROP COLUMN value"],
)
def test_a_former_copy_of_another_shape_is_not_begun_from(release: Release, tmp_path: Path, spoil: str) -> None:
    with duckdb.connect(str(database_path(tmp_path))) as connection:
        connection.execute(spoil)
    publish_current(tmp_path)
    with connect_readonly(tmp_path) as connection:
        for name in HELD:
            assert table_hash(read_published(connection, name), TABLES[name]) == release.manifest.tables[name].hash
    assert [name.name for name in tmp_path.iterdir() if "duckdb" in name.name] == ["scoretrail.duckdb"]


@pytest.fixture
def read_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that are read from a copy while the test runs."""
    names: list[str] = []
    honest = publisher.read_published

    def noted(connection: duckdb.DuckDBPyConnection, name: str) -> pl.DataFrame:
        names.append(name)
        return honest(connection, name)

    monkeypatch.setattr(publisher, "read_published", noted)
    return names


def shown(home: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a copy holds or shows: tables, views, macros, and what they mean."""
    with connect_readonly(home) as connection:
        listed = "SELECT table_name, comment FROM duckdb_tables() UNION SELECT view_name, comment FROM duckdb_views() "
        names = connection.execute(f"{listed} ORDER BY ALL").fetchall()
        macros = "SELECT function_name, macro_definition FROM duckdb_functions() WHERE function_type LIKE '%macro'"
        found = {"names": names, "macros": connection.execute(f"{macros} ORDER BY ALL").fetchall()}
        held = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        return found | {name: connection.execute(f'SELECT * FROM "{name}" ORDER BY ALL').fetchall() for (name,) in held}


def test_of_a_copy_with_the_bytes_that_were_proved_only_what_moved_is_read(
    release: Release, tmp_path: Path, read_back: list[str]
) -> None:
    """The copy that comes of it holds and shows what one made from nothing does."""
    fill_tables(tmp_path, LATER, rows=7)
    second = ReleaseStore(tmp_path).create(draft_of(LATER), TableStore(tmp_path))
    moved = {
        name
        for name, found in second.manifest.table_hashes.items()
        if found != release.manifest.table_hashes[name] or TABLES[name].unhashed
    }
    publish_current(tmp_path)
    assert set(read_back) == {*moved, OUT_RELEASE.name}
    assert moved < set(HELD)
    begun_from_the_former = shown(tmp_path)
    database_path(tmp_path).unlink()
    publish_current(tmp_path)
    assert shown(tmp_path) == begun_from_the_former


@pytest.mark.parametrize(
    ("field", "said"),
    [("sha256", "0" * 64), ("manifest_sha256", "0" * 64), ("made_by", "0" * 64), ("release_id", "no release"), ("", 0)],
)
def test_a_proof_that_does_not_fit_proves_nothing(
    release: Release, tmp_path: Path, read_back: list[str], field: str, said: object
) -> None:
    path = tmp_path / PROOF_NAME
    value = {**json.loads(path.read_text()), field: said}
    path.write_text(json.dumps(value) if field else "{torn")
    publish_current(tmp_path)
    assert set(read_back) == {name for name in HELD if not TABLES[name].unhashed} | {
        name for name in TABLES if TABLES[name].unhashed and name in release.manifest.tables
    } | {OUT_RELEASE.name}  # fmt: skip


def test_a_proof_that_cannot_be_written_holds_no_publication_up(
    release: Release, tmp_path: Path, read_back: list[str]
) -> None:
    (tmp_path / PROOF_NAME).unlink()
    (tmp_path / PROOF_NAME).mkdir()
    publish_current(tmp_path)
    read_back.clear()
    publish_current(tmp_path)
    assert set(read_back) >= set(HELD), "nothing is known of the copy, so all of it is read"
    assert [path.name for path in tmp_path.glob(".*.tmp")] == []
