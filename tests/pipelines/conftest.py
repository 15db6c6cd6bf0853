"""Worlds that the whole-pipeline tests share: a published small one to copy, and the demonstration, run once.

Processes that run the tests side by side share them too: the first that asks makes one, and the others wait for it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from filelock import FileLock

sys.path.insert(0, str(Path(__file__).resolve().parent))

from small_homes import Ran, SmallWorld, build_world, call, quiet_process, small_world


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process keep Dagster's storage in memory."""
    quiet_process(monkeypatch)
    monkeypatch.setenv("SCORETRAIL_RETRY_SECONDS", "0")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A small world with one published day; read it, or copy it."""

    def make(folder: Path) -> Ran:
        return build_world(folder / "world").run()

    folder, _ = made_once(tmp_path_factory, "template", make, with_site=False)
    return small_world(folder / "world")


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

    def make(folder: Path) -> Ran:
        return call("run", "--demo", "--home", folder / "home", "--json")

    folder, ran = made_once(tmp_path_factory, "demo", make, with_site=True)
    return folder / "home", ran


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Ran], *, with_site: bool
) -> tuple[Path, Ran]:
    """A folder of the whole session, and what the run said that made it."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    said = folder.with_suffix(".json")
    with FileLock(folder.with_suffix(".lock")):
        if not said.exists():
            with pytest.MonkeyPatch.context() as patch:
                quiet_process(patch, with_site=with_site)
                ran = make(folder)
            assert ran.code == 0, ran.said
            said.write_text(json.dumps(asdict(ran)), encoding="utf-8")
        return folder, Ran(**json.loads(said.read_text(encoding="utf-8")))
