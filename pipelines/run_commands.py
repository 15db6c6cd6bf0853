"""`scoretrail run` and `scoretrail sync`: the whole day, or the raw sync alone."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption, UsageError
from warehouse.exit_codes import ExitCode

MirrorOption = Annotated[
    Path | None,
    typer.Option("--mirror", help="Read every source from DIR/<its path> in place of its url (air-gapped machines)."),
]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Ask no network source; last good snapshots serve.")]


@dataclass(frozen=True, slots=True)
class Request:
    """What a run or a sync was asked to do."""

    home: Path | None
    catalog: Path | None
    sources: Path | None
    leaderboards: tuple[str, ...]
    offline: bool
    mirror: Path | None
    day: date
    as_json: bool
    all_gates: bool = False


def run(
    *,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Day to publish, YYYY-MM-DD (UTC). [default: today]")
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Sync only this leaderboard; may be repeated.")
    ] = None,
    offline: OfflineOption = False,
    mirror: MirrorOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="The bundled snapshot, offline, in its own home data/demo.")
    ] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    all_gates: Annotated[
        bool, typer.Option("--all-gates", help="Show also the gates that passed or did not apply.")
    ] = False,
    as_json: JsonOption = False,
) -> ExitCode:
    """Run the whole day: sync, normalize, filter, deduplicate, score, gate, publish.

    Ends with 0 where a release stands; 1 where a gate said no (the former release stays readable); 2 for a mistake in
    what was asked or in the catalog; 3 where a source failed and its last good snapshot served.
    """
    day = options.parse_day(as_of)
    if demo:
        home, sources = home or options.DEMO_HOME, sources or options.DEMO_SOURCES
        day, offline = day or options.DEMO_DAY, True
    day = day or datetime.now(UTC).date()
    asked = Request(home, catalog, sources, tuple(source or ()), offline, mirror, day, as_json, all_gates)
    from pipelines.beginning import begun

    with ExitStack() as stack:
        workspace = begun(asked, stack)
        from pipelines.day_runner import run_begun  # takes seconds to load, in which hosts answer

        return run_begun(asked, workspace, stack)


def sync(
    *,
    leaderboards: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Leaderboards; all if none.")
    ] = None,
    offline: OfflineOption = False,
    mirror: MirrorOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what a leaderboard's entry would bring in; keep nothing.")
    ] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Only the raw sync: fetch each leaderboard, keep what is complete and readable, touch nothing that is good.

    Ends with 0 where every source is sound, 3 where one failed.
    """
    asked = Request(
        home, catalog, sources, tuple(leaderboards or ()), offline, mirror, datetime.now(UTC).date(), as_json
    )
    if dry_run:
        from pipelines.dry_run import dry_run_request

        return dry_run_request(asked)
    from pipelines.day_runner import sync_request

    return sync_request(asked)


def check_mirror(mirror: Path | None) -> Path | None:
    """The mirror folder, resolved.

    Raises:
        UsageError: if it is no folder.
    """
    if mirror is not None and not mirror.is_dir():
        raise UsageError(f"--mirror {mirror}: no such folder")
    return mirror.resolve() if mirror else None


def check_leaderboards(known: Collection[str], asked: Collection[str]) -> None:
    """Refuse a leaderboard that the catalog does not hold.

    Raises:
        UsageError: naming it, and those that resemble it.
    """
    for name in asked:
        if name not in known:
            raise UsageError(f"no leaderboard {name!r} in the catalog{console.suggestion(name, known)}")
