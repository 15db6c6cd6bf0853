"""Fixtures shared by every room's tests: where the real upstream files lie, and a process that reports to nobody."""

from __future__ import annotations

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
