"""Instance files of every-eval-ever, schema 0.3: one row a line.

Belongs here: from its samples, which `resources.connectors.every_eval_ever` reads, to rows. The logs beside them name
the library that ran the evaluation; where they are absent, it is not known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from resources.connectors.errors import ConnectorError
from resources.connectors.every_eval_ever.samples import read_samples
from resources.connectors.files import SnapshotFile
from resources.logs import values
from resources.logs.documents import LogFileError, log_files, read_file
from resources.logs.options import Findings, LogOptions
from resources.logs.rows import LogRow


def read_instances(root: Path, options: LogOptions, found: Findings) -> Iterator[LogRow]:
    """The samples of an instance file, or of every one below a folder.

    A line is the `trial`-th of its evaluation, result and sample. `scores` choose among results by evaluation name.

    Raises:
        LogFileError: where nothing is there to read, or no result is called so.
    """
    met: dict[tuple[object, ...], int] = {}
    names: set[str] = set()
    taken = 0
    for name, path in log_files(root, ".jsonl", ".jsonl.gz"):
        try:
            frame = read_samples([SnapshotFile(name, read_file(path, name))], found.problems)
        except ConnectorError as error:
            found.problems.append(str(error))
            continue
        for sample in frame.iter_rows(named=True):
            names.add(str(sample["evaluation_name"]))
            if options.scores and not {sample["evaluation_name"], sample["evaluation_result_id"]} & set(options.scores):
                continue
            key = tuple(
                sample[one]
                for one in ("evaluation_id", "evaluation_result_id", "evaluation_name", "sample_id", "model_id")
            )
            met[key] = met.get(key, 0) + 1
            taken += 1
            yield _row(sample, met[key], options)
    if names and not taken:
        raise LogFileError(str(root), f"{options.asked}; name one with --score: {', '.join(sorted(names))}")
    if len(names) > 1:
        found.notes.append(f"evaluations: {', '.join(sorted(names))}")


def _row(sample: dict[str, object], trial: int, options: LogOptions) -> LogRow:
    record = json.loads(str(sample["record"]))
    judged, usage = values.mapping(record.get("evaluation")), values.mapping(record.get("token_usage"))
    latency = values.number(sample["latency_ms"])
    score = values.number(sample["score"])
    error = values.text(sample["error"])
    metadata = values.mapping(record.get("metadata"))
    return LogRow(
        str(sample["file"]), f"line {sample['line']}", str(sample["sample_id"]), values.text(sample["evaluation_name"]),
        model=values.text(sample["model_id"]), trial=trial, score=score, raw_score=values.raw(judged.get("score")),
        score_status="scored" if score is not None else "errored" if error else "undefined",
        scorer=values.text(sample["evaluation_result_id"]) or values.text(sample["evaluation_name"]),
        status="error" if error else None, is_normal_termination=False if error else None,
        is_valid_handoff=score is not None, error=error,
        parse_status="parsed" if record.get("answer_attribution") else "not_tracked",
        input_tokens=values.tokens(usage.get("input_tokens")), output_tokens=values.tokens(usage.get("output_tokens")),
        total_tokens=values.tokens(usage.get("total_tokens")), steps=values.count(judged.get("num_turns")),
        seconds=None if latency is None else latency / 1000, sample_hash=values.text(sample["sample_hash"]),
        slices={key: values.raw(metadata.get(key)) for key in options.slices},
    )  # fmt: skip
