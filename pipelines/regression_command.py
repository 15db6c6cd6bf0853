"""`scoretrail regression`: production failures as a set that may be kept, and whose splits do not leak."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.regression.rules import RegressionFinding

app = typer.Typer(no_args_is_help=True, help="Regression sets: failures that may be kept, in splits that do not leak.")

SetArgument = Annotated[Path, typer.Argument(metavar="SET", help="The set: JSON lines, or CSV.")]
TodayOption = Annotated[
    str | None, typer.Option("--today", help="Day that expiry is held against, YYYY-MM-DD. [default: today, UTC]")
]


@app.command("check")
def check(
    set_file: SetArgument,
    *,
    today: TodayOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """What keeps failures out of a set: fields, consent, expiry, duplicates, and what two splits have in common.

    Ends with 0 where all of it may be kept, 1 where something may not.
    """
    failures = _read(set_file)
    found = _findings(failures, today, home, catalog)
    if as_json:
        console.print_json({"failures": len(failures), "findings": [_as_json(one) for one in found]})
    else:
        _show(f"{set_file.name}: {len(failures)} failures, {len(found)} findings", found)
    return ExitCode.GATE if found else ExitCode.OK


@app.command("add")
def add(
    set_file: Annotated[Path, typer.Argument(metavar="SET", help="The set to add to, JSON lines; made where absent.")],
    new_file: Annotated[Path, typer.Argument(metavar="NEW", help="The failures to add: JSON lines, or CSV.")],
    *,
    today: TodayOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Add failures to a set: all of them where nothing speaks against the whole, or none.

    Ends with 0 where they were added, 1 where something speaks against it and nothing was written.
    """
    from resources.regression_files import LINES, write_failures

    if set_file.suffix != LINES:
        raise UsageError(f"{set_file}: a set that is added to is JSON lines; name it {set_file.stem}{LINES}")
    standing = _read(set_file) if set_file.exists() else []
    new = _read(new_file)
    known = [tuple(sorted(one.items())) for one in standing]
    added = [one for one in new if tuple(sorted((k, v) for k, v in one.items() if v)) not in known]
    whole = [*standing, *added]
    found = _findings(whole, today, home, catalog)
    if not found and added:
        write_failures(set_file, whole)
    written = len(added) if not found else 0
    if as_json:
        findings = [_as_json(one) for one in found]
        console.print_json({"added": written, "failures": len(standing) + written, "findings": findings})
    elif found:
        _show(f"Nothing was added: {len(found)} findings (rows count {set_file.name}, then {new_file.name})", found)
    else:
        said = f"Added {written} of {len(new)} failures to {set_file}, which holds {len(whole)}"
        console.stdout().print(said, markup=False, soft_wrap=True)
    return ExitCode.GATE if found else ExitCode.OK


def _read(path: Path) -> list[dict[str, str | None]]:
    from resources.regression_files import read_failures

    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    return read_failures(path)


def _findings(
    failures: list[dict[str, str | None]], today: str | None, home: Path | None, catalog: Path | None
) -> tuple[RegressionFinding, ...]:
    from methods.regression.rules import regression_findings
    from resources.catalog_files import load_methodology

    settings = options.open_settings(home, catalog)
    rules = load_methodology(settings.catalog_dir).regression
    return regression_findings(failures, rules, _day(today))


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--today {text}: a day looks like 2026-10-20") from None


def _as_json(one: RegressionFinding) -> dict[str, object]:
    return {"rule": one.rule, "rows": list(one.rows), "ids": list(one.ids), "detail": one.detail}


def _show(title: str, found: tuple[RegressionFinding, ...]) -> None:
    rows = [(one.rule, ", ".join(map(str, one.rows)), ", ".join(one.ids), one.detail) for one in found]
    columns = [("rule", "left"), ("rows", "left"), ("ids", "left"), ("what is wrong", "left")]
    console.stdout().print(console.table(title, columns, rows))
