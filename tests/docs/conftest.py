"""A reader's folder with a copy of the demonstration, which the whole session shares."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "pipelines"))

from shared_worlds import demonstration
from shown_pages import CHECKOUT, Reader
from small_homes import quiet_process

import resources.publication


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process are quick, too."""
    quick_runs(monkeypatch)


def quick_runs(patch: pytest.MonkeyPatch) -> None:
    """No storage of Dagster's, and releases without their site, which has tests of its own."""
    quiet_process(patch, with_site=True)
    patch.setattr(resources.publication, "_made_from_folder", lambda *_ignored: iter(()))


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the demonstration after one run, as the whole session shares it. Read only; readers get copies."""
    return demonstration(tmp_path_factory)[0]


@pytest.fixture(scope="session")
def verified() -> set[str]:
    """The releases that some reader has verified."""
    return set()


@pytest.fixture
def reader(demo_home: Path, verified: set[str], tmp_path: Path) -> Reader:
    """A folder like the checkout after `make demo`: `data/demo` and `warehouse`; the night reads bundled sources."""
    shutil.copytree(demo_home, tmp_path / "data" / "demo")
    (tmp_path / "docs").mkdir()
    (tmp_path / "warehouse").symlink_to(CHECKOUT / "warehouse", target_is_directory=True)
    return Reader(
        tmp_path,
        {
            "SCORETRAIL_HOME": "data/demo",
            "SCORETRAIL_SOURCES": str(CHECKOUT / "warehouse" / "demo" / "sources.yaml"),
            "SCORETRAIL_ALLOW_ROOTS": str(CHECKOUT / "warehouse"),
        },
        verified=verified,
    )
