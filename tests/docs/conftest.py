"""The demonstration, run once, and a reader's folder with a copy of it for each page."""

from __future__ import annotations

import io
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "pipelines"))

from shown_pages import CHECKOUT, Reader
from small_homes import quiet_process

import resources.publication
from pipelines import command


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
    """The home of the demonstration after one run. Read only; readers get copies."""
    home = tmp_path_factory.mktemp("docs") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        quick_runs(patch)
        with redirect_stdout(io.StringIO()) as out:
            code = command.run(["run", "--demo", "--home", str(home), "--json"])
        assert code == 0, out.getvalue()
    return home


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
