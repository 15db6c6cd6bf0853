"""Several workers fill many days of one home at once: the lock lines them up, and none fails."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from small_release import DAY

from resources.manifest import release_faults
from resources.published_copy import connect_readonly, read_published
from resources.recovery import is_published
from resources.releases import ReleaseStore

WORKER = """
import sys
sys.path.insert(0, sys.argv[1])
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from small_release import DAY, draft_of, fill_tables
from resources import publisher
from resources.home_lock import HomeLock
from resources.releases import ReleaseStore
from resources.tables import TableStore
small = ("raw__snapshot", "raw__row")
publisher.RELEASED = small
home = Path(sys.argv[2])
for n in map(int, sys.argv[3:]):
    day = DAY + timedelta(days=n)
    with HomeLock(home, timeout_s=120):
        fill_tables(home, day, shift=n, names=small)
        ReleaseStore(home).create(replace(draft_of(day), tables=small), TableStore(home))
        publisher.publish_current(home)
"""


def test_thirty_days_and_four_workers_end_without_one_lock_failure(tmp_path: Path, repository: Path) -> None:
    """B06: a 30-day backfill by 4 workers, 0 lock failures, while a reader keeps opening the copy."""
    here = str(Path(__file__).resolve().parent)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, here, str(tmp_path), *map(str, range(start, 30, 4))],
            cwd=repository,
            stderr=subprocess.PIPE,
            text=True,
        )
        for start in range(4)
    ]
    reads = 0
    while any(worker.poll() is None for worker in workers):
        time.sleep(0.25)
        if (tmp_path / "scoretrail.duckdb").exists():
            with connect_readonly(tmp_path) as connection:
                assert connection.execute("SELECT count(*) FROM raw__row").fetchall() == [(5,)]
            reads += 1
    for worker in workers:
        assert worker.wait() == 0, worker.communicate()[1]
    store = ReleaseStore(tmp_path)
    assert reads > 0
    assert len(store.ledger().releases) == 30
    assert all(release_faults(store.open(record.release_id)) == [] for record in store.ledger().releases)
    assert is_published(tmp_path)
    current = store.current()
    assert current is not None
    assert current.manifest.as_of == DAY + timedelta(days=29)
    with connect_readonly(tmp_path) as connection:
        assert read_published(connection, "out__release").height == 30
