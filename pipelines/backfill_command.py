"""`scoretrail backfill`: older versions of sources as the syncs of their days, and a release for each of those days.

Belongs here: the order of work and what is shown of it. Where older versions lie is `resources.histories`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode, strongest
from warehouse.vocabulary import HEALTHY_SNAPSHOTS

if TYPE_CHECKING:
    from resources.histories import PastVersion
    from resources.sync import SyncOutcome
    from resources.workspace import Workspace

GIT = "git"


@dataclass(frozen=True, slots=True)
class Replayed:
    """One older version, and how keeping it ended."""

    leaderboard: str
    day: str
    status: str
    message: str


@dataclass(frozen=True, slots=True)
class BackfilledDay:
    """One day, and the release that stands for it; gates that said no where there is none."""

    day: str
    release_id: str | None
    failing_gates: tuple[str, ...]


def backfill(
    *,
    origin: Annotated[
        str,
        typer.Option(
            "--from", metavar="DIR|git", help="A mirror with history/ folders, or git: repositories of sources."
        ),
    ],
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Only this leaderboard; may be repeated.")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", help="First day, YYYY-MM-DD.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Last day, YYYY-MM-DD.")] = None,
    keep_only: Annotated[bool, typer.Option("--keep-only", help="Keep the snapshots, make no release.")] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Replay older versions of the sources as past syncs, and make a release for every day they changed.

    Each version is judged as any sync would have, and is known from its own day on; days are made in ascending order,
    each compared with the one before. Doing it again changes nothing. Ends with 0 where every day stands; 1 where a
    gate said no for one; 3 where a version could not be kept.
    """
    first, last = options.parse_day(since), options.parse_day(until)
    from pipelines.beginning import open_workspace
    from pipelines.run_commands import check_leaderboards
    from resources.catalog_files import load_catalog

    settings = options.open_settings(home, catalog, sources)
    if origin != GIT and not Path(origin).is_dir():
        raise UsageError(f"--from {origin}: no such folder; a folder or the word git is meant")
    if source:
        check_leaderboards(load_catalog(settings.catalog_dir, settings.sources_file).catalog.source_by_id, source)
    with ExitStack() as stack:
        workspace = open_workspace(settings, stack, None if as_json else console.progress_line)
        versions = [
            version
            for version in _versions(workspace, origin, frozenset(source or ()))
            if (first is None or version.day >= first) and (last is None or version.day <= last)
        ]
        if not versions:
            raise UsageError(f"--from {origin}: no older version of a source was found")
        replayed = [_replay(workspace, version) for version in versions]
        kept = {version.day for version, (outcome, _) in zip(versions, replayed, strict=True) if outcome is not None}
        passed = [
            entry
            for entry in _passed_over(workspace, origin, frozenset(source or ()))
            if (since is None or entry.day >= since) and (until is None or entry.day <= until)
        ]
        days = [] if keep_only else list(_days(workspace, sorted(kept), stack))
        return _told(workspace, [entry for _, entry in replayed] + passed, days, as_json=as_json)


def _versions(workspace: Workspace, origin: str, only: frozenset[str]) -> list[PastVersion]:
    """Every older version, oldest first."""
    from resources.histories import before_today, folder_versions, git_versions
    from resources.reading import update_git

    chosen = [source for source in workspace.catalog.sources if not only or source.id in only]
    found: list[PastVersion] = []
    if origin != GIT:
        for source in chosen:
            found += before_today(folder_versions(source, Path(origin).resolve()), workspace.today)
    else:
        for source in chosen:
            if source.git is not None:
                secret = workspace.settings.secret(source.secret_env) if source.secret_env else None
                update_git(source, workspace.settings, workspace.network, secret)
                found += before_today(git_versions(source, workspace.settings), workspace.today)
    return sorted(found, key=lambda version: (version.moment, version.source.id))


def _passed_over(workspace: Workspace, origin: str, only: frozenset[str]) -> list[Replayed]:
    """Dated folders of a mirror in which no source of the catalog finds anything: named, and no failure."""
    from resources.histories import folder_versions, unread_folders

    if origin == GIT:
        return []
    mirror = Path(origin).resolve()
    read = {version.folder for source in workspace.catalog.sources for version in folder_versions(source, mirror)}
    return [
        Replayed(
            source.id, day.isoformat(), "skipped", f"{folder.relative_to(mirror)}: holds none of the source's files"
        )
        for source in workspace.catalog.sources
        if not only or source.id in only
        for day, folder in unread_folders(source, mirror)
        if folder not in read
    ]


def _replay(workspace: Workspace, version: PastVersion) -> tuple[SyncOutcome | None, Replayed]:
    """Keeps one version as the sync of its day; without an outcome where it could not be."""
    from resources.fetch_errors import READING_ERRORS
    from resources.sync import replay

    day = version.day.isoformat()
    try:
        read = version.read(workspace.settings, workspace.snapshots.max_bytes)
        if read is None:
            return None, Replayed(version.source.id, day, "skipped", "the repository held nothing then")
        outcome = replay(version.source, workspace.settings, workspace.snapshots, workspace.opened_at, read)
    except READING_ERRORS as error:
        return None, Replayed(version.source.id, day, "failed", str(error))
    workspace.progress(f"{day} {version.source.id}: {outcome.status}: {outcome.message}")
    is_kept = outcome.status in HEALTHY_SNAPSHOTS or outcome.status == "stale"
    return outcome if is_kept else None, Replayed(version.source.id, day, outcome.status, outcome.message)


def _days(workspace: Workspace, days: Iterable[date], stack: ExitStack) -> Iterable[BackfilledDay]:
    """Makes each day in turn, from the snapshots known by its end."""
    import polars as pl

    from pipelines.day_runner import open_instance
    from pipelines.jobs import DAY
    from pipelines.running import run_day

    instance = open_instance(workspace.settings, stack)
    for day in days:
        # A workspace of its own for each day: the frames of the former are let go, and so are its problems.
        today = replace(workspace, problems=[], _frames={})
        report = run_day(today, day, instance, DAY)
        failing: tuple[str, ...] = ()
        if report.gates is not None:
            said_no = (pl.col("severity") == "blocking") & pl.col("verdict").is_in(["fail", "error", "inconclusive"])
            failing = tuple(report.gates.filter(said_no)["gate"].sort())
        failing += tuple(f"{problem.step}: {problem.error}" for problem in report.problems if not failing)
        workspace.progress(f"{day}: {report.published or 'not published: ' + ', '.join(failing)}")
        yield BackfilledDay(day.isoformat(), report.published, failing)


def _told(
    workspace: Workspace, versions: Sequence[Replayed], days: Sequence[BackfilledDay], *, as_json: bool
) -> ExitCode:
    from pipelines.night import entry_faults

    faults = entry_faults(workspace.catalog_load, workspace.decided_at)
    codes = [ExitCode.USAGE] if faults else []
    codes += [ExitCode.SOURCE for version in versions if version.status == "failed"]
    codes += [ExitCode.GATE for day in days if day.release_id is None]
    code = strongest(codes)
    if as_json:
        answer = {"versions": [asdict(v) for v in versions], "days": [asdict(day) for day in days]}
        console.print_json(answer | {"catalog_problems": faults, "exit_code": int(code), "home": str(workspace.home)})
        return code
    out = console.stdout()
    left = [(v.day, v.leaderboard, v.message) for v in versions if v.status in {"failed", "skipped"}]
    if left:
        columns = [("day", "left"), ("leaderboard", "left"), ("why", "left")]
        out.print(console.table("Versions that were not kept", columns, left))
        out.print()
    rows = [(day.day, day.release_id or "not published", ", ".join(day.failing_gates)) for day in days]
    out.print(console.table("Days", [("day", "left"), ("release", "left"), ("gates that said no", "left")], rows))
    out.print(f"{len(versions) - len(left)} of {len(versions)} versions kept in {workspace.home}", markup=False)
    for fault in faults:
        console.error_line(fault)
    return code
