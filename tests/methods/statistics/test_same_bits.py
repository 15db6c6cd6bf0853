"""The same pairs give the same bits whatever the row order, threads, vector unit or compiler (METHODS, PERFORMANCE)."""

from __future__ import annotations

from pathlib import Path

import pytest
from elsewhere import PLAIN_PROCESSOR, hashes_elsewhere
from statistics_hashes import statistics_hashes

SCRIPT = Path(__file__).with_name("statistics_hashes.py")


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return statistics_hashes(shuffle=1)


@pytest.mark.parametrize(
    ("side", "shuffle", "threads", "processor"),
    [("numpy", 2, 1, PLAIN_PROCESSOR), ("compiled", 3, 2, {**PLAIN_PROCESSOR, "NUMBA_CPU_NAME": "generic"})],
)
def test_same_hashes_elsewhere(
    here: dict[str, str], side: str, shuffle: int, threads: int, processor: dict[str, str]
) -> None:
    assert hashes_elsewhere(SCRIPT, side, shuffle, threads=threads, processor=processor) == here
