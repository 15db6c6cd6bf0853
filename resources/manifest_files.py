"""Inference-stack manifests and outputs that a user brings: read, checked, and said plainly where something is wrong.

Belongs here: from files to `methods.manifests.study.StackRuns`. A run is a name that its files have in common:
`<run>.yaml` (or `.yml`, `.json`) is its manifest, `<run>.outputs.jsonl` (or `.csv`, `.parquet`) what it gave back;
either may be absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl
from pydantic import ValidationError

from methods.manifests.study import StackRun, StackRuns
from resources.catalog_problems import validation_problems
from resources.csv_records import ragged_record
from resources.evidence_store import FILES_MANIFEST, EvidenceError
from resources.json_documents import as_floats, load_json
from resources.logs import values
from resources.logs.documents import LogFileError, json_lines, parsed
from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml
from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_words import OUTPUT_SCHEMA, OUTPUT_STATUSES

MANIFEST_SUFFIXES: Final = (".yaml", ".yml", ".json")
OUTPUT_SUFFIXES: Final = (".outputs.jsonl", ".outputs.csv", ".outputs.parquet")
LARGEST_BYTES: Final = 2_000_000_000
"""Of one file of outputs."""
LARGEST_TOKEN: Final = 2**63 - 1
"""Token ids are kept in 64 bits."""
LARGEST_MARGIN: Final = 1e300
"""Margins are finite floats."""


def read_manifests(folder: Path) -> StackRuns:
    """The runs of a folder of registered evidence (errors as `runs_of`)."""
    return runs_of(sorted(path for path in folder.iterdir() if path.name != FILES_MANIFEST))


def runs_of(files: Sequence[Path]) -> StackRuns:
    """The runs that files make, sorted by name.

    Raises:
        EvidenceError: naming file, row or line, and field, and what is expected.
    """
    manifests: dict[str, InferenceManifest] = {}
    outputs: dict[str, pl.DataFrame] = {}
    for path in files:
        suffix = next((one for one in (*OUTPUT_SUFFIXES, *MANIFEST_SUFFIXES) if path.name.endswith(one)), None)
        run = path.name.removesuffix(suffix or "")
        if suffix is None or not run:
            known = f"<run>{', <run>'.join((*MANIFEST_SUFFIXES, *OUTPUT_SUFFIXES))}"
            raise EvidenceError(f"{path.name}: no manifest and no outputs by its name; files are {known}")
        kept: dict[str, Any] = outputs if suffix in OUTPUT_SUFFIXES else manifests
        if run in kept:
            raise EvidenceError(f"{path.name}: the run {run} has such a file already")
        kept[run] = read_outputs(path) if suffix in OUTPUT_SUFFIXES else read_manifest(path)
    if not manifests and not outputs:
        raise EvidenceError("no manifest and no outputs were named")
    names = sorted({*manifests, *outputs})
    return StackRuns(tuple(StackRun(name, manifests.get(name), outputs.get(name)) for name in names))


def read_manifest(path: Path) -> InferenceManifest:
    """One manifest, YAML or JSON.

    Raises:
        EvidenceError: naming the file, the line where it is known, and the field.
    """
    try:
        return manifest_of(path.read_bytes(), path.name)
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error


def manifest_of(body: bytes, name: str) -> InferenceManifest:
    """The manifest of a file's bytes (EvidenceError as `read_manifest`).

    Args:
        body: YAML, or JSON where the name says so.
        name: for messages.
    """
    try:
        if name.endswith(".json"):
            data, line = as_floats(load_json(body, name)), None
        else:
            document = load_yaml(body, name)
            data, line = as_floats(document.data), document.line_of
        if not isinstance(data, dict):
            raise EvidenceError(f"{name}: a manifest is an object that begins with `schema`")
        return InferenceManifest.model_validate(data)
    except DocumentError as error:
        raise EvidenceError(str(error)) from error
    except ValidationError as error:
        problems = validation_problems(error, name, line if line is not None else 0)
        said = "; ".join(dict.fromkeys(str(one).replace(f"{name}:0:", f"{name}:") for one in problems[:4]))
        raise EvidenceError(said) from error


def scalar_of(text: str) -> Any:
    """A value as YAML reads it: numbers, `true`, `{temperature: 0.7}`; text where it is none of these."""
    try:
        return as_floats(load_yaml(text, "value").data)
    except DocumentError:
        return text


def read_outputs(path: Path) -> pl.DataFrame:
    """What a run gave back, as `OUTPUT_SCHEMA`, one row a prompt, in file order.

    JSON lines: an object a line with `prompt` and `token_ids` or `text`, and if need be `margins` (one a token) and
    `status`. CSV: `prompt`, `text`, `status`. Parquet: the same columns.

    Raises:
        EvidenceError: naming file, row and field.
    """
    if not path.is_file():
        raise EvidenceError(f"{path}: no such file of outputs")
    if path.stat().st_size > LARGEST_BYTES:
        raise EvidenceError(f"{path.name}: {path.stat().st_size:,} bytes; {LARGEST_BYTES:,} is the most")
    frame = _parquet(path) if path.suffix == ".parquet" else _framed(_rows(path))
    _check(path.name, frame)
    return frame


def _framed(rows: list[list[Any]]) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else [()] * len(OUTPUT_SCHEMA)
    kinds = zip(OUTPUT_SCHEMA.items(), columns, strict=True)
    return pl.DataFrame([pl.Series(name, list(held), dtype=kind) for (name, kind), held in kinds])


def _rows(path: Path) -> list[list[Any]]:
    return list(_csv_rows(path) if path.suffix == ".csv" else _json_rows(path))


def _json_rows(path: Path) -> Iterator[list[Any]]:
    try:
        for number, line in json_lines(path, path.name):
            place = f"{path.name}, row {number}"
            data = parsed(line, place)
            if not isinstance(data, dict):
                raise EvidenceError(f"{place}: must be an object with `prompt` and `token_ids` or `text`")
            strange = sorted(set(data) - set(OUTPUT_SCHEMA))
            if strange:
                raise EvidenceError(f"{place}, {strange[0]}: is no field of outputs: {', '.join(OUTPUT_SCHEMA)}")
            yield _row(data, place)
    except LogFileError as error:
        raise EvidenceError(str(error)) from error


def _row(data: dict[str, Any], place: str) -> list[Any]:
    tokens, margins = data.get("token_ids"), data.get("margins")
    if tokens is not None and not _are(tokens, _is_token):
        raise EvidenceError(f"{place}, token_ids: must be a list of whole numbers")
    if margins is not None and not _are(margins, _is_margin):
        raise EvidenceError(f"{place}, margins: must be a list of numbers that are finite and not negative")
    prompt = values.text(data.get("prompt"))
    for name, value in (("text", data.get("text")), ("status", data.get("status"))):
        if value is not None and not isinstance(value, str):
            raise EvidenceError(f"{place}, {name}: must be text")
    margins = None if margins is None else [float(one) for one in margins]
    return [prompt, tokens, data.get("text"), margins, data.get("status") or "ok"]


def _is_token(one: Any) -> bool:
    return isinstance(one, int) and not isinstance(one, bool) and abs(one) <= LARGEST_TOKEN


def _is_margin(one: Any) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool) and 0 <= one <= LARGEST_MARGIN


def _are(found: Any, is_one: Callable[[Any], bool]) -> bool:
    return isinstance(found, list) and all(is_one(one) for one in found)


def _csv_rows(path: Path) -> Iterator[list[Any]]:
    try:
        with path.open("rb") as stream:
            ragged = ragged_record(stream)
        if ragged is not None:
            raise EvidenceError(f"{path.name}, {ragged}")
        cells = pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise EvidenceError(f"{path.name}: is no readable CSV: {str(error).splitlines()[0][:200]}") from error
    if "prompt" not in cells.columns or "text" not in cells.columns:
        raise EvidenceError(f"{path.name}: needs the columns prompt and text; token ids come as JSON lines or Parquet")
    status = cells["status"] if "status" in cells.columns else pl.Series([None] * cells.height, dtype=pl.String)
    for prompt, text, state in zip(cells["prompt"], cells["text"], status, strict=True):
        yield [prompt or None, None, text, None, state or "ok"]


def _parquet(path: Path) -> pl.DataFrame:
    try:
        raw = pl.read_parquet(path)
        strange = sorted(set(raw.columns) - set(OUTPUT_SCHEMA))
        if strange:
            raise EvidenceError(f"{path.name}: column {strange[0]} is none of outputs: {', '.join(OUTPUT_SCHEMA)}")
        kept = [
            raw[name].cast(kind) if name in raw.columns else pl.Series(name, [None] * raw.height, dtype=kind)
            for name, kind in OUTPUT_SCHEMA.items()
        ]
        return pl.DataFrame(kept).with_columns(pl.col("status").fill_null("ok"))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise EvidenceError(
            f"{path.name}: is no readable Parquet of outputs: {str(error).splitlines()[0][:200]}"
        ) from error


def _check(file: str, frame: pl.DataFrame) -> None:
    """Every prompt once, an answer where the status is ok, a margin a token."""
    if not frame.height:
        raise EvidenceError(f"{file}: holds no output")
    answered = pl.col("status") == "ok"
    lengths = pl.col("margins").list.len() != pl.col("token_ids").list.len()
    odd = ~pl.col("margins").list.eval((pl.element() >= 0) & pl.element().is_finite()).list.all()
    for field, bad, said in (
        ("prompt", pl.col("prompt").is_null(), "must be given"),
        (
            "prompt",
            pl.col("prompt").is_duplicated(),
            "stands twice; one output a prompt, repeats are runs of their own",
        ),
        ("status", ~pl.col("status").is_in(OUTPUT_STATUSES), f"must be {', '.join(OUTPUT_STATUSES)}"),
        ("text", answered & pl.col("token_ids").is_null() & pl.col("text").is_null(), "neither text nor token_ids"),
        ("margins", pl.col("margins").is_not_null() & lengths.fill_null(value=True), "must be one for each token id"),
        ("margins", odd.fill_null(value=False), "must be finite and not negative"),
    ):
        found = frame.select(bad).to_series().arg_max()
        if found is not None and bool(frame.select(bad).to_series()[found]):
            raise EvidenceError(f"{file}, row {found + 1}, {field}: {said}")
