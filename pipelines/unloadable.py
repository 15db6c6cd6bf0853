"""A code location that cannot load: Dagster runs none of its schedules then, so that no night is left to alert anybody.

Belongs here: telling people when loading fails, once for one reason and day, however often Dagster tries. A program
that does not start at all tells nobody: for that, the age of the night's signal is watched from outside (`status`).
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from resources.alerts import Alert, Trouble, send
from resources.atomic_files import JsonFileError, read_json, write_json
from resources.catalog_problems import CatalogError
from resources.night_signals import FOLDER
from resources.settings import Settings
from warehouse.exit_codes import ExitCode

AGAIN: Final = timedelta(hours=20)
"""After so long the same reason is told once more: a night has passed."""


def tell_unloadable(settings: Settings, error: CatalogError, now: datetime) -> None:
    """Alerts people that no night will begin, unless they were told of it a short while ago."""
    path = settings.home / FOLDER / "unloadable.json"
    if not settings.alerts.is_set or _was_told(path, str(error), now):
        return
    day = now.date().isoformat()
    step = "correct it, then scoretrail catalog check, then reload the code location (or start scoretrail ui again)"
    troubles = [Trouble("catalog", str(problem), step) for problem in error.problems]
    subject = f"{day} the code location cannot load: no night begins until it does"
    faults = send(Alert(subject, day, int(ExitCode.USAGE), None, tuple(troubles)), settings.alerts)
    try:
        write_json(path, {"reason": str(error), "at": now.astimezone(UTC).isoformat()})
    except OSError as refused:
        faults.append(f"{path}: {refused}")
    for fault in faults:
        logging.getLogger(__name__).warning(fault)


def _was_told(path: Path, reason: str, now: datetime) -> bool:
    try:
        said = read_json(path)
        return said["reason"] == reason and abs(now - datetime.fromisoformat(said["at"])) < AGAIN
    except (OSError, JsonFileError, KeyError, TypeError, ValueError):
        return False
