"""The same rows give the same table hashes whatever the row order, threads, BLAS kernel, vector unit or compiler
(METHODS, general rules; PERFORMANCE "Bits that stay the same"; field reports D05, D06)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from board_hashes import board_hashes

SCRIPT = Path(__file__).with_name("board_hashes.py")
PLAIN_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
}


def _elsewhere(side: str, shuffle: int, threads: int, extra: dict[str, str]) -> dict[str, str]:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in PLAIN_PROCESSOR}
    environment |= {name: str(threads) for name in names}
    environment |= extra
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), side, str(shuffle)],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    hashes: dict[str, str] = json.loads(done.stdout)
    return hashes


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return board_hashes(shuffle=1)


@pytest.mark.parametrize(
    ("side", "shuffle", "threads", "extra"),
    [
        ("interpreted", 2, 1, PLAIN_PROCESSOR),
        ("interpreted", 3, 2, {}),
        ("compiled", 4, 2, {}),
        ("compiled", 5, 1, {**PLAIN_PROCESSOR, "NUMBA_CPU_NAME": "generic"}),
    ],
)
def test_same_hashes_elsewhere(
    here: dict[str, str],
    side: str,
    shuffle: int,
    threads: int,
    extra: dict[str, str],
) -> None:
    assert _elsewhere(side, shuffle, threads, extra) == here
