"""Reads pages as a browser would, and says what is wrong with them: links, ids, scripts, what a reader needs.

Belongs here: one parsed page and the faults of a whole site. Pages are read strictly: an attribute or a tag that our
templates do not write is a name that got out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

TAGS = frozenset(
    """
    html head meta title link script body a header div p code span label input ul nav li main h1 h2 h3 footer table
    caption thead tbody tfoot tr th td template noscript figure figcaption svg path section em strong i small abbr
    button select option dl dt dd bdi data br ol pre g defs use text clippath rect
    """.split()  # noqa: SIM905 - a list of names reads better without marks
)
VOID = frozenset({"meta", "link", "input", "br"})
ATTRIBUTES = frozenset(
    """
    lang charset name content http-equiv href rel type title src defer class id data-root role hidden for autocomplete
    spellcheck placeholder aria-expanded aria-controls aria-autocomplete aria-label aria-labelledby aria-current
    aria-hidden tabindex data-tools data-search data-filter data-count data-pager data-step data-table data-waiting
    data-size data-plain data-v style scope colspan value viewbox preserveaspectratio d x y width height transform
    clip-path download data-l
    """.split()  # noqa: SIM905 - as above
)


class HtmlPage(HTMLParser):
    """One page: its links, ids, tables, texts and faults."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.ids: Counter[str] = Counter()
        self.links: list[tuple[str, Mapping[str, str | None]]] = []
        self.loads: list[str] = []
        self.faults: list[str] = []
        self.text: list[str] = []
        self.tags: Counter[str] = Counter()
        self.labelled: set[str] = set()
        self._open: list[str] = []
        self._captions = 0
        self.feed(text)
        self.close()
        if self._open:
            self._fault(f"never closed: {self._open}")
        for what in ("h1", "main", "title"):
            if self.tags[what] != 1:
                self._fault(f"{self.tags[what]} {what}")
        self.faults += [f"{path}: id {name} stands {n} times" for name, n in self.ids.items() if n > 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One element as it begins."""
        values = dict(attrs)
        self.tags[tag] += 1
        if tag not in TAGS:
            self._fault(f"element <{tag}>")
        for name, _ in attrs:
            if name not in ATTRIBUTES:
                self._fault(f"attribute {name} of <{tag}>")
        if values.get("id"):
            self.ids[str(values["id"])] += 1
        if tag == "a":
            self.links.append((values.get("href") or "", values))
        if tag in {"script", "link"} and values.get("rel") != "alternate":
            self.loads.append(values.get("src") or values.get("href") or "")
        self._reader(tag, values)
        if tag not in VOID:
            self._open.append(tag)

    def _reader(self, tag: str, values: Mapping[str, str | None]) -> None:
        """What a reader who does not see, or has no mouse, needs."""
        if tag == "table":
            self._captions = self.tags["caption"]
        if tag == "th" and values.get("scope") not in {"row", "col", "rowgroup"}:
            self._fault("th without scope")
        if tag == "thead" and self.tags["caption"] == self._captions:
            self._fault("table without caption")
        if tag == "svg" and values.get("aria-hidden") != "true" and not values.get("aria-label"):
            self._fault("svg without a name")
        scrolls = tag == "div" and values.get("class") in {"scroll", "scroll tall"}
        if scrolls and (values.get("tabindex") != "0" or not values.get("aria-label")):
            self._fault("a scrolling region that no key reaches")
        if tag in {"input", "select"} and "label" not in self._open and values.get("id") not in self.labelled:
            self._fault(f"{tag} without a label")
        if tag == "label" and values.get("for"):
            self.labelled.add(str(values["for"]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content, as SVG writes it."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """One element as it ends."""
        if not self._open or self._open[-1] != tag:
            self._fault(f"</{tag}> closes {self._open[-1:]}")
            return
        self._open.pop()

    def handle_data(self, data: str) -> None:
        """Text that is shown."""
        if "script" in self._open and data.strip():
            self._fault("a script in the page")
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        """No page holds comments."""
        self._fault(f"comment {data[:40]}")

    def _fault(self, text: str) -> None:
        self.faults.append(f"{self.path}: line {self.getpos()[0]}: {text}")


def read_site(files: Mapping[str, bytes]) -> dict[str, HtmlPage]:
    """Every page of a site."""
    return {name: HtmlPage(name, data.decode()) for name, data in files.items() if name.endswith(".html")}


def site_faults(files: Mapping[str, bytes], pages: Mapping[str, HtmlPage]) -> Iterator[str]:
    """Everything wrong with a site: each page's own faults, and every link that leads nowhere or where it may not."""
    for page in pages.values():
        yield from page.faults
        for address in page.loads:
            if address != "data:," and normpath(join(dirname(page.path), address)) not in files:
                yield f"{page.path}: loads {address}"
        for address, values in page.links:
            yield from _link_faults(page, address, values, files, pages)


def _link_faults(
    page: HtmlPage,
    address: str,
    values: Mapping[str, str | None],
    files: Mapping[str, bytes],
    pages: Mapping[str, HtmlPage],
) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            yield f"{page.path}: links to {address!r}"
        if "noopener" not in (values.get("rel") or "") or "noreferrer" not in (values.get("rel") or ""):
            yield f"{page.path}: link outward without rel: {address}"
        return
    target = normpath(join(dirname(page.path), unquote(parts.path))) if parts.path else page.path
    if target not in files:
        yield f"{page.path}: links to {address}, which is not there"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield f"{page.path}: links to {address}, whose place is not there"
