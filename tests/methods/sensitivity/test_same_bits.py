"""The same bits whatever the row order, threads or vector unit (METHODS, PERFORMANCE)."""

from __future__ import annotations

from pathlib import Path

from elsewhere import hashes_elsewhere
from sensitivity_hashes import sensitivity_hashes

SCRIPT = Path(__file__).with_name("sensitivity_hashes.py")


def test_same_hashes_elsewhere() -> None:
    assert hashes_elsewhere(SCRIPT, 2, threads=1) == sensitivity_hashes(1)
