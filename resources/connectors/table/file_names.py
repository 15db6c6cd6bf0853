"""Which files of a snapshot a glob means: `*` and `?` within one folder, `**` any depth, no more.

Belongs here: matching names. Does not belong here: finding files on a disk (`resources.paths`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_WILD: Final = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}


def matches(name: str, glob: str) -> bool:
    """Whether a file's name (forward slashes) is one that a glob means."""
    return _compiled(glob).fullmatch(name) is not None


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return re.compile("".join(_WILD.get(piece, re.escape(piece)) for piece in pieces), re.S)
