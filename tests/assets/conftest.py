"""Lets the tests of this room use the small worlds of the whole-pipeline tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "pipelines"))

from small_homes import quiet_process


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process keep Dagster's storage in memory."""
    quiet_process(monkeypatch)
