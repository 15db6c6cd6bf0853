"""Serves the review page to this machine alone, and takes its decisions.

Belongs here: who may ask, and who may write. Reading is guarded as the site is: 127.0.0.1, a token in the address, Host
and Origin checked. Writing asks for more, so that no other page in the browser can do it: an Origin that is ours must
be there, the body must be JSON, and a header must stand that a form cannot send.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from resources.atomic_files import JsonFileError, parse_json
from resources.catalog_problems import CatalogError
from resources.review import RefusedError, Review
from resources.site.build import ASSETS
from resources.site.server import HEADERS, SiteHandler, SiteServer
from warehouse.plain_text import json_safe

PAGE: Final = Path(__file__).resolve().parent / "review_page"
FILES: Final = {
    "index.html": PAGE / "review.html",
    "assets/review.css": PAGE / "review.css",
    "assets/review.js": PAGE / "review.js",
    "assets/site.css": ASSETS / "site.css",
}
REVIEW_HEADERS: Final = {
    **HEADERS,
    "Content-Security-Policy": f"{HEADERS['Content-Security-Policy']}; connect-src 'self'",
}
WRITE_HEADER: Final = "X-Scoretrail-Review"
MAX_BODY: Final = 20_000
JSON_KIND: Final = "application/json; charset=utf-8"


class ReviewServer(SiteServer):
    """The server of one review; `address` is where a browser opens it."""

    def __init__(self, review: Review, port: int) -> None:
        self.review = review
        super().__init__(FILES, port, ReviewHandler)


class ReviewHandler(SiteHandler):
    """Answers with the page and the pairs, and takes decisions."""

    server: ReviewServer
    answer_headers = REVIEW_HEADERS

    def do_GET(self) -> None:  # noqa: N802
        """The page, its files, or the pairs."""
        if self.asked_name == "pairs.json" and self.refusal() is None:
            self._json(HTTPStatus.OK, self.server.review.as_json())
        else:
            self.answer(with_body=True)

    def do_POST(self) -> None:  # noqa: N802
        """One decision."""
        refusal = self.refusal() or self._write_refusal()
        if refusal is not None:
            self.close_connection = True
            self._json(refusal, {"error": f"{refusal.value} {refusal.phrase}"})
            return
        try:
            given = parse_json(self.rfile.read(int(self.headers["Content-Length"])), "the decision")
            if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in _WANTED):
                raise RefusedError(f"a decision states {', '.join(_WANTED)}")
            self._json(HTTPStatus.OK, self.server.review.decide(*(given[name] for name in _WANTED)))
        except (RefusedError, JsonFileError) as error:
            self._json(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error)})
        except (CatalogError, OSError) as error:
            self._json(HTTPStatus.CONFLICT, {"error": f"nothing was written: {error}"})

    def _write_refusal(self) -> HTTPStatus | None:
        """Why whoever asks may not write; what only our own page sends must be there."""
        if self.asked_name != "decide":
            return HTTPStatus.NOT_FOUND
        if len(self.headers.get_all("Origin") or []) != 1 or self.headers.get(WRITE_HEADER) != "1":
            return HTTPStatus.FORBIDDEN
        if self.headers.get_content_type() != "application/json":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            return HTTPStatus.LENGTH_REQUIRED
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if int(length) > MAX_BODY else None

    def _json(self, status: HTTPStatus, value: Any) -> None:
        text = json_safe(json.dumps(value, ensure_ascii=False, allow_nan=False, default=str))
        self.send(status, text.encode(), JSON_KIND)


_WANTED: Final = ("pair_id", "decision", "reason")
