"""A killed process, a full disk: at every step the home is whole before, or becomes whole at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_release import DAY, LATER, NOON, draft_of, fill_tables

from resources.manifest import ReleaseError
from resources.published_copy import connect_readonly, database_path
from resources.publisher import publish_current
from resources.recovery import is_published, recover
from resources.releases import ReleaseStore
from resources.tables import TableStore

SCRIPT = Path(__file__).with_name("killed_runs.py")


@pytest.mark.parametrize(("scenario", "at_least"), [("publish", 30), ("recover", 10), ("write", 10), ("full disk", 0)])
def test_a_kill_or_a_full_disk_at_every_step_leaves_a_whole_home(
    scenario: str, at_least: int, repository: Path
) -> None:
    asked = {name: value for name, value in os.environ.items() if name == "SCORETRAIL_KILL_EVERY"}
    ended = subprocess.run(
        [sys.executable, str(SCRIPT), scenario],
        cwd=repository,
        env={"PYTHONPATH": str(repository), "PATH": "/usr/bin:/bin", **asked},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert int(ended.stdout) >= at_least, "the scenario was killed at fewer places than it has"


def test_a_home_that_was_never_used_needs_no_recovery(tmp_path: Path) -> None:
    assert recover(tmp_path / "nowhere").messages == []
    assert recover(tmp_path).messages == []
    assert is_published(tmp_path)
    assert not database_path(tmp_path).exists()


def test_recovery_says_what_it_did(tmp_path: Path) -> None:
    fill_tables(tmp_path)
    store = ReleaseStore(tmp_path)
    release = store.create(draft_of(), TableStore(tmp_path))
    store.ledger_path.unlink()
    (tmp_path / ".scoretrail.duckdb.0123.tmp").write_bytes(b"half a database")
    (tmp_path / ".scoretrail.duckdb.0123.tmp.wal").write_bytes(b"its log")
    did = recover(tmp_path)
    assert did.entered == (release.release_id,)
    assert did.republished
    assert len(did.removed) == 2
    assert len(did.messages) == 4
    assert recover(tmp_path).messages == []


def test_an_unlisted_folder_that_is_not_whole_is_removed(tmp_path: Path) -> None:
    fill_tables(tmp_path)
    store = ReleaseStore(tmp_path)
    release = store.create(draft_of(), TableStore(tmp_path))
    store.ledger_path.unlink()
    (release.folder / "catalog" / "metrics.yaml").write_bytes(b"version: 2\n")
    assert recover(tmp_path).removed == (release.folder,)
    assert not release.folder.exists()


def test_a_database_that_is_no_database_or_is_behind_is_built_anew(tmp_path: Path) -> None:
    fill_tables(tmp_path)
    fill_tables(tmp_path, LATER, shift=1)
    store, tables = ReleaseStore(tmp_path), TableStore(tmp_path)
    first = store.create(draft_of(), tables)
    database_path(tmp_path).write_bytes(b"not a database")
    assert recover(tmp_path).republished
    second = store.create(draft_of(LATER, baseline=first.release_id), tables)
    assert not is_published(tmp_path)
    assert recover(tmp_path).republished
    store.withdraw(second.release_id, "unit bug", NOON)
    assert recover(tmp_path).republished, "the copy must not go on showing a withdrawn release"
    with connect_readonly(tmp_path) as connection:
        assert connection.execute("SELECT release_id FROM out__manifest").fetchall() == [(first.release_id,)]


def test_a_release_that_vanished_or_was_changed_is_never_papered_over(tmp_path: Path) -> None:
    fill_tables(tmp_path)
    release = ReleaseStore(tmp_path).create(draft_of(), TableStore(tmp_path))
    publish_current(tmp_path)
    database_path(tmp_path).unlink()
    release.folder.rename(tmp_path / "elsewhere")
    with pytest.raises(ReleaseError, match="its folder is missing"):
        recover(tmp_path)
    (tmp_path / "elsewhere").rename(release.folder)
    manifest = release.folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"rows": 5', '"rows": 6', 1))
    with pytest.raises(ReleaseError, match="was changed"):
        recover(tmp_path)
    assert DAY.isoformat() in release.release_id
