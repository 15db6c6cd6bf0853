"""Plain loops compiled on first use: numba without fastmath, imported only then.

Belongs here: the compiler's settings. Does not belong here: any loop, or the choice when compiling pays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


@functools.cache
def compiled(kernel: Callable[..., None]) -> Callable[..., None]:
    """The kernel as machine code; kept on disk where the environment gives a writable place (NUMBA_CACHE_DIR)."""
    import numba

    compile_loops: Any = numba.njit
    machine_code: Callable[..., None]
    try:
        machine_code = compile_loops(kernel, cache=True, nogil=True, fastmath=False)
    except RuntimeError:  # no writable place for the cache: compile for this process alone
        machine_code = compile_loops(kernel, nogil=True, fastmath=False)
    return machine_code
