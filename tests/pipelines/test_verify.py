"""`verify`: a release holds wherever its home lies, and whatever was touched is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest
from small_homes import DAY, Ran, SmallWorld, board_rows, call

import assets.publication
import resources.publication
from methods.catalog.released_tables import tables_not_asked_for
from resources.manifest import Release
from resources.publication import Published
from resources.table_files import read_stamp_file, read_table_file, write_table_file
from resources.workspace import Workspace
from warehouse.tables import RELEASED, TABLES


def release_of(world: SmallWorld) -> Release:
    found = world.releases.current()
    assert found is not None
    return found


def verify(world: SmallWorld) -> Ran:
    return world.ask("verify", str(world.current()))


def test_a_home_copied_to_another_folder_verifies(published: SmallWorld, tmp_path: Path) -> None:
    """Replay elsewhere: nothing but the copied home is there, neither the sources nor the catalog it was made with."""
    elsewhere = tmp_path / "another machine" / "home of auditor"
    shutil.copytree(published.home, elsewhere)
    released = published.released
    shutil.rmtree(published.root)
    ran = call("verify", "current", "--home", elsewhere, "--json")
    assert ran.code == 0, ran.said
    said = ran.json
    assert said["holds"] is True
    assert said["code_differs"] is False
    assert len(said["tables"]) == len(released)


def test_verifying_changes_nothing_in_the_home(published: SmallWorld) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(published.home.rglob("*"))}
    assert verify(published).code == 0
    assert {path: path.stat().st_mtime_ns for path in sorted(published.home.rglob("*"))} == before


def test_a_release_with_a_baseline_verifies_without_the_former_release(published_twice: SmallWorld) -> None:
    """The baseline's figures lie in the release itself."""
    first = published_twice.releases.ledger().releases[0].release_id
    shutil.rmtree(published_twice.releases.folder(first))
    ran = verify(published_twice)
    assert ran.code == 0, ran.said


def test_a_release_that_holds_empty_tables_of_no_study_verifies_and_reads(
    fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As releases were once made: every table of every kind of study is there, empty, also where none was asked for."""
    ordinary = resources.publication.publish

    def as_once(workspace: Workspace, day: date) -> Published:
        for table in tables_not_asked_for(workspace.catalog):
            workspace.save(table, day, TABLES[table].empty())
        return ordinary(workspace, day)

    with monkeypatch.context() as patch:
        patch.setattr(assets.publication, "publish", as_once)
        patch.setattr(resources.publication, "released_tables", lambda _catalog: RELEASED)
        assert fresh.run().code == 0
    former = release_of(fresh)
    assert set(former.manifest.tables) == set(RELEASED)
    ran = call("verify", former.release_id, "--home", fresh.home, "--json")
    assert ran.code == 0, ran.said
    assert len(ran.json["tables"]) == len(RELEASED)
    assert fresh.ask("scores", "--category", "coding").code == 0
    out = fresh.root / "csv"
    assert fresh.ask("export", former.release_id, "--format", "csv", "--out", str(out)).code == 0
    assert (out / "out__judge_summary.csv").is_file()
    fresh.write_board("alpha", board_rows("alpha", 0.4), "2026-03-29T05:00:00Z")
    assert fresh.run(day=DAY + timedelta(days=1)).code == 0
    assert set(release_of(fresh).manifest.tables) == set(fresh.released)
    assert fresh.ask("diff", former.release_id, str(fresh.current())).code == 0


def test_the_published_copy_holds_every_table_empty_where_no_study_asks_for_it(published: SmallWorld) -> None:
    with duckdb.connect(str(published.database), read_only=True) as connection:
        for table in set(RELEASED) - set(published.released):
            assert connection.execute(f'SELECT count(*) FROM "{table}"').fetchall() == [(0,)]
        listed = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert set(RELEASED) <= listed


def flip_a_table_byte(world: SmallWorld) -> str:
    path = release_of(world).table_path("core__evidence")
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.write_bytes(data)
    return "core__evidence"


def forge_a_table(world: SmallWorld) -> str:
    """A whole Parquet file with another score under the true stamp."""
    path = release_of(world).table_path("out__category_score")
    frame, stamp = read_table_file(path, "out__category_score"), read_stamp_file(path)
    write_table_file(path, frame.with_columns(score=pl.col("score") + 1), stamp)
    return "out__category_score"


def change_the_manifest(world: SmallWorld) -> str:
    path = release_of(world).folder / "manifest.json"
    value = json.loads(path.read_text())
    value["counts"]["evidence"] += 1
    path.write_text(json.dumps(value))
    return "manifest.json: was changed"


def lose_the_manifest(world: SmallWorld) -> str:
    (release_of(world).folder / "manifest.json").unlink()
    return "manifest.json: cannot be read"


def lose_the_folder(world: SmallWorld) -> str:
    shutil.rmtree(release_of(world).folder)
    return "its folder is missing"


def change_a_snapshot(world: SmallWorld) -> str:
    entry = release_of(world).manifest.snapshots[0]
    path = world.home / str(entry.file)
    path.write_bytes(path.read_bytes().replace(b'"value": ', b'"value":  ', 1))
    return f"{entry.file}: differs from what was received"


def lose_a_snapshot(world: SmallWorld) -> str:
    entry = release_of(world).manifest.snapshots[0]
    (world.home / str(entry.file)).unlink()
    return f"{entry.file}: missing"


def lose_the_snapshot_index(world: SmallWorld) -> str:
    (world.home / "snapshots" / "index.jsonl").unlink()
    return "of the release is not in"


def break_the_catalog(world: SmallWorld) -> str:
    (release_of(world).catalog_dir / "models.yaml").write_text("models: 7\n")
    return "models.yaml: was changed"


def edit_the_catalog(world: SmallWorld) -> str:
    path = release_of(world).catalog_dir / "metrics.yaml"
    path.write_text(path.read_text().replace("small.1", "small.2"))
    return "metrics.yaml: was changed"


def add_a_file(world: SmallWorld) -> str:
    (release_of(world).folder / "tables" / "extra.parquet").write_bytes(b"")
    return "extra.parquet: is not listed"


@pytest.mark.parametrize(
    "touch",
    [
        change_the_manifest, lose_the_manifest, lose_the_folder, lose_a_snapshot, lose_the_snapshot_index,
        break_the_catalog, edit_the_catalog,
    ],
)  # fmt: skip
def test_whatever_was_touched_is_named(published: SmallWorld, touch: Callable[[SmallWorld], str]) -> None:
    """Exit code 1, the file named, no traceback, in words and as JSON."""
    release = str(published.current())
    named = touch(published)
    ran = published.ask("verify", release, "--json")
    assert ran.code == 1, ran.said
    assert named in json.dumps(ran.json, ensure_ascii=False)
    assert ran.json["holds"] is False
    assert "Traceback" not in ran.said


def test_every_damage_is_named_in_words_too(published: SmallWorld) -> None:
    """One recomputation for all that can be damaged side by side."""
    release = str(published.current())
    named = [harm(published) for harm in (change_a_snapshot, flip_a_table_byte, forge_a_table, add_a_file)]
    ran = published.ask("verify", release)
    assert ran.code == 1
    assert "Traceback" not in ran.said
    for words in (*named, "does not hold"):
        assert words in ran.out


def test_a_damaged_baseline_is_named(published_twice: SmallWorld) -> None:
    (release_of(published_twice).folder / "baseline.json").write_text("{")
    ran = published_twice.ask("verify", "current", "--json")
    assert ran.code == 1, ran.said
    assert "baseline.json" in json.dumps(ran.json)


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("2026-03-28-000000000000", "no release 2026-03-28-000000000000"),
        ("../../etc", "is a folder" if Path("../../etc").is_dir() else "no such file"),
        ("yesterday", "is no release id"),
    ],
)
def test_an_unknown_release_is_a_usage_error(template: SmallWorld, release: str, said: str) -> None:
    ran = template.ask("verify", release, "--json")
    assert ran.code == 2
    assert said in ran.json["error"]


def test_a_home_without_a_release_has_nothing_to_verify(tmp_path: Path) -> None:
    ran = call("verify", "current", "--home", tmp_path / "none", "--json")
    assert ran.code == 2
    assert "holds no release yet" in ran.json["error"]
    assert not (tmp_path / "none").exists()
