"""`scoretrail import`, and the formats of `scoretrail export`: files of other programs in, files for them out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from resources.manifest import Release
from warehouse.exit_codes import ExitCode
from warehouse.identity import is_slug

SHOWN = 10
SchemaOption = Annotated[
    Path | None,
    typer.Option("--schema", help="The publisher's JSON schema; every log is judged by it, the faults are listed."),
]


class ImportFormat(StrEnum):
    """What can be read."""

    EVERY_EVAL_EVER = "every-eval-ever"


class ExportFormat(StrEnum):
    """What a release can be written as."""

    EVERY_EVAL_EVER = "every-eval-ever"
    PARQUET = "parquet"
    CSV = "csv"


def import_logs(
    path: Annotated[Path, typer.Argument(help="A log, or a folder of logs.")],
    *,
    out: Annotated[Path, typer.Option("--out", help="File of the native format to write.")],
    leaderboard: Annotated[str, typer.Option("--leaderboard", help="Id of the leaderboard that these results are.")],
    form: Annotated[ImportFormat, typer.Option("--format", help="What the files are.")] = ImportFormat.EVERY_EVAL_EVER,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Unit of results that state none; without it they are never scored.")
    ] = None,
    schema: SchemaOption = None,
    samples: Annotated[
        Path | None, typer.Option("--samples", help="Parquet file to write the instance level into, at most 64 MB.")
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Read logs of another program into one file of the native format, to be named in sources.yaml.

    A log or a result that cannot be read is listed and left out; ends with 1 where there is one, or where the
    publisher's schema finds a fault.
    """
    from resources.connectors.every_eval_ever.samples import read_samples
    from resources.exchange import import_logs as import_files
    from resources.exchange import snapshot_files, tree_files

    options.open_settings(home, catalog)  # neither is read here; a folder that is not there is a mistake all the same
    if not is_slug(leaderboard):
        raise UsageError(f"--leaderboard {leaderboard}: lower-case letters, digits, '.', '_' and '-' only")
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    logs, instances = tree_files(path)
    found = import_files(snapshot_files(logs, path), leaderboard, unit, out, schema)
    problems, faults, results = found.problems, found.faults, found.results
    rows = 0
    if samples is not None:
        table: pl.DataFrame = read_samples(list(snapshot_files(instances, path)))
        table.write_parquet(samples)
        rows = table.height
    code = ExitCode.GATE if problems or faults else ExitCode.OK
    if as_json:
        console.print_json({
            "format": str(form), "file": str(out), "logs": len(logs), "results": results, "problems": list(problems),
            "schema_faults": list(faults), "samples": rows, "instance_files": len(instances), "exit_code": int(code),
        })  # fmt: skip
        return code
    for line in [*problems[:SHOWN], *faults[:SHOWN]]:
        console.error_line(line)
    said = [f"{results:,} results of {len(logs):,} logs: {out}"]
    if problems or faults:
        said.append(f"{len(problems):,} results or logs could not be read; the schema found {len(faults):,} faults")
    if samples is not None:
        said.append(f"{rows:,} samples of {len(instances):,} files: {samples}")
    elif instances:
        said.append(f"{len(instances):,} instance-level files were left aside (--samples FILE reads them)")
    for line in said:
        console.stdout().print(line, markup=False, soft_wrap=True)
    return code


def export_as(
    release: Release, form: ExportFormat, out: Path, leaderboards: list[str], schema: Path | None, *, as_json: bool
) -> ExitCode:
    """Writes a release in a format of other programs; ends with 1 where the publisher's schema finds a fault."""
    from resources.exchange import export_logs, export_tables

    is_logs = form is ExportFormat.EVERY_EVAL_EVER
    if not is_logs and (leaderboards or schema):
        raise UsageError(f"--leaderboard and --schema go with --format {ExportFormat.EVERY_EVAL_EVER}")
    written = export_logs(release, out, leaderboards, schema) if is_logs else export_tables(release, out, form)
    code = ExitCode.GATE if written.faults else ExitCode.OK
    if as_json:
        console.print_json({
            "release_id": release.release_id, "format": str(form), "folder": str(out), "files": written.files,
            "results": written.results, "schema_faults": list(written.faults), "exit_code": int(code),
        })  # fmt: skip
        return code
    for fault in written.faults[:SHOWN]:
        console.error_line(fault)
    line = f"{release.release_id} as {form}: {written.files:,} files, {written.results:,} results: {out}"
    console.stdout().print(line, markup=False, soft_wrap=True)
    return code
