"""`scoretrail docs`: reference pages that are derived from the code, so that they cannot drift."""

from __future__ import annotations

import sys

import typer

from warehouse.data_dictionary import data_dictionary
from warehouse.exit_codes import ExitCode

app = typer.Typer(no_args_is_help=True, help="Reference pages derived from the code.")


@app.callback()
def _group() -> None:
    """Keeps `docs` a group while it has one page."""


@app.command("dictionary")
def dictionary() -> ExitCode:
    """Print the data dictionary: every table, column, type, unit, meaning and the function that computes it."""
    sys.stdout.write(data_dictionary())
    return ExitCode.OK
