"""One download against a server that behaves well and badly, on 127.0.0.1."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from local_server import LocalServer, local_server, plain

from resources.http import FetchError, Limits, Validators, fetch, open_client

BODY = b'{"results": [1, 2, 3]}'


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as running:
        yield running


def test_a_whole_answer_with_its_validators(server: LocalServer) -> None:
    url = server.serve("/a", BODY, etag='"v1"', last_modified="Mon, 01 Jun 2026 00:00:00 GMT")
    got = fetch(url, allow_private=True)
    assert got.data == BODY
    assert got.validators == Validators('"v1"', "Mon, 01 Jun 2026 00:00:00 GMT")


def test_a_short_body_is_a_truncated_download(server: LocalServer) -> None:
    """A52, G16."""
    url = server.serve("/a", BODY, content_length="1000")
    with pytest.raises(FetchError, match=r"peer closed|of 1000 bytes") as caught:
        fetch(url, allow_private=True)
    assert caught.value.is_transient


def test_a_gzip_body_is_measured_encoded(server: LocalServer) -> None:
    """A53: 300 bytes sent, 1200 decoded, and that is right."""
    text = BODY * 100
    url = server.serve("/a", gzip.compress(text), content_encoding="gzip")
    assert fetch(url, allow_private=True).data == text


def test_a_gzip_of_several_members_is_whole(server: LocalServer) -> None:
    url = server.serve("/a", gzip.compress(b"one") + gzip.compress(b"two"), content_encoding="gzip")
    assert fetch(url, allow_private=True).data == b"onetwo"


def test_a_gzip_cut_short_is_truncated(server: LocalServer) -> None:
    url = server.serve("/a", gzip.compress(BODY * 100)[:-12], content_encoding="gzip")
    with pytest.raises(FetchError, match="truncated"):
        fetch(url, allow_private=True)


def test_broken_gzip_and_unasked_encodings(server: LocalServer) -> None:
    with pytest.raises(FetchError, match="broken gzip"):
        fetch(server.serve("/a", b"not gzip at all", content_encoding="gzip"), allow_private=True)
    with pytest.raises(FetchError, match="not asked for"):
        fetch(server.serve("/b", BODY, content_encoding="br"), allow_private=True)


def test_a_bomb_stops_at_the_limit(server: LocalServer) -> None:
    url = server.serve("/a", gzip.compress(b"\0" * 20_000_000), content_encoding="gzip")
    with pytest.raises(FetchError, match="expands to more than 1000000"):
        fetch(url, allow_private=True, limits=Limits(max_bytes=1_000_000))


def test_a_large_body_stops_by_its_announcement_and_while_it_streams(server: LocalServer) -> None:
    limits = Limits(max_bytes=1000)
    with pytest.raises(FetchError, match="5000 bytes announced"):
        fetch(server.serve("/a", b"x" * 5000), allow_private=True, limits=limits)

    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        for _ in range(10):
            request.wfile.write(b"x" * 500)

    server.answers["/b"] = endless
    with pytest.raises(FetchError, match="more than 1000 bytes"):
        fetch(server.url("/b"), allow_private=True, limits=limits)


def test_a_slow_drip_ends_at_the_total_time(server: LocalServer) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            for _ in range(40):
                request.wfile.write(b"x")
                request.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

    server.answers["/a"] = drip
    started = time.monotonic()
    with pytest.raises(FetchError, match=r"not complete after 0\.3 s"):
        fetch(server.url("/a"), allow_private=True, limits=Limits(total_seconds=0.3))
    assert time.monotonic() - started < 1.5


def test_silence_ends_at_the_read_time(server: LocalServer) -> None:
    server.answers["/a"] = lambda request: time.sleep(0.5)
    with pytest.raises(FetchError, match="no answer in time") as caught:
        fetch(server.url("/a"), allow_private=True, limits=Limits(read_seconds=0.1))
    assert caught.value.is_transient


@pytest.mark.parametrize(("status", "transient"), [(404, False), (403, False), (429, True), (500, True), (503, True)])
def test_status_errors_say_what_and_whether_to_try_again(server: LocalServer, status: int, transient: bool) -> None:
    """A50: the answer's Retry-After is handed on."""
    server.answers["/a"] = plain(b"no", status, retry_after="30")
    with pytest.raises(FetchError, match=f"status {status}") as caught:
        fetch(server.url("/a"), allow_private=True)
    assert (caught.value.status, caught.value.is_transient, caught.value.retry_after) == (status, transient, "30")


def conditional(etag: str, honest: bool) -> object:
    """304 to any condition; honest: with the validator that was asked about."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        if "if-none-match" in request.headers or "if-modified-since" in request.headers:
            plain(b"", 304, etag=etag if not honest else request.headers["if-none-match"])(request)
        else:
            plain(BODY, etag=etag)(request)

    return answer


def test_a_304_with_the_same_validator_is_accepted(server: LocalServer) -> None:
    server.answers["/a"] = conditional('"v2"', honest=True)  # type: ignore[assignment]
    got = fetch(server.url("/a"), allow_private=True, known=Validators('"v1"'))
    assert got.data is None
    assert got.validators.etag == '"v1"'
    assert len(server.seen) == 1


def test_a_304_with_another_etag_is_fetched_again_without_condition(server: LocalServer) -> None:
    """A54: sent "v1", got 304 with "v2"."""
    server.answers["/a"] = conditional('"v2"', honest=False)  # type: ignore[assignment]
    got = fetch(server.url("/a"), allow_private=True, known=Validators('"v1"', "Mon, 01 Jun 2026 00:00:00 GMT"))
    assert got.data == BODY
    assert got.validators.etag == '"v2"'
    assert ["if-none-match" in headers for _, headers in server.seen] == [True, False]


def test_a_weak_etag_confirms_its_strong_form(server: LocalServer) -> None:
    server.answers["/a"] = plain(b"", 304, etag='W/"v1"')
    assert fetch(server.url("/a"), allow_private=True, known=Validators('"v1"')).data is None


def test_a_304_that_nobody_asked_for_is_an_error(server: LocalServer) -> None:
    server.answers["/a"] = plain(b"", 304)
    with pytest.raises(FetchError, match="304"):
        fetch(server.url("/a"), allow_private=True, known=Validators('"v1"'))


def test_redirects_are_followed_within_their_limit(server: LocalServer) -> None:
    server.serve("/end", BODY)
    server.answers["/a"] = plain(b"", 302, location="/end")
    assert fetch(server.url("/a"), allow_private=True).data == BODY
    server.answers["/loop"] = plain(b"", 302, location="/loop")
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(server.url("/loop"), allow_private=True)


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://x/y", "gopher://127.0.0.1/", "http://u:p@127.0.0.1/x"]
)
def test_a_redirect_to_another_scheme_is_refused(server: LocalServer, location: str) -> None:
    server.answers["/a"] = plain(b"", 302, location=location)
    with pytest.raises(FetchError, match="redirected to what may not be read"):
        fetch(server.url("/a"), allow_private=True)


def test_a_secret_goes_to_its_own_origin_only(server: LocalServer) -> None:
    with local_server() as other:
        other.serve("/b", BODY)
        server.answers["/a"] = plain(b"", 302, location="/same")
        server.answers["/same"] = plain(b"", 302, location=other.url("/b"))
        assert fetch(server.url("/a"), allow_private=True, secret="hush").data == BODY
        assert [headers.get("authorization") for _, headers in server.seen] == ["Bearer hush", "Bearer hush"]
        assert "authorization" not in other.seen[0][1]


def test_a_secret_that_no_header_can_carry_is_not_quoted(server: LocalServer) -> None:
    with pytest.raises(FetchError, match="no header can carry") as caught:
        fetch(server.serve("/a", BODY), allow_private=True, secret="hush\nX-Evil: 1")
    assert "hush" not in str(caught.value)
    assert server.seen == []


def test_errors_hold_neither_query_nor_secret(server: LocalServer) -> None:
    """G07."""
    with pytest.raises(FetchError) as caught:
        fetch(server.url("/none") + "?token=abc", allow_private=True, secret="hush")
    assert "abc" not in str(caught.value)
    assert "hush" not in str(caught.value)
    assert server.seen[0][0] == "/none?token=abc"


def test_a_private_address_is_not_connected_to(server: LocalServer) -> None:
    url = server.serve("/a", BODY)
    with pytest.raises(FetchError, match="no public address") as caught:
        fetch(url)
    assert not caught.value.is_transient
    assert server.seen == []


def test_nobody_there(server: LocalServer) -> None:
    port = server.port
    with local_server() as gone:
        port = gone.port
    with pytest.raises(FetchError):
        fetch(f"http://127.0.0.1:{port}/a", allow_private=True)


def test_proxies_of_the_environment_are_not_used(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert fetch(server.serve("/a", BODY), allow_private=True).data == BODY


def test_confirmations_of_one_server_share_a_connection() -> None:
    """A night asks a host about a thousand files: each connection more would cost more than the answer."""
    opened: list[object] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            opened.append(self)
            super().setup()

        def do_GET(self) -> None:
            self.send_response(304)
            self.send_header("etag", '"v1"')
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        with open_client(allow_private=True, limits=Limits()) as client:
            for name in "abcd":
                url = f"http://127.0.0.1:{running.server_address[1]}/{name}"
                got = fetch(url, allow_private=True, known=Validators('"v1"'), client=client)
                assert got.data is None
        running.shutdown()
    assert len(opened) == 1
