"""Days that end with SIGKILL, by injection or at a random moment. Run as a script, by test_killed_days.

This process imports everything and computes nothing, so that no thread is alive when it forks; every run is a fork.
After each kill a fresh fork looks at the home as a reader does: a whole release, the former or the new one.
Prints one JSON object for each kill.
"""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import alembic.context  # noqa: F401 - imported before forking
import great_expectations  # noqa: F401 - imported before forking
import pytest
from small_homes import DAY, SmallWorld, board_rows, call, quiet_process, small_world

import methods.scoring.latent  # noqa: F401 - imported before forking, numba with it
import pipelines.day_runner
import pipelines.graph  # noqa: F401 - the same
import resources.publication
import resources.publisher
import resources.recovery
import resources.releases
import resources.site.build
import resources.snapshots
import resources.table_files
import resources.verdicts
from resources.manifest import release_faults

INJECTED: tuple[tuple[str, object, str, int], ...] = (
    ("before a snapshot is indexed", resources.snapshots, "append_record", 1),
    ("while a table is written", resources.table_files, "_arrow", 4),
    ("before a verdict is kept", resources.verdicts, "write_bytes", 9),
    ("while the release folder is built", resources.releases, "build_folder", 1),
    ("between the folder and its ledger line", resources.releases, "append_json_line", 1),
    ("between the ledger and the DuckDB file", resources.publication, "publish_current", 1),
    ("while the DuckDB file is filled", resources.publisher, "_insert", 5),
)
RANDOM_KILLS = int(os.environ.get("SCORETRAIL_RANDOM_KILLS", "2"))
"""Each takes a day and a look; more find rarer moments."""


def forked(action: Callable[[], None], kill_after_s: float | None = None) -> int:
    """Runs an action in a fork; its exit status, 137 where it was killed."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            action()
        except BaseException:  # noqa: BLE001 - a fork ends here, whatever happened
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def killed_at(module: object, name: str, count: int) -> None:
    """Makes the process kill itself at the count-th call of a function."""
    call_of, calls = getattr(module, name), [0]

    def counted(*args: object, **options: object) -> object:
        calls[0] += 1
        if calls[0] == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return call_of(*args, **options)

    setattr(module, name, counted)


def published_world(root: Path) -> SmallWorld:
    """The small world with one published day, which the caller put there; everything imported stands before forking."""
    gc.freeze()  # no fork looks for garbage among what was imported, and so has no copy of it
    return small_world(root / "world")


def run(world: SmallWorld, day_number: int) -> None:
    quiet_process(pytest.MonkeyPatch())
    ran = world.run(day=DAY + timedelta(days=day_number))
    assert ran.code == 0, ran.said


def look(world: SmallWorld, former: str | None, day_number: int) -> None:
    """What a reader finds: a whole release, the former one or the one that was being made; it is noted for the next."""
    made = {path.name for path in (world.home / "releases").glob(f"{DAY + timedelta(days=day_number)}-*")}
    published = world.published()
    assert published in {former, *made}, (published, former, made)
    if published is not None:
        faults = release_faults(world.releases.open(published))
        assert not faults, faults
    scores = call("scores", "--home", world.home, "--json")
    assert scores.code == (0 if world.current() else 2), scores.said
    note_of(world).write_text(published or "")


def note_of(world: SmallWorld) -> Path:
    return world.root / "published.txt"


def settled(world: SmallWorld, day_number: int) -> None:
    """After the run that follows: published, in step, and nothing half written anywhere."""
    run(world, day_number)
    release = world.current()
    assert release == world.published()
    assert release is not None
    assert release.startswith((DAY + timedelta(days=day_number)).isoformat())
    assert not release_faults(world.releases.open(release))
    rest = [path for path in world.home.rglob("*") if ".tmp" in path.name or path.name.startswith(".building")]
    assert not rest, rest


def attempt(world: SmallWorld, what: str, kill: Callable[[], int], day_number: int) -> None:
    """One kill, then a look."""
    former = note_of(world).read_text() or None if note_of(world).exists() else None
    ended = kill()
    assert forked(lambda: look(world, former, day_number)) == 0, f"{what}: what the kill left is no whole release"
    print(json.dumps({"kill": what, "ended": ended}))


def main(root: Path) -> None:
    world = published_world(root)
    assert forked(lambda: look(world, None, 0)) == 0
    for what, module, name, count in INJECTED:
        world.write_board("alpha", board_rows("alpha", 0.01 * count), "2026-03-29T06:00:00Z")

        def dying(module: object = module, name: str = name, count: int = count) -> None:
            killed_at(module, name, count)
            run(world, 1)

        attempt(world, what, lambda dying=dying: forked(dying), 1)  # type: ignore[misc]
    started = time.monotonic()
    assert forked(lambda: settled(world, 1)) == 0, "the run after the injected kills"
    whole = time.monotonic() - started
    assert forked(lambda: look(world, None, 1)) == 0
    draw = random.Random(int(sys.argv[2]))
    for number in range(RANDOM_KILLS):
        moment = draw.uniform(0.1, 0.9) * whole
        world.write_board("alpha", board_rows("alpha", 0.01 * number), "2026-03-31T06:00:00Z")
        attempt(world, f"after {moment:.2f} s", lambda moment=moment: forked(lambda: run(world, 3), moment), 3)  # type: ignore[misc]
    assert forked(lambda: settled(world, 3)) == 0, "the run after the random kills"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
