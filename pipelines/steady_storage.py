"""Keeps Dagster's SQLite files open for the length of a command: one connection a file, one disk sync a checkpoint.

A run writes about a thousand events. Dagster opens a connection for each, which may be right for a service and costs a
command more than its own work. Here each file keeps one connection, in SQLite's NORMAL mode, which is safe under the
write-ahead log that Dagster uses. What is at stake is the record of the run in the UI: tables, verdicts and releases
are made durable by `resources`. Where another version of Dagster connects otherwise, its own way simply stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import dagster as dg
import sqlalchemy
from sqlalchemy.pool import StaticPool

Connect = Callable[..., AbstractContextManager[sqlalchemy.Connection]]

BUSY_TIMEOUT_S = 30.0


class KeptConnections:
    """One open connection a file, lent to one user at a time; whoever comes meanwhile connects the ordinary way."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._open: dict[str, tuple[sqlalchemy.Engine, sqlalchemy.Connection]] = {}
        self._lent: set[str] = set()

    @contextmanager
    def lend(self, address: str, ordinary: Connect, *arguments: object) -> Iterator[sqlalchemy.Connection]:
        """A transaction on the kept connection of a file.

        Args:
            address: the SQLAlchemy address of the file.
            ordinary: Dagster's own way to connect; it makes a new file with its tables.
            arguments: what it takes.
        """
        with self._lock:
            if address in self._lent:
                with ordinary(*arguments) as connection:
                    yield connection
                return
            if address not in self._open:
                with ordinary(*arguments):
                    pass  # the first time, Dagster makes and marks its tables
                engine = sqlalchemy.create_engine(
                    address,
                    poolclass=StaticPool,
                    connect_args={"timeout": BUSY_TIMEOUT_S, "check_same_thread": False},
                )
                connection = engine.connect()
                connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
                connection.rollback()
                self._open[address] = (engine, connection)
            kept = self._open[address][1]
            self._lent.add(address)
            try:
                with kept.begin():
                    yield kept
            finally:
                self._lent.discard(address)

    def close(self) -> None:
        """Closes every kept connection."""
        for engine, connection in self._open.values():
            connection.close()
            engine.dispose()
        self._open.clear()


@contextmanager
def steady_storage(instance: dg.DagsterInstance) -> Iterator[KeptConnections]:
    """For the length of the block, the instance's SQLite files keep one connection each."""
    kept = KeptConnections()
    undo: list[Callable[[], None]] = []
    events: Any = instance.event_log_storage
    if hasattr(events, "_connect") and hasattr(events, "conn_string_for_shard"):
        undo.append(_redirect(kept, events, "_connect", events.conn_string_for_shard))
    if hasattr(events, "has_table"):
        undo.append(_remember_tables(events))
    for storage in (instance.run_storage, instance.schedule_storage):
        address = getattr(storage, "_conn_string", None)
        if isinstance(address, str) and hasattr(storage, "connect"):
            undo.append(_redirect(kept, storage, "connect", lambda found=address: found))
    try:
        yield kept
    finally:
        for step in undo:
            step()
        kept.close()


def _remember_tables(storage: Any) -> Callable[[], None]:
    """A table that was found once is not looked for again, as otherwise for every event; returns what undoes it."""
    ordinary: Callable[[str], bool] = storage.has_table
    found: set[str] = set()

    def has_table(name: str) -> bool:
        if name not in found and ordinary(name):
            found.add(name)
        return name in found

    storage.has_table = has_table
    return lambda: delattr(storage, "has_table")


def _redirect(kept: KeptConnections, storage: Any, name: str, address: Callable[..., str]) -> Callable[[], None]:
    """Makes a storage's way to connect lend the kept connection; returns what undoes it."""
    ordinary: Connect = getattr(storage, name)

    def connect(*arguments: object) -> AbstractContextManager[sqlalchemy.Connection]:
        return kept.lend(address(*arguments), ordinary, *arguments)

    setattr(storage, name, connect)
    return lambda: delattr(storage, name)
