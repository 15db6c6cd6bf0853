"""The same bits whatever the row order, threads or vector unit (METHODS, PERFORMANCE)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sensitivity_hashes import sensitivity_hashes

SCRIPT = Path(__file__).with_name("sensitivity_hashes.py")
PATHS = (SCRIPT.parents[3], SCRIPT.parent, SCRIPT.parents[1] / "protocols")
PLAIN_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
}


def test_same_hashes_on_a_plain_processor_in_another_order() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), "2"],
        env={**os.environ, **PLAIN_PROCESSOR, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == sensitivity_hashes(1)
