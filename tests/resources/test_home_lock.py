"""One lock per home: two runs at once, a killed holder, a holder that says who it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from resources.home_lock import HomeLock, HomeLockedError

HOLD = (
    "import sys; from pathlib import Path; from resources.home_lock import HomeLock\n"
    "with HomeLock(Path(sys.argv[1])):\n print('held', flush=True); sys.stdin.readline()\n"
)


def hold(home: Path, repository: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home), "run"],
        cwd=repository,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_is_told_who_holds_the_home(tmp_path: Path, repository: Path) -> None:
    process = hold(tmp_path, repository)
    try:
        with pytest.raises(HomeLockedError) as caught, HomeLock(tmp_path):
            pytest.fail("two runs held the home at once")
        message = str(caught.value)
        assert f"process {process.pid} " in message
        assert str(tmp_path) in message
        assert "run) since 20" in message
        assert "use another --home" in message
    finally:
        process.communicate("\n")
    with HomeLock(tmp_path):
        pass


def test_a_killed_holder_leaves_the_home_free(tmp_path: Path, repository: Path) -> None:
    process = hold(tmp_path, repository)
    process.kill()
    process.communicate()
    with HomeLock(tmp_path) as lock:
        assert "process" in lock.holder()


def test_the_lock_waits_when_told_to(tmp_path: Path, repository: Path) -> None:
    process = hold(tmp_path, repository)
    assert process.stdin is not None
    with pytest.raises(HomeLockedError):
        HomeLock(tmp_path, timeout_s=0.1).acquire()
    process.stdin.write("\n")
    process.stdin.flush()
    with HomeLock(tmp_path, timeout_s=30):
        process.wait(timeout=30)
    process.communicate()


def test_one_process_takes_it_once(tmp_path: Path) -> None:
    with HomeLock(tmp_path / "new" / "home") as lock:
        with pytest.raises(HomeLockedError):
            lock.acquire()
        with pytest.raises(HomeLockedError):
            HomeLock(tmp_path / "new" / "home").acquire()
    lock.release()
    lock.acquire()
    lock.release()


def test_a_refused_taker_does_not_free_or_rename_the_holder(tmp_path: Path, repository: Path) -> None:
    process = hold(tmp_path, repository)
    try:
        for _ in range(2):
            with pytest.raises(HomeLockedError, match=f"process {process.pid} "):
                HomeLock(tmp_path).acquire()
    finally:
        process.communicate("\n")


def test_a_holder_file_that_cannot_be_read_is_another_process(tmp_path: Path, repository: Path) -> None:
    process = hold(tmp_path, repository)
    try:
        (tmp_path / ".lock-holder.json").write_text("{")
        with pytest.raises(HomeLockedError, match="in use by another process"):
            HomeLock(tmp_path).acquire()
    finally:
        process.communicate("\n")
