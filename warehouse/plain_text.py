"""Names and texts from outside, as Markdown and HTML show them literally (DESIGN "Safety")."""

from __future__ import annotations


def plain(text: object) -> str:
    """A name as text that Markdown and HTML show literally: no link, no image, no markup."""
    escaped = str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]()#+!|~" else sign for sign in escaped)
