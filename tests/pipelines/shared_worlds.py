"""Homes that the whole session shares, also processes that run the tests side by side.

The first that asks makes one, under a lock, and the others wait for it. They are read only; a test that writes copies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from filelock import FileLock
from small_homes import Ran, call, quiet_process


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Ran], *, with_site: bool = False
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


def demonstration(factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """The home of the demonstration after one run, its site included, and what the run said."""

    def make(folder: Path) -> Ran:
        return call("run", "--demo", "--home", folder / "home", "--json")

    folder, ran = made_once(factory, "demo", make, with_site=True)
    return folder / "home", ran
