"""How the last sync of each leaderboard went: one small file each, so that any later run and `status` can say it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from resources.atomic_files import JsonFileError, read_json, write_json

FOLDER = Path("snapshots") / "outcomes"
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class Outcome(TypedDict):
    """Status and message of a sync, and when it ran (ISO 8601, UTC)."""

    status: str
    message: str
    at: str


def keep_outcome(home: Path, leaderboard: str, status: str, message: str, at: datetime) -> None:
    """Keep how a sync went, in place of the one before."""
    outcome: dict[str, str] = {"status": status, "message": message, "at": at.isoformat()}
    write_json(home / FOLDER / f"{leaderboard}.json", dict(outcome))


def last_outcome(home: Path, leaderboard: str) -> Outcome | None:
    """How the last sync of a leaderboard went; None where it never ran."""
    path = home / FOLDER / f"{leaderboard}.json"
    return _outcome(path) if path.is_file() else None


def all_outcomes(home: Path) -> dict[str, Outcome]:
    """How the last sync of every leaderboard went, by leaderboard."""
    folder = home / FOLDER
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {path.stem: _outcome(path) for path in paths}


def _outcome(path: Path) -> Outcome:
    """A note that cannot be read says so and stops nobody: the next sync writes it anew."""
    try:
        value = read_json(path)
        at = datetime.fromisoformat(value["at"])
        return Outcome(status=str(value["status"]), message=str(value["message"]), at=at.isoformat())
    except (JsonFileError, KeyError, TypeError, ValueError) as error:
        message = f"how its last sync went is not known: {error}"
        return Outcome(status="failed", message=message, at=UNKNOWN_TIME.isoformat())
