"""Scenarios in which a process is killed, or its disk is full, at step after step. Run as a script, by test_recovery.

Each attempt is a fork of this process, which itself computes nothing, so that no thread is alive when it forks. The
k-th attempt kills itself with SIGKILL just before the k-th call that touches the disk; the scenario ends with the
first attempt that finishes.
"""

from __future__ import annotations

import errno
import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from small_release import CATALOG, CODE, DAY, LATER, METHODOLOGY, NOON, draft_of, fill_tables, frame_of

from resources import published_copy, publisher
from resources.manifest import release_faults
from resources.recovery import is_published, recover
from resources.releases import ReleaseStore
from resources.tables import TableStore
from resources.verdicts import VerdictStore
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult, StoredVerdict

SMALL = ("raw__snapshot", "raw__row")
EVERY = int(os.environ.get("SCORETRAIL_KILL_EVERY", "2"))
"""Every second call is killed; 1 kills each, and takes twice as long."""
DISK_CALLS = ((os, "fsync"), (os, "replace"), (os, "rename"), (os, "mkdir"), (os, "unlink"), (os, "rmdir"),
              (shutil, "copyfile"), (publisher, "_insert"), (publisher, "in_utc"),
              (published_copy, "in_utc"))  # fmt: skip


def forked(action: Callable[[], None]) -> int:
    """Run an action in a fork; 0 where it ended well, 137 where it was killed."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            action()
        except BaseException:  # noqa: BLE001 - the fork must end here, whatever happened
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def killed_at(action: Callable[[], None], k: int) -> Callable[[], None]:
    """The action, killed just before its k-th call that touches the disk."""

    def run() -> None:
        count = 0

        def counted(call: Callable[..., object]) -> Callable[..., object]:
            def called(*args: object, **options: object) -> object:
                nonlocal count
                count += 1
                if count == k:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*args, **options)

            return called

        for module, name in DISK_CALLS:
            setattr(module, name, counted(getattr(module, name)))
        action()

    return run


def at_every_call(
    prepare: Callable[[Path], None], action: Callable[[Path], None], check: Callable[[Path], None]
) -> int:
    """Prepare a home, act on a copy of it, killed at the k-th call, and check what is left each time."""
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "template"
        template.mkdir()
        assert forked(lambda: prepare(template)) == 0
        for k in range(1, 500, EVERY):
            home = Path(folder) / f"home-{k}"
            shutil.copytree(template, home)
            ended = forked(killed_at(lambda home=home: action(home), k))  # type: ignore[misc]
            assert ended in (0, 128 + signal.SIGKILL), f"call {k}: ended with {ended}"
            assert forked(lambda home=home: check(home)) == 0, f"after a kill at call {k}"  # type: ignore[misc]
            shutil.rmtree(home)
            if ended == 0:
                return k - 1
    raise AssertionError("the action never finished")


def leftovers(home: Path) -> list[Path]:
    return [path for path in home.rglob("*") if path.name.startswith(".") or ".tmp" in path.name]


# Publishing a second release.


def one_published(home: Path) -> None:
    fill_tables(home, names=SMALL)
    ReleaseStore(home).create(small_draft(DAY), TableStore(home))
    publisher.publish_current(home)
    fill_tables(home, LATER, shift=1, names=SMALL)


def small_draft(day: object) -> object:
    from dataclasses import replace

    return replace(draft_of(day), tables=SMALL)  # type: ignore[arg-type]


def publish_second(home: Path) -> None:
    ReleaseStore(home).create(small_draft(LATER), TableStore(home))  # type: ignore[arg-type]
    publisher.publish_current(home)


def published(home: Path) -> tuple[str, int]:
    connection = published_copy.connect_readonly(home)
    try:
        (release_id,) = connection.execute("SELECT release_id FROM out__manifest").fetchone()  # type: ignore[misc]
        return release_id, connection.execute("SELECT count(*) FROM raw__row").fetchall()[0][0]
    finally:
        connection.close()


def second_is_whole(home: Path) -> None:
    first, second = draft_of(DAY).header.release_id, draft_of(LATER).header.release_id
    before, rows = published(home)
    assert before in (first, second), before
    assert rows == 5, "a reader saw half a release"
    recover(home)
    assert is_published(home)
    assert leftovers(home) == []
    assert recover(home).messages == [], "recovery is idempotent"
    store = ReleaseStore(home)
    for record in store.ledger().releases:
        assert release_faults(store.open(record.release_id)) == []
    assert {path.name for path in store.root.iterdir()} == {record.release_id for record in store.ledger().releases}
    publish_second(home)
    assert [record.release_id for record in store.ledger().releases] == [first, second]
    assert published(home)[0] == second


# Recovering from a crash between the folder and its ledger line.


def folder_without_line(home: Path) -> None:
    one_published(home)
    ledger = (home / "releases.jsonl").read_bytes()
    publish_second(home)
    (home / "releases.jsonl").write_bytes(ledger + b'{"event":"created","rel')
    shutil.copytree(home / "releases" / draft_of(LATER).header.release_id, home / "releases" / ".building-x")
    (home / "tables" / "raw__row" / ".2026-10-22.parquet.abc.tmp").write_bytes(b"half")


# Writing a table and a verdict over older ones.


def some_verdict(figure: float) -> StoredVerdict:
    result = GateResult("pass", figure, 0.2, 5, 0, "fine", {"figure": figure})
    return StoredVerdict("gate-a", "scores", "raw__row", "blocking", result, "key", NOON, CATALOG, None)


def old_table_and_verdict(home: Path) -> None:
    fill_tables(home, names=SMALL)
    VerdictStore(home).put(DAY, some_verdict(0.0))


def write_both(home: Path) -> None:
    TableStore(home).write(
        "raw__row", DAY, frame_of(TABLES["raw__row"], rows=9), inputs={}, catalog_sha256=CATALOG,
        methodology_version=METHODOLOGY, code_version=CODE,
    )  # fmt: skip
    VerdictStore(home).put(DAY, some_verdict(0.1))


def old_or_new(home: Path) -> None:
    stamp = TableStore(home).verify("raw__row", DAY)
    assert stamp.rows in (5, 9)
    verdict = VerdictStore(home).get(DAY, "gate-a")
    if verdict is not None:
        assert verdict.result.validation == {"figure": verdict.result.figure}
        assert verdict.result.figure == 0.0 or stamp.rows == 9
    recover(home)
    assert leftovers(home) == []


# A disk that is full.


def refused(action: Callable[[], object], limit: int) -> bool:
    """Whether an action fails, with an error that says so, where no file may grow beyond a limit."""
    sys.dont_write_bytecode = True  # Python would leave the checkout half a compiled module, which no run mends
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        action()
    except OSError as error:
        assert error.errno in (errno.EFBIG, None), error
        return True
    except publisher.duckdb.Error as error:
        assert "large" in str(error).lower() or "write" in str(error).lower(), error
        return True
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    return False


def full_disk(home: Path) -> None:
    one_published(home)
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    store = TableStore(home)

    def unchanged() -> None:
        assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
        assert leftovers(home) == []

    assert refused(lambda: fill_tables(home, LATER, shift=3, rows=900, names=SMALL), 2048)
    unchanged()
    assert refused(lambda: ReleaseStore(home).create(small_draft(LATER), store), 1024)  # type: ignore[arg-type]
    unchanged()
    assert refused(lambda: publisher.publish_current(home), 20_000)
    unchanged()
    size = (home / "releases.jsonl").stat().st_size
    first = draft_of(DAY).header.release_id
    assert refused(lambda: ReleaseStore(home).withdraw(first, "x" * 500, NOON), size + 100)
    unchanged()
    later = NOON + timedelta(days=1)
    ReleaseStore(home).withdraw(first, "unit bug", later)
    publish_second(home)
    assert published(home)[0] == draft_of(LATER).header.release_id


def main(scenario: str) -> None:
    """Run one scenario; print how many kills it survived."""
    gc.freeze()  # no fork looks for garbage among what was imported, and so has no copy of it
    # Two tables take every kind of step, and each attempt takes less time.
    publisher.RELEASED = SMALL  # type: ignore[misc, assignment]
    if scenario == "publish":
        print(at_every_call(one_published, publish_second, second_is_whole))
    elif scenario == "recover":
        print(at_every_call(folder_without_line, lambda home: void(recover(home)), second_is_whole))
    elif scenario == "write":
        print(at_every_call(old_table_and_verdict, write_both, old_or_new))
    elif scenario == "full disk":
        with tempfile.TemporaryDirectory() as folder:
            assert forked(lambda: full_disk(Path(folder))) == 0
        print(0)


def void(value: object) -> None:
    """Nothing of a value."""


if __name__ == "__main__":
    main(sys.argv[1])
