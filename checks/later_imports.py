"""Modules that another package imports at its top and that our use of it never touches: loaded at their first use.

Belongs here: putting such an import off. The module stands under its name from the start, and whoever asks it for
something gets it from the real one, so that nobody can tell but by the clock. (`importlib.util.LazyLoader` loads a
module at the next import of its name already, which is just what has to be put off.)
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class LaterModule(ModuleType):
    """Stands for a module that is loaded when first something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what the import system and inspection ask of every module
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_later(*names: str) -> None:
    """Let each name stand for its module until it is used; one that is loaded, or not installed, stays as is."""
    for name in names:
        spec = None if name in sys.modules else find_spec(name)
        if spec is None:
            continue
        later = LaterModule(name)
        later.__spec__, later.__path__ = spec, list(spec.submodule_search_locations or [])
        sys.modules[name] = later
