"""Worlds that the whole-pipeline tests share: a published small one to copy, and the demonstration, run once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shared_worlds import demonstration, made_once
from small_homes import NEXT, Ran, SmallWorld, board_rows, build_world, quiet_process, small_world


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

    folder, _ = made_once(tmp_path_factory, "template", make)
    return small_world(folder / "world")


@pytest.fixture(scope="session")
def second_day(template: SmallWorld, tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """The published small world with a second day, for which alpha's values rose a little; read it, or copy it."""

    def make(folder: Path) -> Ran:
        world = template.copy(folder / "world")
        world.write_board("alpha", board_rows("alpha", 0.3), synced_at=f"{NEXT}T06:00:00Z")
        return world.run(day=NEXT)

    folder, _ = made_once(tmp_path_factory, "second-day", make)
    return small_world(folder / "world")


@pytest.fixture
def fresh(tmp_path: Path) -> SmallWorld:
    """A small world that has not run yet."""
    return build_world(tmp_path / "world")


@pytest.fixture
def published(template: SmallWorld, tmp_path: Path) -> SmallWorld:
    """A copy of the published small world."""
    return template.copy(tmp_path / "world")


@pytest.fixture
def published_twice(second_day: SmallWorld, tmp_path: Path) -> SmallWorld:
    """A copy of the small world with two published days."""
    return second_day.copy(tmp_path / "world")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """The home of the demonstration after one run, and what the run said. Read only."""
    return demonstration(tmp_path_factory)
