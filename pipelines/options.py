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
ReleaseOption = Annotated[
    str | None, typer.Option("--release", help="Release id; the current release where none is named.")
]

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
        if path is not None and not path.exists():
            raise UsageError(f"{name} {path}: no such file or folder")
    try:
        return Settings.from_env(home=home, catalog_dir=catalog, sources_file=sources)
    except SettingsError as error:
        raise UsageError(str(error)) from error


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
