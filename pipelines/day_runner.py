"""Carries out a run or a sync that was asked for, shows it, and turns it into an exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime

from dagster import DagsterInstance

from checks.gates import definition_problems
from pipelines import console, options
from pipelines.dead_runs import end_dead_runs
from pipelines.instance import dagster_instance
from pipelines.mistakes import exit_code, in_words
from pipelines.night import end_night, entry_faults
from pipelines.options import UsageError
from pipelines.partitions import FIRST_DAY
from pipelines.run_commands import Request, check_leaderboards, check_mirror
from pipelines.running import DayReport, SourceReport, run_day, run_sync
from resources.alerts import Trouble
from resources.catalog_problems import CatalogError
from resources.home_lock import HomeLock, HomeLockedError
from resources.recovery import recover
from resources.settings import Settings, SettingsError
from resources.workspace import SyncOptions, Workspace
from warehouse.catalog_model import Catalog
from warehouse.exit_codes import ExitCode, strongest
from warehouse.vocabulary import SYNC_FAILURES


def run_request(asked: Request) -> ExitCode:
    """`scoretrail run`.

    Raises:
        UsageError: for a day before the first partition.
    """
    if asked.day.isoformat() < FIRST_DAY:
        raise UsageError(f"--as-of {asked.day}: the first day is {FIRST_DAY}")
    with ExitStack() as stack:
        workspace = _begun(asked, stack)
        if not asked.as_json:
            console.progress_line(f"as of {asked.day}, home {workspace.home}, catalog {workspace.catalog.version}")
        try:
            instance = open_instance(workspace.settings, stack)
            report = run_day(workspace, asked.day, instance)
        except Exception as error:
            _tell_broken(asked, workspace.opened_at, error)
            raise
        code = day_code(workspace, report)
        for fault in (unreached := _end_night(workspace, asked, report, code)):
            console.error_line(fault)
        if asked.as_json:
            problems = [
                {"step": p.step, "error": type(p.error).__name__, "message": in_words(p.error, workspace.home)}
                for p in report.problems
            ]
            faults = entry_faults(workspace.catalog_load, workspace.decided_at)
            closing = {
                "problems": problems,
                "catalog_problems": faults,
                "exit_code": int(code),
                "home": str(workspace.home),
            }
            closing |= {"alerts_undelivered": unreached} if unreached else {}
            console.print_json(console.day_json(report, _required(workspace.catalog)) | closing)
        else:
            _show(workspace, report, code, all_gates=asked.all_gates)
        return code


def _begun(asked: Request, stack: ExitStack) -> Workspace:
    """The workspace of a run. A night that cannot begin leaves its signal and alerts people all the same.

    Raises:
        CatalogError, UsageError, HomeLockedError, OSError: why it cannot.
    """
    started_at = datetime.now(UTC)
    try:
        workspace = _open(asked, stack)
        refuse_unjudged_gates(workspace.catalog)
    except Exception as error:
        _tell_broken(asked, started_at, error)
        raise
    return workspace


def _tell_broken(asked: Request, started_at: datetime, error: Exception) -> None:
    """Leaves the signal and alerts people where a night ends by an error of its own, which whoever calls passes on.

    Who finds the home locked leaves no signal there: the night of its holder does.
    """
    if not _is_night(asked, started_at.date()):
        return
    try:
        settings = options.open_settings(asked.home, asked.catalog, asked.sources)
    except SettingsError:
        return  # who is told stands there too
    # What is wrong with the catalog the night's end reads itself.
    why = [] if isinstance(error, CatalogError) else [Trouble("the night", in_words(error, settings.home), _AGAIN)]
    is_locked = isinstance(error, HomeLockedError)
    for fault in end_night(settings, asked.day, started_at, exit_code(error), why, signal=not is_locked):
        console.error_line(fault)


_AGAIN = "see to it, then scoretrail run"


def _is_night(asked: Request, today: date) -> bool:
    """Whether a run is a night: of today, of every source, with their sync."""
    return asked.day == today and not asked.leaderboards and not (asked.offline and asked.mirror is None)


def _end_night(workspace: Workspace, asked: Request, report: DayReport, code: ExitCode) -> list[str]:
    """Leaves the signal and alerts people, where the run was a night: of today, of every source, with their sync."""
    if not _is_night(asked, workspace.today):
        return []
    broken = [
        Trouble(f"step {problem.step}", in_words(problem.error, workspace.home), "scoretrail run, once that is mended")
        for problem in report.problems
    ]
    return end_night(workspace.settings, asked.day, workspace.opened_at, code, broken)


def sync_request(asked: Request) -> ExitCode:
    """`scoretrail sync`."""
    with ExitStack() as stack:
        workspace = _open(asked, stack)
        instance = open_instance(workspace.settings, stack)
        reports = run_sync(workspace, asked.leaderboards, instance)
        code = strongest([*_catalog_codes(workspace), *_source_codes(reports)])
        if asked.as_json:
            sources = [{"leaderboard": r.leaderboard, "status": r.status, "message": r.message} for r in reports]
            faults = entry_faults(workspace.catalog_load, workspace.decided_at)
            closing = {"catalog_problems": faults, "exit_code": int(code), "home": str(workspace.home)}
            console.print_json({"sources": sources, **closing})
        else:
            console.stdout().print(console.sources_table(reports))
            _show_catalog_problems(workspace)
        return code


def _open(asked: Request, stack: ExitStack) -> Workspace:
    settings = options.open_settings(asked.home, asked.catalog, asked.sources)
    hint = options.demonstration_hint(settings)
    if hint is not None:
        console.progress_line(hint)
    sync = SyncOptions(
        offline=asked.offline,
        mirror=check_mirror(asked.mirror),
        only=frozenset(asked.leaderboards) or None,
        as_of=asked.day,
    )
    workspace = open_workspace(settings, stack, None if asked.as_json else console.progress_line, sync)
    check_leaderboards(workspace.catalog.source_by_id, asked.leaderboards)
    return workspace


def open_workspace(
    settings: Settings, stack: ExitStack, progress: Callable[[str], None] | None, sync: SyncOptions | None = None
) -> Workspace:
    """Opens a home to write in: locked until the stack ends, and mended where a run was killed in it."""
    stack.enter_context(HomeLock(settings.home))
    for message in recover(settings.home).messages:
        console.progress_line(message)
    return Workspace.open(settings, sync=sync, progress=progress)


def open_instance(settings: Settings, stack: ExitStack) -> DagsterInstance:
    """Dagster's own storage in a home that is locked, until the stack ends; runs that were killed in it are ended."""
    instance = stack.enter_context(dagster_instance(settings))
    end_dead_runs(instance, datetime.now(UTC))
    return instance


def refuse_unjudged_gates(catalog: Catalog) -> None:
    """Refuse to begin a day that could not be published: a line of gates.yaml that nothing answers to.

    Raises:
        UsageError: naming each of them.
    """
    problems = definition_problems(catalog)
    if problems:
        raise UsageError(f"{'; '.join(problems)}; nothing was run (scoretrail catalog check lists all that is wrong)")


def day_code(workspace: Workspace, report: DayReport) -> ExitCode:
    """The exit code of a day: the strongest of what its sources, gates, catalog and steps say."""
    codes = [*_catalog_codes(workspace), *_source_codes(report.sources)]
    codes += [exit_code(problem.error) for problem in report.problems]
    if report.published is None:
        blocked = report.product is not None and report.product["status"] == "blocked"
        codes.append(ExitCode.GATE if blocked or report.problems else ExitCode.BUG)
    return strongest(codes)


def _catalog_codes(workspace: Workspace) -> list[ExitCode]:
    return [ExitCode.USAGE] if entry_faults(workspace.catalog_load, workspace.decided_at) else []


def _source_codes(reports: tuple[SourceReport, ...]) -> list[ExitCode]:
    return [ExitCode.SOURCE for report in reports if report.status in SYNC_FAILURES]


def _required(catalog: Catalog) -> frozenset[str]:
    return frozenset(gate.id for gate in catalog.gates if gate.required)


def _show(workspace: Workspace, report: DayReport, code: ExitCode, *, all_gates: bool) -> None:
    out = console.stdout()
    day = report.as_of
    if report.published is not None:
        scores = workspace.frame("out__category_score", day)
        for category in scores["category"].unique().sort():
            out.print(console.board_table(scores, category, limit=8))
            out.print()
    out.print(console.sources_table(report.sources))
    out.print()
    if report.gates is not None:
        required = _required(workspace.catalog)
        found = console.gates_table(report.gates, required, every=all_gates)
        if found is not None:
            out.print(found)
        for line in console.gates_tally(report.gates, required):
            out.print(line, markup=False, soft_wrap=True)
        out.print()
    _show_catalog_problems(workspace)
    for problem in report.problems:
        console.error_line(f"{problem.step}: {in_words(problem.error, workspace.home)}")
    for line in _closing(workspace, report, code):
        out.print(line, markup=False)


def _show_catalog_problems(workspace: Workspace) -> None:
    for fault in entry_faults(workspace.catalog_load, workspace.decided_at):
        console.error_line(fault)


def _other_sources(workspace: Workspace) -> str:
    """The option that keeps the UI, and its nightly schedule, on the sources of this run."""
    settings = workspace.settings
    usual = settings.sources_file == settings.catalog_dir / "sources.yaml"
    return "" if usual else f" --sources {settings.sources_file}"


def _closing(workspace: Workspace, report: DayReport, code: ExitCode) -> list[str]:
    home = workspace.home
    if report.published is None:
        current = workspace.releases.current()
        kept = f"release {current.release_id} stays readable" if current else "nothing was published before"
        return [f"Not published; {kept}.", f"What every gate said: scoretrail status --home {home}"]
    lines = [
        f"Published {report.published} as of {report.as_of}.",
        f"  release folder  {home / 'releases' / report.published}",
        f"  DuckDB          {home / 'scoretrail.duckdb'}",
        f"  snapshots       {home / 'snapshots'}",
        "Next:",
        f"  scoretrail scores --category coding --home {home}",
        f"  scoretrail explain MODEL CATEGORY --home {home}",
        f"  scoretrail site --home {home}",
        f"  scoretrail verify {report.published} --home {home}",
        f"  scoretrail ui --home {home}{_other_sources(workspace)}",
    ]
    lines[1:1] = [
        f"  {row['product']} is {row['status']} and went out empty: {row['blocked_by']}"
        for row in workspace.frame("out__product", report.as_of).rows(named=True)
        if row["status"] == "blocked"
    ]
    if code is ExitCode.SOURCE:
        lines.insert(1, "  A source failed: its last good snapshot served (see Sources above).")
    return lines
