"""A program that is told to end and does not heed it, in a shell: TERM to us kills it and what it started."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from pipelines.supervision import supervise

DEAF = 'trap "" TERM INT; sleep 300 & echo "$!" > child.tmp; mv child.tmp child; wait'
"""Ignores what ends others, as does its own child, and says its number."""


def end_once(ready: Path, number: int) -> None:
    """Sends a signal to this process as soon as the program stands."""
    while not ready.exists():
        time.sleep(0.02)
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_heeds_no_signal_is_killed_with_all_that_it_started(
    tmp_path: Path, number: int, request: pytest.FixtureRequest
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests started with nohup ignore it
    request.addfinalizer(lambda: signal.signal(signal.SIGHUP, hangup))
    teller = threading.Thread(target=end_once, args=(tmp_path / "child", number))
    teller.start()
    started = time.monotonic()
    assert supervise(["sh", "-c", DEAF], os.environ, tmp_path, grace_s=0.3)
    assert time.monotonic() - started < 60
    teller.join()
    child = int((tmp_path / "child").read_text())
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().split(")")[1][:3]:
        assert time.monotonic() - started < 60, "what it started runs on"
        time.sleep(0.02)
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_program_that_ends_by_itself_says_how(tmp_path: Path) -> None:
    assert supervise(["sh", "-c", "exit 0"], os.environ, tmp_path)
    assert not supervise(["sh", "-c", "exit 3"], os.environ, tmp_path)
