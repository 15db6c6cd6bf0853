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


def read_samples(files: Sequence[SnapshotFile]) -> pl.DataFrame:
    """The samples of `.jsonl` files, one row a line, in order; columns `SAMPLE_COLUMNS`. What is not stated is null.

    Raises:
        ConnectorError: for more than MAX_BYTES, or a line that is no sample of schema 0.3, with its number.
    """
    size = sum(len(file.data) for file in files)
    if size > MAX_BYTES:
        raise ConnectorError(files[0].name, f"{size} bytes of samples; at most {MAX_BYTES} are read")
    rows = [row for file in files for row in _rows(file)]
    return pl.DataFrame(rows, schema=dict(SAMPLE_COLUMNS), orient="row")


def write_samples(samples: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """The files that samples were read from: (name, bytes), each line with the same content."""
    for (name,), lines in samples.sort("file", "line").group_by("file", maintain_order=True):
        yield str(name), b"".join(line.encode() + b"\n" for line in lines["record"])


def _rows(file: SnapshotFile) -> Iterable[dict[str, Any]]:
    for number, line in enumerate(file.data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            sample = as_floats(load_json(line, file.name))
        except DocumentError as error:
            raise ConnectorError(file.name, error.message, row=f"line {number}") from error
        yield {"file": file.name, "line": number, **_fields(sample, file.name, number), "record": _text(sample)}


def _fields(sample: Any, name: str, number: int) -> dict[str, Any]:
    version = sample.get("schema_version") if isinstance(sample, dict) else None
    judged = sample.get("evaluation") if isinstance(sample, dict) else None
    if not isinstance(version, str) or not version.startswith(SUPPORTED) or not isinstance(judged, dict):
        raise ConnectorError(name, f"no sample of schema 0.3 (schema_version {version!r})", row=f"line {number}")
    texts = {field: sample.get(field) for field in _TEXTS}
    wrong = next((field for field, value in texts.items() if value is not None and not isinstance(value, str)), None)
    if wrong is not None:
        raise ConnectorError(name, "must be text", row=f"line {number}", field=wrong)
    usage, speed = sample.get("token_usage") or {}, sample.get("performance") or {}
    score, is_correct = judged.get("score"), judged.get("is_correct")
    tokens, latency = usage.get("total_tokens"), speed.get("latency_ms")
    return texts | {
        "score": _number(score),
        "is_correct": is_correct if isinstance(is_correct, bool) else None,
        "total_tokens": tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None,
        "latency_ms": _number(latency),
    }


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(sample: Mapping[str, Any]) -> str:
    return json.dumps(sample, ensure_ascii=False, separators=(",", ":"))
