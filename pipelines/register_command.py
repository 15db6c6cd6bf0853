"""`scoretrail register`: keeps what a user brings as evidence of the home, under a name that studies.yaml can name."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from resources.evidence_store import EvidenceRecord

app = typer.Typer(no_args_is_help=True, help="Keep evidence in the home, under a name that studies.yaml can name.")


@app.callback()
def register() -> None:
    """Keep evidence in the home, under a name that studies.yaml can name."""


@app.command("freeze")
def freeze(
    name: Annotated[str, typer.Argument(help="Name of the freeze: lower case, digits, '.', '_', '-'. Given once.")],
    folder: Annotated[Path, typer.Argument(help="Folder that `scoretrail freeze` wrote.")],
    *,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Keep a freeze, after proving every file of it against its manifest."""
    record = register_freeze(options.open_settings(home, catalog).home, name, folder)
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
    """What was registered, in words."""
    return f"Registered {record.kind} {record.name}: manifest SHA-256 {record.sha256}"
