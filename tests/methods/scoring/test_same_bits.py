"""The same rows give the same table hashes whatever the row order, threads, BLAS kernel, vector unit or compiler
(METHODS, general rules; PERFORMANCE "Bits that stay the same"; field reports D05, D06)."""

from __future__ import annotations

from pathlib import Path

import pytest
from board_hashes import board_hashes
from elsewhere import PLAIN_PROCESSOR, hashes_elsewhere

SCRIPT = Path(__file__).with_name("board_hashes.py")


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return board_hashes(shuffle=1)


@pytest.mark.parametrize(
    ("side", "shuffle", "threads", "processor"),
    [
        ("interpreted", 2, 1, PLAIN_PROCESSOR),
        ("interpreted", 3, 2, {}),
        ("compiled", 4, 2, {}),
        ("compiled", 5, 1, {**PLAIN_PROCESSOR, "NUMBA_CPU_NAME": "generic"}),
    ],
)
def test_same_hashes_elsewhere(
    here: dict[str, str], side: str, shuffle: int, threads: int, processor: dict[str, str]
) -> None:
    assert hashes_elsewhere(SCRIPT, side, shuffle, threads=threads, processor=processor) == here
