"""`scoretrail docs`: reference pages that are derived from the code, so that they cannot drift."""

from __future__ import annotations

import sys

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption
from warehouse.exit_codes import ExitCode

app = typer.Typer(no_args_is_help=True, help="Reference pages derived from the code.")


@app.callback()
def _group() -> None:
    """Keeps `docs` a group while it has one page."""


@app.command("dictionary")
def dictionary(*, home: HomeOption = None, catalog: CatalogOption = None, as_json: JsonOption = False) -> ExitCode:
    """Print the data dictionary: every table, column, type, unit, meaning and the function that computes it."""
    from warehouse.data_dictionary import data_dictionary

    options.open_settings(home, catalog)  # the page depends on neither; a folder that is not there is a mistake
    if as_json:
        console.print_json({"markdown": data_dictionary()})
        return ExitCode.OK
    sys.stdout.write(data_dictionary())
    return ExitCode.OK
