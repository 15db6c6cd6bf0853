"""Names and texts from outside, as terminals, JSON, Markdown and HTML show them literally (DESIGN "Safety")."""

from __future__ import annotations

import re
from typing import Final

_OBEYED: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What a terminal or a reader's screen obeys instead of showing: controls but the line feed, and writing directions."""


def visible(text: object) -> str:
    """A text whose control characters are written out (`\\x1b`), so that it moves no cursor; line feeds stay."""
    return _OBEYED.sub(_written_out, str(text))


def one_line(text: object) -> str:
    """As `visible`, the line feeds written out too: a name with a line break takes no second line."""
    return visible(text).replace("\n", "\\n")


def json_safe(text: str) -> str:
    """JSON text whose control characters are JSON escapes; they can stand nowhere but in its strings."""
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text)


def _written_out(sign: re.Match[str]) -> str:
    number = ord(sign.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


def counted(number: int, thing: str) -> str:
    """A number and its thing, in the plural where it is not one: 1 family, 2 families."""
    if number == 1:
        return f"1 {thing}"
    return f"{number:,} {thing.removesuffix('y')}ies" if thing.endswith("y") else f"{number:,} {thing}s"


def plain(text: object) -> str:
    """A name as text that Markdown and HTML show literally: no link, no image, no markup, no control character."""
    escaped = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]()#+!|~" else sign for sign in escaped)
