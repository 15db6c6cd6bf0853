"""The site of the release before, as far as its pages say still what they would say now.

What a page says of the tables stands in its content; what changes from day to day (release, ages, what moved) stands
outside of it, in the heading, the footer and the block `today`. Where every table that the content is made from is
unchanged, and code, packages and catalog are the same, the content is the same text: it is taken from the former page
instead of being written again. Belongs here: finding that text, and the proof that it is what was published: the bytes
of the file against the manifest, the manifest against the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from resources.manifest import Release
from resources.site.kept import SITE_FOLDER
from resources.site.page import Page
from warehouse.canonical import sha256_hex

BEFORE_CONTENT: Final = b'<div class="content">\n'
AFTER_CONTENT: Final = b"</div>\n</main>\n<footer>"
"""What stands around the content in base.html. No text of a table can hold either: every < is escaped there."""
PLACE: Final = Markup("<!-- content -->")
"""Stands for the content in a page that is rendered without it; no text of a table can hold it either."""


def with_content(page: bytes, content: bytes) -> bytes:
    """A page that was rendered with `PLACE` for its content, whole."""
    before, _, after = page.partition(PLACE.encode())
    return b"".join((before, content, after))


class FormerSite:
    """The site of a release made by the same code and packages with the same catalog.

    Args:
        release: its manifest proved against the ledger.
        unchanged: tables that hold the same values now, but for the names of the run.
    """

    def __init__(self, release: Release, unchanged: Iterable[str]) -> None:
        self._release = release
        self.manifest = release.manifest
        self.unchanged = frozenset(unchanged)

    def content(self, page: Page) -> bytes | None:
        """The content of a page that says the same now; None where it has to be written."""
        if page.rests_on is None or not self.unchanged.issuperset(page.rests_on):
            return None
        data = self._proved(page.path)
        if data is None:
            return None
        start, end = data.find(BEFORE_CONTENT), data.rfind(AFTER_CONTENT)
        if start < 0 or end < start:
            return None
        return data[start + len(BEFORE_CONTENT) : end]

    def file(self, path: str, rests_on: Iterable[str]) -> bytes | None:
        """A file of the site that holds the same now; None where it has to be made."""
        return self._proved(path) if self.unchanged.issuperset(rests_on) else None

    def _proved(self, path: str) -> bytes | None:
        name = f"{SITE_FOLDER}/{path}"
        expected = self._release.manifest.files.get(name)
        if expected is None:
            return None
        try:
            data = (self._release.folder / name).read_bytes()
        except OSError:
            return None
        return data if sha256_hex(data) == expected else None
