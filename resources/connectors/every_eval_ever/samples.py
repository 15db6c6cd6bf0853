"""The instance level of schema 0.3: one line a sample, as a table of evidence beside the results, and back.

Samples are no results: a source's tree may hold them, and they stay in its snapshot, unread. Whoever wants them asks
`scoretrail import --samples`, up to `MAX_BYTES` in all. Each row keeps its whole line, so that writing gives it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from resources.connectors.errors import ConnectorError
from resources.connectors.every_eval_ever.faults import sample_fault
from resources.connectors.every_eval_ever.reading import SUPPORTED
from resources.connectors.files import SnapshotFile
from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError

MAX_BYTES: Final = 64_000_000
SAMPLE_COLUMNS: Final[Mapping[str, type[pl.DataType]]] = {
    "file": pl.String, "line": pl.Int64, "evaluation_id": pl.String, "evaluation_result_id": pl.String,
    "evaluation_name": pl.String, "model_id": pl.String, "sample_id": pl.String, "sample_hash": pl.String,
    "interaction_type": pl.String, "score": pl.Float64, "is_correct": pl.Boolean, "error": pl.String,
    "total_tokens": pl.Int64, "latency_ms": pl.Float64, "record": pl.String,
}  # fmt: skip
_TEXTS: Final = (
    "evaluation_id", "evaluation_result_id", "evaluation_name", "model_id", "sample_id", "sample_hash",
    "interaction_type", "error",
)  # fmt: skip


def read_samples(files: Sequence[SnapshotFile], problems: list[str] | None = None) -> pl.DataFrame:
    """The samples of `.jsonl` files, one row a line, in order; columns `SAMPLE_COLUMNS`. What is not stated is null.

    Args:
        files: the files.
        problems: takes what is said of each line that is no sample of schema 0.3, which is then left out.

    Raises:
        ConnectorError: for more than MAX_BYTES; without `problems` also for such a line, with its number.
    """
    size = sum(len(file.data) for file in files)
    if size > MAX_BYTES:
        raise ConnectorError(files[0].name, f"{size} bytes of samples; at most {MAX_BYTES} are read")
    rows = [row for file in files for row in _rows(file, problems)]
    return pl.DataFrame(rows, schema=dict(SAMPLE_COLUMNS), orient="row")


def write_samples(samples: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """The files that samples were read from: (name, bytes), each line with the same content."""
    for (name,), lines in samples.sort("file", "line").group_by("file", maintain_order=True):
        yield str(name), b"".join(line.encode() + b"\n" for line in lines["record"])


def _rows(file: SnapshotFile, problems: list[str] | None) -> Iterable[dict[str, Any]]:
    for number, line in enumerate(file.data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            sample = _sample(line, file.name)
        except DocumentError as error:
            fault = ConnectorError(file.name, error.message, row=f"line {number}")
            if problems is None:
                raise fault from error
            problems.append(str(fault))
            continue
        yield {"file": file.name, "line": number, **_fields(sample), "record": _text(sample)}


def _sample(line: bytes, name: str) -> dict[str, Any]:
    """One line as a sample.

    Raises:
        DocumentError: where it is no JSON, or the schema refuses it.
    """
    sample = as_floats(load_json(line, name))
    version = sample.get("schema_version") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(version, str) or not version.startswith(SUPPORTED):
        raise DocumentError(name, f"no sample of schema 0.3 (schema_version {version!r})")
    if (fault := sample_fault(sample)) is not None:
        raise DocumentError(name, fault)
    return sample


def _fields(sample: Mapping[str, Any]) -> dict[str, Any]:
    judged = sample["evaluation"]
    usage, speed = sample.get("token_usage") or {}, sample.get("performance") or {}
    tokens, latency = usage.get("total_tokens"), speed.get("latency_ms")
    return {field: sample.get(field) for field in _TEXTS} | {
        "score": float(judged["score"]),
        "is_correct": judged["is_correct"],
        "total_tokens": None if tokens is None else int(tokens),
        "latency_ms": None if latency is None else float(latency),
    }


def _text(sample: Mapping[str, Any]) -> str:
    return json.dumps(sample, ensure_ascii=False, separators=(",", ":"))
