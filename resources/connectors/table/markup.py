"""Cells that are written in a markup: their text as a reader sees it, and what stands beside it.

Belongs here: what one cell holds, and HTML pieces into it. Does not belong here: finding tables (`pages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from resources.connectors.table.rows import ASIDE

_PARSER = html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
_BREAKS = frozenset({"br", "p", "div", "li"})
_SILENT = frozenset({"script", "style"})


@dataclass(frozen=True, slots=True)
class MarkupCell:
    """One cell.

    Attributes:
        text: what it says, white space folded.
        link: where its first link leads; None where it has none.
        notes: the footnotes it refers to, in words.
        is_bold: whether all of its text is bold.
    """

    text: str
    link: str | None = None
    notes: str | None = None
    is_bold: bool = False


def spread(columns: Sequence[str], cells: Sequence[MarkupCell]) -> dict[str, Any]:
    """A row of cells by column: its text, and `column::link`, `column::notes`, `column::bold` where there is such."""
    row: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        row[column] = cell.text
        if cell.link is not None:
            row[f"{column}{ASIDE}link"] = cell.link
        if cell.notes is not None:
            row[f"{column}{ASIDE}notes"] = cell.notes
        if cell.is_bold:
            row[f"{column}{ASIDE}bold"] = True
    return row


def cell_of_html(source: str) -> MarkupCell:
    """A cell from a piece of HTML; text without any tag or entity is itself."""
    if "<" not in source and "&" not in source:
        return MarkupCell(fold(source))
    try:
        node = html.fragment_fromstring(source, create_parent="div", parser=_PARSER)
    except (etree.ParserError, etree.XMLSyntaxError):
        return MarkupCell(fold(source))
    return cell_of_node(node)


def cell_of_node(node: Any) -> MarkupCell:
    """A cell from an element of a parsed page."""
    text = fold("".join(_texts(node)))
    link = next((anchor.get("href") for anchor in node.iter("a") if anchor.get("href")), None)
    bold = fold("".join(piece for strong in node.iter("b", "strong") for piece in _texts(strong)))
    return MarkupCell(text, link, None, bool(text) and bold == text)


def fold(text: str) -> str:
    """Text with each run of white space as one space."""
    return " ".join(text.split())


def _texts(node: Any) -> list[str]:
    """The texts of an element in order, a break as a space; without recursion, so that no depth breaks it."""
    pieces: list[str] = []
    for event, element in etree.iterwalk(node, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if tag in _BREAKS and element is not node:
                pieces.append(" ")
            if tag not in _SILENT:
                pieces.append(element.text or "")
        elif element is not node:
            pieces.append(element.tail or "")
    return pieces
