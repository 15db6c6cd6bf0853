"""The formats of logs that are read, and reading one: rows, what could not be read, what to know.

Belongs here: the list, and what holds for all of them: names by the user's wish, one order, one key a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from resources.logs.documents import LogFileError
from resources.logs.harbor import read_harbor
from resources.logs.inspect_logs import read_inspect
from resources.logs.instances import read_instances
from resources.logs.lm_eval import read_lm_eval
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import LogRow, LogTable, log_frame
from resources.logs.swebench import read_swebench

Reader = Callable[[Path, LogOptions, Findings], Iterator[LogRow]]
READERS: Final[Mapping[str, Reader]] = {
    "inspect": read_inspect,
    "lm-eval": read_lm_eval,
    "every-eval-ever-instances": read_instances,
    "swebench": read_swebench,
    "harbor": read_harbor,
}
"""Reader by format; `harbor` reads jobs of Terminal-Bench too."""


def read_logs(form: str, root: Path, options: LogOptions | None = None) -> LogTable:
    """Logs as a table.

    Args:
        form: a key of `READERS`.
        root: a log, or a folder of logs.
        options: choices that the logs leave open.

    Raises:
        LogFileError: where there is nothing to read, no row comes of it, or a choice is missing.
        OSError: as the disk says.
    """
    options = options or LogOptions()
    found = Findings()
    rows = [options.named(row) for row in READERS[form](root, options, found)]
    if not rows:
        said = [*found.problems, *found.notes, f"no attempt in it, read as {form}"]
        # Of a single file the problem may begin with its name, which stands before it already.
        first = said[0].removeprefix(f"{root.name}, ").removeprefix(f"{root.name}: ") if root.is_file() else said[0]
        raise LogFileError(str(root), first)
    if options.are_repeats:
        _number_on(rows)
    _check_keys(rows, found)
    return LogTable(log_frame(rows, options.slices), tuple(found.problems), tuple(found.notes))


def _check_keys(rows: list[LogRow], found: Findings) -> None:
    """Two rows for one attempt may be two runs or one run read twice: which, is for a person to say."""
    met: dict[tuple[object, ...], LogRow] = {}
    for row in rows:
        first = met.setdefault((*_task_key(row), row.trial), row)
        if first is not row:
            found.problems.append(
                f"{row.file}, {row.locator}: {row.system}, task {row.task}, trial {row.trial} is in {first.file}, "
                f"{first.locator} too; both are kept. If they are two runs, say --repeats"
            )


def _number_on(rows: list[LogRow]) -> None:
    """The attempts of a task numbered from 1 in order of file and trial, whatever trials their logs count."""
    met: dict[tuple[object, ...], int] = {}
    for row in sorted(rows, key=lambda one: (one.file, one.trial)):
        key = _task_key(row)
        met[key] = row.trial = met.get(key, 0) + 1


def _task_key(row: LogRow) -> tuple[object, ...]:
    return row.system, row.benchmark, row.environment, row.condition, row.task
