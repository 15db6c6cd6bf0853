"""A server on 127.0.0.1 that answers as a test says: rightly, wrongly, slowly, or cut off. No network is used."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class LocalServer:
    """Its address, what it answers by path, and the headers of every request it saw."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    posted: list[bytes] = field(default_factory=list)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """The address of a path."""
        return f"http://{host}:{self.port}{path}"

    def serve(self, path: str, body: bytes, **headers: str) -> str:
        """Answers a path with a body and headers (underscores for dashes); gives its address."""
        self.answers[path] = plain(body, **headers)
        return self.url(path)


def plain(body: bytes, status: int = 200, **headers: str) -> Answer:
    """A whole answer; `content_length` among the headers overrides the true one."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in ({"content-length": str(len(body))} | names).items():
            request.send_header(name, value)
        request.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            request.wfile.write(body)

    return answer


def in_order(*answers: Answer) -> Answer:
    """One answer after another; the last one for ever."""
    left = list(answers)

    def answer(request: BaseHTTPRequestHandler) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(request)

    return answer


@contextlib.contextmanager
def local_server() -> Iterator[LocalServer]:
    """A running server; it ends with the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.split("?", 1)[0]
            state.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            state.answers.get(path, plain(b"no such page", 404))(self)
            self.close_connection = True

        def do_POST(self) -> None:
            state.posted.append(self.rfile.read(int(self.headers.get("content-length", "0"))))
            self.do_GET()

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = LocalServer(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
