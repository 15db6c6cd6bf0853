"""`scoretrail manifest`: an inference-stack manifest captured, and two runs held against each other (METHODS 9)."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.manifests.study import StackPair
    from warehouse.manifest_words import PairStanding
    from warehouse.methodology import Methodology

app = typer.Typer(no_args_is_help=True, help="What gave the outputs: manifests of inference stacks.")

EXIT_CODES: dict[PairStanding, ExitCode] = {
    "matches": ExitCode.OK,
    "differs": ExitCode.GATE,
    "unknown": ExitCode.UNDECIDED,
    "no_manifest": ExitCode.UNDECIDED,
}
RunArgument = Annotated[Path, typer.Argument(help="A run: its manifest, or a folder with manifest and outputs.")]


@app.callback()
def manifest() -> None:
    """What gave the outputs: manifests of inference stacks."""


@app.command()
def capture(
    *,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; printed where none is named.")] = None,
    stated: Annotated[
        list[str] | None,
        typer.Option("--set", help="field=value that the environment cannot tell, such as dtype=bfloat16; repeatable."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="Folder of the model's files: chat template, quantization.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--from", help="Log of the run: results of lm-evaluation-harness, a log of Inspect.")
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Write down what this environment can tell of its inference stack; the rest is null, with what to state.

    Nothing heavy is imported: versions come from package metadata, the GPU from nvidia-smi, the commit from git. What a
    log of the run says comes before what the environment does, and --set before both.
    """
    from methods.manifests.comparison import missing_fields
    from resources.atomic_files import write_bytes
    from resources.catalog_files import load_catalog
    from resources.manifest_files import manifest_of
    from resources.stack_capture import capture as captured
    from resources.stack_capture import manifest_text
    from resources.stack_logs import stack_of_log

    settings = options.open_settings(home, catalog)
    if model is not None and not model.is_dir():
        raise UsageError(f"--model {model}: no such folder")
    logged = [] if log is None else list(stack_of_log(log).items())
    pairs = [*logged, *(_stated(one) for one in stated or ())]
    text = manifest_text(captured(Path.cwd(), model), pairs, datetime.now(UTC).replace(microsecond=0))
    read = manifest_of(text.encode(), str(out or "the manifest"))
    if out is not None:
        try:
            write_bytes(out, text.encode())
        except OSError as error:
            raise UsageError(f"--out {out}: {error.strerror or error}; name a file that can be written") from error
    missing = missing_fields(read, load_catalog(settings.catalog_dir).catalog.methodology.manifests)
    if as_json:
        console.print_json({
            "file": None if out is None else str(out), "manifest": read.model_dump(mode="json", by_alias=True),
            "unstated": list(missing), "exit_code": int(ExitCode.OK),
        })  # fmt: skip
        return ExitCode.OK
    said = console.stdout()
    if out is None:
        said.print(text, markup=False, soft_wrap=True, end="")
    else:
        said.print(f"Written: {out}", markup=False, soft_wrap=True)
    left = f"Still to state for a whole manifest: {', '.join(missing)}." if missing else "The manifest is whole."
    console.progress_line(left) if out is None else said.print(left, markup=False, soft_wrap=True)
    return ExitCode.OK


def _stated(text: str) -> tuple[str, Any]:
    from resources.manifest_files import scalar_of
    from warehouse.inference_manifest import RUN_FIELDS

    name, equals, value = text.partition("=")
    if not equals or not value:
        raise UsageError(f"--set {text}: write field=value")
    if name not in RUN_FIELDS and name.partition(".")[0] not in ("packages", "host", "extra"):
        hint = console.suggestion(name, RUN_FIELDS)
        raise UsageError(f"--set {text}: {name} is no field of a manifest; extra.{name} is what you call it{hint}")
    return name, scalar_of(value)


@app.command()
def compare(
    a: RunArgument,
    b: RunArgument,
    *,
    outputs: Annotated[
        list[Path] | None, typer.Option("--outputs", help="Outputs of A, then of B: JSON lines, CSV or Parquet.")
    ] = None,
    register: Annotated[str | None, typer.Option("--register", help="Keep both as evidence of this name.")] = None,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Two manifests field by field, dtype, batch size and kernels first; and the outputs of both, where they are there.

    Ends with 0 where the whole manifests match, which a claimed reproduction needs; with 1 where a field differs; with
    4 where nothing stated differs and something is not stated: missing is a difference, nothing may be claimed over it.
    """
    from methods.manifests.study import StackRun, compare_runs
    from pipelines.manifest_text import print_pair
    from resources.catalog_files import load_catalog
    from resources.manifest_files import read_outputs
    from resources.run_folders import read_run

    settings, since = options.open_settings(home, catalog), options.first_day(known_since, register)
    methodology = load_catalog(settings.catalog_dir).catalog.methodology
    first, second = read_run(a).stack, read_run(b).stack
    if first.id == second.id:
        first, second = (StackRun(str(path), run.manifest, run.outputs) for path, run in ((a, first), (b, second)))
    if outputs:
        if len(outputs) != 2:
            raise UsageError("--outputs: name two files, of A and of B")
        first, second = (
            StackRun(run.id, run.manifest, read_outputs(path))
            for run, path in zip((first, second), outputs, strict=True)
        )
    pair = compare_runs(first, second, methodology)
    code = EXIT_CODES[pair.comparison.standing]
    kept = None if register is None else keep(settings.home, register, (a, b), outputs or [], since)
    if as_json:
        console.print_json({**pair_json(pair, methodology), "registered": kept, "exit_code": int(code)})
        return code
    print_pair(console.stdout(), pair, methodology)
    if kept is not None:
        console.stdout().print(f"Registered manifests {register}: SHA-256 {kept}", markup=False, soft_wrap=True)
    return code


def pair_json(pair: StackPair, methodology: Methodology) -> dict[str, Any]:
    """Two runs held against each other, as JSON values."""
    from pipelines.manifest_text import limits

    found = pair.comparison
    return {
        "a": pair.a.id,
        "b": pair.b.id,
        "standing": found.standing,
        "may_claim_reproduction": found.may_claim_reproduction,
        "first_difference": None if found.first_difference is None else found.first_difference.field,
        "fields": [asdict(one) for one in found.fields],
        "audit": {**asdict(pair.audit), "exact_agreement": pair.audit.agreement, "limits": limits(pair, methodology)},
    }


def keep(home: Path, name: str, runs: tuple[Path, Path], outputs: list[Path], since: date | None) -> str:
    """Registers two runs under the names of their files or folders (errors as `register_files`)."""
    import shutil
    import tempfile

    from pipelines.register_command import register_files
    from resources.run_folders import read_run

    if len({read_run(path).stack.id for path in runs}) < len(runs):
        raise UsageError(f"--register {name}: both runs are called {read_run(runs[0]).stack.id}; rename one of them")
    with tempfile.TemporaryDirectory() as folder:
        files: list[Path] = []
        for place, path in enumerate(runs):
            run = read_run(path)
            named = [file for file in run.stack_files if not outputs or _is_manifest(file)] + outputs[place : place + 1]
            for file in named:
                suffix = file.suffix if _is_manifest(file) and file not in outputs else f".outputs{file.suffix}"
                files.append(Path(folder) / f"{run.stack.id}{suffix}")
                shutil.copyfile(file, files[-1])
        return register_files(home, "manifests", name, files, since).sha256


def _is_manifest(file: Path) -> bool:
    from resources.manifest_files import MANIFEST_SUFFIXES

    return file.suffix in MANIFEST_SUFFIXES
