"""The one lock of a home: command and daemon never write it at the same time.

Belongs here: taking, holding and naming the lock. The lock is the operating system's: it falls with its process, so a
killed run never leaves a home locked. The file beside it only tells people who holds it.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import FileLock, Timeout

from resources.atomic_files import JsonFileError, make_folder, read_json, write_json

LOCK_NAME: Final = ".lock"
HOLDER_NAME: Final = ".lock-holder.json"


class HomeLockedError(RuntimeError):
    """Another process holds the home: says which, and what to do."""


class HomeLock:
    """The lock of one home, as a context manager. Not reentrant: a process takes it once.

    Args:
        home: the home folder; made where it is missing.
        timeout_s: how long to wait for another holder, in seconds; 0 does not wait.
    """

    def __init__(self, home: Path, timeout_s: float = 0.0) -> None:
        self.home = Path(home)
        self._timeout_s = timeout_s
        self._holder = self.home / HOLDER_NAME
        self._lock = FileLock(self.home / LOCK_NAME, thread_local=False)

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            HomeLockedError: if another holder keeps it.
        """
        make_folder(self.home)
        if self._lock.is_locked:
            raise HomeLockedError(self._message())
        try:
            self._lock.acquire(timeout=self._timeout_s)
        except Timeout as error:
            raise HomeLockedError(self._message()) from error
        try:
            write_json(
                self._holder,
                {
                    "pid": os.getpid(),
                    "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200],
                    "since": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
                },
            )
        except BaseException:
            self._lock.release()
            raise

    def release(self) -> None:
        """Give the lock back; without effect where it is not held."""
        if self._lock.is_locked:
            self._holder.unlink(missing_ok=True)
            self._lock.release()

    def holder(self) -> str:
        """Who holds the lock, in words."""
        try:
            stated = read_json(self._holder)
            return f"process {stated['pid']} ({stated['command']}) since {stated['since']}"
        except (OSError, JsonFileError, KeyError, TypeError):
            return "another process"

    def _message(self) -> str:
        return f"{self.home}: in use by {self.holder()}. Wait until it ends, or use another --home."

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
