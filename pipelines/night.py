"""How a night ends: what needs a person is told, and the signal that it ran is left.

Belongs here: what counts as trouble and what to do about it; the same for the command and for the Dagster schedule.
Delivery is `resources.alerts`, the signal `resources.night_signals`. Everything is read from the home, so that a night
that broke in the middle is told too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from methods.release.publication import aimless_waivers
from resources.alerts import Alert, Trouble, send, subject_of
from resources.catalog_files import CatalogLoad, load_catalog
from resources.catalog_problems import CatalogError
from resources.night_signals import keep_night, last_run
from resources.releases import ReleaseStore
from resources.settings import Settings
from resources.sync_outcomes import all_outcomes
from resources.verdicts import VerdictStore
from warehouse.exit_codes import ExitCode, strongest
from warehouse.vocabulary import SYNC_FAILURES

TRIGGER_TAG = "scoretrail/trigger"
"""The tag by which a run of the schedule is known."""


def end_night(
    settings: Settings,
    day: date,
    started_at: datetime,
    code: ExitCode,
    more: Sequence[Trouble] = (),
    *,
    signal: bool = True,
) -> list[str]:
    """Leaves the signal of a night and alerts people where it needs them.

    A home that cannot be read or written, on a full disk above all, is one trouble more, and people are told.

    Args:
        settings: the home, and who is told.
        day: the day it was for.
        started_at: when it began: what was synced before is no news.
        code: the exit code that the night ends with.
        more: troubles that only the run itself knows, such as a step that broke.
        signal: whether the night was this home's, so that its signal is left.

    Returns:
        Receivers that could not be reached, and a home that could not be written, in words.
    """
    published, stale, found, faults = None, [], tuple(more), []
    before = last_run(settings.home)
    try:
        published = _published(settings, day)
        stale = _stale(settings, started_at)
        if signal:
            keep_night(settings.home, day.isoformat(), datetime.now(UTC), int(code), published, stale)
        found = (*more, *troubles(settings, day, started_at))
    except (OSError, ValueError, RuntimeError) as error:
        faults = [f"{settings.home}: what the night left could not be read or noted: {error}"]
        found = (*more, Trouble("the home", faults[0], f"scoretrail status --home {settings.home}"))
    # A board that stays frozen is news on its first night only, or beside other news.
    is_news = len(found) > len(stale) or set(stale) - set(before["stale"] if before else ())
    if not settings.alerts.is_set or (not is_news and code is ExitCode.OK):
        return faults
    if not found:
        found = (Trouble("the night", f"ended with {int(code)}", f"scoretrail status --home {settings.home}"),)
    subject = subject_of(day.isoformat(), published, found)
    return [*faults, *send(Alert(subject, day.isoformat(), int(code), published, found), settings.alerts)]


def scheduled_code(settings: Settings, day: date, started_at: datetime, *, success: bool) -> ExitCode:
    """The exit code that the command would have ended with, for a night that Dagster ran."""
    codes = [ExitCode.USAGE] if _catalog(settings) else []
    if any("(stale)" not in trouble.what for trouble in _sources(settings, started_at)):
        codes.append(ExitCode.SOURCE)
    if not success:
        codes.append(ExitCode.GATE if _gates(settings, day, started_at) else ExitCode.BUG)
    return strongest(codes)


def troubles(settings: Settings, day: date, started_at: datetime) -> list[Trouble]:
    """Everything in the home that needs a person: gates that said no, sources that failed or froze, broken entries."""
    return [*_gates(settings, day, started_at), *_sources(settings, started_at), *_catalog(settings)]


def _published(settings: Settings, day: date) -> str | None:
    current = ReleaseStore(settings.home).ledger().current
    return current.release_id if current is not None and current.as_of == day else None


def _gates(settings: Settings, day: date, started_at: datetime) -> list[Trouble]:
    store = VerdictStore(settings.home)
    if day not in store.days():
        return []
    return [
        Trouble(
            f"gate {gate}",
            kept.result.detail,
            f"read verdicts/{day}/{gate}.validation.json, then correct, wait, or waive it with a second person"
            " (docs/operating-nightly.md)",
        )
        for gate, kept in sorted(store.all(day).items())
        if kept.decided_at >= started_at
        and kept.severity == "blocking"
        and kept.result.verdict in {"fail", "error", "inconclusive"}
    ]


def _sources(settings: Settings, started_at: datetime) -> list[Trouble]:
    found = []
    for leaderboard, outcome in all_outcomes(settings.home).items():
        if datetime.fromisoformat(outcome["at"]) < started_at:
            continue
        status, message = outcome["status"], outcome["message"]
        if status in SYNC_FAILURES or status == "stale":
            found.append(Trouble(f"source {leaderboard} ({status})", message, _next_step(leaderboard, status, message)))
    return found


def _stale(settings: Settings, started_at: datetime) -> list[str]:
    return [
        leaderboard
        for leaderboard, outcome in all_outcomes(settings.home).items()
        if outcome["status"] == "stale" and datetime.fromisoformat(outcome["at"]) >= started_at
    ]


def _next_step(leaderboard: str, status: str, message: str) -> str:
    if status == "missing_credential":
        return f"set the variable for the service that runs the night, then scoretrail sync {leaderboard}"
    if status == "stale":
        return "see whether the board moved or stopped; correct its url, raise its max_age, or remove it"
    if "rate_limited" in message:
        return "nothing, unless it lasts: the next night tries again"
    return f"scoretrail sync {leaderboard} shows it again; if the layout changed, correct its entry in sources.yaml"


def entry_faults(load: CatalogLoad, at: datetime) -> list[str]:
    """What is wrong with single entries of a catalog that stands all the same, in words: it ends a day with 2."""
    return [*map(str, load.problems), *aimless_waivers(load.catalog, at)]


def _catalog(settings: Settings) -> list[Trouble]:
    try:
        found = entry_faults(load_catalog(settings.catalog_dir, settings.sources_file), datetime.now(UTC))
    except CatalogError as error:
        found = [str(problem) for problem in error.problems]
    return [Trouble("catalog", problem, "correct it, then scoretrail catalog check") for problem in found]
