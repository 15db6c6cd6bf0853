"""Where compiled kernels are kept: under the home, so that nothing is written into the checkout."""

from __future__ import annotations

import os
from pathlib import Path


def use_kernel_cache(home: Path) -> None:
    """Point the compiler's cache at the home, unless the caller's environment already names a place."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(home / "kernels"))
