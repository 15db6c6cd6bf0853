"""The server: one site, to this machine, to whoever knows the token, read only."""

from __future__ import annotations

import http.client
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from resources.site.server import HEADERS, SiteServer, files_of
from resources.site.writing import MARKER, SiteError, write_site

PAGES = {"index.html": b"<h1>first</h1>", "boards/math.html": b"<h1>math</h1>", "data/t.csv": b"a\n1\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_site(tmp_path / "site", PAGES.items())
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "site" / ".hidden").write_text("hidden")
    (tmp_path / "site" / "link.html").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "site" / "out").symlink_to(tmp_path, target_is_directory=True)
    return tmp_path / "site"


@pytest.fixture
def server(folder: Path) -> Iterator[SiteServer]:
    with SiteServer(files_of(folder), 0) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join(5)


def ask(
    server: SiteServer, path: str, method: str = "GET", headers: dict[str, str] | None = None
) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    found = answer.status, answer.read(), dict(answer.getheaders())
    connection.close()
    return found


def test_it_listens_on_this_machine_alone(server: SiteServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address.startswith(f"http://127.0.0.1:{server.server_address[1]}/{server.token}/")
    assert len(server.token) >= 24


def test_pages_are_served_with_their_kind_and_what_protects_them(server: SiteServer) -> None:
    for path in ("", "index.html"):
        status, body, headers = ask(server, f"/{server.token}/{path}")
        assert (status, body) == (200, PAGES["index.html"])
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert {name: headers[name] for name in HEADERS} == HEADERS
    assert ask(server, f"/{server.token}/data/t.csv")[2]["Content-Type"] == "text/csv; charset=utf-8"
    status, body, headers = ask(server, f"/{server.token}/boards/math.html", "HEAD")
    assert (status, body, headers["Content-Length"]) == (200, b"", "13")
    assert "Python" not in headers["Server"]


@pytest.mark.parametrize("path", ["/", "/index.html", "/x/index.html", "/%00/index.html", "//index.html", "/%C3%A9/x"])
def test_without_the_token_nothing_is_served(server: SiteServer, path: str) -> None:
    status, body, _ = ask(server, path)
    assert status == 403
    assert b"first" not in body
    assert server.token.encode() not in body
    assert b"the whole address that the command printed" in body and b"href" not in body


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""])
def test_another_host_is_refused(server: SiteServer, host: str) -> None:
    """A name that resolves to 127.0.0.1 (DNS rebinding) gets nothing."""
    assert ask(server, f"/{server.token}/index.html", headers={"Host": host})[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_another_origin_is_refused(server: SiteServer, origin: str) -> None:
    assert ask(server, f"/{server.token}/index.html", headers={"Origin": origin})[0] == 403


def test_its_own_origin_is_not(server: SiteServer) -> None:
    own = f"http://{urlsplit(server.address).netloc}"
    assert ask(server, f"/{server.token}/index.html", headers={"Origin": own})[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "boards/../../secret.txt", "out/secret.txt",
        "link.html", ".hidden", MARKER, "/etc/passwd", "//etc/passwd", "..\\secret.txt", "index.html%00.css",
        "boards", "boards/", "INDEX.HTML", "index.html/", "%252e%252e/secret.txt",
    ],
)  # fmt: skip
def test_no_path_leads_out(server: SiteServer, path: str) -> None:
    status, body, _ = ask(server, f"/{server.token}/{path}")
    assert status == 404
    assert b"secret" not in body
    assert b"hidden" not in body
    [back] = re.findall(rb'href="([^"]+)"', body)
    assert ask(server, back.decode())[:2] == (200, PAGES["index.html"])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_it_is_read_only(server: SiteServer, method: str) -> None:
    assert ask(server, f"/{server.token}/index.html", method)[0] == 501


def test_two_hosts_and_broken_requests_do_no_harm(server: SiteServer) -> None:
    port = server.server_address[1]
    for request in (
        f"GET /{server.token}/index.html HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n",
        f"GET /{server.token}/index.html HTTP/1.1\r\n\r\n",
        "GET http://[bad/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "\x00\x01\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(request.encode())
            connection.shutdown(socket.SHUT_WR)
            assert b"first" not in connection.recv(65536)
    assert ask(server, f"/{server.token}/index.html")[0] == 200


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="no site"):
        files_of(tmp_path)
