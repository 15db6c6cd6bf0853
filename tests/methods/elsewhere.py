"""Hashes computed by a script in another process: with other threads, another vector unit, another compiler.

Belongs here: the process. What is hashed stands in the scripts beside the tests of each method.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

PLAIN_PROCESSOR: Mapping[str, str] = MappingProxyType(
    {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Haswell"}
)
"""No SIMD in numpy, and the BLAS kernel of an older processor."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS")


def hashes_elsewhere(
    script: Path, *arguments: object, threads: int, processor: Mapping[str, str] = PLAIN_PROCESSOR
) -> dict[str, str]:
    """What a script prints, in a process with so many threads that finds the modules which this one finds."""
    environment = {name: value for name, value in os.environ.items() if name not in PLAIN_PROCESSOR}
    environment |= {name: str(threads) for name in THREADS}
    environment |= {**processor, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), *map(str, arguments)],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    hashes: dict[str, str] = json.loads(done.stdout)
    return hashes
