"""`scoretrail status`: the home's health, for people and for monitors; a dead-man's answer when no night has run."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from pipelines.health import Health

MAX_AGE_HOURS = 26.0
"""A nightly release is older than this only where a night is missing: a day, and two hours of grace."""


def status(
    *,
    max_age_hours: Annotated[
        float, typer.Option("--max-age-hours", min=0, help="Age of the newest release beyond which this is unhealthy.")
    ] = MAX_AGE_HOURS,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Health: last release and its age, each source's freshness, the newest verdicts. Ends with 1 if unhealthy."""
    from pipelines.health import health

    settings = options.open_settings(home, catalog, sources)
    found = health(settings, datetime.now(UTC), max_age_hours)
    if as_json:
        console.print_json(asdict(found))
    else:
        _show(found)
    return ExitCode.OK if found.healthy else ExitCode.GATE


def _show(found: Health) -> None:
    out = console.stdout()
    out.print("healthy" if found.healthy else "NOT healthy", style="bold green" if found.healthy else "bold red")
    for reason in found.reasons:
        out.print(f"  {reason}", markup=False)
    out.print(f"home     {found.home}", markup=False)
    age = "" if found.age_hours is None else f", made {found.age_hours:.1f} hours ago, as of {found.as_of}"
    out.print(f"release  {found.release_id or 'none'}{age}", markup=False)
    for line in found.standing:
        out.print(f"         {line}", markup=False)
    out.print(f"nightly  {found.nightly.message}", markup=False)
    tally = ", ".join(f"{n} {verdict}" for verdict, n in found.verdicts.items()) or "none"
    out.print(f"gates    {tally} ({found.verdicts_as_of or 'never judged'})", markup=False)
    if found.pairs_awaiting is not None:
        out.print(f"pairs    {found.pairs_awaiting:,} await a person (scoretrail review queue)", markup=False)
    rows = [(s.leaderboard, s.status, console.number(s.age_days), s.message) for s in found.sources]
    columns = [("leaderboard", "left"), ("status", "left"), ("age, days", "right"), ("what happened", "left")]
    out.print(console.table("Sources", columns, rows))
    if found.former_sources:
        names = ", ".join(found.former_sources)
        out.print(f"No longer asked, and not judged: {names}", markup=False, soft_wrap=True)
