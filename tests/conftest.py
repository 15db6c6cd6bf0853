"""Fixtures shared by every room's tests: where the real upstream files lie, and a process that reports to nobody."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"

os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "yes")
# One place for compiled kernels, whatever home a test or a process of it uses: each is compiled once a checkout.
os.environ.setdefault("NUMBA_CACHE_DIR", str(REPOSITORY / ".pytest_cache" / "kernels"))
for name in ("SCORETRAIL_HOME", "SCORETRAIL_CATALOG", "SCORETRAIL_SOURCES"):
    os.environ.pop(name, None)  # a developer's own home is no part of any test


gc.disable()  # until all is imported: each look at the growing heap, while asserts are rewritten, finds nothing to free


LONG = (
    "pipelines/test_killed_days.py", "pipelines/test_full_disk.py", "pipelines/test_demo_golden.py",
    "docs/test_commands.py", "pipelines", "docs", "resources/site",
)  # fmt: skip
"""Files and folders of long tests, longest first: a file goes to one process whole, and a long one must not be last."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first; otherwise in the order in which they stand."""

    def place(item: pytest.Item) -> int:
        name = item.nodeid.removeprefix("tests/")
        return next((n for n, long in enumerate(LONG) if name.startswith(long)), len(LONG))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Modules stay for good: what was imported is no more looked at."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout's root folder."""
    return REPOSITORY


@pytest.fixture(scope="session")
def upstream_dir() -> Path:
    """The folder of real upstream files; the test skips, saying so, where it is absent."""
    folder = SHARED / "data" / "upstream"
    if not folder.is_dir():
        pytest.skip("real upstream files are not at ../shared/data/upstream")
    return folder
