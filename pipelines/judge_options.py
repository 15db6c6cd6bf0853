"""Options and endings that the subcommands of `scoretrail judge` share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console, options
from pipelines.options import UsageError
from warehouse.exit_codes import ExitCode, strongest
from warehouse.judge_words import RULES

if TYPE_CHECKING:
    from methods.judging.judgments import Judgments
    from warehouse.methodology import Methodology


class RuleName(StrEnum):
    """The rules, as words of the command line."""

    BOUND = RULES[0]
    POINT = RULES[1]


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


def opened(home: Path | None, catalog: Path | None) -> tuple[Any, Methodology]:
    """Settings and the catalog's methodology."""
    from resources.catalog_files import load_catalog

    settings = options.open_settings(home, catalog)
    return settings, load_catalog(settings.catalog_dir, None).catalog.methodology


def judged(files: Sequence[Path]) -> Judgments:
    """The judgments of files, and a note on stderr for what was said about files in vain."""
    from resources.judgment_files import judgments_of

    found = judgments_of(files)
    for note in found.notes:
        console.note_line(note)
    return found


def share(split: float | None) -> float | None:
    """The share as given (UsageError where it is none)."""
    if split is not None and not 0 < split < 1:
        raise UsageError(f"--split {split:g}: a share between 0 and 1, such as 0.5")
    return split


def verdicts(rows: list[dict[str, Any]], methodology: Methodology) -> ExitCode:
    """The exit code of cascades: 1 where a gate says no, 4 where too few items decide."""
    from methods.judging.verdicts import order_verdict

    words = {"pass": ExitCode.OK, "fail": ExitCode.GATE, "inconclusive": ExitCode.UNDECIDED}
    least = methodology.judging.auroc_least
    return strongest(words[one] for row in rows for one in (row["cascade_verdict"], order_verdict(row, least)))


def write(path: Path, data: bytes) -> None:
    """Writes a file that was asked for (UsageError where it cannot be written)."""
    from resources.atomic_files import write_bytes

    try:
        write_bytes(path, data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
