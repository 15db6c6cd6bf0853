"""`scoretrail triage`: why two scores disagree: manifest, then protocol, then judge (METHODS 9)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.manifests.triage import Triage, TriageStep

_STYLES = {"explains": "bold red", "ruled_out": "green", "unknown": "yellow", "not_reached": "dim"}
SHOWN = 6
_FOLDER = (
    "A run: its manifest, or a folder with manifest.yaml, outputs.jsonl, losses.csv, judgments.csv and judgments.yaml."
)


def triage(
    a: Annotated[Path, typer.Argument(help=_FOLDER)],
    b: Annotated[Path, typer.Argument(help="The other run.")],
    *,
    judge: Annotated[str | None, typer.Option("--judge", help="Whose judgments, where there are several.")] = None,
    go_on: Annotated[bool, typer.Option("--all", help="Look at all three, whichever explains it.")] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Why two scores disagree: manifest, then protocol, then judge; stops at the first that explains it.

    A run is its manifest, or a folder with manifest.yaml, outputs.jsonl, losses.csv, judgments.csv and judgments.yaml,
    each as far as it is there: what is not there is unknown, never equal.

    Says what was compared, what was equal, what is unknown, and the cheapest next measurement. Ends with 0 where one of
    them explains it or all are ruled out, with 4 where something could not be settled and nothing explains it.
    """
    from methods.judging.columns import JudgmentsError
    from methods.manifests.triage import TriageRun
    from methods.manifests.triage import triage as looked
    from resources.catalog_files import load_catalog
    from resources.run_folders import read_run

    settings = options.open_settings(home, catalog)
    methodology = load_catalog(settings.catalog_dir).catalog.methodology
    names = ("a", "b") if a.stem == b.stem else (None, None)
    runs = [read_run(path, name) for path, name in zip((a, b), names, strict=True)]
    first, second = (TriageRun(run.stack, run.losses, run.judgments) for run in runs)
    try:
        found = looked(first, second, methodology, judge, go_on=go_on)
    except JudgmentsError as error:
        raise UsageError(f"--judge: {error}") from error
    code = ExitCode.UNDECIDED if found.explained_by is None and found.unsettled else ExitCode.OK
    if as_json:
        explained = found.explained_by
        console.print_json({
            "a": first.stack.id, "b": second.stack.id, "verdict": found.verdict,
            "explained_by": None if explained is None else explained.name, "next": found.next,
            "steps": [asdict(step) for step in found.steps], "exit_code": int(code),
        })  # fmt: skip
        return code
    print_triage(console.stdout(), first.stack.id, second.stack.id, found)
    return code


def print_triage(out: Console, a: str, b: str, found: Triage) -> None:
    """Prints the steps, what comes of them, and the cheapest next measurement."""
    from pipelines.manifest_text import line

    line(out, f"Triage of {a} and {b}", "bold")
    for place, step in enumerate(found.steps, start=1):
        line(out, "")
        line(out, f"{place} {step.name}: {step.outcome.replace('_', ' ')}: {step.said}", _STYLES[step.outcome])
        for label, told in _told(step):
            line(out, f"   {label}: {told}")
    line(out, "")
    line(out, found.verdict, "bold")
    if found.next is not None:
        line(out, f"Cheapest next measurement: {found.next}.")


def _told(step: TriageStep) -> list[tuple[str, str]]:
    """What a step compared, found equal and does not know; long lists are cut, and --json holds them whole."""
    said = [("compared", one) for one in step.compared]
    for label, names in (("equal", step.equal), ("unknown", step.unknown)):
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            said.append((label, f"{', '.join(names[:SHOWN])}{more}"))
    return said
