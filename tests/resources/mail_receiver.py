"""A mail server on 127.0.0.1 that takes every mail and keeps it: as much of SMTP as one sender needs."""

from __future__ import annotations

import contextlib
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class MailReceiver:
    """Its port, the mails it took, and the receivers it was told of."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    receivers: list[str] = field(default_factory=list)
    refuses: bool = False


@contextlib.contextmanager
def mail_receiver() -> Iterator[MailReceiver]:
    """A running receiver; it ends with the block."""
    state = MailReceiver()

    class Handler(socketserver.StreamRequestHandler):
        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def handle(self) -> None:
            self.say("220 local")
            while line := self.rfile.readline():
                word = line.split()[0].upper() if line.split() else b""
                if word == b"DATA":
                    self.say("354 go on")
                    lines = []
                    while (part := self.rfile.readline()) not in {b".\r\n", b""}:
                        lines.append(part)
                    state.mails.append(message_from_bytes(b"".join(lines), policy=policy.default))  # type: ignore[arg-type]
                elif word == b"RCPT":
                    state.receivers.append(line.decode().split("<")[1].split(">")[0])
                    if state.refuses:
                        self.say("550 no such person")
                        continue
                elif word == b"QUIT":
                    self.say("221 bye")
                    return
                self.say("250 fine")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        state.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield state
        server.shutdown()
        thread.join()
