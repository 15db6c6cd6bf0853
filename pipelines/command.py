"""The `scoretrail` command: its subcommands, and how mistakes end: what went wrong, where, what next, no traceback.

Belongs here: the front door. What a subcommand does stands in its own module, imported when it is called, so that
`--help` and small commands start at once.
"""

from __future__ import annotations

import gc
import itertools
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import typer

from pipelines import (
    archive_commands,
    backfill_command,
    backtest_command,
    catalog_command,
    console,
    contract_command,
    decide_command,
    diff_command,
    docs_command,
    exchange_commands,
    harness_command,
    judge_command,
    manifest_command,
    models_command,
    pair_command,
    plan_command,
    protocol_command,
    register_command,
    regression_command,
    release_commands,
    review_command,
    rollout_command,
    run_commands,
    site_command,
    standing_commands,
    status_command,
    triage_command,
    ui_command,
)
from pipelines.command_tree import asked_help, names, told_once, tree
from pipelines.mistakes import exit_code, is_disk
from warehouse.exit_codes import ExitCode

app = typer.Typer(
    name="scoretrail",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 120},
    help="The trail behind every AI-evaluation score: synced, scored, gated, published, explained. "
    "Start with: scoretrail run --demo. Exit codes: 0 done, 1 a gate said no, 2 usage or configuration, "
    "3 a source failed (its last good snapshot served), 4 cannot decide, 70 a bug of ours.",
)
app.command()(run_commands.run)
app.command()(run_commands.sync)
app.command()(backfill_command.backfill)
app.command()(release_commands.scores)
app.command()(release_commands.explain)
app.command()(backtest_command.backtest)
app.command()(diff_command.diff)
app.command()(release_commands.verify)
app.command()(release_commands.freeze)
app.command()(pair_command.pair)
app.command()(protocol_command.protocol)
app.command()(decide_command.decide)
app.command()(plan_command.plan)
app.command()(harness_command.harness)
app.command()(archive_commands.export)
app.command("import")(exchange_commands.import_logs)
app.command()(site_command.site)
app.command()(status_command.status)
app.command()(standing_commands.affected)
app.command()(standing_commands.withdraw)
app.command()(standing_commands.rollback)
app.command()(ui_command.ui)
app.add_typer(catalog_command.app, name="catalog")
app.add_typer(models_command.app, name="models")
app.add_typer(review_command.app, name="review")
app.add_typer(judge_command.app, name="judge")
app.add_typer(contract_command.app, name="contract")
app.command()(triage_command.triage)
app.add_typer(manifest_command.app, name="manifest")
app.add_typer(register_command.app, name="register")
app.add_typer(rollout_command.shadow_app, name="shadow")
app.add_typer(rollout_command.canary_app, name="canary")
app.add_typer(regression_command.app, name="regression")
app.add_typer(docs_command.app, name="docs")


FOLDERS = frozenset({"--home", "--catalog"})
"""Options that name folders: an empty one, as of an unset variable of a script, would be the working directory."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point: runs a subcommand and ends with its exit code.

    Nearly all that a command makes lives as long as it does: looking for garbage among it again and again, and once
    more at the end, would take a fifth of a short run.
    """
    gc.set_threshold(100_000, 50, 1_000)
    code = run(list(sys.argv[1:] if arguments is None else arguments))
    gc.freeze()
    sys.exit(int(code))


def run(arguments: list[str]) -> ExitCode:
    """Runs a subcommand and returns its exit code; every mistake becomes a sentence."""
    pairs = itertools.pairwise(arguments)
    empty = next((name for name, value in pairs if name in FOLDERS and not value), None)
    if empty is not None:
        return _said(arguments, f"{empty}: is empty; name a folder", ExitCode.USAGE)
    try:
        commands = tree(app, arguments[0] if arguments else None)
        result: Any = commands(args=arguments, prog_name="scoretrail", standalone_mode=False)
    except click.exceptions.Exit as end:
        return ExitCode(end.exit_code) if end.exit_code in set(ExitCode) else ExitCode.BUG
    except click.exceptions.Abort:
        console.error_line("interrupted; nothing half-done was published")
        return ExitCode.USAGE
    except click.ClickException as error:
        shown = asked_help(error)
        if shown is not None:
            console.stdout().print(shown, markup=False, soft_wrap=True)
            return ExitCode.USAGE
        return _said(arguments, told_once(error.format_message()), ExitCode.USAGE)
    except KeyboardInterrupt:
        console.error_line("interrupted; nothing half-done was published")
        return ExitCode.USAGE
    except Exception as error:  # noqa: BLE001 - the last boundary: a traceback is written down, not shown
        return _unexpected(arguments, error)
    return result if isinstance(result, ExitCode) else ExitCode.OK


def _unexpected(arguments: list[str], error: Exception) -> ExitCode:
    code = exit_code(error)
    if code is not ExitCode.BUG:
        storage = is_disk(error) and not isinstance(error, OSError)  # a database's own words name neither
        asked = ". Is the disk full, or read-only? What was published stands unchanged; make room and run again."
        return _said(arguments, str(error).splitlines()[0] + asked if storage else str(error), code)
    with tempfile.NamedTemporaryFile("w", prefix="scoretrail-bug-", suffix=".txt", delete=False) as report:
        report.write("".join(traceback.format_exception(error)))
    message = f"{type(error).__name__}: {str(error)[:500]} (a bug of ours; the whole report is in {Path(report.name)})"
    return _said(arguments, message, ExitCode.BUG)


def _help_of(arguments: list[str]) -> str:
    """The help that fits what was asked: of the subcommand, where there is such a one."""
    asked = [arguments[0]] if arguments and arguments[0] in names(app) else []
    return " ".join(["scoretrail", *asked, "--help"])


def _said(arguments: list[str], message: str, code: ExitCode) -> ExitCode:
    """One error, as a line for people or an object for machines."""
    if "--json" in arguments:
        console.print_json({"error": message, "exit_code": int(code)})
    else:
        console.error_line(message)
        if code is ExitCode.USAGE:
            console.progress_line(f"help: {_help_of(arguments)}")
    return code
