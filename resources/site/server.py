"""Serves a finished site to this machine alone, read only.

Belongs here: who may ask and for what. The server listens on 127.0.0.1; a token stands at the beginning of every
address; the Host header must name this server and an Origin header, where there is one, too, so that no other page in
the browser can read it, whatever name it resolves. What may be fetched is the list of files made at the start: no path
is ever opened that was not on it.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from resources.site.writing import MARKER, SiteError

HOST: Final = "127.0.0.1"
KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".xml": "application/atom+xml; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The referrer policy keeps the token out of the addresses that a followed link tells."""
TOKEN_BYTES: Final = 18
SECONDS_TO_ASK: Final = 20


REFUSED: Final = (
    "This server answers only to the whole address that the command printed when it began: it holds a token, which is "
    "new each time. Copy it from the terminal."
)
"""To whoever does not name the token: how to, and nothing that leads there."""


def _page(status: HTTPStatus, said: str) -> bytes:
    """A small page of our own words; `said` is markup."""
    title = f"{status.value} {status.phrase}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><h1>{title}</h1><p>{said}</p></body></html>\n"
    ).encode()


def files_of(folder: Path) -> dict[str, Path]:
    """The files of a site by their path on it: plain files inside the folder, no links, nothing hidden.

    Raises:
        SiteError: if there is no site.
    """
    root = folder.resolve()
    if not (root / "index.html").is_file():
        raise SiteError(f"{folder}: holds no site (no index.html)")
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.name == MARKER or any(part.startswith(".") for part in name.parts):
            continue
        if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(root):
            found[name.as_posix()] = path
    return found


class SiteServer(ThreadingHTTPServer):
    """A server of one site; `address` is where a browser opens it."""

    daemon_threads = True

    def __init__(self, files: Mapping[str, Path], port: int, handler: type[SiteHandler] | None = None) -> None:
        """Listen.

        Args:
            files: what may be fetched, by path.
            port: 0 for any free one.
            handler: what answers, where it is more than files.
        """
        self.files = files
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        super().__init__((HOST, port), handler or SiteHandler)
        bound = self.server_address[1]
        self.hosts = {f"{HOST}:{bound}", f"localhost:{bound}"}

    @property
    def address(self) -> str:
        """The address with its token."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/index.html"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that went away is no event."""


class SiteHandler(BaseHTTPRequestHandler):
    """Answers with files, to those who may ask."""

    server: SiteServer
    answer_headers: Mapping[str, str] = HEADERS
    server_version = "scoretrail"
    sys_version = ""
    timeout = SECONDS_TO_ASK

    def do_GET(self) -> None:
        """One file of the site."""
        self.answer(with_body=True)

    def do_HEAD(self) -> None:
        """The head of one file."""
        self.answer(with_body=False)

    def answer(self, *, with_body: bool) -> None:
        """A file, or why not."""
        refusal = self.refusal()
        if refusal is not None:
            self.send(refusal, _page(refusal, REFUSED), KINDS[".html"], with_body)
            return
        path = self._asked()
        try:
            body = None if path is None else path.read_bytes()
        except OSError:
            body = None
        if path is None or body is None:
            missing = HTTPStatus.NOT_FOUND
            back = f'There is no such page. <a href="/{self.server.token}/index.html">To the first page</a>'
            self.send(missing, _page(missing, back), KINDS[".html"], with_body)
            return
        self.send(HTTPStatus.OK, body, KINDS.get(path.suffix, "application/octet-stream"), with_body)

    def refusal(self) -> HTTPStatus | None:
        """Why whoever asks gets nothing; None where nothing is wrong with them."""
        hosts = self.headers.get_all("Host") or []
        origins = self.headers.get_all("Origin") or []
        if len(hosts) != 1 or hosts[0] not in self.server.hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        if any(origin not in {f"http://{host}" for host in self.server.hosts} for origin in origins):
            return HTTPStatus.FORBIDDEN
        token = self._parts()[0]
        if not hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self.server.token.encode()):
            return HTTPStatus.FORBIDDEN
        return None

    @property
    def asked_name(self) -> str:
        """The asked path after the token."""
        return self._parts()[1]

    def _parts(self) -> tuple[str, str]:
        """Token and the rest of the asked path, decoded once."""
        try:
            whole = urlsplit(self.path).path
        except ValueError:
            whole = ""
        token, _, rest = whole.removeprefix("/").partition("/")
        return token, unquote(rest, errors="replace")

    def _asked(self) -> Path | None:
        return self.server.files.get(self.asked_name or "index.html")

    def send(self, status: HTTPStatus, body: bytes, kind: str, with_body: bool = True) -> None:
        """One whole answer with the headers that every answer has."""
        self.send_response(status)
        for name, value in {**self.answer_headers, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the base class names it
        """Nothing is logged: the token stands in every address."""
