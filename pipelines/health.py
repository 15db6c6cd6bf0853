"""A home's health: its newest release, whether nights run, sources, verdicts, pairs that await a person.

Belongs here: gathering it. Does not belong here: how it is shown (`pipelines.status_command`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from checks.products import NO_GATE
from methods.release.ledger import Ledger
from resources.manifest import Release
from resources.night_signals import last_run, last_success
from resources.releases import ReleaseStore
from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync_outcomes import Outcome, all_outcomes
from resources.table_files import TableError
from resources.tables import TableStore
from resources.verdicts import VerdictStore
from warehouse.tables import OUT_PRODUCT, RAW_SNAPSHOT
from warehouse.tables_pairing import CORE_CANDIDATE_PAIR
from warehouse.vocabulary import HEALTHY_SNAPSHOTS

CLOCK_HOURS: Final = 1.0
"""What is further ahead than clocks of two machines part says nothing about the past: it would look young for years."""
CLOCK: Final = "was the clock wrong then, or is it now?"


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """One leaderboard: how its last sync went, and how old what serves is."""

    leaderboard: str
    status: str
    message: str
    synced_at: str | None
    age_days: float | None


@dataclass(frozen=True, slots=True)
class NightHealth:
    """The nightly itself: when one last ended, however, and when one last published.

    Attributes:
        did_run: whether one ended within the allowed age; None where none ever did.
        message: the same in words.
    """

    did_run: bool | None
    last_run_at: str | None
    last_exit_code: int | None
    last_success_at: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Health:
    """The whole answer. `reasons` says why it is not healthy; empty where it is.

    `former_sources` are leaderboards that were synced once, and that the newest day was made without: another sources
    file named them. They say nothing about the health of this one.

    `pairs_awaiting` is how many candidate pairs of the newest night await a person; None where no night made any table.
    `standing` says what a reader of the current release must know: a rollback that holds, releases that were withdrawn,
    studies that the current one was made without.
    """

    healthy: bool
    reasons: tuple[str, ...]
    home: str
    nightly: NightHealth
    release_id: str | None
    as_of: str | None
    age_hours: float | None
    sources: tuple[SourceHealth, ...]
    former_sources: tuple[str, ...]
    verdicts: dict[str, int]
    verdicts_as_of: str | None
    failing_gates: tuple[str, ...]
    standing: tuple[str, ...]
    pairs_awaiting: int | None = None


def health(settings: Settings, now: datetime, max_age_hours: float) -> Health:
    """The health of a home at a moment."""
    current = ReleaseStore(settings.home).current()
    age = None if current is None else (now - current.manifest.created_at) / timedelta(hours=1)
    reasons = []
    if current is None:
        reasons.append("no release yet")
    elif age is not None and age < -CLOCK_HOURS:
        reasons.append(f"the newest release is of {-age:.1f} hours from now: {CLOCK}")
    elif age is not None and age > max_age_hours:
        reasons.append(f"the newest release is {age:.1f} hours old; {max_age_hours:g} are allowed: did the night run?")
    nightly = _nightly(settings, now, max_age_hours)
    if nightly.did_run is False or _brought_nothing(settings, current):
        reasons.append(nightly.message)
    verdicts = VerdictStore(settings.home)
    days = verdicts.days()
    newest = verdicts.all(max(days)) if days else {}
    failing = sorted(
        gate
        for gate, kept in newest.items()
        if kept.severity == "blocking" and kept.result.verdict in {"fail", "error"}
    )
    if failing:
        reasons.append(f"gates that said no on {max(days)}: {', '.join(failing)}")
    outcomes = all_outcomes(settings.home)
    former = former_sources(settings, outcomes)
    sources = tuple(_sources(settings, {name: one for name, one in outcomes.items() if name not in former}, now))
    bad = [source.leaderboard for source in sources if source.status not in {*HEALTHY_SNAPSHOTS, "stale", "skipped"}]
    if bad:
        reasons.append(f"sources that failed: {', '.join(bad)}")
    tally: dict[str, int] = {}
    for kept in newest.values():
        tally[kept.result.verdict] = tally.get(kept.result.verdict, 0) + 1
    return Health(
        healthy=not reasons,
        reasons=tuple(reasons),
        home=str(settings.home),
        nightly=nightly,
        release_id=current.release_id if current else None,
        as_of=current.manifest.as_of.isoformat() if current else None,
        age_hours=age,
        sources=sources,
        former_sources=former,
        verdicts=dict(sorted(tally.items())),
        verdicts_as_of=max(days).isoformat() if days else None,
        failing_gates=tuple(failing),
        standing=(*standing(ReleaseStore(settings.home).ledger()), *left_out(current)),
        pairs_awaiting=pairs_awaiting(settings),
    )


def pairs_awaiting(settings: Settings) -> int | None:
    """How many candidate pairs of the newest night no decision holds for; None where there is no such table."""
    tables = TableStore(settings.home)
    days = tables.days(CORE_CANDIDATE_PAIR.name)
    try:
        return tables.read(CORE_CANDIDATE_PAIR.name, max(days))["decision"].null_count() if days else None
    except TableError:
        return None  # a damaged table is the next run's to mend; health must still be told


def standing(ledger: Ledger) -> list[str]:
    """Rollbacks and withdrawals in sentences: the rollback in force first, then withdrawn releases, newest last."""
    said = []
    rollback = ledger.standing_rollback
    if rollback is not None:
        hidden = ", ".join(sorted(ledger.hidden))
        said.append(f"rolled back to {rollback[0]} ({rollback[1]}); out of sight until a newer one is made: {hidden}")
    for release_id, reason in ledger.withdrawn.items():
        instead = f"; in its place stands {ledger.replaced_by[release_id]}" if release_id in ledger.replaced_by else ""
        said.append(f"{release_id} is withdrawn ({reason}){instead}")
    return said


def left_out(release: Release | None) -> list[str]:
    """Products beside the board that a release was made without, since a gate they require did not let them pass.

    One that the catalog requires no gate of is never part of any, and no news.
    """
    if release is None:
        return []
    try:
        products = release.read(OUT_PRODUCT.name)
    except TableError:
        return []  # what is damaged is named by verify; health must still be told
    return [
        f"{row['product']} is left out of {release.release_id}: {row['blocked_by'].replace(',', ', ')}"
        for row in products.sort("product").rows(named=True)
        if row["status"] == "blocked" and row["blocked_by"] != NO_GATE
    ]


def _nightly(settings: Settings, now: datetime, max_age_hours: float) -> NightHealth:
    """Whether nights run at all: a blocked one ran, a missing one did not."""
    last, success = last_run(settings.home), last_success(settings.home)
    if last is None:
        return NightHealth(None, None, None, None, "no night has ended in this home yet")
    hours = (now - datetime.fromisoformat(last["finished_at"])) / timedelta(hours=1)
    did_run = -CLOCK_HOURS <= hours <= max_age_hours
    ended = f"the last night ended {hours:.1f} hours ago with {last['exit_code']}"
    if hours < -CLOCK_HOURS:
        message = f"whether the nightly runs is not known: its last signal is of {-hours:.1f} hours from now: {CLOCK}"
    elif did_run:
        message = ended if last["release_id"] else f"{ended} and published nothing"
    else:
        message = f"the nightly itself did not run: {ended}; {max_age_hours:g} hours are allowed"
    succeeded = None if success is None else success["finished_at"]
    return NightHealth(did_run, last["finished_at"], last["exit_code"], succeeded, message)


def _brought_nothing(settings: Settings, current: Release | None) -> bool:
    """Whether the last night published nothing (blocked, broken, unable to begin), and nobody made a release since."""
    last = last_run(settings.home)
    if last is None or last["release_id"] is not None:
        return False
    return current is None or current.manifest.created_at < datetime.fromisoformat(last["finished_at"])


def former_sources(settings: Settings, outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    """Leaderboards with a sync of their own that the newest day was made without, in order.

    One that was synced after all others of that day is none: it is new, and the next run takes it up.
    """
    tables = TableStore(settings.home)
    days = tables.days(RAW_SNAPSHOT.name)
    try:
        used = set(tables.read(RAW_SNAPSHOT.name, max(days))["leaderboard"]) if days else set()
    except TableError:
        return ()  # which sources the day had is not known: all are told
    last = max((outcomes[name]["at"] for name in used if name in outcomes), default="")
    return tuple(sorted(name for name, one in outcomes.items() if name not in used and one["at"] < last))


def _sources(settings: Settings, outcomes: Mapping[str, Outcome], now: datetime) -> list[SourceHealth]:
    store = SnapshotStore(settings.home)
    found = []
    for leaderboard, outcome in outcomes.items():
        record = store.usable(leaderboard, now)
        found.append(
            SourceHealth(
                leaderboard=leaderboard,
                status=outcome["status"],
                message=outcome["message"],
                synced_at=record.synced_at.isoformat() if record else None,
                age_days=(now - record.known_at) / timedelta(days=1) if record else None,
            )
        )
    return found
