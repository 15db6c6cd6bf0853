"""Files in and out for other programs: trees of every-eval-ever logs, tables as CSV or Parquet.

Belongs here: reading and writing those folders, and judging logs by a schema that the user brings. Does not belong
here: what a log says (`resources.connectors.every_eval_ever`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import polars as pl

from resources.atomic_files import json_bytes, make_folder, write_bytes
from resources.catalog_files import load_catalog
from resources.connectors import SnapshotFile, parse
from resources.connectors.every_eval_ever.reading import SAMPLES_SUFFIX
from resources.connectors.every_eval_ever.writing import write_logs
from resources.guarded_csv import contract_types, csv_bytes
from resources.json_documents import as_floats, load_json
from resources.manifest import Release
from resources.tables import contract_of
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedSnapshot
from warehouse.vocabulary import NATIVE_SCHEMA

SHOWN_FAULTS: Final = 20
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ExchangeError(ValueError):
    """A folder or a file that cannot be read or written as asked: names it."""


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What an export wrote."""

    files: int
    results: int
    faults: tuple[str, ...] = ()


def read_tree(folder: Path) -> tuple[list[SnapshotFile], list[SnapshotFile]]:
    """The logs and the instance-level files below a folder, or of one file, sorted by name.

    Raises:
        ExchangeError: where there is none.
    """
    paths = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*.json*") if path.is_file())
    root = folder.parent if folder.is_file() else folder
    files = [SnapshotFile(path.relative_to(root).as_posix(), path.read_bytes()) for path in paths]
    if not files:
        raise ExchangeError(f"{folder}: holds no .json and no .jsonl file")
    samples = [file for file in files if file.name.endswith(SAMPLES_SUFFIX)]
    return [file for file in files if not file.name.endswith(SAMPLES_SUFFIX)], samples


def read_logs(logs: Sequence[SnapshotFile], leaderboard: str, options: dict[str, Any]) -> ReceivedSnapshot:
    """The results of logs, as the connector reads them.

    Raises:
        ConnectorError: where none is a log.
    """
    source = SourceSpec(
        id=leaderboard, title=leaderboard, connector="every-eval-ever", url="logs", source_type="reproduced",
        options=options,
    )  # fmt: skip
    return parse(source, logs)


def native_bytes(leaderboard: str, received: ReceivedSnapshot) -> bytes:
    """The readable results as a file of the native format."""
    body: dict[str, Any] = {"schema": NATIVE_SCHEMA, "leaderboard": leaderboard}
    if received.synced_at is not None:
        body["synced_at"] = received.synced_at.isoformat().replace("+00:00", "Z")
    body["results"] = [dict(row.record) for row in received.rows if row.record is not None and row.problem is None]
    return json.dumps(body, ensure_ascii=False, indent=1).encode() + b"\n"


def schema_faults(files: Sequence[SnapshotFile], schema_file: Path) -> list[str]:
    """What the publisher's JSON schema finds wrong, one line a file, the first SHOWN_FAULTS.

    Each line of a `.jsonl` file is a document of its own.

    Raises:
        ExchangeError: where the file is no JSON schema.
    """
    import jsonschema

    try:
        schema = json.loads(schema_file.read_bytes())
        judge_class = jsonschema.validators.validator_for(schema, jsonschema.Draft7Validator)
        judge_class.check_schema(schema)
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        raise ExchangeError(f"{schema_file}: is no JSON schema: {str(error).splitlines()[0]}") from error
    judge = judge_class(schema)
    faults = []
    for file in files:
        for place, document in _documents(file):
            fault = jsonschema.exceptions.best_match(judge.iter_errors(document))
            if fault is not None:
                faults.append(f"{place}, {fault.json_path}: {fault.message[:200]}")
                if len(faults) == SHOWN_FAULTS:
                    return faults
    return faults


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
    metrics = load_catalog(release.catalog_dir).catalog.metrics
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
