"""A run whose process was killed holds up no later night: the next command, or the daemon, ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest
from small_homes import CHECKOUT, SmallWorld

from pipelines.dead_runs import GRACE, dead_run_sensor, end_dead_runs
from pipelines.instance import dagster_instance
from resources.home_lock import HomeLock
from resources.settings import Settings

NOW = datetime.now(UTC)
LATER = NOW + GRACE + timedelta(hours=1)
KILLED_IN_THE_SYNC = """
import os, signal, sys
import resources.side_by_side as side
from pipelines.command import main
side.sync_now = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
main(["sync", "--home", sys.argv[1], "--catalog", sys.argv[2]])
"""


def begun(instance: dg.DagsterInstance, *statuses: dg.DagsterRunStatus) -> list[str]:
    """Runs that stand at these statuses now."""
    runs = [dg.DagsterRun(job_name="nightly", status=status) for status in statuses]
    for run in runs:
        instance.run_storage.add_run(run)
    return [run.run_id for run in runs]


def test_only_a_run_that_can_neither_work_nor_wait_is_dead() -> None:
    status = dg.DagsterRunStatus
    with dg.DagsterInstance.ephemeral() as instance:
        going = begun(instance, status.STARTING, status.STARTED, status.CANCELING)
        rest = begun(instance, status.NOT_STARTED, status.SUCCESS, status.FAILURE, status.CANCELED)
        assert end_dead_runs(instance, NOW + GRACE - timedelta(minutes=1)) == []
        assert sorted(end_dead_runs(instance, LATER)) == sorted(going)
        found = {run.run_id: run.status for run in instance.get_runs()}
        assert {found[run_id] for run_id in going} == {status.FAILURE}
        assert [found[run_id] for run_id in rest] == [
            status.NOT_STARTED, status.SUCCESS, status.FAILURE, status.CANCELED,
        ]  # fmt: skip
        assert end_dead_runs(instance, LATER) == []


@pytest.mark.parametrize("locked", [True, False])
def test_the_daemon_ends_it_unless_somebody_works(fresh: SmallWorld, locked: bool) -> None:
    settings = Settings.from_env(home=fresh.home, catalog_dir=fresh.catalog)
    sensor = dead_run_sensor(lambda: settings, lambda: LATER)
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    with dg.DagsterInstance.ephemeral() as instance, dg.build_sensor_context(instance=instance) as context:
        assert "overdue" in str(sensor(context))
        (run_id,) = begun(instance, dg.DagsterRunStatus.STARTED)
        lock = HomeLock(fresh.home)
        if locked:
            lock.acquire()
        said = str(sensor(context))
        lock.release()
        run = instance.get_run_by_id(run_id)
        assert run is not None and run.is_failure is not locked
        assert (run_id in said) is not locked and ("in use by" in said) is locked


def test_a_command_that_was_killed_is_ended_in_the_storage_that_the_ui_reads(fresh: SmallWorld) -> None:
    command = [sys.executable, "-c", KILLED_IN_THE_SYNC, str(fresh.home), str(fresh.catalog)]
    killed = subprocess.run(command, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    settings = Settings.from_env(home=fresh.home, catalog_dir=fresh.catalog)
    with dagster_instance(settings) as instance:
        (run,) = instance.get_runs()
        assert run.status is dg.DagsterRunStatus.STARTED, "nobody was left to say that it ended"
        assert end_dead_runs(instance, datetime.now(UTC)) == []
        assert end_dead_runs(instance, LATER) == [run.run_id]
        (run,) = instance.get_runs()
        assert run.status is dg.DagsterRunStatus.FAILURE
