"""Worlds that the whole-pipeline tests share: a published small one to copy, and the demonstration, run once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from small_homes import Ran, SmallWorld, build_world, call, quiet_process


@pytest.fixture(scope="session", autouse=True)
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One cache of compiled kernels for all homes of the session, subprocesses included."""
    folder = tmp_path_factory.mktemp("kernels")
    with pytest.MonkeyPatch.context() as patch:
        if "NUMBA_CACHE_DIR" not in os.environ:
            patch.setenv("NUMBA_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process keep Dagster's storage in memory."""
    quiet_process(monkeypatch)
    monkeypatch.setenv("SCORETRAIL_RETRY_SECONDS", "0")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A small world with one published day; read it, or copy it."""
    world = build_world(tmp_path_factory.mktemp("template") / "world")
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        ran = world.run()
    assert ran.code == 0, ran.said
    return world


@pytest.fixture
def fresh(tmp_path: Path) -> SmallWorld:
    """A small world that has not run yet."""
    return build_world(tmp_path / "world")


@pytest.fixture
def published(template: SmallWorld, tmp_path: Path) -> SmallWorld:
    """A copy of the published small world."""
    return template.copy(tmp_path / "world")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """The home of the demonstration after one run, and what the run said. Read only."""
    home = tmp_path_factory.mktemp("demo") / "home"
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        ran = call("run", "--demo", "--home", home, "--json")
    assert ran.code == 0, ran.said
    return home, ran
