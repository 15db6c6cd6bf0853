"""What an exception means: a file system that refuses is never called a bug, whoever met it first."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from pipelines.mistakes import exit_code, in_words, refused
from resources.atomic_files import target_of, write_bytes
from warehouse.exit_codes import ExitCode


def full_storage(path: Path) -> DBAPIError:
    """What Dagster's storage raises on a full disk: an error of SQLite, wrapped."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 2"))
        connection.execute(text("CREATE TABLE kept (line TEXT)"))
        with pytest.raises(DBAPIError) as raised:
            connection.execute(text("INSERT INTO kept VALUES (:line)"), {"line": "x" * 100_000})
    return raised.value


def test_a_full_disk_that_dagsters_storage_met_is_no_bug(tmp_path: Path) -> None:
    error = full_storage(tmp_path / "runs.db")
    assert exit_code(error) is ExitCode.USAGE
    assert "is the disk full" in in_words(error, tmp_path)
    wrapped = RuntimeError("a step of Dagster's")
    wrapped.__cause__ = error.orig
    assert exit_code(wrapped) is ExitCode.USAGE


def test_storage_that_cannot_be_opened_is_no_bug(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(tmp_path / "nowhere" / "runs.db")
    assert exit_code(raised.value) is ExitCode.USAGE


def test_another_fault_of_storage_stays_a_bug() -> None:
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(":memory:").execute("SELECT * FROM nowhere")
    assert exit_code(raised.value) is ExitCode.BUG
    assert exit_code(sqlite3.ProgrammingError("states no code")) is ExitCode.BUG


def test_a_path_that_refused_is_told_without_the_name_beside_it(tmp_path: Path) -> None:
    """A file is written under another name first, which nobody asked for; here that one is too long."""
    target = tmp_path / ("a" * 245)
    with pytest.raises(OSError, match="name too long") as raised:
        write_bytes(target, b"")
    assert ".tmp" in str(raised.value)
    assert refused(raised.value) == f"{target}: File name too long"
    assert refused(OSError("of no path")) == "of no path"
    assert target_of(tmp_path / ".kept.tmp") == tmp_path / ".kept.tmp"
