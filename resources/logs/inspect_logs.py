"""Logs of Inspect, `.eval` and `.json`: one row a sample and epoch.

Belongs here: where Inspect writes what. Of an archive only its header and its summaries are read, which hold every
score; a run that was cut off has its journal in their place. A sample that the log plans and does not hold is a row
that was not run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from resources.archives import ArchiveError
from resources.logs import values
from resources.logs.documents import LogFileError, document, log_files, parsed
from resources.logs.eval_archives import EvalArchive
from resources.logs.inspect_scores import NO_ANSWER, chosen_value, score_names, score_of
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import NOT_RUN, LogRow, ScoreStatus

ARCHIVE_SUFFIX: Final = ".eval"
GRADER_ROLE: Final = "grader"
_LONG: Final = frozenset({"events", "events_data", "messages", "attachments", "store", "input"})
"""Parts of a sample in which no figure stands, and that are most of it."""
_PLAIN_STEPS: Final = ("generate",)


class _NoLogError(ValueError):
    """A sound JSON file that is no log: such folders hold lists of their logs, too."""


@dataclass(frozen=True)
class _Log:
    """One log: its header, its samples with their places, and how many of the scores were left aside."""

    name: str
    header: Mapping[str, Any]
    samples: list[tuple[str, Mapping[str, Any]]]

    @property
    def task_id(self) -> str | None:
        """What a log and its retries have in common."""
        return values.text(values.part(self.header, "eval", "task_id"))

    @property
    def created(self) -> str:
        """When the log was begun."""
        return values.text(values.part(self.header, "eval", "created")) or ""

    @property
    def runs(self) -> set[object]:
        """The runs of samples that it holds; a retry keeps those that were complete."""
        return {values.text(sample.get("uuid")) for _, sample in self.samples}


def read_inspect(root: Path, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    """The samples of a log or of a folder of logs.

    Of a log and its retries the latest counts: it holds what was complete before.

    Args:
        root: the file or folder.
        options: `scores` name a scorer, and where its value is an object, a key of it: `scorer.key`. Without it the
            log's headline score is taken, else its first scorer's.
        found: filled.

    Raises:
        LogFileError: where nothing is there to read, or which score is meant is not clear.
    """
    logs: list[_Log] = []
    for name, path in log_files(root, ARCHIVE_SUFFIX, ".json"):
        try:
            logs.append(_archive(path, name) if path.name.endswith(ARCHIVE_SUFFIX) else _plain(path, name))
        except _NoLogError as error:
            found.notes.append(f"{name}: {error}")
        except (LogFileError, ArchiveError) as error:
            found.problems.append(str(error) if isinstance(error, LogFileError) else f"{name}: {error}")
    latest = {log.task_id: log for log in sorted(logs, key=lambda one: (one.created, one.name))}
    for log in logs:
        later = log if log.task_id is None else latest[log.task_id]
        if later is log:
            yield from _rows(log, options, found)
        else:
            again = len(log.runs - later.runs)
            found.notes.append(
                f"{log.name}: retried as {later.name}, which counts in its place; {again:,} samples were run again"
            )


def _archive(path: Path, name: str) -> _Log:
    with EvalArchive(path) as archive:
        names = set(archive.names)
        if "header.json" in names:
            header = parsed(archive.read("header.json"), f"{name}#header.json")
        elif "_journal/start.json" in names:
            header = {"status": "started", **values.mapping(parsed(archive.read("_journal/start.json"), name))}
        else:
            raise LogFileError(name, "no log of Inspect: it has neither header.json nor a journal")
        places = [f"samples/{one}" for one in _sample_names(names)]
        found: list[tuple[str, Mapping[str, Any]]] = []
        for member in _summaries(names):
            listed = values.sequence(parsed(archive.read(member), f"{name}#{member}"))
            found += [(_place(sample), values.mapping(sample)) for sample in listed]
        summarized = {place for place, _ in found}
        found += [
            (member, values.mapping(parsed(archive.read(member), f"{name}#{member}")))
            for member in places
            if member not in summarized
        ]
    return _Log(name, values.mapping(header), found)


def _sample_names(names: set[str]) -> list[str]:
    return sorted(one.removeprefix("samples/") for one in names if one.startswith("samples/") and one.endswith(".json"))


def _summaries(names: set[str]) -> list[str]:
    if "summaries.json" in names:
        return ["summaries.json"]
    parts = [one for one in names if one.startswith("_journal/summaries/") and one.endswith(".json")]
    return sorted(parts, key=lambda one: (len(one), one))


def _place(sample: object) -> str:
    return f"samples/{values.part(sample, 'id')}_epoch_{values.part(sample, 'epoch')}.json"


def _plain(path: Path, name: str) -> _Log:
    data = document(path, name)
    if not isinstance(data, dict) or not isinstance(data.get("eval"), dict):
        raise _NoLogError("no log of Inspect, it has no `eval`; left aside")
    samples: list[tuple[str, Mapping[str, Any]]] = [
        (f"samples[{at}]", {key: held for key, held in values.mapping(one).items() if key not in _LONG})
        for at, one in enumerate(values.sequence(data.pop("samples", [])))
    ]
    return _Log(name, data, samples)


def _rows(log: _Log, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    spec = values.mapping(log.header.get("eval"))
    benchmark = values.text(spec.get("task")) or "task"
    shared = LogRow(
        log.name, "", "", benchmark, model=values.text(spec.get("model")), harness=_harness(log.header)
    )  # fmt: skip
    chosen = _chosen(log, options)
    held: set[tuple[str, int]] = set()
    others: set[str] = set()
    for place, sample in log.samples:
        task, epoch = values.text(sample.get("id")), values.count(sample.get("epoch"))
        if task is None or epoch is None:
            found.problems.append(f"{log.name}, {place}: states no id or no epoch")
            continue
        if (task, epoch) in held:
            found.problems.append(f"{log.name}, {place}: a second sample of this id and epoch")
            continue
        held.add((task, epoch))
        others |= set(score_names(sample))
        yield _row(replace(shared, locator=place, task=task, trial=epoch), sample, chosen, options)
    _check_choice(log, chosen, others, options)
    if len(others) > 1:
        found.notes.append(f"{log.name}: {chosen} of the scores {', '.join(sorted(others))}")
    status = values.text(log.header.get("status")) or "unknown"
    if status != "success":
        found.notes.append(f"{log.name}: the log's own status is {status}")
    for task, epoch in _planned(spec):
        if (task, epoch) not in held:
            yield replace(
                shared, locator="eval.dataset.sample_ids", task=task, trial=epoch, status=NOT_RUN,
                score_status="not_run", is_normal_termination=False, is_valid_handoff=False,
            )  # fmt: skip


def _check_choice(log: _Log, chosen: str | None, others: set[str], options: LogOptions) -> None:
    if others and chosen not in others:
        raise LogFileError(log.name, f"{options.asked}; name one with --score: {', '.join(sorted(others))}")


def _chosen(log: _Log, options: LogOptions) -> str | None:
    if not options.scores:
        return _headline(log)
    names = {one for _, sample in log.samples for one in score_names(sample)}
    return next((one for one in options.scores if one in names), options.scores[0])


def _planned(spec: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Every (id, epoch) that the log plans, where it lists its samples."""
    ids = [values.text(one) for one in values.sequence(values.part(spec, "dataset", "sample_ids"))]
    epochs = values.count(values.part(spec, "config", "epochs")) or 1
    return [(one, epoch) for epoch in range(1, min(epochs, 10_000) + 1) for one in ids if one is not None]


def _harness(header: Mapping[str, Any]) -> str | None:
    """The solver that the run was given, else the plan's steps where they do more than ask the model."""
    given = values.text(values.part(header, "eval", "solver"))
    if given is not None:
        return given
    steps = [values.text(values.part(step, "solver")) for step in values.sequence(values.part(header, "plan", "steps"))]
    named = tuple(step for step in steps if step is not None)
    return None if named in ((), _PLAIN_STEPS) else " + ".join(named)


def _headline(log: _Log) -> str | None:
    """The score that the log puts first: its headline, else its first scorer's, as `scorer` or `scorer.key`."""
    headline = values.mapping(values.part(log.header, "results", "headline"))
    scored = values.sequence(values.part(log.header, "results", "scores"))
    first = headline or (values.mapping(scored[0]) if scored else {})
    scorer = values.text(first.get("scorer"))
    name = values.text(first.get("score")) or values.text(first.get("name"))
    if scorer is None:
        declared = values.sequence(values.part(log.header, "eval", "scorers"))
        scorer = values.text(values.part(declared[0], "name")) if declared else None
    names = dict.fromkeys(one for _, sample in log.samples for one in score_names(sample))
    for candidate in (scorer, f"{scorer}.{name}"):
        if candidate in names:
            return candidate
    return next(iter(names)) if len(names) == 1 else scorer if not names else None


def _row(row: LogRow, sample: Mapping[str, Any], chosen: str | None, options: LogOptions) -> LogRow:
    error, limit = sample.get("error"), sample.get("limit")
    row.error = values.text(values.part(error, "message")) or values.text(error)
    limited = values.text(values.part(limit, "type")) or values.text(limit)
    row.status = "error" if row.error else f"limit: {limited}" if limited else "completed"
    row.is_normal_termination = row.status == "completed"
    row.infrastructure_status = "failed" if row.error else "ok"
    stop = values.sequence(values.part(sample, "output", "choices"))
    row.stop_reason = values.text(values.part(stop[0], "stop_reason")) if stop else None
    row.scorer = chosen
    value = chosen_value(sample, chosen)
    row.raw_score = values.raw(value)
    row.score = score_of(value)
    row.score_status = _status(row, value)
    row.is_valid_handoff = row.score is not None
    row.parse_status = "no_answer" if value == NO_ANSWER else "not_tracked"
    row.seconds = values.number(sample.get("total_time"))
    row.started_at, row.finished_at = values.text(sample.get("started_at")), values.text(sample.get("completed_at"))
    row.steps = values.count(sample.get("turn_count"))
    _usage(row, sample)
    metadata = values.mapping(sample.get("metadata"))
    row.slices = {key: values.raw(metadata.get(key)) for key in options.slices}
    return row


def _status(row: LogRow, value: object) -> ScoreStatus:
    if row.score is not None:
        return "scored"
    return "errored" if row.error is not None and value is None else "undefined"


def _usage(row: LogRow, sample: Mapping[str, Any]) -> None:
    """Tokens and cost of all models that worked for the system: what a grader used is not the system's."""
    used = [values.mapping(one) for one in values.mapping(sample.get("model_usage")).values()]
    graders = [values.mapping(values.part(sample, "role_usage", GRADER_ROLE))]
    if not used:
        return
    row.input_tokens = _sum(used, graders, "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    row.output_tokens = _sum(used, graders, "output_tokens")
    row.total_tokens = _sum(used, graders, "total_tokens")
    costs = [values.cost(one.get("total_cost"))[0] for one in used]
    graded = values.cost(graders[0].get("total_cost"))[0] or 0.0
    if all(one is not None for one in costs):
        row.cost_usd, row.cost_status = values.cost(sum(one for one in costs if one is not None) - graded)


def _sum(used: list[Mapping[str, Any]], less: list[Mapping[str, Any]], *names: str) -> int | None:
    plus = sum(values.count(one.get(name)) or 0 for one in used for name in names)
    minus = sum(values.count(one.get(name)) or 0 for one in less for name in names)
    return values.tokens(max(plus - minus, 0))
