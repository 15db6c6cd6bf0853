"""The pages of a withdrawn release say so wherever they are shown or copied to.

The site within the release is never touched: its manifest holds it. Belongs here: the mark on what leaves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

CONTENT: Final = re.compile(rb'<main id="main"[^>]*>')
"""Where the content of every page begins."""


def marked(files: Iterable[tuple[str, bytes]], reason: str | None) -> Iterator[tuple[str, bytes]]:
    """The files of a site, each page with the withdrawal first; as they are where there is none.

    Args:
        files: (path, bytes). reason: why the release was withdrawn; None where it was not.
    """
    if reason is None:
        yield from files
        return
    why = f"<strong>This release was withdrawn:</strong> <bdi>{escape(reason)}</bdi>"
    said = f'<p class="alert" role="alert">{why}</p>'.encode()
    for name, data in files:
        yield name, CONTENT.sub(lambda found: found[0] + said, data, count=1) if name.endswith(".html") else data
