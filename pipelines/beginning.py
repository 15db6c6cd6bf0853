"""Opens the home of a run, and lets a night ask its hosts at once.

Belongs here: what comes before the graph. Dagster, which takes seconds to load, is not needed for it: what a night is
told by its hosts arrives meanwhile. Running the graph and showing what came of it is `day_runner`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime

from checks.gates import definition_problems
from pipelines import console, options
from pipelines.mistakes import exit_code, in_words
from pipelines.night import end_night
from pipelines.options import FIRST_DAY, UsageError
from pipelines.run_commands import Request, check_leaderboards, check_mirror
from resources.alerts import Trouble
from resources.catalog_files import load_catalog
from resources.catalog_problems import CatalogError
from resources.home_lock import HomeLock, HomeLockedError
from resources.recovery import recover
from resources.settings import Settings, SettingsError
from resources.side_by_side import begin_sync
from resources.workspace import SyncOptions, Workspace
from warehouse.catalog_model import Catalog


def begun(asked: Request, stack: ExitStack) -> Workspace:
    """The workspace of a run. A night that cannot begin leaves its signal and alerts people all the same.

    A night's hosts are asked from now on, while what follows is still loading.

    Raises:
        UsageError: for what cannot be run as asked, which is no night: nothing is made, nobody is alerted.
        CatalogError, UsageError, HomeLockedError, OSError: why a night cannot begin.
    """
    if asked.day.isoformat() < FIRST_DAY:
        raise UsageError(f"--as-of {asked.day}: the first day is {FIRST_DAY}")
    check_asked(asked)
    started_at = datetime.now(UTC)
    try:
        workspace = open_asked(asked, stack)
        refuse_unjudged_gates(workspace.catalog)
    except Exception as error:
        tell_broken(asked, started_at, error)
        raise
    if not asked.as_json:
        console.progress_line(f"as of {asked.day}, home {workspace.home}, catalog {workspace.catalog.version}")
    if is_night(asked, workspace.today) and asked.mirror is None:
        stack.callback(begin_sync(workspace).close)  # before the home is unlocked
    return workspace


def check_asked(asked: Request) -> Settings:
    """The settings of a run or a sync that can be carried out as asked, before anything is made in its home.

    Raises:
        UsageError: naming the option that is at fault.
        CatalogError: where single leaderboards are asked for, and the catalog cannot be read.
    """
    settings = options.open_settings(asked.home, asked.catalog, asked.sources)
    check_mirror(asked.mirror)
    if asked.leaderboards:
        catalog = load_catalog(settings.catalog_dir, settings.sources_file).catalog
        check_leaderboards(catalog.source_by_id, asked.leaderboards)
    return settings


def tell_broken(asked: Request, started_at: datetime, error: Exception) -> None:
    """Leaves the signal and alerts people where a night ends by an error of its own, which whoever calls passes on.

    Who finds the home locked leaves no signal there: the night of its holder does.
    """
    if not is_night(asked, started_at.date()):
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


def is_night(asked: Request, today: date) -> bool:
    """Whether a run is a night: of today, of every source, with their sync."""
    return asked.day == today and not asked.leaderboards and not (asked.offline and asked.mirror is None)


def open_asked(asked: Request, stack: ExitStack) -> Workspace:
    """The workspace that a run or a sync was asked to work in, open until the stack ends.

    Raises:
        CatalogError, UsageError: as `Workspace.open` and `check_asked`.
    """
    settings = check_asked(asked)
    hint = options.demonstration_hint(settings)
    if hint is not None:
        console.progress_line(hint)
    sync = SyncOptions(
        offline=asked.offline,
        mirror=check_mirror(asked.mirror),
        only=frozenset(asked.leaderboards) or None,
        as_of=asked.day,
    )
    return open_workspace(settings, stack, None if asked.as_json else console.progress_line, sync)


def open_workspace(
    settings: Settings, stack: ExitStack, progress: Callable[[str], None] | None, sync: SyncOptions | None = None
) -> Workspace:
    """Opens a home to write in: locked until the stack ends, and mended where a run was killed in it."""
    stack.enter_context(HomeLock(settings.home))
    for message in recover(settings.home).messages:
        console.progress_line(message)
    return Workspace.open(settings, sync=sync, progress=progress)


def refuse_unjudged_gates(catalog: Catalog) -> None:
    """Refuse to begin a day that could not be published: a line of gates.yaml that nothing answers to.

    Raises:
        UsageError: naming each of them.
    """
    problems = definition_problems(catalog)
    if problems:
        raise UsageError(f"{'; '.join(problems)}; nothing was run (scoretrail catalog check lists all that is wrong)")
