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
    release: Annotated[str, typer.Argument(help="Release id, `current` or `previous`.")],
    *,
    archive: Annotated[Path | None, typer.Option("--archive", help="The one file to write, a zip.")] = None,
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
        typer.Option(
            "--allow-license",
            help="With --archive: a licence, as the source states it, whose bytes may be passed on too; repeatable.",
        ),
    ] = None,
    with_evidence: Annotated[
        bool,
        typer.Option("--with-evidence", help="With --archive: registered evidence too, if it may be passed on."),
    ] = False,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Pack a release into one file with --archive FILE, or write it for other programs with --format FORMAT --out DIR.

    The file holds the release and its inputs, the same bytes on every call. An input whose licence does not allow
    passing it on is named with hash and link instead. `scoretrail verify FILE` recomputes it on another machine, as far
    as the inputs in it reach; unpacked, it is a home.

    The formats: every-eval-ever writes the received results as logs of that form, which `scoretrail import` reads back
    without loss; parquet and csv write the tables.
    """
    from pipelines.release_reader import ReleaseReader
    from resources.release_archive import write_archive
    from warehouse.licences import REDISTRIBUTABLE, names_of

    settings = options.open_settings(home, catalog)
    found = ReleaseReader(settings.home, release).release
    if (archive is None) == (form is None) or (form is None) != (out is None):
        raise UsageError("name either --archive FILE, or --format FORMAT with --out FOLDER")
    if form is not None and out is not None:
        if allow_license or with_evidence:
            raise UsageError("--allow-license and --with-evidence go with --archive, not with --format")
        return export_as(found, form, out, leaderboard or [], schema, as_json=as_json)
    if archive is None or leaderboard or schema:
        raise UsageError("--leaderboard and --schema go with --format, not with --archive")
    if archive.is_dir():
        raise UsageError(f"--archive {archive}: is a folder; name a file, for example {archive / found.release_id}.zip")
    if not archive.absolute().parent.is_dir():
        raise UsageError(f"--archive {archive}: there is no folder {archive.parent}; make it, or name another file")
    allowed = {*REDISTRIBUTABLE, *(allow_license or [])}
    stated = frozenset[str]().union(*(names_of(entry.license) for entry in found.manifest.snapshots))
    for name in allow_license or []:
        if name.casefold() not in stated:
            console.note_line(f"--allow-license {name}: no input of {found.release_id} states it; it lets nothing pass")
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
