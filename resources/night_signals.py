"""The signals a night leaves: that one was tried, and that one succeeded. Their absence is the dead man's answer.

Belongs here: the two small files `nightly/last_run.json` and `nightly/last_success.json` of the home. A monitor may
watch the second one's age with nothing of scoretrail installed. What counts as success is `pipelines.night`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from resources.atomic_files import JsonFileError, read_json, write_json
from warehouse.canonical import Json

FOLDER: Final = "nightly"
SCHEMA: Final = "scoretrail.nightly/1"


class Night(TypedDict):
    """A night that ended: its day, when (ISO 8601, UTC), its exit code, the release that stands, and stale sources."""

    as_of: str
    finished_at: str
    exit_code: int
    release_id: str | None
    stale: list[str]


def keep_night(
    home: Path, as_of: str, finished_at: datetime, exit_code: int, release_id: str | None, stale: Sequence[str] = ()
) -> None:
    """Writes that a night ended; also as a success, where it published."""
    night: dict[str, Json] = {
        "schema": SCHEMA,
        "as_of": as_of,
        "finished_at": finished_at.astimezone(UTC).isoformat(),
        "exit_code": exit_code,
        "release_id": release_id,
        "stale": [*sorted(stale)],
    }
    write_json(home / FOLDER / "last_run.json", night)
    if release_id is not None:
        write_json(home / FOLDER / "last_success.json", night)


def last_run(home: Path) -> Night | None:
    """The last night that ended, however; None where none ever did, or its file cannot be read."""
    return _night(home / FOLDER / "last_run.json")


def last_success(home: Path) -> Night | None:
    """The last night that published; None where none ever did, or its file cannot be read."""
    return _night(home / FOLDER / "last_success.json")


def _night(path: Path) -> Night | None:
    try:
        value = read_json(path)
        datetime.fromisoformat(value["finished_at"])
        return Night(
            as_of=str(value["as_of"]),
            finished_at=str(value["finished_at"]),
            exit_code=int(value["exit_code"]),
            release_id=value["release_id"],
            stale=[str(name) for name in value.get("stale", ())],
        )
    except (FileNotFoundError, JsonFileError, KeyError, TypeError, ValueError):
        return None
