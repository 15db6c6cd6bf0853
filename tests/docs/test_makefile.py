"""`make demo` and `make test` do what the README says, shown with an environment that is already set up."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from shown_pages import CHECKOUT

ROOMS = ("warehouse", "methods", "resources", "checks", "assets", "pipelines")
TOOLS = ("python", "scoretrail", "ruff", "mypy", "lint-imports")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the Makefile and an installed environment whose tools only say how they were called."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed here")
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy2(CHECKOUT / name, tmp_path / name)
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in TOOLS:
        (tools / name).write_text(f'#!/bin/sh\necho "called: {name} $*"\n')
        (tools / name).chmod(0o755)
    for marker in (".created", ".installed", ".installed-dev"):
        (tmp_path / ".venv" / marker).touch()
    return tmp_path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Calls make as a newcomer would: in an environment that says nothing."""
    bare = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    return subprocess.run(["make", *arguments], cwd=folder, env=bare, capture_output=True, text=True, check=False)


def test_demo_runs_the_bundled_snapshot_and_says_so(clone: Path) -> None:
    ran = make(clone, "demo")
    assert ran.returncode == 0, ran.stderr
    said, called = ran.stdout.splitlines()
    assert said.startswith("Running: .venv/bin/scoretrail run --demo")
    assert called == "called: scoretrail run --demo"


def test_test_checks_style_types_imports_and_runs_every_test(clone: Path) -> None:
    ran = make(clone, "test")
    assert ran.returncode == 0, ran.stderr
    called = [line.split()[1] for line in ran.stdout.splitlines()]
    assert list(dict.fromkeys(called)) == ["ruff", "mypy", "lint-imports", "python"]
    assert ran.stdout.splitlines()[-1].startswith("called: python -m pytest")
    assert "make test" in (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_fault_of_style_ends_the_test_command(clone: Path) -> None:
    (clone / ".venv" / "bin" / "mypy").write_text("#!/bin/sh\nexit 1\n")
    ran = make(clone, "test")
    assert ran.returncode != 0
    assert "pytest" not in ran.stdout


def test_a_python_that_does_not_fit_is_named_with_what_to_do(clone: Path) -> None:
    shutil.rmtree(clone / ".venv")
    old = clone / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.1\nexit 1\n')
    old.chmod(0o755)
    ran = make(clone, "demo", f"PYTHON={old}")
    assert ran.returncode != 0
    assert "scoretrail needs Python 3.11 to 3.14; found: Python 3.9.1." in ran.stdout
    assert "make demo PYTHON=" in ran.stdout
    assert not (clone / ".venv").exists()


def test_clean_leaves_what_was_produced(clone: Path) -> None:
    (clone / "data" / "demo").mkdir(parents=True)
    assert make(clone, "clean").returncode == 0
    assert not (clone / ".venv").exists()
    assert (clone / "data" / "demo").is_dir()


def test_constraints_pin_every_dependency_within_what_the_project_asks() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {}
    for line in lines:
        name, equals, version = line.partition("==")
        assert equals and " " not in line and "/" not in line, f"constraints.txt: {line!r} is no plain pin"
        pinned[canonicalize_name(name)] = version
    for asked in map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["dev"]]):
        version = pinned[canonicalize_name(asked.name)]
        assert asked.specifier.contains(version), f"{asked} is pinned to {version}"


def test_what_the_rooms_import_is_a_dependency_of_the_project() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {canonicalize_name(Requirement(asked).name) for asked in project["dependencies"]}
    brought_by = packages_distributions()
    undeclared = {
        name
        for name in imported_packages()
        if name not in {*sys.stdlib_module_names, *ROOMS} and not declared & {*map(canonicalize_name, brought_by[name])}
    }
    assert not undeclared, f"pyproject.toml does not ask for {sorted(undeclared)}"


def imported_packages() -> set[str]:
    """The top-level packages that the rooms import, anywhere in a module."""
    found = set()
    for room in ROOMS:
        for file in (CHECKOUT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
    return found


def test_the_supported_pythons_are_stated_alike() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert sys.version_info >= (3, 11)
    for file in ("README.md", "Makefile"):
        assert "Python 3.11 to 3.14" in (CHECKOUT / file).read_text(encoding="utf-8"), file
