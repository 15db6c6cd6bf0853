"""A freeze: every result as CSV, its links, and a manifest that says which bytes it came from.

Belongs here: writing a freeze folder and proving one. Does not belong here: which results there are (`methods.catalog`)
or what is studied on them. The same tables give the same bytes; nothing in it depends on the clock or the machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl

from resources.atomic_files import (
    JsonFileError,
    json_bytes,
    make_folder,
    read_json,
    sync_folder,
    temporary_path,
    write_bytes,
)
from resources.guarded_csv import contract_types, csv_bytes, read_csv
from resources.verdicts import moment_text
from warehouse.canonical import Json, sha256_hex
from warehouse.columns import ColumnType
from warehouse.hashing import table_hash
from warehouse.tables import CORE_RESULT, RAW_SNAPSHOT

FREEZE_SCHEMA: Final = "scoretrail.freeze/1"
RESULTS_NAME: Final = "results.csv"
LINKS_NAME: Final = "links.csv"
MANIFEST_NAME: Final = "manifest.json"
LINK_TYPES: Final[dict[str, ColumnType]] = {"entry_id": "text", "model_url": "text", "source_url": "text"}


class FreezeError(ValueError):
    """A folder that may not take a freeze, or a freeze that is not what its manifest says: names the file."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """A freeze folder as proved: where it lies, its results in key order, its manifest."""

    folder: Path
    results: pl.DataFrame
    manifest: Mapping[str, Any]


def freeze(
    results: pl.DataFrame, snapshots: pl.DataFrame, out_dir: Path, *, as_of: date | None = None
) -> dict[str, Json]:
    """Write `results.csv`, `links.csv` and `manifest.json` into a folder; returns the manifest.

    A new folder appears whole or not at all. Into an empty folder or over an earlier freeze it is written file by
    file, the manifest last, so that a freeze stopped half-way does not prove itself. The CSV form is that of
    `resources.guarded_csv`.

    Args:
        results: core__result.
        snapshots: raw__snapshot of the same day.
        out_dir: the folder.
        as_of: the day frozen, stated in the manifest; None to state none.

    Raises:
        FreezeError: if the folder holds something that is not a freeze, or a result's snapshot is not among them.
        ContractError: if a frame breaks its contract.
        OSError: if the disk refuses.
    """
    bodies, manifest = _bodies(CORE_RESULT.conform(results), RAW_SNAPSHOT.conform(snapshots), as_of)
    out_dir = Path(out_dir)
    if out_dir.exists() and (not out_dir.is_dir() or (any(out_dir.iterdir()) and not is_freeze(out_dir))):
        raise FreezeError(f"{out_dir}: holds something that is not a freeze; name an empty or a new folder")
    if out_dir.exists():
        for name, body in bodies.items():
            write_bytes(out_dir / name, body)
        return manifest
    make_folder(out_dir.absolute().parent)
    building = temporary_path(out_dir.absolute())
    try:
        building.mkdir()
    except OSError as error:
        raise FreezeError(f"{out_dir}: the folder cannot be made: {error.strerror}; name another") from error
    try:
        for name, body in bodies.items():
            write_bytes(building / name, body)
        building.replace(out_dir)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    sync_folder(out_dir.absolute().parent)
    return manifest


def is_freeze(folder: Path) -> bool:
    """Whether a folder holds the manifest of a freeze."""
    try:
        manifest = read_json(folder / MANIFEST_NAME)
    except (OSError, JsonFileError):
        return False
    return isinstance(manifest, dict) and manifest.get("schema") == FREEZE_SCHEMA


def read_freeze(folder: Path) -> Freeze:
    """A freeze, after proving every file against the manifest and the results against their table hash.

    Raises:
        FreezeError: if the folder is no freeze, a file is missing or changed, or the results are not those frozen.
        GuardedCsvError: if a CSV cannot be read.
    """
    if not is_freeze(folder):
        raise FreezeError(f"{folder}: is no freeze; {MANIFEST_NAME} is missing or of another kind")
    manifest = read_json(folder / MANIFEST_NAME)
    bodies = {entry["path"]: _proved(folder, entry) for entry in manifest["files"]}
    columns = read_csv(bodies[RESULTS_NAME], contract_types(CORE_RESULT), str(folder / RESULTS_NAME))
    results = CORE_RESULT.conform(pl.DataFrame(columns, schema=CORE_RESULT.polars_schema()))
    if table_hash(results, CORE_RESULT) != manifest["results_hash"]:
        raise FreezeError(f"{folder / RESULTS_NAME}: its values are not those that were frozen")
    return Freeze(folder, results, manifest)


def _proved(folder: Path, entry: Mapping[str, Any]) -> bytes:
    path = folder / str(entry["path"])
    if path.parent != folder:
        raise FreezeError(f"{folder}: its manifest names {entry['path']}, outside the folder")
    try:
        body = path.read_bytes()
    except OSError as error:
        raise FreezeError(f"{path}: cannot be read: {error}") from error
    if sha256_hex(body) != entry["sha256"]:
        raise FreezeError(
            f"{path}: was changed: its SHA-256 is {sha256_hex(body)}, the manifest says {entry['sha256']}"
        )
    return body


def _bodies(
    results: pl.DataFrame, snapshots: pl.DataFrame, as_of: date | None
) -> tuple[dict[str, bytes], dict[str, Json]]:
    """The files in the order they are written, the manifest last, and the manifest as JSON values."""
    bodies = {
        RESULTS_NAME: csv_bytes(results, contract_types(CORE_RESULT)),
        LINKS_NAME: csv_bytes(results.select(*LINK_TYPES), LINK_TYPES),
    }
    manifest: dict[str, Json] = {
        "schema": FREEZE_SCHEMA,
        "as_of": None if as_of is None else as_of.isoformat(),
        "rows": results.height,
        "results_hash": table_hash(results, CORE_RESULT),
        "csv": "guarded: take one leading apostrophe off quoted text; an unquoted empty cell is null",
        "leaderboards": _leaderboards(results, snapshots),
        "files": [
            {"path": name, "rows": results.height, "bytes": len(body), "sha256": sha256_hex(body)}
            for name, body in bodies.items()
        ],
    }
    return {**bodies, MANIFEST_NAME: json_bytes(manifest)}, manifest


def _leaderboards(results: pl.DataFrame, snapshots: pl.DataFrame) -> list[Json]:
    """Per leaderboard: where the bytes lie, their known-time, rows received and frozen, their SHA-256."""
    frozen = dict(results.group_by("leaderboard").len().iter_rows())
    used = set(results.select("leaderboard", "snapshot_sha256").unique().iter_rows())
    strangers = sorted(used - set(snapshots.select("leaderboard", "sha256").iter_rows()))
    if strangers:
        raise FreezeError(f"results of {strangers[0][0]} stand in snapshot {strangers[0][1]}, which is not the day's")
    return [
        {
            "leaderboard": row["leaderboard"],
            "path": row["path"],
            "source_url": row["source_url"],
            "synced_at": None if row["synced_at"] is None else moment_text(row["synced_at"]),
            "sha256": row["sha256"],
            "bytes": row["bytes"],
            "rows_received": row["rows"],
            "rows": int(frozen.get(row["leaderboard"], 0)),
        }
        for row in snapshots.rows(named=True)
    ]
