"""The same evidence gives the same linked tables and the same proof whatever the row order, threads or vector unit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from linked_hashes import linked_hashes

SCRIPT = Path(__file__).with_name("linked_hashes.py")
PLAIN_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
}


@pytest.mark.parametrize(("shuffle", "threads", "extra"), [(2, 2, PLAIN_PROCESSOR)])
def test_same_hashes_elsewhere(shuffle: int, threads: int, extra: dict[str, str]) -> None:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in PLAIN_PROCESSOR}
    environment |= {name: str(threads) for name in names} | extra
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(shuffle)],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == linked_hashes(shuffle=1)
