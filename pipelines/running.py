"""Runs a day in this process: the same graph as the Dagster UI, and afterwards what came of it.

Belongs here: executing jobs and reading what they left. Does not belong here: how it is shown (`pipelines.console`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import dagster as dg
import polars as pl

from assets.sources import source_key
from pipelines.graph import build_defs
from pipelines.interruption import interruptible
from pipelines.jobs import NIGHTLY, SYNC, VERDICT_TABLES
from resources.day_snapshots import NOT_ASKED
from resources.kernel_cache import use_kernel_cache
from resources.sync_outcomes import last_outcome
from resources.workspace import StepProblem, Workspace
from warehouse.vocabulary import BOARD_PRODUCT

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one leaderboard stands after the run."""

    leaderboard: str
    status: str
    message: str


@dataclass(frozen=True)
class DayReport:
    """What came of a day.

    Attributes:
        published: the release that stands, or None where publication was refused or never reached.
        gates, product: out__gate and the board's row of out__product; None where the day broke before them.
        problems: exceptions that steps ended with.
    """

    as_of: date
    success: bool
    published: str | None
    sources: tuple[SourceReport, ...]
    gates: pl.DataFrame | None = None
    product: dict[str, object] | None = None
    problems: tuple[StepProblem, ...] = field(default=())


def run_day(workspace: Workspace, day: date, instance: dg.DagsterInstance, job_name: str = NIGHTLY) -> DayReport:
    """Sync, score, gate and publish a day; after a blocked one the verdicts are written all the same."""
    use_kernel_cache(workspace.home)
    job = build_defs(workspace.catalog, workspace).resolve_job_def(job_name)
    key = day.isoformat()
    with interruptible():
        result = job.execute_in_process(instance=instance, partition_key=key, raise_on_error=False, run_config=QUIET)
    problems = tuple(workspace.problems)
    if not result.success and not _materialized(result, VERDICT_TABLES[-1]) and _has_snapshots(workspace, day):
        keys = [dg.AssetKey(name) for name in VERDICT_TABLES]
        with interruptible():
            verdicts = job.execute_in_process(
                instance=instance, partition_key=key, raise_on_error=False, run_config=QUIET, asset_selection=keys
            )
        problems = tuple(workspace.problems)
        if not verdicts.success:
            return DayReport(day, False, None, source_reports(workspace), problems=problems)
    published = workspace.release_id(day) if _materialized(result, "out__release") else None
    if workspace.tables.exists("out__product", day):
        gates = workspace.frame("out__gate", day)
        product = workspace.frame("out__product", day).filter(pl.col("product") == BOARD_PRODUCT).row(0, named=True)
    else:
        gates, product = None, None
    return DayReport(day, result.success, published, source_reports(workspace), gates, product, problems)


def run_sync(
    workspace: Workspace, leaderboards: Sequence[str], instance: dg.DagsterInstance
) -> tuple[SourceReport, ...]:
    """Sync the named leaderboards, or all, without scoring anything; nothing where the catalog holds none."""
    if not workspace.catalog.sources:
        return ()
    job = build_defs(workspace.catalog, workspace).resolve_job_def(SYNC)
    keys = [source_key(name) for name in leaderboards] or None
    with interruptible():
        job.execute_in_process(instance=instance, raise_on_error=True, run_config=QUIET, asset_selection=keys)
    chosen = set(leaderboards)
    return tuple(report for report in source_reports(workspace) if not chosen or report.leaderboard in chosen)


def source_reports(workspace: Workspace) -> tuple[SourceReport, ...]:
    """How each leaderboard of the catalog stands by its last sync; one that this run left alone is skipped."""
    found = []
    for source in workspace.catalog.sources:
        if not workspace.sync.asks(source.id):
            found.append(SourceReport(source.id, "skipped", NOT_ASKED))
            continue
        last = last_outcome(workspace.home, source.id) or {"status": "skipped", "message": "never synced"}
        found.append(SourceReport(source.id, last["status"], last["message"]))
    return tuple(found)


def _materialized(result: dg.ExecuteInProcessResult, table: str) -> bool:
    return any(event.asset_key == dg.AssetKey(table) for event in result.get_asset_materialization_events())


def _has_snapshots(workspace: Workspace, day: date) -> bool:
    return workspace.tables.exists("raw__snapshot", day)
