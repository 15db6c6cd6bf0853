"""Runs that Dagster counts as going on although their process is gone: ended, so that the next night may begin.

A process that is killed, or a machine that stops, cannot note its end. One run goes at a time (`dagster.yaml`), so that
a run which never ends would keep every later night waiting, unseen. Belongs here: telling such a run from a live one.
A live one holds the home's lock, or has waited for it no longer than it may.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import dagster as dg

from resources.home_lock import HomeLock, HomeLockedError
from resources.settings import Settings

LOCK_WAIT_S: Final = 600.0
"""A night waits this long for a command that holds the home, then fails and says who holds it."""
GRACE: Final = timedelta(seconds=LOCK_WAIT_S + 60)
"""Age from which a run that does not hold the lock cannot be waiting for it any more."""
GOING_ON: Final = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
SAID: Final = "its process is gone: it was killed, or the machine stopped; nothing half-done was published"


def end_dead_runs(instance: dg.DagsterInstance, now: datetime) -> list[str]:
    """Ends as failed every run that is too old to wait for the home's lock, which the caller holds; gives their ids."""
    dead = suspects(instance, now)
    for run in dead:
        instance.report_run_failed(run, SAID)
    return [run.run_id for run in dead]


def suspects(instance: dg.DagsterInstance, now: datetime) -> list[dg.DagsterRun]:
    """Runs that go on, by Dagster's account, for longer than one may wait for the home."""
    records = instance.get_run_records(dg.RunsFilter(statuses=GOING_ON))
    before = (now - GRACE).timestamp()
    return [
        record.dagster_run for record in records if (record.start_time or record.update_timestamp.timestamp()) < before
    ]


def dead_run_sensor(settings: Callable[[], Settings], clock: Callable[[], datetime]) -> dg.SensorDefinition:
    """The sensor that ends dead runs; a night of the schedule among them then alerts people as any that failed."""

    @dg.sensor(
        name="runs_that_died",
        minimum_interval_seconds=120,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Ends runs whose process was killed, which would keep every later night waiting.",
    )
    def runs_that_died(context: dg.SensorEvaluationContext) -> dg.SkipReason:
        if not suspects(context.instance, clock()):
            return dg.SkipReason("no run is overdue")
        try:
            with HomeLock(settings().home):
                ended = end_dead_runs(context.instance, clock())
        except HomeLockedError as error:
            return dg.SkipReason(f"a run goes on: {error}")
        return dg.SkipReason(f"ended as failed, since their process is gone: {', '.join(ended)}")

    return runs_that_died
