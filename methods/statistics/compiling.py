"""Plain loops compiled on first use: numba without fastmath, imported only then.

Belongs here: the compiler's settings. Does not belong here: any loop, or the choice when compiling pays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

Loop = TypeVar("Loop", bound=Callable[..., object])


def compiled(loop: Loop) -> Loop:
    """The loop as machine code; kept on disk where the environment gives a writable place (NUMBA_CACHE_DIR)."""
    return cast(Loop, _machine_code(loop))


@functools.cache
def _machine_code(loop: Callable[..., object]) -> Callable[..., object]:
    import numba

    compile_loop: Any = numba.njit
    machine_code: Callable[..., object]
    try:
        machine_code = compile_loop(loop, cache=True, nogil=True, fastmath=False)
    except RuntimeError:  # no writable place for the cache: compile for this process alone
        machine_code = compile_loop(loop, nogil=True, fastmath=False)
    return machine_code
