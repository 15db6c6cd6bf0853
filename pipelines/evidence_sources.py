"""Where evidence comes from outside a nightly run: a release, a mirror read aside, or a past day of either.

Belongs here: reading for commands that compute without storing. A mirror is read into a home that is gone afterwards.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import polars as pl

from methods.catalog.results import build_results
from methods.scoring.evidence import build_evidence
from pipelines.options import UsageError
from resources.releases import ReleaseStore
from resources.settings import Settings
from resources.workspace import Workspace
from warehouse.catalog_model import Catalog
from warehouse.tables import RAW_ROW


@dataclass(frozen=True)
class Given:
    """Evidence and what it was made from.

    Attributes:
        label: the release, or the mirror and day, in words.
        catalog: the catalog it was made with.
        raw_rows, results, evidence: raw__row, core__result, core__evidence.
        later: (former, latter) evidence of consecutive days, for the proof forward in time, and the days in words.
        days: one word pair a pair of `later`.
    """

    label: str
    catalog: Catalog
    raw_rows: pl.DataFrame
    results: pl.DataFrame
    evidence: pl.DataFrame
    later: tuple[tuple[pl.DataFrame, pl.DataFrame], ...] = ()
    days: tuple[tuple[str, str], ...] = ()


def of_release(settings: Settings, release_id: str | None, *, forward: bool) -> Given:
    """The evidence of a release, under its own catalog; forward in time over the releases of its home.

    Raises:
        UsageError: where the home holds no release.
        ReleaseError: for an unknown id.
    """
    from pipelines.release_reader import ReleaseReader

    reader = ReleaseReader(settings.home, release_id)
    later: list[tuple[pl.DataFrame, pl.DataFrame]] = []
    days: list[tuple[str, str]] = []
    if forward:
        store = ReleaseStore(settings.home)
        standing = [store.open(one) for one in _standing(store)]
        for former, latter in itertools.pairwise(standing):
            later.append((former.read("core__evidence"), latter.read("core__evidence")))
            days.append((former.manifest.as_of.isoformat(), latter.manifest.as_of.isoformat()))
    return Given(
        f"release {reader.release.release_id}",
        reader.catalog,
        reader.table("raw__row"),
        reader.table("core__result"),
        reader.table("core__evidence"),
        tuple(later),
        tuple(days),
    )


def _standing(store: ReleaseStore) -> list[str]:
    """The release that stands for each day, ascending: of several the one made last; none that was withdrawn."""
    rows = store.release_rows().filter(pl.col("status") != "withdrawn").sort("as_of", "created_at", "release_id")
    return list(dict(rows.select("as_of", "release_id").rows()).values())


def of_mirror(settings: Settings, mirror: Path, *, forward: bool, tell: Callable[[str], None]) -> Given:
    """The evidence of a mirror as of today; forward in time over the days of its history folders."""
    from resources.day_snapshots import sync_now
    from resources.workspace import SyncOptions

    with _aside(settings, tell) as workspace:
        asked = replace(workspace, sync=SyncOptions(mirror=mirror))
        past = _replayed(asked, mirror) if forward else []
        for source in asked.catalog.sources:
            sync_now(asked, source)
        today = asked.today
        raw_rows, results, evidence = _day(asked, today)
        made = [(day, _day(asked, day)[2]) for day in past] + [(today, evidence)]
        pairs = [(a, b) for a, b in itertools.pairwise(made) if a[1].height and b[1].height]
        return Given(
            f"mirror {mirror.name} as of {today}",
            asked.catalog,
            raw_rows,
            results,
            evidence,
            tuple((a[1], b[1]) for a, b in pairs),
            tuple((a[0].isoformat(), b[0].isoformat()) for a, b in pairs),
        )


@contextmanager
def _aside(settings: Settings, tell: Callable[[str], None]) -> Iterator[Workspace]:
    from pipelines.beginning import open_workspace

    with tempfile.TemporaryDirectory(prefix="scoretrail-aside-") as folder, ExitStack() as stack:
        home = replace(settings, home=Path(folder), allow_roots=(*settings.allow_roots, settings.home))
        yield open_workspace(home, stack, tell)


def _replayed(workspace: Workspace, mirror: Path) -> list[date]:
    """Keeps every older version that the mirror holds; the days on which one came, ascending."""
    from resources.histories import before_today, folder_versions
    from resources.sync import replay

    versions = [
        version
        for source in workspace.catalog.sources
        for version in before_today(folder_versions(source, mirror.resolve()), workspace.today)
    ]
    days = set()
    for version in sorted(versions, key=lambda one: (one.moment, one.source.id)):
        read = version.read(workspace.settings, workspace.snapshots.max_bytes)
        if read is not None:
            outcome = replay(version.source, workspace.settings, workspace.snapshots, workspace.opened_at, read)
            workspace.progress(f"{version.day} {version.source.id}: {outcome.status}")
            days.add(version.day)
    return sorted(days)


def _day(workspace: Workspace, day: date) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """raw__row, core__result and core__evidence of a day, from the snapshots known by its end."""
    from resources.day_snapshots import day_snapshots, read_rows

    workspace.progress(f"evidence as of {day}")
    received = list(read_rows(workspace, day_snapshots(workspace, day)))
    raw_rows = pl.concat(received) if received else RAW_ROW.empty()
    results = build_results(raw_rows, workspace.catalog)
    return raw_rows, results, build_evidence(raw_rows, results, workspace.catalog).evidence


def check_given(given: Given) -> Given:
    """The same, where there is any evidence.

    Raises:
        UsageError: where there is none.
    """
    if given.evidence.height == 0:
        raise UsageError(f"{given.label} holds no evidence: no result counts for a metric, so nothing can be withheld")
    return given
