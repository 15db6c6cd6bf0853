"""Nights over real upstream files: the sync alone, a cold night, one on which nothing changed, and the one after that.

    python tests/benchmarks/bench_night.py [FOLDER]

Every source of the catalog is served from `../shared/data/upstream` by a server of this machine that answers a known
ETag with 304; one port stands for each host of the catalog, so that hosts are asked side by side as they would be.
Printed for each: seconds of wall, seconds of CPU (user and system), and the peak memory of the process. What to
compare with is the cold night of the same run, never another machine.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
UPSTREAM = CHECKOUT.parent / "shared" / "data" / "upstream"
MAX_BYTES = 256_000_000
NIGHTS = (("cold", 2), ("nothing changed", 1), ("nothing changed again", 0))
"""What each night is, and how many days before today it is."""
SYNC_ALONE = """
import sys
from pipelines.command import main
sys.argv = ["scoretrail", "sync", *sys.argv[1:]]
main()
"""
RUN = """
import sys
from datetime import UTC, datetime, timedelta
import resources.workspace as workspace
ago = timedelta(days=int(sys.argv[1]))
class Clock(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) - ago
workspace.datetime = Clock
from pipelines.command import main
sys.argv = ["scoretrail", "run", "--as-of", (datetime.now(UTC) - ago).date().isoformat(), *sys.argv[2:]]
main()
"""


def served_sources(catalog: Path, served: Path, port_of: Callable[[str], int]) -> int:
    """Points every source of a catalog at the server, and lays its files out to be served; returns how many files."""
    from resources.addresses import read_address
    from resources.paths import read_local

    document = yaml.safe_load((catalog / "sources.yaml").read_text())
    count = 0
    for source in document["sources"]:
        found = read_local(source["path"], UPSTREAM, (UPSTREAM,), max_bytes=MAX_BYTES)
        host = urlsplit(source["url"].removeprefix("git+")).hostname or ""
        base = f"http://127.0.0.1:{port_of(host)}/{source['id']}/"
        for file in found.files:
            path = served / source["id"] / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            count += 1
        names = [file.name for file in found.files]
        source.pop("git", None)
        source.pop("tree", None)
        source |= {"url": base if found.is_many else base + quote(names[0]), "allow_private": True}
        if found.is_many:
            source["tree"] = {"files": names}
        read_address(source["url"], allow_private=True)
    (catalog / "sources.yaml").write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True))
    return count


def serve(folder: Path, hosts: int, ready: Path) -> None:
    """Serves a folder from memory on some ports, until ended; writes the ports where it is told to."""
    bodies = {
        f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    tags = {name: f'"{hashlib.sha256(body).hexdigest()[:16]}"' for name, body in bodies.items()}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                name = unquote(head.split(" ", 2)[1])
                if name not in bodies:
                    writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                elif f"if-none-match: {tags[name]}\r\n" in head.lower():
                    writer.write(f"HTTP/1.1 304 Not Modified\r\netag: {tags[name]}\r\n\r\n".encode())
                else:
                    said = f"HTTP/1.1 200 OK\r\netag: {tags[name]}\r\ncontent-length: {len(bodies[name])}\r\n\r\n"
                    writer.write(said.encode() + bodies[name])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        servers = [await asyncio.start_server(talk, "127.0.0.1", 0) for _ in range(hosts)]
        ready.write_text(json.dumps([server.sockets[0].getsockname()[1] for server in servers]))
        await asyncio.Event().wait()

    asyncio.run(run())


@contextmanager
def server(folder: Path, hosts: int, ready: Path) -> Iterator[list[int]]:
    """The server in a process of its own; its ports."""
    command = [sys.executable, __file__, "--serve", str(folder), str(hosts), str(ready)]
    process = subprocess.Popen(command)
    try:
        while not (ready.is_file() and ready.read_text()):
            assert process.poll() is None
            time.sleep(0.02)
        yield json.loads(ready.read_text())
    finally:
        process.terminate()
        process.wait()


def measured(script: list[str], catalog: Path, home: Path) -> dict[str, float]:
    """A script in a process of its own: its exit code, wall, CPU and peak memory."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-c", *script, "--catalog", str(catalog), "--home", str(home)]
    with (home.parent / "said.txt").open("a") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, cwd=CHECKOUT)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "wall": wall,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak MB": usage.ru_maxrss / 1000,
    }


def measure(work: Path) -> dict[str, dict[str, float]]:
    """The nights, one after another, in a folder."""
    catalog, served = work / "catalog", work / "served"
    shutil.copytree(CHECKOUT / "warehouse" / "catalog", catalog)
    hosts: list[str] = []

    def place_of(host: str) -> int:
        if host not in hosts:
            hosts.append(host)
        return 10_000 + hosts.index(host)

    files = served_sources(catalog, served, place_of)
    sources = catalog / "sources.yaml"
    with server(served, len(hosts), work / "ports.json") as ports:
        text = sources.read_text()
        for place, port in enumerate(ports):
            text = text.replace(f"127.0.0.1:{10_000 + place}/", f"127.0.0.1:{port}/")
        sources.write_text(text)
        print(f"{text.count('connector:')} sources, {files} files, {len(hosts)} hosts")
        found = {"sync alone, cold": measured([SYNC_ALONE], catalog, work / "synced")}
        return found | {words: measured([RUN, str(ago)], catalog, work / "home") for words, ago in NIGHTS}


def main() -> None:
    """Measures and prints."""
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
        return
    sys.path.insert(0, str(CHECKOUT))
    with tempfile.TemporaryDirectory() as folder:
        work = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        found = measure(work)
    cold = found["cold"]["cpu"]
    for words, figures in found.items():
        told = ", ".join(f"{name} {value:,.1f}" for name, value in figures.items())
        print(f"{words}: {told}; {figures['cpu'] / cold:.0%} of the cold night's CPU")


if __name__ == "__main__":
    main()
