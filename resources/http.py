"""One download: bounded in time and size, complete or an error, conditional where validators are known.

Belongs here: a single attempt with its redirects, validators, length check and decoding. How often to try again, and
how politely, is a matter of whoever calls `fetch`; every failure is a `FetchError` that says whether a later attempt
may succeed. Which addresses may be reached at all: `addresses`, `public_network`.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import Event
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from resources.addresses import AddressError, check_network, without_query
from resources.deadlines import NEVER, over_by
from resources.public_network import PrivateAddressError, transport

USER_AGENT: Final = "scoretrail/0.1 (leaderboard sync)"
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
ADVICE: Final = {
    401: "; it wants a credential: name it in `secret_env`, and set that variable",
    403: "; the server refuses us: check the address, the source's `secret_env`, and whether the board allows this",
    404: "; nothing is there any more: correct `url` in sources.yaml",
    410: "; it was taken down: correct `url` in sources.yaml, or remove the source",
}
MAX_RATIO: Final = 200
"""Times that gzip may expand a body; honest text reaches 30, a bomb 1,000."""
RATIO_FROM: Final = 4_000_000
"""Decoded bytes below which the ratio does not matter."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one download: encoded and decoded bytes, seconds to connect, between bytes and in all, redirects."""

    max_bytes: int = 256_000_000
    connect_seconds: float = 10.0
    read_seconds: float = 30.0
    total_seconds: float = 300.0
    max_redirects: int = 5


@dataclass(frozen=True, slots=True)
class Validators:
    """What the server gave with bytes that are kept."""

    etag: str | None = None
    last_modified: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask with."""
        return self.etag is None and self.last_modified is None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A complete download; `data` is None where the server confirmed that the kept bytes still stand."""

    data: bytes | None
    validators: Validators


class FetchError(RuntimeError):
    """A download that failed.

    Attributes:
        status: HTTP status, where one came.
        is_transient: whether a later attempt may succeed.
        retry_after: what the server said about when, as sent.
    """

    def __init__(
        self, message: str, *, status: int | None = None, is_transient: bool = False, retry_after: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.is_transient = is_transient
        self.retry_after = retry_after


def fetch(
    url: str,
    *,
    allow_private: bool = False,
    secret: str | None = None,
    known: Validators = Validators(),
    limits: Limits = Limits(),
    client: httpx.Client | None = None,
    stopping: Event = NEVER,
) -> Fetched:
    """Downloads an address once.

    Args:
        url: checked by `addresses.read_address`.
        allow_private: also private addresses and plain http.
        secret: a bearer token; sent to the address's own origin only, never after a redirect to another.
        known: validators of kept bytes; empty to demand the bytes.
        client: one made by `open_client` for the same `allow_private`, kept open by the caller; one of its own if None.
        stopping: once it is set, the download ends.

    Raises:
        FetchError: for anything but a complete answer; messages never hold the query or the secret.
        StoppedError: where it was told to stop.
    """
    download = _Download(url, allow_private, secret, limits)
    if secret is not None and not (secret.isascii() and secret.isprintable()):
        # Said here without its value: the library's own error would quote it.
        raise FetchError(f"{download.shown}: the secret holds characters that no header can carry")
    own = open_client(allow_private=allow_private, limits=limits) if client is None else nullcontext(client)
    with own as opened, over_by(download.deadline, stopping):
        answer = download.run(opened, known)
        if answer is None:
            # 304 without an equal validator: the server speaks of other bytes than ours (A54).
            answer = download.run(opened, Validators())
    if answer is None:
        raise FetchError(f"{download.shown}: status 304 to an unconditional request")
    return answer


def keep_addresses_out_of_logs() -> None:
    """httpx logs every address whole, and a query may be a secret: its words below a warning are not wanted."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)


def open_client(*, allow_private: bool, limits: Limits) -> httpx.Client:
    """A client without proxies, redirects of its own, or cookies: no source learns what another was told."""
    keep_addresses_out_of_logs()
    return httpx.Client(
        transport=transport(allow_private=allow_private),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx.Timeout(limits.read_seconds, connect=limits.connect_seconds, pool=None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


class _Download:
    """One address with its limits; `run` is one conversation."""

    def __init__(self, url: str, allow_private: bool, secret: str | None, limits: Limits) -> None:
        self.url = url
        self.shown = without_query(url)
        self.allow_private = allow_private
        self.secret = secret
        self.limits = limits
        self.deadline = time.monotonic() + limits.total_seconds

    def run(self, client: httpx.Client, known: Validators) -> Fetched | None:
        """The answer; None for a 304 that does not confirm the known validators."""
        url = self.url
        for _ in range(self.limits.max_redirects + 1):
            try:
                with client.stream("GET", url, headers=self._headers(url, known)) as response:
                    if response.status_code in REDIRECTS and "location" in response.headers:
                        url = self._redirect(url, response.headers["location"])
                        continue
                    return self._answer(response, known)
            except httpx.TimeoutException as error:
                late = time.monotonic() >= self.deadline
                said = f"not complete after {self.limits.total_seconds:g} s" if late else "no answer in time"
                raise FetchError(f"{self.shown}: {said} ({type(error).__name__})", is_transient=True) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                is_private = isinstance(error.__cause__, PrivateAddressError)
                reason = str(error) or type(error).__name__
                raise FetchError(f"{self.shown}: {reason}", is_transient=not is_private) from error
        raise FetchError(f"{self.shown}: more than {self.limits.max_redirects} redirects")

    def _headers(self, url: str, known: Validators) -> dict[str, str]:
        headers = {"user-agent": USER_AGENT, "accept": "*/*", "accept-encoding": "gzip"}
        if known.etag:
            headers["if-none-match"] = known.etag
        if known.last_modified:
            headers["if-modified-since"] = known.last_modified
        if self.secret and _origin(urlsplit(url)) == _origin(urlsplit(self.url)):
            headers["authorization"] = f"Bearer {self.secret}"
        return headers

    def _redirect(self, url: str, location: str) -> str:
        target = urljoin(url, location)
        try:
            parts = urlsplit(target)
            _ = parts.port
            check_network(parts, allow_plain=self.allow_private)
        except (AddressError, ValueError) as error:
            raise FetchError(f"{self.shown}: redirected to what may not be read: {error}") from error
        return target

    def _answer(self, response: httpx.Response, known: Validators) -> Fetched | None:
        given = Validators(response.headers.get("etag"), response.headers.get("last-modified"))
        if response.status_code == 304 and not known.is_empty:
            response.read()  # no 304 has a body; a conversation that was not ended costs the next one a connection
            return Fetched(None, known) if _confirms(given, known) else None
        if response.status_code != 200:
            raise FetchError(
                f"{self.shown}: status {response.status_code} {response.reason_phrase}".rstrip()
                + ADVICE.get(response.status_code, ""),
                status=response.status_code,
                is_transient=response.status_code in TRANSIENT,
                retry_after=response.headers.get("retry-after"),
            )
        return Fetched(self._body(response), given)

    def _body(self, response: httpx.Response) -> bytes:
        """The decoded body, its length checked before decoding (A52, A53), both lengths bounded."""
        stated = response.headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self.limits.max_bytes:
            raise FetchError(f"{self.shown}: {stated} bytes announced; at most {self.limits.max_bytes} are read")
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise FetchError(f"{self.shown}: content encoding {encoding!r}, which was not asked for")
        received = _Counted(response.iter_raw(), self)
        plain = encoding in {"", "identity"}
        data = b"".join(received) if plain else self._gunzip(received)
        if stated.isdigit() and received.bytes != int(stated):
            raise FetchError(
                f"{self.shown}: {received.bytes} of {stated} bytes arrived: a truncated download", is_transient=True
            )
        return data

    def _gunzip(self, chunks: _Counted) -> bytes:
        parts: list[bytes] = []
        most = room = self.limits.max_bytes
        decoder = zlib.decompressobj(wbits=31)
        try:
            for chunk in chunks:
                rest = chunk
                while rest:
                    if decoder.eof:
                        decoder = zlib.decompressobj(wbits=31)
                    part = decoder.decompress(rest, room + 1)
                    room -= len(part)
                    if room < 0:
                        raise FetchError(f"{self.shown}: expands to more than {most} bytes")
                    if most - room > max(RATIO_FROM, chunks.bytes * MAX_RATIO):
                        raise FetchError(f"{self.shown}: expands more than {MAX_RATIO} times: a bomb?")
                    parts.append(part)
                    rest = decoder.unconsumed_tail or decoder.unused_data
        except zlib.error as error:
            raise FetchError(f"{self.shown}: broken gzip: {error}", is_transient=True) from error
        if not decoder.eof:
            raise FetchError(f"{self.shown}: gzip ends in the middle: a truncated download", is_transient=True)
        return b"".join(parts)


class _Counted:
    """Chunks of a body, counted and bounded in size and time."""

    def __init__(self, chunks: Iterator[bytes], download: _Download) -> None:
        self.chunks = chunks
        self.download = download
        self.bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        chunk = next(self.chunks)
        self.bytes += len(chunk)
        limits = self.download.limits
        if self.bytes > limits.max_bytes:
            raise FetchError(f"{self.download.shown}: more than {limits.max_bytes} bytes")
        if time.monotonic() > self.download.deadline:
            raise FetchError(
                f"{self.download.shown}: not complete after {limits.total_seconds:g} s ({self.bytes} bytes)",
                is_transient=True,
            )
        return chunk


def _confirms(given: Validators, known: Validators) -> bool:
    """Whether a 304 speaks of the bytes we keep: its ETag (weak or strong) equals, else its Last-Modified does."""
    if given.etag is not None and known.etag is not None:
        return given.etag.removeprefix("W/") == known.etag.removeprefix("W/")
    return given.last_modified is not None and given.last_modified == known.last_modified


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)
