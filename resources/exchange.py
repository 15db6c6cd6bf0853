"""Files in and out for other programs: trees of every-eval-ever logs, tables as CSV or Parquet.

Belongs here: reading and writing those folders, and judging logs by a schema that the user brings. Does not belong
here: what a log says (`resources.connectors.every_eval_ever`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import polars as pl

from resources.atomic_files import json_bytes, make_folder, replacing, write_bytes
from resources.connectors import SnapshotFile
from resources.connectors.every_eval_ever.options import EveryEvalEverOptions
from resources.connectors.every_eval_ever.reading import SAMPLES_SUFFIX, file_rows
from resources.connectors.every_eval_ever.writing import write_logs
from resources.guarded_csv import contract_types, csv_bytes
from resources.json_documents import as_floats, load_json
from resources.manifest import Release
from resources.release_catalog import release_catalog
from resources.table_files import contract_of
from resources.text_documents import DocumentError
from warehouse.vocabulary import NATIVE_SCHEMA

SHOWN_FAULTS: Final = 20
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ExchangeError(ValueError):
    """A folder or a file that cannot be read or written as asked: names it."""


@dataclass(frozen=True, slots=True)
class ImportedLogs:
    """What an import read: logs, their results, what could not be read, what the publisher's schema finds wrong."""

    logs: int
    results: int
    problems: tuple[str, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What an export wrote."""

    files: int
    results: int
    faults: tuple[str, ...] = ()


def tree_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """The logs and the instance-level files below a folder, or the one file named, sorted.

    Raises:
        ExchangeError: where there is none.
    """
    paths = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*.json*") if path.is_file())
    if not paths:
        raise ExchangeError(f"{folder}: holds no .json and no .jsonl file")
    samples = [path for path in paths if path.suffix == SAMPLES_SUFFIX]
    return [path for path in paths if path.suffix != SAMPLES_SUFFIX], samples


def snapshot_files(paths: Sequence[Path], folder: Path) -> Iterator[SnapshotFile]:
    """The files, one by one, named by their place below the folder."""
    root = folder.parent if folder.is_file() else folder
    for path in paths:
        yield SnapshotFile(path.relative_to(root).as_posix(), path.read_bytes())


def import_logs(
    logs: Iterable[SnapshotFile], leaderboard: str, unit: str | None, out: Path, schema_file: Path | None = None
) -> ImportedLogs:
    """Writes the readable results of logs as one file of the native format; one log is held at a time.

    The file appears whole, or not at all.

    Raises:
        ExchangeError: where not one of the files is a log; for a schema file that is none.
    """
    options = EveryEvalEverOptions(unit=unit)
    judge = _judge(schema_file) if schema_file is not None else None
    known_parts: dict[str, Any] = {}
    problems: list[str] = []
    faults: list[str] = []
    results = read = 0
    synced_at: datetime | None = None
    with replacing(out) as temporary, temporary.open("x", encoding="utf-8") as stream:
        head = {"schema": NATIVE_SCHEMA, "leaderboard": leaderboard}
        stream.write(json.dumps(head)[:-1] + ', "results": [')
        for file in logs:
            rows, known, is_log = file_rows(file, options, known_parts)
            read += is_log
            synced_at = max(filter(None, (synced_at, known)), default=None)
            problems += [f"{row.row_locator}: {row.problem}" for row in rows if row.problem is not None]
            for row in rows:
                if row.record is not None and row.problem is None:
                    record = json.dumps(row.record, ensure_ascii=False, separators=(",", ":"))
                    stream.write(("," if results else "") + "\n" + record)
                    results += 1
            if judge is not None and len(faults) < SHOWN_FAULTS:
                faults += _faults(judge, file)
        if not read:
            raise ExchangeError(problems[0] if problems else "no log, only instance-level files")
        at = "" if synced_at is None else f', "synced_at": "{synced_at.isoformat().replace("+00:00", "Z")}"'
        stream.write(f"\n]{at}}}\n")
    return ImportedLogs(read, results, tuple(problems), tuple(faults[:SHOWN_FAULTS]))


def schema_faults(files: Iterable[SnapshotFile], schema_file: Path) -> list[str]:
    """What the publisher's JSON schema finds wrong: at most one line a document, the first SHOWN_FAULTS.

    Each line of a `.jsonl` file is a document of its own.

    Raises:
        ExchangeError: where the file is no JSON schema.
    """
    judge = _judge(schema_file)
    return list(islice((fault for file in files for fault in _faults(judge, file)), SHOWN_FAULTS))


def _judge(schema_file: Path) -> Any:
    import jsonschema

    try:
        schema = json.loads(schema_file.read_bytes())
        judge_class = jsonschema.validators.validator_for(schema, jsonschema.Draft7Validator)
        judge_class.check_schema(schema)
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        raise ExchangeError(f"{schema_file}: is no JSON schema: {str(error).splitlines()[0]}") from error
    return judge_class(schema)


def _faults(judge: Any, file: SnapshotFile) -> Iterator[str]:
    import jsonschema

    try:
        for place, document in _documents(file):
            fault = jsonschema.exceptions.best_match(judge.iter_errors(document))
            if fault is not None:
                yield f"{place}, {fault.json_path}: {fault.message[:200]}"
    except DocumentError as error:
        yield f"{file.name}: {error.message}"


def _documents(file: SnapshotFile) -> Iterator[tuple[str, Any]]:
    if not file.name.endswith(SAMPLES_SUFFIX):
        yield file.name, as_floats(load_json(file.data, file.name))
        return
    for number, line in enumerate(file.data.splitlines(), start=1):
        if line.strip():
            yield f"{file.name}, line {number}", as_floats(load_json(line, file.name))


def export_logs(release: Release, out: Path, leaderboards: Sequence[str], schema_file: Path | None) -> WrittenFiles:
    """Writes a release's readable results as logs, one tree for all leaderboards.

    Raises:
        ExchangeError: where the folder holds something already, or a leaderboard is not in the release.
    """
    _empty(out)
    rows = release.read("raw__row").filter(pl.col("problem").is_null() & ~pl.col("is_duplicate"))
    known = set(rows["leaderboard"].unique())
    for name in leaderboards:
        if name not in known:
            raise ExchangeError(f"{name}: no leaderboard of {release.release_id}; it has {', '.join(sorted(known))}")
    times = dict(release.read("raw__snapshot").select("leaderboard", "synced_at").rows())
    directions = _directions(release)
    files = results = 0
    written: list[SnapshotFile] = []
    for name in sorted(leaderboards or known):
        records = [json.loads(text) for text in rows.filter(pl.col("leaderboard") == name)["record"]]
        results += len(records)
        for log in write_logs(name, name, times.get(name) or EPOCH, records, directions):
            data = json_bytes(log.log)
            (out / log.path).parent.mkdir(parents=True, exist_ok=True)
            (out / log.path).write_bytes(data)
            files += 1
            if schema_file is not None:
                written.append(SnapshotFile(log.path, data))
    return WrittenFiles(files, results, tuple(schema_faults(written, schema_file)) if schema_file else ())


def _directions(release: Release) -> dict[tuple[str, str], str]:
    """The direction of each (benchmark, metric) that the release's catalog knows."""
    metrics = release_catalog(release).metrics
    return {(matcher.benchmark, matcher.metric): metric.direction for metric in metrics for matcher in metric.from_}


def export_tables(release: Release, out: Path, form: str) -> WrittenFiles:
    """Writes every table of a release as Parquet, as it was released, or as guarded CSV (`resources.guarded_csv`).

    Raises:
        ExchangeError: where the folder holds something already.
    """
    _empty(out)
    make_folder(out)
    names = sorted(release.manifest.tables)
    for name in names:
        if form == "parquet":
            write_bytes(out / f"{name}.parquet", release.table_path(name).read_bytes())
        else:
            write_bytes(out / f"{name}.csv", csv_bytes(release.read(name), contract_types(contract_of(name))))
    return WrittenFiles(len(names), release.read("core__result").height)


def _empty(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ExchangeError(f"{out}: holds something already; name an empty or a new folder")
