"""Carries out a run or a sync that was asked for, shows it, and turns it into an exit code."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime

from dagster import DagsterInstance

from pipelines import console
from pipelines.beginning import is_night, open_asked, tell_broken
from pipelines.dead_runs import end_dead_runs
from pipelines.instance import dagster_instance
from pipelines.mistakes import exit_code, in_words
from pipelines.night import end_night, entry_faults
from pipelines.run_commands import Request
from pipelines.running import DayReport, SourceReport, run_day, run_sync
from resources.alerts import Trouble
from resources.settings import Settings
from resources.workspace import Workspace
from warehouse.catalog_model import Catalog
from warehouse.exit_codes import ExitCode, strongest
from warehouse.vocabulary import SYNC_FAILURES


def run_begun(asked: Request, workspace: Workspace, stack: ExitStack) -> ExitCode:
    """`scoretrail run`, in a workspace that was begun for it and is open until the stack ends."""
    try:
        instance = open_instance(workspace.settings, stack)
        report = run_day(workspace, asked.day, instance)
    except Exception as error:
        tell_broken(asked, workspace.opened_at, error)
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


def _end_night(workspace: Workspace, asked: Request, report: DayReport, code: ExitCode) -> list[str]:
    """Leaves the signal and alerts people, where the run was a night: of today, of every source, with their sync."""
    if not is_night(asked, workspace.today):
        return []
    broken = [
        Trouble(f"step {problem.step}", in_words(problem.error, workspace.home), "scoretrail run, once that is mended")
        for problem in report.problems
    ]
    return end_night(workspace.settings, asked.day, workspace.opened_at, code, broken)


def sync_request(asked: Request) -> ExitCode:
    """`scoretrail sync`."""
    with ExitStack() as stack:
        workspace = open_asked(asked, stack)
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


def open_instance(settings: Settings, stack: ExitStack) -> DagsterInstance:
    """Dagster's own storage in a home that is locked, until the stack ends; runs that were killed in it are ended."""
    instance = stack.enter_context(dagster_instance(settings))
    end_dead_runs(instance, datetime.now(UTC))
    return instance


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
        f"  {row['product']} is {row['status']} and went out empty: {row['blocked_by'].replace(',', ', ')}"
        for row in workspace.frame("out__product", report.as_of).rows(named=True)
        if row["status"] == "blocked"
    ]
    if code is ExitCode.SOURCE:
        lines.insert(1, "  A source failed: its last good snapshot served (see Sources above).")
    return lines
