"""`scoretrail import --format inspect` and the like: logs as rows, one an attempt, that the other commands read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from pipelines import console
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from resources.logs.options import LogOptions
    from resources.logs.rows import LogTable
    from resources.logs.shapes import Unscored

SHOWN = 10
_UNTRACKED = ("cost_usd", "total_tokens", "seconds", "is_normal_termination", "is_valid_handoff")


def import_rows(
    path: Path, form: str, out: Path, choices: LogOptions, shape: str, unscored: Unscored, *, as_json: bool
) -> ExitCode:
    """Reads logs and writes their attempts; ends with 1 where something could not be read."""
    from resources.logs.reading import read_logs
    from resources.logs.shapes import SHAPES
    from resources.logs.writing import write_rows

    table = read_logs(form, path, choices)
    written = SHAPES[shape](table.frame, unscored)
    write_rows(written, out)
    code = ExitCode.GATE if table.problems else ExitCode.OK
    if as_json:
        console.print_json({**summary(table), "format": form, "shape": shape, "file": str(out), "exit_code": int(code)})
        return code
    _print(table, f"{written.height:,} {'attempts' if shape == 'rows' else shape}: {out}")
    return code


def summary(table: LogTable) -> dict[str, object]:
    """What was read, for machines."""
    frame = table.frame
    return {
        "rows": frame.height,
        "systems": _distinct(frame, "system"),
        "benchmarks": _distinct(frame, "benchmark"),
        "tasks": frame.select("benchmark", "task").n_unique(),
        "score_status": dict(frame["score_status"].value_counts().sort("score_status").rows()),
        "not_tracked": [name for name in _UNTRACKED if frame[name].null_count() == frame.height],
        "problems": list(table.problems),
        "notes": list(table.notes),
    }


def _distinct(frame: pl.DataFrame, column: str) -> list[str]:
    return sorted(frame[column].drop_nulls().unique().to_list())


def _print(table: LogTable, last: str) -> None:
    for problem in table.problems[:SHOWN]:
        console.error_line(problem)
    if len(table.problems) > SHOWN:
        console.error_line(f"and {len(table.problems) - SHOWN:,} more: --json lists them all")
    for note in table.notes[:SHOWN]:
        console.progress_line(note)
    said = console.stdout()
    columns = [("system", "left"), ("benchmark", "left"), ("tasks", "right"), ("attempts", "right")]
    columns += [(status, "right") for status in ("scored", "errored", "not run", "undefined")]
    groups = table.frame.group_by("system", "benchmark", maintain_order=True)
    rows = [
        (
            str(system or "not named"), str(benchmark or "not named"), f"{one['task'].n_unique():,}", f"{one.height:,}",
            *(f"{(one['score_status'] == status).sum():,}" for status in ("scored", "errored", "not_run", "undefined")),
        )
        for (system, benchmark), one in groups
    ]  # fmt: skip
    said.print(console.table("", columns, rows[:SHOWN]))
    if len(rows) > SHOWN:
        said.print(f"and {len(rows) - SHOWN:,} more systems and benchmarks", markup=False)
    untracked = [name for name in _UNTRACKED if table.frame[name].null_count() == table.frame.height]
    if untracked:
        said.print(f"Not tracked by these logs: {', '.join(untracked)}.", markup=False, soft_wrap=True)
    if table.problems:
        said.print(f"{len(table.problems):,} problems", markup=False)
    said.print(last, markup=False, soft_wrap=True)
