"""Options that every command shares, and opening a home with them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from resources.settings import CHECKOUT, Settings, SettingsError

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", help="Folder that holds everything produced. [default: $SCORETRAIL_HOME or data/]"),
]
CatalogOption = Annotated[
    Path | None,
    typer.Option("--catalog", help="Catalog folder. [default: $SCORETRAIL_CATALOG or warehouse/catalog/]"),
]
ReleasedCatalogOption = Annotated[
    Path | None,
    typer.Option("--catalog", help="Catalog folder, taken by every command; a release is read with its own."),
]
SourcesOption = Annotated[
    Path | None, typer.Option("--sources", help="Sources file that replaces the catalog's sources.yaml.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
KnownSinceOption = Annotated[
    datetime | None,
    typer.Option(
        "--known-since", formats=["%Y-%m-%d"],
        help="With registering: first day a run may use it. [default: today, UTC]",
    ),
]  # fmt: skip
ReleaseOption = Annotated[
    str | None, typer.Option("--release", help="Release id, `current` or `previous`. [default: current]")
]

FIRST_DAY = "2023-01-01"
"""No leaderboard of the catalog holds a usable result from before; a backfill ascends from here."""
DEMO_HOME = CHECKOUT / "data" / "demo"
DEMO_SOURCES = CHECKOUT / "warehouse" / "demo" / "sources.yaml"
DEMO_DAY = date(2026, 10, 20)


class UsageError(ValueError):
    """What was asked cannot be done as asked: says what, where, and what to do instead."""


def open_settings(home: Path | None, catalog: Path | None, sources: Path | None = None) -> Settings:
    """Settings from options, environment and defaults.

    Raises:
        UsageError: if a folder named on the command line is not there, or a variable makes no sense.
    """
    for name, path in (("--catalog", catalog), ("--sources", sources)):
        if path is not None and not _exists(name, path):
            raise UsageError(f"{name} {path}: no such file or folder")
    if home is not None and str(home) == ".":
        home = Path.cwd()
    try:
        settings = Settings.from_env(home=home, catalog_dir=catalog, sources_file=sources)
    except SettingsError as error:
        raise UsageError(str(error)) from error
    _check_home("the home" if home is None else "--home", settings.home)
    return settings


def _check_home(name: str, home: Path) -> None:
    """Refuses what can be no folder, before anything is read of it or written into it.

    Raises:
        UsageError: saying what stands in the way.
    """
    standing = next((path for path in (home, *home.parents) if _exists(name, path)), home)
    if standing.exists() and not standing.is_dir():
        where = "" if standing == home else f" ({standing})"
        raise UsageError(f"{name} {home}: a file stands there{where}; a home is a folder, made where it is missing")


def _exists(name: str, path: Path) -> bool:
    """Whether something stands at a path (UsageError for one that no file system takes)."""
    try:
        if "\0" in str(path):
            raise UsageError(f"{name}: a path holds no null character")
        return path.exists()
    except OSError as error:
        raise UsageError(f"{name} {str(path)[:80]}…: {error.strerror or error}") from error


def demonstration_hint(settings: Settings) -> str | None:
    """What to say where the demonstration's home is to be filled from the sources of the network; None elsewhere."""
    if settings.home != DEMO_HOME or settings.sources_file != CHECKOUT / "warehouse" / "catalog" / "sources.yaml":
        return None
    return (
        f"{settings.home} holds the demonstration, and these are the sources of the network: for its own sources "
        f"`scoretrail run --demo`, or SCORETRAIL_SOURCES={DEMO_SOURCES}; for another home `--home`"
    )


def shipped_catalog_hint(settings: Settings) -> str | None:
    """What to say where something is written into the catalog that came with the checkout; None elsewhere."""
    if settings.catalog_dir != CHECKOUT / "warehouse" / "catalog":
        return None
    return f"this is the catalog of the checkout, {settings.catalog_dir}: to keep your own, copy it and name --catalog"


def first_day(known_since: datetime | None, register: str | None) -> date | None:
    """The first day a run may use what is registered; None where it is the day of registering.

    Raises:
        UsageError: where a day is named and nothing is to be registered.
    """
    if known_since is not None and register is None:
        raise UsageError("--known-since: says from when evidence may be used; name the evidence: --register NAME")
    return None if known_since is None else known_since.date()


def parse_day(text: str | None) -> date | None:
    """A day given on the command line, as YYYY-MM-DD.

    Raises:
        UsageError: for anything else, or a day to come.
    """
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--as-of {text}: a day looks like 2026-10-20") from None
    if day > datetime.now(UTC).date():
        raise UsageError(f"--as-of {text}: that day has not begun (UTC)")
    return day
