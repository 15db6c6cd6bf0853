"""One form for links that lead to the same page, so that they can be compared (METHODS 5, rule 12).

Belongs here: that form. Does not belong here: fetching, or judging what a page says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_LINK: Final = re.compile(r"(?P<scheme>[a-z][a-z0-9+.\-]*)://(?P<host>[^/?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_PAPER: Final = r"(?P<id>\d{4}\.\d{4,5}|[a-z\-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?"
_ARXIV_PAGE: Final = re.compile(rf"/(?:abs|pdf|html)/{_PAPER}(?:\.pdf)?/?(?:\?.*)?", re.IGNORECASE)
_ARXIV_NAME: Final = re.compile(rf"arxiv:\s*{_PAPER}", re.IGNORECASE)


@lru_cache(maxsize=65536)
def normalize_url(link: str | None) -> str:
    """The comparable form of a link; empty where there is none, and an empty link equals nothing.

    http counts as https, the host is lower case without `www.`, the fragment and trailing slashes go. Abstract, PDF
    and HTML pages of arxiv.org, with ids of either style, and `arXiv:ID` become `arxiv:ID` without version.

    Args:
        link: as received, or None.
    """
    text = (link or "").strip()
    named = _ARXIV_NAME.fullmatch(text)
    if named:
        return f"arxiv:{named['id'].lower()}"
    text = text.partition("#")[0]
    parts = _LINK.fullmatch(text)
    if parts is None:
        return text.rstrip("/")
    scheme = parts["scheme"].lower()
    scheme = "https" if scheme == "http" else scheme
    host = parts["host"].lower().removeprefix("www.")
    page = _ARXIV_PAGE.fullmatch(parts["rest"]) if host == "arxiv.org" else None
    if page:
        return f"arxiv:{page['id'].lower()}"
    return f"{scheme}://{host}{parts['rest'].rstrip('/')}" if host else ""
