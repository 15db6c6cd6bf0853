"""Keeps Dagster's SQLite files quick for the length of a command: one sync a checkpoint, not one an event.

A run writes about a thousand events, each through a connection of its own. By default every commit waits for the disk,
and the last connection to leave a file folds its write-ahead log back. With NORMAL, which SQLite calls safe under a
write-ahead log, only a checkpoint waits; and one connection stays open meanwhile, so that none happens between events.
What is at stake is the record of the run in the UI: tables, verdicts and releases are made durable by `resources`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine


@contextmanager
def steady_storage() -> Iterator[None]:
    """For the length of the block, SQLite files that SQLAlchemy opens are kept open and synced at checkpoints."""
    kept: dict[str, sqlite3.Connection] = {}

    def opened(connection: Any, _record: Any) -> None:
        if not isinstance(connection, sqlite3.Connection):
            return
        connection.execute("PRAGMA synchronous=NORMAL")
        path = connection.execute("PRAGMA database_list").fetchone()[2]
        if path and path not in kept:
            keeper = kept[path] = sqlite3.connect(path, check_same_thread=False)
            # A connection takes part in the log from its first read on.
            keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()

    event.listen(Engine, "connect", opened)
    try:
        yield
    finally:
        event.remove(Engine, "connect", opened)
        for keeper in kept.values():
            with suppress(sqlite3.Error):
                keeper.close()
