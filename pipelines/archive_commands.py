"""`scoretrail export`: one release as one file that proves itself, or as files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console, options
from pipelines.exchange_commands import ExportFormat, SchemaOption, export_as
from pipelines.options import HomeOption, JsonOption, ReleasedCatalogOption, UsageError
from warehouse.exit_codes import ExitCode


def export(
    release: Annotated[str, typer.Argument(help="Release id, or `current`.")],
    *,
    archive: Annotated[Path | None, typer.Option("--archive", help="File to write, a zip.")] = None,
    form: Annotated[
        ExportFormat | None, typer.Option("--format", help="Write files for other programs instead, into --out.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --format: the folder to write, empty or new.")] = None,
    leaderboard: Annotated[
        list[str] | None,
        typer.Option("--leaderboard", help="With every-eval-ever: only this leaderboard; may be repeated."),
    ] = None,
    schema: SchemaOption = None,
    allow_license: Annotated[
        list[str] | None,
        typer.Option("--allow-license", help="A further licence whose bytes may be passed on; may be repeated."),
    ] = None,
    with_evidence: Annotated[
        bool, typer.Option("--with-evidence", help="Pack registered evidence too: you know that it may be passed on.")
    ] = False,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Pack a release into one file (--archive), or write it for other programs (--format, --out).

    An archive is the same bytes on every call; inputs whose licence forbids passing them on are only named, and
    `scoretrail verify FILE` recomputes it on another machine as far as its inputs allow. Unpacked it is a home.
    Formats: every-eval-ever (the received results as its logs, read back without loss), parquet and csv (the tables).
    """
    from resources.release_archive import write_archive
    from resources.releases import ReleaseStore
    from warehouse.licences import REDISTRIBUTABLE

    settings = options.open_settings(home, catalog)
    store = ReleaseStore(settings.home)
    found = store.current() if release == "current" else store.open(release)
    if found is None:
        raise UsageError(f"{settings.home} holds no release yet; make one with: scoretrail run --home {settings.home}")
    withdrawn = store.ledger().withdrawn.get(found.release_id)
    if withdrawn is not None:
        console.note_line(f"{found.release_id} is withdrawn: {withdrawn}")
    if (archive is None) == (form is None) or (form is None) != (out is None):
        raise UsageError("name either --archive FILE, or --format FORMAT with --out FOLDER")
    if form is not None and out is not None:
        return export_as(found, form, out, leaderboard or [], schema, as_json=as_json)
    if archive is None or leaderboard or schema:
        raise UsageError("--leaderboard and --schema go with --format, not with --archive")
    if archive.is_dir():
        raise UsageError(f"--archive {archive}: is a folder; name a file, for example {archive / found.release_id}.zip")
    allowed = {*REDISTRIBUTABLE, *(allow_license or [])}
    contents = write_archive(settings.home, found, archive, allowed, with_evidence=with_evidence)
    if as_json:
        console.print_json({"file": str(archive), "bytes": archive.stat().st_size, **contents.to_json()})
        return ExitCode.OK
    inside = len(contents.inputs) - len(contents.withheld)
    size = archive.stat().st_size
    lines = [f"{found.release_id} with {inside} of {len(contents.inputs)} inputs: {archive} ({size:,} bytes)"]
    lines += [
        f"  withheld {item.name}: {item.withheld_because}; SHA-256 {item.sha256}, from {item.source_url or 'a user'}"
        for item in contents.withheld
    ]
    lines.append(f"Verify it anywhere with: scoretrail verify {archive}")
    for line in lines:
        console.stdout().print(line, markup=False, soft_wrap=True)
    return ExitCode.OK
