"""`scoretrail register`: keeps what a user brings as evidence of the home, under a name that studies.yaml can name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption
from warehouse.exit_codes import ExitCode
from warehouse.study_words import FREEZE_EVIDENCE, REGRESSION_EVIDENCE, SOURCE_STUDY_KIND, STUDY_EVIDENCE

if TYPE_CHECKING:
    from resources.evidence_store import EvidenceRecord

app = typer.Typer(no_args_is_help=True, help="Keep evidence in the home, under a name that studies.yaml can name.")

NameArgument = Annotated[str, typer.Argument(help="Its name: lower case, digits, '.', '_', '-'. Given once.")]
FilesArgument = Annotated[list[Path], typer.Argument(help="The files; they are copied.")]


@app.callback()
def register() -> None:
    """Keep evidence in the home, under a name that studies.yaml can name."""


@app.command("freeze")
def freeze(
    name: NameArgument,
    folder: Annotated[Path, typer.Argument(help="Folder that `scoretrail freeze` wrote.")],
    *,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Keep a freeze, after proving every file of it against its manifest."""
    return _said(register_freeze(options.open_settings(home, catalog).home, name, folder), as_json=as_json)


def _brought(kind: str, what: str) -> Callable[..., ExitCode]:
    """The subcommand that keeps files of one kind of evidence."""

    def command(
        name: NameArgument,
        files: FilesArgument,
        *,
        known_since: KnownSinceOption = None,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        since = None if known_since is None else known_since.date()
        place = options.open_settings(home, catalog).home
        return _said(register_files(place, kind, name, files, since), as_json=as_json)

    command.__doc__ = f"Keep {what}, after reading them as a study would."
    return command


_BROUGHT = {
    "losses": "losses by protocol",
    "manifests": "manifests of inference stacks",
    "judgments": "judgments of a judge",
    "attempts": "attempts of agents",
    "samples": "samples of an evaluation",
}
for _kind in sorted(STUDY_EVIDENCE.values()):
    app.command(_kind)(_brought(_kind, _BROUGHT[_kind]))


@app.command(REGRESSION_EVIDENCE)
def regression(
    name: NameArgument,
    files: FilesArgument,
    *,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Keep a regression set, of which nothing keeps a failure out today.

    Ends with 1 where something does, and nothing is kept: scoretrail regression check says what.
    """
    from methods.regression.rules import regression_findings
    from resources.catalog_files import load_methodology
    from resources.regression_files import read_failures

    settings = options.open_settings(home, catalog)
    failures = [one for path in files for one in read_failures(path)]
    today = datetime.now(UTC).date()
    found = regression_findings(failures, load_methodology(settings.catalog_dir).regression, today)
    if found:
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        said = f"nothing was kept: {found[0].rule}: {found[0].detail}{more}; see scoretrail regression check {files[0]}"
        console.print_json({"error": said, "exit_code": 1}) if as_json else console.error_line(said)
        return ExitCode.GATE
    since = None if known_since is None else known_since.date()
    return _said(register_files(settings.home, REGRESSION_EVIDENCE, name, files, since), as_json=as_json)


def register_files(
    home: Path, kind: str, name: str, files: Sequence[Path], known_since: date | None = None
) -> EvidenceRecord:
    """Keep files as evidence while holding the home, after the reader of their kind has read them.

    Raises:
        EvidenceError: as the reader says, or as `EvidenceStore.register_files`.
        HomeLockedError: if another run holds the home.
    """
    from resources.evidence_readers import READERS
    from resources.evidence_store import EvidenceError, EvidenceStore
    from resources.home_lock import HomeLock

    notes: list[str] = []

    def read(folder: Path) -> None:
        notes.extend(getattr(READERS[kind](folder), "notes", ()))

    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise EvidenceError(f"{missing}: is no file")
    with HomeLock(home):
        record = EvidenceStore(home).register_files(kind, name, files, datetime.now(UTC), known_since, read)
    for note in notes:
        console.note_line(note)
    return record


def _said(record: EvidenceRecord, *, as_json: bool) -> ExitCode:
    if as_json:
        console.print_json({"kind": record.kind, "name": record.name, "sha256": record.sha256})
    else:
        console.stdout().print(registered_line(record), markup=False, soft_wrap=True)
    return ExitCode.OK


def register_freeze(home: Path, name: str, folder: Path) -> EvidenceRecord:
    """Keep a freeze while holding the home (errors as `EvidenceStore.register_freeze`, and HomeLockedError)."""
    from resources.evidence_store import EvidenceStore
    from resources.home_lock import HomeLock

    with HomeLock(home):
        return EvidenceStore(home).register_freeze(name, folder, datetime.now(UTC))


def registered_line(record: EvidenceRecord) -> str:
    """What was registered, from which day on it may be used, and the entry of studies.yaml that uses it."""
    if record.kind == REGRESSION_EVIDENCE:
        return (
            f"Registered {record.kind} {record.name}: SHA-256 {record.sha256}\n"
            f"Before each use, hold it against the day again: scoretrail regression check {record.folder}/FILE"
        )
    what = "manifest SHA-256" if record.kind == FREEZE_EVIDENCE else "SHA-256"
    study = next((kind for kind, evidence in STUDY_EVIDENCE.items() if evidence == record.kind), SOURCE_STUDY_KIND)
    entry = f"{{id: YOUR-ID, kind: {study}, evidence: {record.name}, publish: true}}"
    return (
        f"Registered {record.kind} {record.name}: {what} {record.sha256}\n"
        f"Runs of {record.usable_from} and later may use it, by an entry of studies.yaml: - {entry}"
    )
