"""The code version: over sources alone, the same wherever they lie."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from resources.code_version import ROOMS, code_version, source_files, sources_sha256


def rooms(root: Path) -> Path:
    for room in ROOMS:
        (root / room).mkdir(parents=True)
        (root / room / "__init__.py").write_text("")
    (root / "warehouse" / "sql").mkdir()
    (root / "warehouse" / "sql" / "view.sql").write_text("SELECT 1")
    for folder in ("catalog", "demo"):
        (root / "warehouse" / folder).mkdir()
    return root


def test_it_is_the_same_in_another_place_and_process(tmp_path: Path, repository: Path) -> None:
    assert sources_sha256(rooms(tmp_path / "a")) == sources_sha256(rooms(tmp_path / "b"))
    assert code_version() == code_version() == sources_sha256(repository)
    ask = "from resources.code_version import code_version; print(code_version())"
    told = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=tmp_path,
        env={"PYTHONPATH": str(repository), **os.environ},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == code_version()


@pytest.mark.parametrize("name", ["methods/new.py", "warehouse/sql/view.sql", "pipelines/deep/er.py"])
def test_a_source_that_is_added_or_changed_changes_it(tmp_path: Path, name: str) -> None:
    root = rooms(tmp_path)
    before = sources_sha256(root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("x = 1\n")
    assert sources_sha256(root) != before


@pytest.mark.parametrize(
    "name",
    ["warehouse/catalog/metrics.yaml", "warehouse/catalog/odd.py", "warehouse/demo/demo.json", "methods/a.pyc",
     "tests/test_a.py", "docs/conf.py", "methods/__pycache__/a.cpython-311.pyc"],
)  # fmt: skip
def test_catalog_demo_tests_and_bytecode_do_not_count(tmp_path: Path, name: str) -> None:
    root = rooms(tmp_path)
    before = sources_sha256(root)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("x = 1\n")
    assert sources_sha256(root) == before


def test_moving_a_line_between_files_changes_it(tmp_path: Path) -> None:
    """Paths and bytes are fed with their lengths: no two different trees run together."""
    first, second = rooms(tmp_path / "a"), rooms(tmp_path / "b")
    (first / "methods" / "a.py").write_text("xy")
    (first / "methods" / "b.py").write_text("")
    (second / "methods" / "a.py").write_text("x")
    (second / "methods" / "b.py").write_text("y")
    assert sources_sha256(first) != sources_sha256(second)


def test_half_an_installation_is_no_version(tmp_path: Path) -> None:
    root = rooms(tmp_path)
    (root / "checks" / "__init__.py").unlink()
    with pytest.raises(FileNotFoundError, match="the room checks is missing"):
        sources_sha256(root)


def test_every_room_has_sources(repository: Path) -> None:
    assert {name.split("/")[0] for name, _ in source_files(repository)} == set(ROOMS)
