"""Memory that is no longer used, given back to the system.

Belongs here: asking the allocators of this process. What they hold back for a next time that does not come counts as
much as what is in use: after a large step it is more than the next one needs.
"""

from __future__ import annotations

import ctypes
import gc
from functools import cache
from typing import Any

import pyarrow as pa


def give_back(*, with_cycles: bool = False) -> None:
    """Gives back what allocators hold and nobody uses; without effect where the system knows no way.

    Args:
        with_cycles: first let go of objects that only refer to each other, which takes a look at every object.
    """
    if with_cycles:
        gc.collect()
    pa.default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """The C library's `malloc_trim`; None where it has none (it is glibc's own)."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
