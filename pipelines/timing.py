"""When things run: the nightly schedule. What follows by itself is `pipelines.sensors`."""

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from pipelines.jobs import NIGHTLY
from pipelines.night import TRIGGER_TAG

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
        return dg.RunRequest(run_key=day, partition_key=day, tags={TRIGGER_TAG: "schedule"})

    return [nightly_schedule]
