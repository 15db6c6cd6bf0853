"""The benchmark of nights still runs as far as its server, which answers a known ETag with 304. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

from resources.http import Validators, fetch

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_night.py")))


def test_the_server_of_the_benchmark_confirms_what_it_gave(tmp_path: Path) -> None:
    served = tmp_path / "served" / "a board"
    served.mkdir(parents=True)
    (served / "x.json").write_bytes(b"[1]")
    with BENCHMARK["server"](tmp_path / "served", 2, tmp_path / "ports.json") as ports:
        for port in ports:
            url = f"http://127.0.0.1:{port}/a%20board/x.json"
            first = fetch(url, allow_private=True)
            assert first.data == b"[1]"
            assert fetch(url, allow_private=True, known=Validators(first.validators.etag)).data is None
