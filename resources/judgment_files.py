"""Judgments that a user brings, as CSV, JSON Lines, JSON or Parquet: read, checked, and said plainly where wrong.

Belongs here: from files to rows of text under the names of `methods.judging.columns`, and the file about them. Does not
belong here: what the rows mean together (`methods.judging.judgments`).

One row is one judgment: an item, a judge, and what it answered in one order or both. Several files are read as one. A
YAML file among them says what they do not: the judges' keys, and how other columns and labels are to be read.
"""

from __future__ import annotations

import difflib
import fnmatch
import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl
from pydantic import ValidationError

from methods.judging.columns import COLUMNS, FILE, ROW, UNREAD, JudgmentsError, known_column
from methods.judging.judgments import Judgments, gather
from methods.judging.stacks import Stack, stack_of
from resources.catalog_problems import validation_problems
from resources.csv_records import ragged_record
from resources.evidence_store import FILES_MANIFEST, EvidenceError
from resources.guarded_csv import GUARD
from resources.json_documents import load_json
from resources.text_documents import DocumentError, decode
from resources.yaml_documents import load_yaml
from warehouse.judgments_about import AboutJudgments, FileForm
from warehouse.plain_text import one_line

FORMS: Final = (".csv", ".jsonl", ".json", ".parquet")
ABOUT: Final = (".yaml", ".yml")
PACKED: Final = ".gz"
LARGEST_BYTES: Final = 2_000_000_000
"""Bytes of a file, unpacked."""
LABELLED: Final = ("verdict_ab", "verdict_ba", "gold", "label_1", "label_2")


def read_judgments(folder: Path) -> Judgments:
    """The judgments of a folder of registered evidence (errors as `judgments_of`)."""
    return judgments_of(sorted(path for path in folder.iterdir() if path.name != FILES_MANIFEST))


def judgments_of(files: Sequence[Path]) -> Judgments:
    """The judgments of files, and of the YAML file about them where there is one among them.

    Raises:
        EvidenceError: naming file, row and field, and what to do.
    """
    about = _about([path for path in files if path.suffix.lower() in ABOUT])
    tables = [path for path in files if path.suffix.lower() not in ABOUT]
    if not tables:
        raise EvidenceError(f"no file of judgments was named; they are read from {', '.join(FORMS)} files")
    try:
        forms = [_form(path, about) for path in tables]
        frames = [_read(path, form) for path, form in zip(tables, forms, strict=True)]
        raw = pl.concat(frames, how="diagonal")
        return replace(gather(raw, _stacks(about)), notes=tuple(_in_vain(about, forms)))
    except JudgmentsError as error:
        raise EvidenceError(str(error)) from error
    except DocumentError as error:
        raise EvidenceError(str(error)) from error


def _about(paths: Sequence[Path]) -> AboutJudgments | None:
    if not paths:
        return None
    if len(paths) > 1:
        raise EvidenceError(f"{' and '.join(path.name for path in paths)}: one file says what the others do not")
    path = paths[0]
    try:
        document = load_yaml(_bytes(path), path.name, scalars="text")
        return AboutJudgments.model_validate(document.data)
    except DocumentError as error:
        raise EvidenceError(str(error)) from error
    except ValidationError as error:
        raise EvidenceError(str(validation_problems(error, path.name, document.line_of)[0])) from error


def _stacks(about: AboutJudgments | None) -> dict[str, Stack]:
    stated = {} if about is None else about.judges
    return {name: stack_of(name, stack.model_dump()) for name, stack in stated.items()}


def _form(path: Path, about: AboutJudgments | None) -> FileForm | None:
    fitting = [] if about is None else [form for form in about.files if fnmatch.fnmatchcase(path.name, form.name)]
    if len(fitting) > 1:
        raise EvidenceError(f"{path.name}: two entries under `files` fit it, {fitting[0].name} and {fitting[1].name}")
    return fitting[0] if fitting else None


def _in_vain(about: AboutJudgments | None, used: Sequence[FileForm | None]) -> Iterable[str]:
    """What the file about judgments says of files that are not among those read, a sentence each."""
    for form in () if about is None else about.files:
        if form not in used:
            yield f"the file about judgments, files: none of the files read is called {one_line(form.name)}"


def _read(path: Path, form: FileForm | None) -> pl.DataFrame:
    """The rows of a file as texts, under the names used here."""
    found, nested = _rows(path)
    named = form.columns if form else {}
    columns = dict(named) or {name: name for name in (*found.columns, *nested) if name != ROW}
    _known(path.name, [*columns, *(form.constants if form else ())], is_own=not named)
    chosen = []
    for name, source in columns.items():
        parts = [source] if isinstance(source, str) else list(source)
        for part in parts:
            if part in nested:
                raise EvidenceError(
                    f"{path.name}, {nested[part]}, {one_line(part)}: holds a list or an object; a field is a text, a "
                    "number, true, false or null"
                )
            if part not in found.columns:
                near = difflib.get_close_matches(part, found.columns, n=1)
                hint = f" (is {near[0]!r} meant?)" if near else ""
                raise EvidenceError(f"{path.name}: has no column {one_line(part)!r}{hint}, which {name} is read from")
        chosen.append(pl.concat_str(parts, separator="/").alias(name))
    constants = [pl.lit(value, dtype=pl.String).alias(name) for name, value in (form.constants if form else {}).items()]
    rows = found.select(*chosen, *constants, ROW).with_columns(pl.lit(path.name).alias(FILE))
    return _relabelled(rows, form.labels if form else {})


def _relabelled(rows: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    if not labels:
        return rows
    present = [name for name in LABELLED if name in rows.columns]
    return rows.with_columns(pl.col(name).str.strip_chars().replace(labels) for name in present)


def _known(file: str, columns: Iterable[str], *, is_own: bool) -> None:
    """Every column is one of judgments; the needed ones are there."""
    names = list(columns)
    for name in names:
        if not known_column(name):
            near = difflib.get_close_matches(name, COLUMNS, n=1)
            hint = f" (is {near[0]!r} meant?)" if near else ""
            out = ", take it out, or say under `files` of the file about them which columns to read" if is_own else ""
            raise EvidenceError(
                f"{file}: column {one_line(name)!r} is none of judgments{hint}{out}; columns are {', '.join(COLUMNS)}, "
                "and slice_ with a name"
            )
    if "item" not in names:
        known = f"columns are {', '.join(COLUMNS)}"
        raise EvidenceError(f"{file}: has no column 'item', which says what is judged; {known}")


def _rows(path: Path) -> tuple[pl.DataFrame, dict[str, str]]:
    """Every column of a file as text, empty as null, with the number of each row from 1; and columns that hold more.

    Those of lists and objects are no texts: the place where the first stands, by column.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == PACKED else (suffixes or [""])[-1]
    if kind not in FORMS:
        raise EvidenceError(f"{path.name}: judgments are read from {', '.join(FORMS)} files, packed with gzip or not")
    try:
        found, nested = _parquet(path) if kind == ".parquet" else _text_rows(path, kind)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        said = one_line(str(error).splitlines()[0])[:200]
        raise EvidenceError(f"{path.name}: is no readable {kind[1:]} file: {said}") from error
    if ROW not in found.columns:
        found = found.with_row_index(ROW, offset=1)
    if not found.height:
        raise EvidenceError(f"{path.name}: holds no row")
    texts = [name for name in found.columns if name != ROW]
    filled = (pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in texts)
    return found.select(pl.col(ROW).cast(pl.Int64), *filled), nested


def _text_rows(path: Path, kind: str) -> tuple[pl.DataFrame, dict[str, str]]:
    data = _bytes(path)
    if kind == ".csv":
        text = decode(data, path.name).encode()
        ragged = ragged_record(io.BytesIO(text))
        if ragged is not None:
            raise EvidenceError(f"{path.name}, {ragged}")
        found = pl.read_csv(io.BytesIO(text), infer_schema=False)
        is_guarded = bool(set(UNREAD) & set(found.columns))
        return (found.with_columns(pl.all().str.strip_prefix(GUARD)) if is_guarded else found), {}
    if kind == ".json":
        document = load_json(data, path.name)
        if not isinstance(document, list):
            raise EvidenceError(f"{path.name}: is no list of judgments")
        return _from_objects(path.name, list(enumerate(document, start=1)))
    lines = [(n, line) for n, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    return _from_objects(path.name, [(n, load_json(line, f"{path.name}, line {n}")) for n, line in lines])


def _from_objects(file: str, objects: Sequence[tuple[int, Any]]) -> tuple[pl.DataFrame, dict[str, str]]:
    names: dict[str, None] = {}
    nested: dict[str, str] = {}
    for number, one in objects:
        if not isinstance(one, dict):
            raise EvidenceError(f"{file}, row {number}: is no object with a name for every value")
        names.update(dict.fromkeys(one))
        for name, value in one.items():
            if isinstance(value, list | dict):
                nested.setdefault(name, f"row {number}")
    flat = [name for name in names if name not in nested]
    columns: dict[str, list[str | None]] = {name: [_text(one.get(name)) for _, one in objects] for name in flat}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(flat, pl.String)).drop(ROW, strict=False)
    return frame.with_columns(pl.Series(ROW, [number for number, _ in objects], dtype=pl.Int64)), nested


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parquet(path: Path) -> tuple[pl.DataFrame, dict[str, str]]:
    try:
        found = pl.read_parquet(path)
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error
    nested = {name: "column" for name, dtype in found.schema.items() if dtype.is_nested()}
    return found.drop(list(nested)).with_columns(pl.all().cast(pl.String)), nested


def _bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked where packed."""
    try:
        with path.open("rb") as packed:
            stream = gzip.GzipFile(fileobj=packed) if path.suffix.lower() == PACKED else packed
            data = stream.read(LARGEST_BYTES + 1)
    except (OSError, EOFError) as error:
        raise EvidenceError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LARGEST_BYTES:
        raise EvidenceError(f"{path.name}: more than {LARGEST_BYTES:,} bytes; split it")
    return data
