"""`scoretrail judge`: what judges are worth, and cascades fitted, evaluated and applied (METHODS 10).

Belongs here: the command and its report; the subcommands of cascades are `judge_cascades`. Without the name of one,
`scoretrail judge FILE` is the report. Nothing is stored but what is asked for: a queue, a policy, decisions, evidence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import click
import typer
from typer.core import TyperGroup

from pipelines import console, judge_cascades, options
from pipelines.judge_options import (
    FilesArgument,
    OneOrderOption,
    RuleName,
    RuleOption,
    SplitOption,
    judged,
    opened,
    share,
    verdicts,
    write,
)
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption
from warehouse.exit_codes import ExitCode

REPORT = "report"


class ReportByDefault(TyperGroup):
    """The group whose first word, where it names no subcommand, is a file of the report."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the report's name in front where none of a subcommand stands there."""
        if args and args[0] not in {*self.commands, "--help"}:
            args = [REPORT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=ReportByDefault,
    no_args_is_help=True,
    help="What judges are worth, and cascades of them. `scoretrail judge FILE…` is the report: accuracy by confidence, "
    "AUROC, agreement, failures, cost; with --fallback also the cascade, fitted and evaluated.",
)


@app.callback()
def judge() -> None:
    """What judges are worth, and cascades of them."""


@app.command(REPORT)
def report(
    files: FilesArgument,
    *,
    judges: Annotated[list[str] | None, typer.Option("--judge", help="Judge to report; repeatable. All.")] = None,
    fallbacks: Annotated[list[str] | None, typer.Option("--fallback", help="Who decides the rest; repeatable.")] = None,
    rule: RuleOption = RuleName.BOUND,
    split: SplitOption = None,
    one_order: OneOrderOption = False,
    queue: Annotated[Path | None, typer.Option("--queue", help="Write a blind sheet for people, as CSV.")] = None,
    register: Annotated[str | None, typer.Option("--register", help="Keep the files as evidence of this name.")] = None,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """The report: accuracy by confidence, AUROC by task type, agreement, failures, cost; cascades with --fallback.

    Ends with 1 where a cascade loses too much or its judge does not order errors, with 4 where too few items decide.
    """
    from methods.judging.review import SHEET, blind_sheet
    from methods.judging.study import judge_study, judge_tables
    from pipelines.judge_text import print_report
    from pipelines.register_command import register_files, registered_line
    from resources.guarded_csv import csv_bytes
    from warehouse.study_options import JudgeOptions
    from warehouse.tables_judging import OUT_JUDGE_QUEUE

    settings, methodology = opened(home, catalog)
    since = options.first_day(known_since, register)
    asked = JudgeOptions(
        judges=tuple(judges or ()), fallbacks=tuple(fallbacks or ()), rule=rule.value, split=share(split),
        one_order=one_order,
    )  # fmt: skip
    judgments = judged(files)
    found = judge_study(judgments, asked, methodology)
    tables = judge_tables("", found, methodology)
    if queue is not None:
        sheet = blind_sheet(tables[OUT_JUDGE_QUEUE.name].rows(named=True), methodology.seed)
        write(queue, csv_bytes(sheet, dict.fromkeys(SHEET, "text")))
    kept = register_files(settings.home, "judgments", register, files, since) if register is not None else None
    if as_json:
        said: dict[str, Any] = {name: frame.drop("study").rows(named=True) for name, frame in tables.items()}
        console.print_json(
            {**said, "notes": list(judgments.notes), "evidence_sha256": None if kept is None else kept.sha256}
        )
    else:
        print_report(console.stdout(), judgments, tables, methodology)
        if queue is not None:
            console.progress_line(f"a blind sheet for people in {queue}; filled, it is read with the judgments")
        if kept is not None:
            console.progress_line(registered_line(kept))
    return verdicts(tables["out__judge_cascade"].rows(named=True), methodology)


app.command("fit")(judge_cascades.fit)
app.command("evaluate")(judge_cascades.evaluate)
app.command("apply")(judge_cascades.apply)
app.command("risk")(judge_cascades.risk)
