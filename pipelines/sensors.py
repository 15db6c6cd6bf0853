"""What happens by itself: after a blocked day, at a night's end, and when the catalog changes.

Belongs here: when. What a night's end means is `pipelines.night`; the schedule is `pipelines.timing`.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from pipelines.jobs import DAY, NIGHTLY, VERDICTS
from pipelines.night import TRIGGER_TAG, end_night, scheduled_code
from resources.alerts import Trouble
from resources.catalog_files import folder_sha256, load_catalog
from resources.catalog_problems import CatalogError
from resources.settings import Settings
from warehouse.catalog_model import Catalog

Jobs = dict[str, UnresolvedAssetJobDefinition]


def sensors(jobs: Jobs, catalog: Catalog, settings: Callable[[], Settings]) -> list[dg.SensorDefinition]:
    """Every sensor, running by default.

    Args:
        jobs: by name.
        catalog: the one that this code location was built from.
        settings: which folders to watch and whom to tell, asked at every tick.
    """
    return [_verdicts(jobs), *_night_ends(jobs, settings), _catalog_changes(jobs, catalog, settings)]


def _verdicts(jobs: Jobs) -> dg.SensorDefinition:
    """The sensor that keeps out__gate and out__product true after a night that a gate stopped."""

    @dg.run_failure_sensor(
        name="verdicts_after_a_blocked_day",
        monitored_jobs=[jobs[NIGHTLY], jobs[DAY]],
        request_job=jobs[VERDICTS],
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="A blocking gate stops the run; this writes what every gate said all the same.",
    )
    def verdicts_after_a_blocked_day(context: dg.RunFailureSensorContext) -> dg.RunRequest | dg.SkipReason:
        day = context.dagster_run.tags.get("dagster/partition")
        if day is None:
            return dg.SkipReason("the failed run had no day")
        return dg.RunRequest(run_key=context.dagster_run.run_id, partition_key=day)

    return verdicts_after_a_blocked_day


def _night_ends(jobs: Jobs, settings: Callable[[], Settings]) -> list[dg.SensorDefinition]:
    """After each night: the signal that it ran, and an alert where it needs people."""

    def told(context: dg.RunStatusSensorContext, *, success: bool) -> dg.SkipReason:
        run = context.dagster_run
        if run.tags.get(TRIGGER_TAG) != "schedule" or "dagster/partition" not in run.tags:
            return dg.SkipReason("not a run of the schedule")
        record = context.instance.get_run_record_by_id(run.run_id)
        began = record.start_time if record is not None and record.start_time is not None else 0.0
        started_at, day = datetime.fromtimestamp(began, UTC), date.fromisoformat(run.tags["dagster/partition"])
        here = settings()
        code = scheduled_code(here, day, started_at, success=success)
        more = [] if success else [Trouble(f"run {run.run_id[:8]}", "the run failed", "open it in the Dagster UI")]
        faults = end_night(here, day, started_at, code, more)
        for fault in faults:
            context.log.warning(fault)
        return dg.SkipReason("; ".join(faults) or "the end of the night is noted")

    @dg.run_status_sensor(
        run_status=dg.DagsterRunStatus.SUCCESS,
        name="night_succeeded",
        monitored_jobs=[jobs[NIGHTLY]],
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Leaves the dead-man signal of a night, and alerts people where sources failed.",
    )
    def night_succeeded(context: dg.RunStatusSensorContext) -> dg.SkipReason:
        return told(context, success=True)

    @dg.run_status_sensor(
        run_status=dg.DagsterRunStatus.FAILURE,
        name="night_failed",
        monitored_jobs=[jobs[NIGHTLY]],
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Notes that a night ended without a release, and alerts people with the reason and the next step.",
    )
    def night_failed(context: dg.RunStatusSensorContext) -> dg.SkipReason:
        return told(context, success=False)

    return [night_succeeded, night_failed]


def _catalog_changes(jobs: Jobs, catalog: Catalog, settings: Callable[[], Settings]) -> dg.SensorDefinition:
    """A changed catalog makes today anew from the snapshots at hand."""

    @dg.sensor(
        name="day_after_a_changed_catalog",
        job=jobs[DAY],
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="When a file of the catalog changes: today's tables, gates and release anew, without a sync.",
    )
    def day_after_a_changed_catalog(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        here = settings()
        seen = folder_sha256(here.catalog_dir, here.sources_file)
        if context.cursor is None or context.cursor == seen:
            return dg.SensorResult(skip_reason=dg.SkipReason("the catalog is unchanged"), cursor=seen)
        try:
            now = load_catalog(here.catalog_dir, here.sources_file).catalog
        except CatalogError as error:
            # The cursor stays: once it is mended, the day is run.
            return dg.SensorResult(skip_reason=dg.SkipReason(f"the catalog is broken: {str(error)[:2000]}"))
        if _graph_of(now) != _graph_of(catalog):
            said = "sources or gates were added or removed: reload the code location, then the day is run"
            return dg.SensorResult(skip_reason=dg.SkipReason(said))
        day = datetime.now(UTC).date().isoformat()
        request = dg.RunRequest(run_key=f"{day}:{seen}", partition_key=day, tags={TRIGGER_TAG: "catalog"})
        return dg.SensorResult(run_requests=[request], cursor=seen)

    return day_after_a_changed_catalog


def _graph_of(catalog: Catalog) -> tuple[frozenset[str], frozenset[tuple[str, str, str]]]:
    """What of a catalog the graph is built from."""
    return (
        frozenset(source.id for source in catalog.sources),
        frozenset((gate.id, gate.table, gate.severity) for gate in catalog.gates),
    )
