"""When things run: the nightly schedule, and the sensor that writes the verdicts of a blocked day."""

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from pipelines.jobs import NIGHTLY, VERDICTS

NIGHTLY_CRON = "0 2 * * *"
"""02:00 UTC: a fixed zone, so that no night is skipped or doubled when clocks change."""


def schedules(jobs: dict[str, UnresolvedAssetJobDefinition]) -> list[dg.ScheduleDefinition]:
    """The nightly schedule, running by default."""

    @dg.schedule(
        name="nightly_schedule",
        job=jobs[NIGHTLY],
        cron_schedule=NIGHTLY_CRON,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Every night at 02:00 UTC: sync, score, gate and publish the day that has begun.",
    )
    def nightly_schedule(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
        day = context.scheduled_execution_time.date().isoformat()
        return dg.RunRequest(run_key=day, partition_key=day, tags={"scoretrail/trigger": "schedule"})

    return [nightly_schedule]


def sensors(jobs: dict[str, UnresolvedAssetJobDefinition]) -> list[dg.SensorDefinition]:
    """The sensor that keeps out__gate and out__product true after a night that a gate stopped."""

    @dg.run_failure_sensor(
        name="verdicts_after_a_blocked_day",
        monitored_jobs=[jobs[NIGHTLY], jobs["day"]],
        request_job=jobs[VERDICTS],
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="A blocking gate stops the run; this writes what every gate said all the same.",
    )
    def verdicts_after_a_blocked_day(context: dg.RunFailureSensorContext) -> dg.RunRequest | dg.SkipReason:
        day = context.dagster_run.tags.get("dagster/partition")
        if day is None:
            return dg.SkipReason("the failed run had no day")
        return dg.RunRequest(run_key=context.dagster_run.run_id, partition_key=day)

    return [verdicts_after_a_blocked_day]
