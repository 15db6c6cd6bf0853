"""`scoretrail judge`: what judges are worth, and cascades fitted, evaluated and applied (METHODS 10).

Belongs here: the command and its subcommands. Without the name of one, `scoretrail judge FILE` is the report. Nothing
is stored but what is asked for: a queue, a policy, decisions, evidence.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer
from typer.core import TyperGroup

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption, UsageError
from warehouse.exit_codes import ExitCode, strongest
from warehouse.judge_words import RULES

if TYPE_CHECKING:
    from warehouse.methodology import Methodology

REPORT = "report"


class ReportByDefault(TyperGroup):
    """The group whose first word, where it names no subcommand, is a file of the report."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the report's name in front where none of a subcommand stands there."""
        if args and args[0] not in {*self.commands, "--help"}:
            args = [REPORT, *args]
        return super().parse_args(ctx, args)


class RuleName(StrEnum):
    """The rules, as words of the command line."""

    BOUND = RULES[0]
    POINT = RULES[1]


app = typer.Typer(
    cls=ReportByDefault,
    no_args_is_help=True,
    help="What judges are worth, and cascades of them. `scoretrail judge FILE…` is the report: accuracy by confidence, "
    "AUROC, agreement, failures, cost; with --fallback also the cascade, fitted and evaluated.",
)

FilesArgument = Annotated[
    list[Path],
    typer.Argument(help="Judgments: CSV, JSON Lines, JSON or Parquet; and a YAML file about them, if there is one."),
]
PolicyArgument = Annotated[Path, typer.Argument(help="Policy that `scoretrail judge fit` wrote.")]
RuleOption = Annotated[RuleName, typer.Option("--rule", help="How a threshold is chosen.")]
SplitOption = Annotated[
    float | None,
    typer.Option("--split", help="Share of clusters to choose on, drawn by hash, where the files state no split."),
]
OneOrderOption = Annotated[
    bool, typer.Option("--one-order", help="Take one order although there are two: half the cost.")
]
JudgeOption = Annotated[str | None, typer.Option("--judge", help="Name of the judge in the files.")]
FallbackOption = Annotated[str | None, typer.Option("--fallback", help="Name of the fallback in the files.")]
TasksOption = Annotated[list[str] | None, typer.Option("--task-type", help="Look at this task type alone; repeatable.")]


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
    from resources.judgment_files import judgments_of
    from warehouse.study_options import JudgeOptions
    from warehouse.tables_judging import OUT_JUDGE_QUEUE

    settings, methodology = _opened(home, catalog)
    since = options.first_day(known_since, register)
    asked = JudgeOptions(
        judges=tuple(judges or ()), fallbacks=tuple(fallbacks or ()), rule=rule.value, split=_share(split),
        one_order=one_order,
    )  # fmt: skip
    judgments = judgments_of(files)
    found = judge_study(judgments, asked, methodology)
    tables = judge_tables("", found, methodology)
    if queue is not None:
        sheet = blind_sheet(tables[OUT_JUDGE_QUEUE.name].rows(named=True), methodology.seed)
        _write(queue, csv_bytes(sheet, dict.fromkeys(SHEET, "text")))
    kept = register_files(settings.home, "judgments", register, files, since) if register is not None else None
    for note in judgments.notes:
        console.note_line(note)
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
    return _verdicts(tables["out__judge_cascade"].rows(named=True), methodology)


@app.command("fit")
def fit(
    files: FilesArgument,
    *,
    judge: Annotated[str, typer.Option("--judge", help="The judge, by its name in the files.")],
    fallback: Annotated[str, typer.Option("--fallback", help="Who decides what it does not.")],
    out: Annotated[Path, typer.Option("--out", help="Policy to write; YAML, or JSON by its name.")],
    rule: RuleOption = RuleName.BOUND,
    split: SplitOption = None,
    one_order: OneOrderOption = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Choose a threshold a task type and freeze it. Chosen on the items of the split `selection`, else on all."""
    import numpy as np

    from methods.judging.policy import make_policy
    from methods.judging.study import split_of
    from pipelines.judge_text import print_policy
    from resources.judge_policy_file import write_policy
    from resources.judgment_files import judgments_of

    _, methodology = _opened(home, catalog)
    judgments = judgments_of(files)
    sides = split_of(judgments, _share(split), methodology.seed)
    chosen = np.ones(judgments.items.height, dtype=np.bool_) if sides is None else sides.selection
    policy = make_policy(judgments, judge, fallback, rule.value, methodology, selection=chosen, single=one_order)
    try:
        write_policy(out, policy)
    except OSError as error:
        raise UsageError(f"--out {out}: {error.strerror or error}") from error
    if as_json:
        console.print_json({"policy": str(out), **policy.model_dump(mode="json", by_alias=True, exclude={"selection"})})
    else:
        print_policy(console.stdout(), policy)
        console.progress_line(f"frozen in {out}")
    return ExitCode.OK


@app.command("evaluate")
def evaluate(
    policy: PolicyArgument,
    files: FilesArgument,
    *,
    judge: JudgeOption = None,
    fallback: FallbackOption = None,
    task_types: TasksOption = None,
    split: SplitOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Judge a frozen policy on other items: those of the split `held_out`, else all. None may have been chosen on.

    Ends with 1 where it loses too much or its judge does not order errors there, with 4 where too few items decide.
    """
    from methods.judging.policy import evaluated_row, evaluations, hold
    from methods.judging.study import split_of
    from pipelines.judge_text import print_cascades
    from resources.judge_policy_file import read_policy
    from resources.judgment_files import judgments_of

    _, methodology = _opened(home, catalog)
    frozen = read_policy(policy)
    judgments = judgments_of(files)
    sides = split_of(judgments, _share(split), methodology.seed)
    applied = hold(frozen, judgments, judge=judge, fallback=fallback, tasks=task_types or (), sides=sides)
    rows = [evaluated_row(frozen, one, found, methodology) for one, found in evaluations(applied, methodology)]
    if as_json:
        console.print_json({"policy": str(policy), "seal": frozen.seal, "evaluations": rows})
    else:
        print_cascades(console.stdout(), rows, methodology)
    return _verdicts(rows, methodology)


@app.command("apply")
def apply(
    policy: PolicyArgument,
    files: FilesArgument,
    *,
    out: Annotated[Path | None, typer.Option("--out", help="Write the decisions, as CSV.")] = None,
    judge: JudgeOption = None,
    fallback: FallbackOption = None,
    task_types: TasksOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Decide with a frozen policy: what the judge decides, and what must go to the fallback. Labels are not needed."""
    from methods.judging.policy import decisions, hold
    from pipelines.judge_text import print_decisions
    from resources.guarded_csv import csv_bytes
    from resources.judge_policy_file import read_policy
    from resources.judgment_files import judgments_of

    options.open_settings(home, catalog)
    frozen = read_policy(policy)
    applied = hold(
        frozen, judgments_of(files), judge=judge, fallback=fallback, tasks=task_types or (), needs_fallback=False
    )
    found = decisions(applied)
    if out is not None:
        kinds: dict[str, Any] = {name: "number" if name == "q" else "text" for name in found.columns}
        _write(out, csv_bytes(found, kinds))
    if as_json:
        console.print_json({"policy": str(policy), "seal": frozen.seal, "decisions": found.rows(named=True)})
    else:
        print_decisions(console.stdout(), found, shown=out is None)
        if out is not None:
            console.progress_line(f"{found.height} decisions in {out}")
    return ExitCode.OK


@app.command("risk")
def risk(
    *,
    items: Annotated[
        list[int] | None, typer.Option("--items", min=2, max=100_000, help="Size of a selection set.")
    ] = None,
    draws: Annotated[
        int, typer.Option("--draws", min=1, max=100_000, help="Selection sets drawn of each size.")
    ] = 2000,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """How often each rule opens a cascade, and one that truly loses more than the tolerance, by simulation."""
    from methods.judging.risk import rule_risk, simulated_judges
    from pipelines.judge_text import print_risk

    _, methodology = _opened(home, catalog)
    sizes = items or [100, 150, 300, 1000]
    if max(sizes) * draws > 20_000_000:
        raise UsageError("--items times --draws: at most 20,000,000 items are drawn of each size")
    rows = [
        (one.name, rule_risk(one, rule, size, draws, methodology))
        for one in simulated_judges(methodology.judging)
        for size in sizes
        for rule in ("point", "bound")
    ]
    if as_json:
        console.print_json(
            {
                "risks": [
                    {"judge": name, **{field: getattr(found, field) for field in found.__slots__}}
                    for name, found in rows
                ]
            }
        )
    else:
        print_risk(console.stdout(), rows, methodology)
    return ExitCode.OK


def _opened(home: Path | None, catalog: Path | None) -> tuple[Any, Methodology]:
    from resources.catalog_files import load_catalog

    settings = options.open_settings(home, catalog)
    return settings, load_catalog(settings.catalog_dir, None).catalog.methodology


def _share(split: float | None) -> float | None:
    if split is not None and not 0 < split < 1:
        raise UsageError(f"--split {split:g}: a share between 0 and 1, such as 0.5")
    return split


def _verdicts(rows: list[dict[str, Any]], methodology: Methodology) -> ExitCode:
    """The exit code of cascades: 1 where a gate says no, 4 where too few items decide."""
    from methods.judging.verdicts import order_verdict

    words = {"pass": ExitCode.OK, "fail": ExitCode.GATE, "inconclusive": ExitCode.UNDECIDED}
    least = methodology.judging.auroc_least
    return strongest(words[one] for row in rows for one in (row["cascade_verdict"], order_verdict(row, least)))


def _write(path: Path, data: bytes) -> None:
    from resources.atomic_files import write_bytes

    try:
        write_bytes(path, data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
