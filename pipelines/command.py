"""The `scoretrail` command: its subcommands, and how mistakes end: what went wrong, where, what next, no traceback.

Belongs here: the front door. What a subcommand does stands in its own module, imported when it is called, so that
`--help` and small commands start at once.
"""

from __future__ import annotations

import gc
import itertools
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

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
from pipelines.command_tree import asked_for, asked_help, told_once, tree
from pipelines.mistakes import exit_code, is_disk, refused
from warehouse.exit_codes import ExitCode


def _show_version(asked: bool) -> None:
    """Prints which program this is: the code version is the one that releases state."""
    if asked:
        from resources.code_version import code_version
        from resources.package_versions import own_version

        console.stdout().print(f"scoretrail {own_version()}, code {code_version()}", markup=False, soft_wrap=True)
        raise typer.Exit


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


@app.callback()
def scoretrail(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show version and code version, and end."
        ),
    ] = False,
) -> None:
    """Nothing is done before a subcommand."""


app.command(short_help="Run a day: sync, normalize, filter, score, gate, publish.")(run_commands.run)
app.command(short_help="Only fetch the leaderboards, and keep what is sound.")(run_commands.sync)
app.command(short_help="Replay older versions of the sources; a release for each day.")(backfill_command.backfill)
app.command()(release_commands.scores)
app.command(short_help="Why a score is what it is, down to snapshot hash and row.")(release_commands.explain)
app.command(short_help="How far off scores are on results withheld from them.")(backtest_command.backtest)
app.command(short_help="What changed between two releases, and why.")(diff_command.diff)
app.command(short_help="Recompute a release and compare every table hash.")(release_commands.verify)
app.command(short_help="All results as CSV with their links, and a manifest of hashes.")(release_commands.freeze)
app.command(short_help="Why two rows may be subtracted or not, and what to record.")(pair_command.pair)
app.command(short_help="How far a ranking moves under another lawful protocol.")(protocol_command.protocol)
app.command()(decide_command.decide)
app.command(short_help="How many tasks a decision needs, and what a number can show.")(plan_command.plan)
app.command(short_help="Who is to blame when an agent fails: model, harness, or both.")(harness_command.harness)
app.command(short_help="Pack a release into one file, or write it for other programs.")(archive_commands.export)
app.command("import", short_help="Read logs of other programs: results, attempts, samples.")(
    exchange_commands.import_logs
)
app.command(short_help="The site of a release: served, or written into a folder.")(site_command.site)
app.command(short_help="Health: last release, age of sources, newest verdicts.")(status_command.status)
app.command(short_help="Releases whose numbers rest on a row corrected since.")(standing_commands.affected)
app.command()(standing_commands.withdraw)
app.command()(standing_commands.rollback)
app.command(short_help="The same graph in the Dagster UI, with the nightly schedule.")(ui_command.ui)
app.add_typer(catalog_command.app, name="catalog")
app.add_typer(models_command.app, name="models", short_help="Names that the registry does not know; what they may be.")
app.add_typer(
    review_command.app, name="review", short_help="Candidate pairs: what awaits a person, and what was decided."
)
app.add_typer(judge_command.app, name="judge")
app.add_typer(contract_command.app, name="contract", short_help="Release contracts: fixed before there are results.")
app.command(short_help="Why two scores disagree: manifest, then protocol, then judge.")(triage_command.triage)
app.add_typer(manifest_command.app, name="manifest")
app.add_typer(
    register_command.app, name="register", short_help="Keep evidence in the home, for studies of the catalog."
)
app.add_typer(
    rollout_command.shadow_app, name="shadow", short_help="Requests copied to a candidate whose answers reach nobody."
)
app.add_typer(rollout_command.canary_app, name="canary", short_help="A small part of real traffic, and when to stop.")
app.add_typer(
    regression_command.app, name="regression", short_help="Failures that may be kept, in splits that do not leak."
)
app.add_typer(docs_command.app, name="docs")


INTERRUPTED = "interrupted; nothing half-done was published"
INTERRUPTED_CODE = 130
"""What typer returns in place of an interruption from the keyboard, which it does not let through."""
FOLDERS = frozenset({"--home", "--catalog"})
"""Options that name folders: an empty one, as of an unset variable of a script, would be the working directory."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point: runs a subcommand and ends with its exit code.

    Nearly all that a command makes lives as long as it does: looking for garbage among it again and again, and once
    more at the end, would take a fifth of a short run.
    """
    gc.set_threshold(100_000, 50, 1_000)
    # TERM ends a command as Ctrl-C does: locks are given back, what is half done is cleared, and it is said.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
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
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _said(arguments, INTERRUPTED, ExitCode.USAGE, with_help=False)
    except click.ClickException as error:
        shown = asked_help(error)
        if shown is not None:
            console.stdout().print(shown, markup=False, soft_wrap=True)
            return ExitCode.USAGE
        return _said(arguments, told_once(error.format_message()), ExitCode.USAGE)
    except Exception as error:  # noqa: BLE001 - the last boundary: a traceback is written down, not shown
        return _unexpected(arguments, error)
    if result == INTERRUPTED_CODE:
        return _said(arguments, INTERRUPTED, ExitCode.USAGE, with_help=False)
    return result if isinstance(result, ExitCode) else ExitCode.OK


def _unexpected(arguments: list[str], error: Exception) -> ExitCode:
    code = exit_code(error)
    if code is not ExitCode.BUG:
        storage = is_disk(error) and not isinstance(error, OSError)  # a database's own words name neither
        asked = ". Is the disk full, or read-only? What was published stands unchanged; make room and run again."
        return _said(arguments, str(error).splitlines()[0] + asked if storage else refused(error), code)
    with tempfile.NamedTemporaryFile("w", prefix="scoretrail-bug-", suffix=".txt", delete=False) as report:
        report.write("".join(traceback.format_exception(error)))
    message = f"{type(error).__name__}: {str(error)[:500]} (a bug of ours; the whole report is in {Path(report.name)})"
    return _said(arguments, message, ExitCode.BUG)


def _help_of(arguments: list[str]) -> str:
    """The help that fits what was asked: of the subcommand, where there is such a one."""
    asked = asked_for(tree(app, arguments[0] if arguments else None), arguments)
    return " ".join(["scoretrail", *asked, "--help"])


def _said(arguments: list[str], message: str, code: ExitCode, *, with_help: bool = True) -> ExitCode:
    """One error, as a line for people or an object for machines."""
    if "--json" in arguments:
        console.print_json({"error": message, "exit_code": int(code)})
    else:
        console.error_line(message)
        if code is ExitCode.USAGE and with_help:
            console.progress_line(f"help: {_help_of(arguments)}")
    return code


if __name__ == "__main__":
    main()
