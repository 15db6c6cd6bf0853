"""Days on a disk that is full: no file may grow beyond a limit. Run as a script, by test_full_disk.

Each limit stops the day at another write, from the first snapshot to the DuckDB file. Prints one JSON object a limit.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from killed_days import forked, look, note_of, published_world, settled
from small_homes import DAY, Ran, SmallWorld, board_rows, quiet_process

LIMITS = (300, 10_000, 200_000)
"""Bytes a file may have: below every board and table, the largest table, the DuckDB file."""


def on_a_full_disk(world: SmallWorld, limit: int, report: Path) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.dont_write_bytecode = True  # Python would leave the checkout half a compiled module, which no run mends
    descriptor = report.open("w", encoding="utf-8")
    quiet_process(pytest.MonkeyPatch())
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    ran: Ran = world.run(day=DAY + timedelta(days=1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with descriptor:
        json.dump({"limit": limit, "code": ran.code, "said": ran.said}, descriptor)


def main(root: Path) -> None:
    world = published_world(root)
    assert forked(lambda: look(world, None, 0)) == 0
    world.write_board("alpha", board_rows("alpha", 0.1), "2026-03-29T06:00:00Z")
    for limit in LIMITS:
        report = root / f"{limit}.json"
        assert forked(lambda limit=limit, report=report: on_a_full_disk(world, limit, report)) == 0  # type: ignore[misc]
        former = note_of(world).read_text()
        assert forked(lambda former=former: look(world, former, 1)) == 0, f"limit {limit}: harmed"  # type: ignore[misc]
        print(report.read_text())
    assert forked(lambda: settled(world, 1)) == 0, "the run after the disk was cleared"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
