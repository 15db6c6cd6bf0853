"""Logs of lm-evaluation-harness: one row a document, of the chosen metric and filter.

Belongs here: where the tool writes what: `results_<time>.json` names model, metrics and filters; `samples_<task>_<time>
.jsonl` beside it holds the documents, once for each filter. It tracks neither time, tokens nor cost of a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from resources.logs import values
from resources.logs.documents import LogFileError, document, json_lines, log_files, parsed
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import LogRow

_SAMPLES: Final = re.compile(
    r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?)\.jsonl(?:\.gz)?"
)
_RESULTS: Final = re.compile(r"results_(?P<time>.+)\.json")
NO_FILTER: Final = "none"
INVALID: Final = "[invalid]"
"""What the tool's regular expressions leave where they find no answer, unless a task says otherwise."""
_NOT_METRICS: Final = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
})  # fmt: skip


@dataclass
class _Run:
    """What a results file says of its samples."""

    model: str | None = None
    configs: Mapping[str, Any] = field(default_factory=dict)
    higher: Mapping[str, Any] = field(default_factory=dict)


def read_lm_eval(root: Path, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    """The documents of a samples file, or of every one below a folder.

    Args:
        root: the file or folder.
        options: `scores` name metrics (`acc`), and where a task has several filters, both (`exact_match,strict`).
        found: filled.

    Raises:
        LogFileError: where nothing is there to read, or which metric is meant is not clear.
    """
    files = log_files(root, ".jsonl", ".jsonl.gz", ".json")
    runs = _runs(files if root.is_dir() else log_files(root.parent, ".json", ".jsonl"), found)
    for name, path in files:
        if path.name.endswith(".json"):
            continue
        named = _SAMPLES.fullmatch(path.name)
        if named is None:
            found.problems.append(
                f"{name}: no samples of lm-evaluation-harness: they are called samples_<task>_<time>.jsonl"
            )
            continue
        key = (path.parent, named["time"])
        if key not in runs:
            found.notes.append(f"{name}: no results_{named['time']}.json beside it: model and filters are not known")
        yield from _documents(path, name, named["task"], runs.get(key, _Run()), options, found)


def _runs(files: list[tuple[str, Path]], found: Findings) -> dict[tuple[Path, str], _Run]:
    runs: dict[tuple[Path, str], _Run] = {}
    for name, path in files:
        named = _RESULTS.fullmatch(path.name)
        if named is None:
            continue
        try:
            data = document(path, name)
        except LogFileError as error:
            found.problems.append(str(error))
            continue
        config = values.mapping(values.part(data, "config"))
        runs[path.parent, named["time"]] = _Run(
            _model(data, config),
            values.mapping(values.part(data, "configs")),
            values.mapping(values.part(data, "higher_is_better")),
        )
    return runs


def _model(data: Any, config: Mapping[str, Any]) -> str | None:
    """The checkpoint that the arguments name, else what the tool calls the model."""
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(one.split("=", 1) for one in arguments.split(",") if "=" in one)
    for key in ("pretrained", "model", "path"):
        stated = values.text(values.part(arguments, key))
        if stated is not None:
            return stated
    return values.text(config.get("model")) or values.text(values.part(data, "model_name"))


def _documents(path: Path, name: str, task: str, run: _Run, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    held: dict[str, int] = {}
    choices: set[str] = set()
    taken: set[str] = set()
    higher = values.mapping(run.higher.get(task))
    fallbacks = _fallbacks(values.mapping(run.configs.get(task)))
    for line, data in json_lines(path, name):
        try:
            sample = parsed(data, name)
        except LogFileError as error:
            found.problems.append(f"{name}, line {line}: {error.message}")
            continue
        sample = values.mapping(sample)
        document_id = values.text(sample.get("doc_id"))
        if document_id is None:
            found.problems.append(f"{name}, line {line}: states no doc_id")
            continue
        filtered = values.text(sample.get("filter")) or NO_FILTER
        names = [f"{metric},{filtered}" for metric in _metrics(sample)]
        choices |= set(names)
        mine = [one for one in names if not options.scores or {one, one.split(",")[0]} & set(options.scores)]
        taken |= set(mine)
        if len(taken) > 1:
            raise _unclear(name, options, taken)
        if not mine:
            continue
        held[document_id] = held.get(document_id, 0) + 1
        row = LogRow(name, f"line {line}", document_id, task, model=run.model, trial=held[document_id])
        metric = mine[0].split(",")[0]
        row.is_higher_better = higher[metric] if isinstance(higher.get(metric), bool) else None
        yield _row(row, sample, mine[0], metric, fallbacks.get(filtered, INVALID))
    if choices and not taken:
        raise LogFileError(name, f"{options.asked}; name one with --score: {', '.join(sorted(choices))}")
    if len(choices) > 1:
        found.notes.append(f"{name}: {', '.join(sorted(taken))} of the scores {', '.join(sorted(choices))}")


def _unclear(name: str, options: LogOptions, taken: set[str]) -> LogFileError:
    asked = (
        f"{' and '.join(options.scores)} stand for several scores" if options.scores else "several scores a document"
    )
    return LogFileError(name, f"{asked}; name one with --score: {', '.join(sorted(taken))}")


def _metrics(sample: Mapping[str, Any]) -> list[str]:
    """The metrics of a document; files before version 0.4.3 do not list them."""
    listed = [one for one in values.sequence(sample.get("metrics")) if isinstance(one, str)]
    return listed or [one for one in sample if one not in _NOT_METRICS]


def _fallbacks(config: Mapping[str, Any]) -> dict[str, str]:
    """What each filter leaves where it finds no answer, where the task says so."""
    left: dict[str, str] = {}
    for one in values.sequence(config.get("filter_list")):
        for step in values.sequence(values.part(one, "filter")):
            fallback = values.text(values.part(step, "fallback"))
            if fallback is not None:
                left[str(values.part(one, "name"))] = fallback
    return left


def _row(row: LogRow, sample: Mapping[str, Any], scorer: str, metric: str, fallback: str) -> LogRow:
    value = sample.get(metric)
    score = values.number(value)
    hashed = values.text(sample.get("doc_hash"))
    answers = values.sequence(sample.get("filtered_resps"))
    texts = [one for one in answers if isinstance(one, str)]
    has_text = bool(texts) and len(texts) == len(answers)
    return replace(
        row, scorer=scorer, raw_score=values.raw(value), score=score,
        score_status="scored" if score is not None else "undefined",
        parse_status="not_tracked" if not has_text else "failed" if fallback in texts else "parsed",
        is_valid_handoff=score is not None, sample_hash=hashed,
    )  # fmt: skip
