"""The same evidence gives the same linked tables and the same proof whatever the row order, threads or vector unit."""

from __future__ import annotations

from pathlib import Path

from elsewhere import hashes_elsewhere
from linked_hashes import linked_hashes

SCRIPT = Path(__file__).with_name("linked_hashes.py")


def test_same_hashes_elsewhere() -> None:
    assert hashes_elsewhere(SCRIPT, 2, threads=2) == linked_hashes(shuffle=1)
