"""Tables of Markdown and HTML pages into rows: the table below a heading, cells in words, footnotes and links beside.

Belongs here: finding the table a mapping names, and its rows. Reading the markup itself is left to well-kept parsers
(markdown-it, lxml); what a cell holds is `markup`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree, html
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile
from resources.connectors.table.markup import MarkupCell, cell_of_html, cell_of_node, fold, spread
from resources.connectors.table.options import Layout
from resources.connectors.table.rows import RAW_LENGTH, Read, SourceRow, header
from resources.text_documents import decode

MAX_PAGE: Final = 16_000_000
MAX_SPAN: Final = 1000
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(slots=True)
class _Table:
    """A table of a page: the heading above it, and its rows with their lines; the first is the header."""

    heading: str | None
    rows: list[tuple[str, list[MarkupCell]]] = field(default_factory=list)


def read_markdown(file: SnapshotFile, options: Layout) -> Read:
    """The columns and rows of one table of a Markdown page."""
    text = _text(file, options)
    tokens = MarkdownIt("commonmark", {"maxNesting": 40}).enable("table").use(footnote_plugin, inline=False).parse(text)
    return _chosen(_markdown_tables(tokens), file, options)


def read_html(file: SnapshotFile, options: Layout) -> Read:
    """The columns and rows of one table of an HTML page."""
    parser = html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        page = html.document_fromstring(_text(file, options), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise ConnectorError(file.name, f"not HTML: {error}") from error
    return _chosen(_html_tables(page), file, options)


def _text(file: SnapshotFile, options: Layout) -> str:
    if len(file.data) > MAX_PAGE:
        raise ConnectorError(file.name, f"{len(file.data)} bytes; pages of at most {MAX_PAGE} are read")
    return decode(file.data, file.name, options.encoding)


def _chosen(tables: Sequence[_Table], file: SnapshotFile, options: Layout) -> Read:
    """The table that the mapping names."""
    place = options.table
    found = [table for table in tables if place.heading is None or table.heading == place.heading]
    if len(found) < place.number:
        where = f"below the heading {place.heading!r}" if place.heading else "in the page"
        others = ", ".join(repr(name) for name in dict.fromkeys(table.heading for table in tables) if name)
        raise ConnectorError(
            file.name, f"{len(found)} tables {where}, number {place.number} is asked for; tables stand below {others}"
        )
    (_, names), *rows = found[place.number - 1].rows
    columns = header([cell.text for cell in names], file.name)
    return columns, _rows(columns, rows)


def _rows(columns: tuple[str, ...], rows: Sequence[tuple[str, list[MarkupCell]]]) -> Iterator[SourceRow]:
    for place, cells in rows:
        if len(cells) == len(columns):
            yield SourceRow(place, spread(columns, cells))
        else:
            problem = f"{len(cells)} cells where the header has {len(columns)}"
            yield SourceRow(place, None, problem=problem, raw=" | ".join(cell.text for cell in cells)[:RAW_LENGTH])


def _markdown_tables(tokens: Sequence[Token]) -> list[_Table]:
    notes = _footnotes(tokens)
    tables: list[_Table] = []
    heading: str | None = None
    is_open = False
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = _cell(tokens[number + 1], {}).text
        elif token.type == "table_open":
            tables.append(_Table(heading))
            is_open = True
        elif token.type == "table_close":
            is_open = False
        elif is_open and token.type == "tr_open":
            tables[-1].rows.append((f"line {(token.map or [0])[0] + 1}", []))
        elif is_open and token.type == "inline":
            tables[-1].rows[-1][1].append(_cell(token, notes))
    return tables


def _footnotes(tokens: Sequence[Token]) -> dict[str, str]:
    """Each footnote's label and its words."""
    found: dict[str, list[str]] = {}
    label: str | None = None
    for token in tokens:
        if token.type == "footnote_open":
            label = str(token.meta.get("label"))
        elif token.type == "footnote_close":
            label = None
        elif label is not None and token.type == "inline":
            found.setdefault(label, []).append(_cell(token, {}).text)
    return {label: " ".join(texts) for label, texts in found.items()}


def _cell(inline: Token, notes: dict[str, str]) -> MarkupCell:
    """A cell from its inline tokens."""
    pieces: list[str] = []
    bold: list[str] = []
    said: list[str] = []
    link: str | None = None
    depth = 0
    for child in inline.children or ():
        depth += {"strong_open": 1, "strong_close": -1}.get(child.type, 0)
        if child.type in {"text", "code_inline", "text_special"}:
            pieces.append(child.content)
            bold.append(child.content if depth else "")
        elif child.type in {"softbreak", "hardbreak"} or child.type == "html_inline":
            pieces.append(" ")
        elif child.type == "link_open":
            link = link or str(child.attrs.get("href", "")) or None
        elif child.type == "footnote_ref":
            label = str(child.meta.get("label"))
            said.append(notes.get(label, label))
    text = fold("".join(pieces))
    if "&" in text:
        text = cell_of_html(text).text
    words = " ".join(dict.fromkeys(said)) or None
    return MarkupCell(text, link, words, bool(text) and fold("".join(bold)) == text)


def _html_tables(page: Any) -> list[_Table]:
    tables: list[_Table] = []
    heading: str | None = None
    for node in page.iter("table", "caption", *_HEADINGS):
        if node.tag == "table":
            tables.append(_Table(heading, _html_rows(node)))
        elif node.tag == "caption":
            if tables:
                tables[-1].heading = fold(node.text_content())
        else:
            heading = fold(node.text_content())
    return [table for table in tables if table.rows]


def _html_rows(table: Any) -> list[tuple[str, list[MarkupCell]]]:
    """The rows of a table, a cell that spans rows or columns standing in each of them."""
    rows: list[tuple[str, list[MarkupCell]]] = []
    below: dict[int, tuple[int, MarkupCell]] = {}
    for row in table.iter("tr"):
        if next(row.iterancestors("table")) is not table:
            continue
        cells: list[MarkupCell] = []
        for node in row.iterchildren("td", "th"):
            _from_above(cells, below)
            cell = cell_of_node(node)
            for _ in range(_span(node, "colspan")):
                if _span(node, "rowspan") > 1:
                    below[len(cells)] = (_span(node, "rowspan") - 1, cell)
                cells.append(cell)
        _from_above(cells, below)
        if cells:
            rows.append((f"line {row.sourceline or 0}, row {len(rows)}", cells))
    return rows


def _from_above(cells: list[MarkupCell], below: dict[int, tuple[int, MarkupCell]]) -> None:
    while len(cells) in below:
        left, cell = below.pop(len(cells))
        if left > 1:
            below[len(cells)] = (left - 1, cell)
        cells.append(cell)


def _span(node: Any, name: str) -> int:
    text = str(node.get(name, "1")).strip()
    return min(max(int(text), 1), MAX_SPAN) if text.isascii() and text.isdigit() and len(text) < 5 else 1
