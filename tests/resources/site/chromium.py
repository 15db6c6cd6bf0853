"""A small client of Chromium's DevTools protocol: opens pages, listens for errors, evaluates, takes pictures.

Belongs here: driving a browser that the machine already has. Nothing is ever downloaded; a machine without one skips
the tests, saying so.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-default-apps", "--no-default-browser-check", "--hide-scrollbars", "--remote-debugging-port=0",
    "--remote-allow-origins=*", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)  # fmt: skip
PATIENCE = 20.0


def find_chromium() -> str | None:
    """The browser of this machine; None where there is none."""
    named = os.environ.get("SCORETRAIL_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


class Tab:
    """One tab: every console message and failed request since the last `open` is kept in `errors`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.number = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends one command and waits for its answer."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = self._receive()
            if message.get("id") == self.number:
                assert "error" not in message, f"{method}: {message['error']}"
                answer = message["result"]
                assert isinstance(answer, dict)
                return answer

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, said: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and said["type"] in {"error", "warning", "assert"}:
            self.errors.append(f"console {said['type']}: {said['args']}")
        elif method == "Log.entryAdded" and said["entry"]["level"] in {"error", "warning"}:
            self.errors.append(f"{said['entry']['source']}: {said['entry']['text']} {said['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])

    def open(self, address: str) -> None:
        """Opens a page and waits until its script has run."""
        self.errors.clear()
        self.requests.clear()
        self.call("Page.navigate", url="about:blank")
        answer = self.call("Page.navigate", url=address)
        assert "errorText" not in answer, f"{address}: {answer['errorText']}"
        self.wait("document.readyState === 'complete' && document.documentElement.dataset.ready === 'yes'")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.02)

    def key(self, name: str, code: int, modifiers: int = 0) -> None:
        """Presses and lets go one key."""
        text = {"Enter": "\r", "Space": " "}.get(name, "")
        said = " " if name == "Space" else name
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=said, code=name, windowsVirtualKeyCode=code,
                modifiers=modifiers, **more,
            )  # fmt: skip

    def look(self, width: int, height: int, scheme: str) -> None:
        """Sets the size of the window, and light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: Path) -> None:
        """Writes what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A headless Chromium of our own with one tab; ended, by its own id, when done."""
    found = find_chromium()
    assert found is not None
    command = [found, *QUIET, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = _port(profile, process)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=PATIENCE) as answer:
            pages = [page for page in json.load(answer) if page["type"] == "page"]
        with connect(pages[0]["webSocketDebuggerUrl"], max_size=None, open_timeout=PATIENCE) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)


def _port(profile: Path, process: subprocess.Popen[bytes]) -> int:
    """The port that Chromium chose, which it writes into its profile."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, "Chromium ended before it could be reached"
        try:
            return int((profile / "DevToolsActivePort").read_text().split("\n")[0])
        except (OSError, ValueError):
            time.sleep(0.05)
    raise AssertionError("Chromium did not say where it listens")
