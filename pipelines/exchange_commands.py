"""`scoretrail import`, and the formats of `scoretrail export`: files of other programs in, files for them out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode
from warehouse.identity import is_slug

if TYPE_CHECKING:
    import polars as pl

    from resources.manifest import Release

SHOWN = 10
SchemaOption = Annotated[
    Path | None,
    typer.Option("--schema", help="The publisher's JSON schema; every log is judged by it, the faults are listed."),
]


class ImportFormat(StrEnum):
    """What can be read."""

    EVERY_EVAL_EVER = "every-eval-ever"
    EVERY_EVAL_EVER_INSTANCES = "every-eval-ever-instances"
    INSPECT = "inspect"
    LM_EVAL = "lm-eval"
    SWEBENCH = "swebench"
    HARBOR = "harbor"


class LogShape(StrEnum):
    """What attempts are written as."""

    ROWS = "rows"
    SAMPLES = "samples"
    ATTEMPTS = "attempts"


class UnscoredAs(StrEnum):
    """What an attempt without a score is said to be."""

    NULL = "null"
    INFRASTRUCTURE = "infrastructure"
    ZERO = "zero"


class ExportFormat(StrEnum):
    """What a release can be written as."""

    EVERY_EVAL_EVER = "every-eval-ever"
    PARQUET = "parquet"
    CSV = "csv"


def import_logs(
    path: Annotated[Path, typer.Argument(help="A log, or a folder of logs.")],
    *,
    out: Annotated[
        Path,
        typer.Option("--out", help="File to write: results in the native format; attempts as .jsonl, .csv, .parquet."),
    ],
    leaderboard: Annotated[
        str | None, typer.Option("--leaderboard", help="Id of the leaderboard that these results are.")
    ] = None,
    form: Annotated[ImportFormat, typer.Option("--format", help="What the files are.")] = ImportFormat.EVERY_EVAL_EVER,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Unit of results that state none; without it they are never scored.")
    ] = None,
    schema: SchemaOption = None,
    samples: Annotated[
        Path | None, typer.Option("--samples", help="Parquet file to write the instance level into, at most 64 MB.")
    ] = None,
    shape: Annotated[
        LogShape, typer.Option("--as", help="Of attempts: all that was read, samples for decide, attempts for harness.")
    ] = LogShape.ROWS,
    unscored: Annotated[
        UnscoredAs, typer.Option("--unscored", help="With --as samples: what an attempt without a score is said to be.")
    ] = UnscoredAs.NULL,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="Of attempts: logs that hold the same attempt are repetitions of it.")
    ] = False,
    score: Annotated[
        list[str] | None,
        typer.Option("--score", help="Of attempts: which of several scores; repeat it for several tasks."),
    ] = None,
    system: Annotated[str | None, typer.Option("--system", help="Of attempts: what to call the system.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Of attempts: the model, in place of the log's.")] = None,
    harness: Annotated[
        str | None, typer.Option("--harness", help="Of attempts: the harness, in place of the log's.")
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option("--benchmark", help="Of attempts: the benchmark, in place of the log's.")
    ] = None,
    slices: Annotated[
        list[str] | None, typer.Option("--slice", help="Of attempts: a key of the samples' metadata to carry along.")
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Read logs of another program: its results into one file of the native format, or its attempts, one a row.

    `every-eval-ever` gives results, to be named in sources.yaml, and wants --leaderboard; the other formats give
    attempts, for decide and harness. What cannot be read is listed and left out; ends with 1 where there is such, or
    where the publisher's schema finds a fault.
    """
    from resources.connectors.every_eval_ever.samples import read_samples
    from resources.exchange import import_logs as import_files
    from resources.exchange import snapshot_files, tree_files

    options.open_settings(home, catalog)  # neither is read here; a folder that is not there is a mistake all the same
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if form is not ImportFormat.EVERY_EVAL_EVER:
        from pipelines.log_import import import_rows
        from resources.logs.options import LogOptions

        if leaderboard is not None or unit is not None or schema is not None or samples is not None:
            raise UsageError(
                f"--leaderboard, --unit, --schema and --samples go with --format {ImportFormat.EVERY_EVAL_EVER}"
            )
        choices = LogOptions(tuple(score or ()), system, model, harness, benchmark, tuple(slices or ()), repeats)
        return import_rows(path, form, out, choices, shape, unscored.value, as_json=as_json)
    if score or system or model or harness or benchmark or slices:
        raise UsageError(
            "--score, --system, --model, --harness, --benchmark and --slice go with formats that give attempts"
        )
    if leaderboard is None:
        raise UsageError("--leaderboard: name the leaderboard that these results are")
    if not is_slug(leaderboard):
        raise UsageError(f"--leaderboard {leaderboard}: lower-case letters, digits, '.', '_' and '-' only")
    logs, instances = tree_files(path)
    found = import_files(snapshot_files(logs, path), leaderboard, unit, out, schema)
    problems, faults, results = found.problems, found.faults, found.results
    rows = 0
    if samples is not None:
        unread: list[str] = []
        table: pl.DataFrame = read_samples(list(snapshot_files(instances, path)), unread)
        problems += tuple(unread)
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
        said.append(
            f"{len(problems):,} results, logs or samples could not be read; the schema found {len(faults):,} faults"
        )
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
