"""Kill -9 and a full disk in the middle of a commit: complete or nothing, and the next sync goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from inbound import NOW, native, record_of, settings_of, source_of

from resources.snapshots import SnapshotStore
from resources.sync import sync_source

HERE = Path(__file__).parent


def forked(action: Callable[[], None]) -> int:
    """Runs something in a forked process; gives its wait status."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def test_killed_at_every_system_call_of_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a kill at any step, a reader sees the old snapshot or the new one, whole; the next commit succeeds."""
    steps = ("fsync", "replace", "ftruncate", "write", "lseek", "open")
    old, new = native(3), native(5)
    for number in range(40):
        home = tmp_path / str(number)
        store = SnapshotStore(home)
        store.commit(record_of(old), old)
        later = record_of(new, fetched_at=NOW + timedelta(days=1))

        def killing(home: Path = home, number: int = number, later: object = later) -> None:
            left = [number]
            for name in steps:
                real = getattr(os, name)

                def counted(*args: object, real: Callable[..., object] = real, **kwargs: object) -> object:
                    left[0] -= 1
                    if left[0] < 0:
                        os.kill(os.getpid(), signal.SIGKILL)
                    return real(*args, **kwargs)

                setattr(os, name, counted)
            SnapshotStore(home).commit(later, new)  # type: ignore[arg-type]

        status = forked(killing)
        used = store.usable("board", NOW + timedelta(days=2))
        assert used is not None
        assert store.read(used) in (old, new)
        assert all(store.is_intact(record) for record in store.records())
        store.commit(later, new)
        assert store.read(later) == new
        assert not list((home / "snapshots" / "board").glob(".tmp-*"))
        if status == 0:
            assert number > 5, "the kills did not reach the commit"
            break
    else:
        pytest.fail("the commit never completed")


def test_a_full_disk_leaves_the_last_good_and_says_so(tmp_path: Path) -> None:
    """RLIMIT_FSIZE stands for the disk: the write of a large snapshot fails half way."""
    settings = settings_of(tmp_path)
    store = SnapshotStore(settings.home)
    path = settings.catalog_dir / "board.json"
    path.write_bytes(native(3, synced_at="2026-10-01T00:00:00Z"))
    source = source_of("board.json")
    good = sync_source(source, settings, store, NOW)
    path.write_bytes(native(2000, synced_at="2026-10-02T00:00:00Z"))
    script = textwrap.dedent("""
        import sys, pathlib
        sys.path.insert(0, sys.argv[1])
        from inbound import NOW, settings_of, source_of
        from resources.snapshots import SnapshotStore
        from resources.sync import sync_source
        settings = settings_of(pathlib.Path(sys.argv[2]))
        outcome = sync_source(source_of("board.json"), settings, SnapshotStore(settings.home), NOW)
        print(outcome.status, "|", outcome.message, "|", outcome.snapshot and outcome.snapshot.rows, outcome.is_bug)
    """)
    done = subprocess.run(
        # -B: under the limit Python would leave the checkout half a compiled module, which no run mends
        [sys.executable, "-B", "-c", script, str(HERE), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.stdout.startswith("failed | "), done.stderr
    assert "File too large" in done.stdout
    assert done.stdout.strip().endswith("| 3 False")
    assert store.usable("board", datetime(2026, 11, 1, tzinfo=UTC)) == good.snapshot
    assert len(store.records()) == 1
    assert not list((settings.home / "snapshots" / "board").glob(".tmp-*"))
    assert sync_source(source, settings, store, NOW).snapshot != good.snapshot


def test_a_full_disk_at_the_index_leaves_it_whole(tmp_path: Path) -> None:
    home = tmp_path / "home"
    store = SnapshotStore(home)
    store.commit(record_of(b"old"), b"old")
    size = store.index_path.stat().st_size

    def limited() -> None:
        sys.dont_write_bytecode = True
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, size + 50))
        with pytest.raises(OSError, match=r"room|large"):
            SnapshotStore(home).commit(record_of(b"new"), b"new")

    assert forked(limited) == 0
    assert store.index_path.stat().st_size == size
    assert [record.sha256 for record in store.records()] == [record_of(b"old").sha256]
    store.commit(record_of(b"new"), b"new")
    assert len(store.records()) == 2


def test_rows_are_the_same_under_any_locale(tmp_path: Path) -> None:
    """A56: LC_ALL=C, UTF-8 mode off."""
    settings = settings_of(tmp_path)
    (settings.catalog_dir / "board.json").write_bytes(native().replace(b"Model 0", "Café 模型 😀".encode()))
    script = textwrap.dedent("""
        import sys, pathlib
        sys.path.insert(0, sys.argv[1])
        from inbound import NOW, settings_of, source_of
        from resources.connectors import parse
        from resources.snapshots import SnapshotStore
        from resources.sync import sync_source
        from datetime import timedelta
        settings = settings_of(pathlib.Path(sys.argv[2]))
        store = SnapshotStore(settings.home)
        source = source_of("board.json")
        outcome = sync_source(source, settings, store, NOW + timedelta(days=99))
        print(ascii(parse(source, store.files(outcome.snapshot)).rows[0].record["model"]))
    """)
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", script, str(HERE), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.stdout.strip() == ascii("Café 模型 😀"), done.stderr
