"""Results of SWE-bench and its kin, instance by instance: one row an instance of a run.

Belongs here: the forms that its tools and boards write. A run's report lists ids by what became of them; a report of
one instance says how far it came; a board's per-instance map and a table (CSV) say resolved, cost and calls. None of
them says how the agent ended, so normal termination is not known.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from resources.logs import values
from resources.logs.documents import LogFileError, document, log_files, read_file
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import NOT_RUN, InfrastructureStatus, LogRow
from resources.text_documents import DocumentError, decode
from resources.yaml_documents import load_yaml

SCORER: Final = "resolved"
_LISTS: Final = (
    ("resolved_ids", "resolved"), ("resolved", "resolved"), ("unresolved_ids", "unresolved"),
    ("empty_patch_ids", "empty_patch"), ("error_ids", "error"), ("unstopped_ids", "unstopped"),
    ("infra_failure_ids", "error"), ("ambiguous_failure_ids", "error"), ("incomplete_ids", "incomplete"),
)  # fmt: skip
_INFRASTRUCTURE: Final = "infra_failure"
_BLAMED: Final = (("infra_failure_ids", _INFRASTRUCTURE), ("ambiguous_failure_ids", "ambiguous_failure"))
_OLD_LISTS: Final = (
    ("resolved", "resolved"), ("applied", "unresolved"), ("generated", "not_applied"), ("no_generation", "empty_patch"),
    ("no_logs", "error"), ("install_fail", "error"), ("reset_failed", "error"), ("no_apply", "not_applied"),
    ("test_errored", "error"), ("test_timeout", "error"),
)  # fmt: skip
_HANDED_OVER: Final = frozenset({"resolved", "unresolved"})
_NO_RUN: Final = frozenset({"incomplete"})
_TABLE_COLUMNS: Final = ("instance", "resolved")
METADATA: Final = ("metadata.yaml", "metadata.json")


@dataclass(frozen=True)
class _System:
    model: str | None = None
    harness: str | None = None


def read_swebench(root: Path, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    """The instances of a results file, or of every one below a folder.

    A file that is none of the known forms is a note, since such folders hold other JSON too; where no file is one, it
    is an error. The benchmark is the file's name, unless the user names it.

    Raises:
        LogFileError: where nothing is there to read.
    """
    if options.scores and SCORER not in options.scores:
        raise LogFileError(str(root), f"{options.asked}; there is only {SCORER}")
    files = log_files(root, ".json", ".csv", ".csv.gz", ".json.gz")
    read = 0
    for name, path in files:
        if path.name in METADATA:
            continue
        try:
            rows = list(_file(path, name, found))
        except LogFileError as error:
            found.problems.append(str(error))
            continue
        if not rows:
            found.notes.append(f"{name}: no per-instance results in it; left aside")
        read += bool(rows)
        yield from rows
    if not read:
        raise LogFileError(str(root), "no file holds per-instance results of a form that is known")


def _file(path: Path, name: str, found: Findings) -> Iterator[LogRow]:
    system = _system(path)
    base = LogRow(name, "", "", _benchmark(name), model=system.model, harness=system.harness, scorer=SCORER)
    if ".csv" in path.suffixes:
        yield from _table(path, base, found)
        return
    data = document(path, name)
    if not isinstance(data, dict):
        return
    if isinstance(data.get("resolved_ids"), list) or isinstance(data.get("unresolved_ids"), list):
        yield from (_blamed(row, data) for row in _lists(data, _LISTS, base, found))
    elif isinstance(data.get("resolved"), list):
        yield from _lists(data, _OLD_LISTS, base, found)
    elif isinstance(data.get("leaderboards"), list):
        yield from _boards(data["leaderboards"], base)
    elif data and all(_is_instance(one) for one in data.values()):
        yield from (_instance(replace(base, locator=task, task=task), one) for task, one in data.items())


def _benchmark(name: str) -> str:
    """The file's name; of `<benchmark>/<run>/results/results.json` what stands before the run."""
    path = PurePosixPath(name)
    if path.name == "results.json" and path.parent.name == "results" and len(path.parts) > 3:
        return "/".join(path.parts[:-3])
    return path.name.split(".")[0]


def _is_instance(data: object) -> bool:
    return (
        isinstance(data, dict)
        and "resolved" in data
        and (data["resolved"] is None or data["resolved"] in (True, False))
    )


def _boards(boards: list[Any], base: LogRow) -> Iterator[LogRow]:
    """The entries of the leaderboards' own file that tell their instances apart."""
    for board in boards:
        for at, entry in enumerate(values.sequence(values.part(board, "results"))):
            details = values.mapping(values.part(entry, "per_instance_details"))
            version = values.text(values.part(entry, "mini-swe-agent_version"))
            row = replace(
                base, benchmark=values.text(values.part(board, "name")), model=values.text(values.part(entry, "name")),
                harness=None if version is None else f"mini-swe-agent {version}",
            )  # fmt: skip
            for task, one in details.items():
                if _is_instance(one):
                    yield _instance(replace(row, locator=f"results[{at}].{task}", task=task), one)


def _lists(
    data: Mapping[str, Any], lists: tuple[tuple[str, str], ...], base: LogRow, found: Findings
) -> Iterator[LogRow]:
    """One row an id: the first list that holds it says what became of it, and two that contradict are a problem."""
    met: dict[str, str] = {}
    for key, status in lists:
        for at, task in enumerate(values.sequence(data.get(key))):
            if not isinstance(task, str):
                found.problems.append(f"{base.file}, {key}[{at}]: must be the id of an instance")
            elif task not in met:
                met[task] = status
                yield _ended(replace(base, locator=f"{key}[{at}]", task=task), status)
            elif lists is _LISTS and key not in dict(_BLAMED) and status not in (met[task], "incomplete"):
                found.problems.append(
                    f"{base.file}, {key}[{at}]: {task} is called {met[task]} too; taken as {met[task]}"
                )
    known = values.sequence(data.get("submitted_ids")) + values.sequence(data.get("completed_ids"))
    found.problems += [
        f"{base.file}: {task} was submitted, and no list says what became of it"
        for task in dict.fromkeys(one for one in known if isinstance(one, str))
        if task not in met
    ]
    total = values.count(data.get("total_instances"))
    if total is not None and total > len(met):
        found.problems.append(f"{base.file}: {total} instances planned, {len(met)} named; the others cannot be counted")


def _blamed(row: LogRow, data: Mapping[str, Any]) -> LogRow:
    """What newer reports say of an instance beside its official outcome: whether the machinery failed it."""
    for key, status in _BLAMED:
        listed = data.get(key)
        if isinstance(listed, list) and row.task in listed:
            infrastructure: InfrastructureStatus = "failed" if status == _INFRASTRUCTURE else "not_tracked"
            return replace(row, status=status, infrastructure_status=infrastructure, is_valid_handoff=None)
    return row


def _ended(row: LogRow, status: str) -> LogRow:
    handed = status in _HANDED_OVER
    failed = status in ("error", "unstopped")
    return replace(
        row, status=NOT_RUN if status in _NO_RUN else status, raw_score=status,
        score=None if failed or status in _NO_RUN else float(status == "resolved"),
        score_status="not_run" if status in _NO_RUN else "errored" if failed else "scored",
        is_valid_handoff=handed, is_normal_termination=False if status in _NO_RUN else None,
    )  # fmt: skip


def _instance(row: LogRow, data: Mapping[str, Any]) -> LogRow:
    """An instance with its own object: resolved, and perhaps cost and calls, or how far its patch came."""
    resolved = data["resolved"]
    if resolved is None:
        row = replace(row, status="unknown")
    elif data.get("patch_is_None") is True or data.get("patch_exists") is False:
        row = _ended(row, "empty_patch")
    elif data.get("patch_successfully_applied") is False:
        row = replace(_ended(row, "not_applied"), error="the patch could not be applied")
    else:
        row = _ended(row, "resolved" if resolved else "unresolved")
        if "patch_successfully_applied" not in data and not resolved:
            row.is_valid_handoff = None  # an unresolved instance of a board's map may have had no patch at all
    row.raw_score = values.raw(resolved)
    row.cost_usd, row.cost_status = values.cost(data.get("cost"))
    row.steps = values.count(data.get("api_calls"))
    return row


def _table(path: Path, base: LogRow, found: Findings) -> Iterator[LogRow]:
    try:
        lines = csv.DictReader(io.StringIO(decode(read_file(path, base.file), base.file)), strict=True)
        columns = lines.fieldnames or []
        if any(column not in columns for column in _TABLE_COLUMNS):
            return
        for number, line in enumerate(lines, start=2):
            task, resolved = line.get("instance"), line.get("resolved")
            score = {"1": 1.0, "true": 1.0, "0": 0.0, "false": 0.0}.get(str(resolved).strip().lower())
            if not task:
                found.problems.append(f"{base.file}, line {number}, instance: must be given")
                continue
            row = replace(base, locator=f"line {number}", task=task, raw_score=resolved, score=score)
            row.model, row.harness = line.get("model") or base.model, line.get("harness") or base.harness
            row.status = None if score is None else "resolved" if score else "unresolved"
            row.score_status = "undefined" if score is None else "scored"
            row.is_valid_handoff = True if score else None
            row.cost_usd, row.cost_status = values.cost(_decimal(line.get("cost")))
            row.steps = values.count(_decimal(line.get("calls")))
            yield row
    except DocumentError as error:
        raise LogFileError(base.file, error.message) from error
    except csv.Error as error:
        raise LogFileError(base.file, f"not readable as CSV: {error}") from error


def _decimal(cell: str | None) -> float | None:
    try:
        return float(cell) if cell else None
    except ValueError:
        return None


def _system(path: Path) -> _System:
    """Harness and models, from the metadata beside the results or one folder above."""
    for folder in (path.parent, path.parent.parent):
        for name in METADATA:
            if (folder / name).is_file():
                return _named(folder / name)
    return _System()


def _named(path: Path) -> _System:
    """`AgentX + M1 + M2` is a harness and its models; what follows the first plus is never taken apart further."""
    try:
        data = (
            document(path, path.name)
            if path.suffix == ".json"
            else load_yaml(read_file(path, path.name), path.name).data
        )
    except (LogFileError, DocumentError):
        return _System()
    stated = values.mapping(data)
    agent, model = values.text(stated.get("agent_name")), values.text(stated.get("model"))
    if agent is not None or model is not None:
        return _System(model, agent)
    harness, plus, models = (values.text(stated.get("name")) or "").partition(" + ")
    return _System(models.strip() or None, harness.strip() or None) if plus else _System(None, harness.strip() or None)
