"""`scoretrail judge fit`, `evaluate`, `apply`, `risk`: a cascade frozen, judged on other items, decided with.

Belongs here: these subcommands. Does not belong here: the report (`judge_command`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines import console, options
from pipelines.judge_options import (
    FallbackOption,
    FilesArgument,
    JudgeOption,
    OneOrderOption,
    PolicyArgument,
    RuleName,
    RuleOption,
    SplitOption,
    TasksOption,
    judged,
    opened,
    share,
    verdicts,
    write,
)
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.exit_codes import ExitCode


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

    _, methodology = opened(home, catalog)
    judgments = judged(files)
    sides = split_of(judgments, share(split), methodology.seed)
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

    _, methodology = opened(home, catalog)
    frozen = read_policy(policy)
    judgments = judged(files)
    sides = split_of(judgments, share(split), methodology.seed)
    applied = hold(frozen, judgments, judge=judge, fallback=fallback, tasks=task_types or (), sides=sides)
    rows = [evaluated_row(frozen, one, found, methodology) for one, found in evaluations(applied, methodology)]
    if as_json:
        console.print_json({"policy": str(policy), "seal": frozen.seal, "evaluations": rows})
    else:
        print_cascades(console.stdout(), rows, methodology)
    return verdicts(rows, methodology)


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

    options.open_settings(home, catalog)
    frozen = read_policy(policy)
    applied = hold(frozen, judged(files), judge=judge, fallback=fallback, tasks=task_types or (), needs_fallback=False)
    found = decisions(applied)
    if out is not None:
        kinds: dict[str, Any] = {name: "number" if name == "q" else "text" for name in found.columns}
        write(out, csv_bytes(found, kinds))
    if as_json:
        console.print_json({"policy": str(policy), "seal": frozen.seal, "decisions": found.rows(named=True)})
    else:
        print_decisions(console.stdout(), found, shown=out is None)
        if out is not None:
            console.progress_line(f"{found.height} decisions in {out}")
    return ExitCode.OK


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

    _, methodology = opened(home, catalog)
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
