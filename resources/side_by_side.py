"""Many sources at once: hosts side by side, the sources of one host one after the other.

Belongs here: the order of work. Turns between requests are kept by `hosts` all the same, since redirects and other runs
exist; without the grouping, threads would only stand in line at one host while others are idle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Final

from resources.day_snapshots import sync_now
from resources.hosts import host_of
from resources.sync import SyncOutcome
from resources.workspace import Workspace
from warehouse.catalog_model import SourceSpec

LOCAL_GROUPS: Final = 4
"""Files need no politeness, and parsing them side by side costs memory."""
THREADS: Final = 12


def sync_all(workspace: Workspace, sources: Sequence[SourceSpec]) -> Iterator[tuple[SourceSpec, SyncOutcome]]:
    """Syncs sources and gives each as soon as it is done, with a line of progress.

    Whatever ends the caller, an interruption above all, ends the sources that are under way at their next wait: what
    they fetched of a tree is kept for the next sync, and how they stood stays what it was.
    """
    groups = grouped(sources, local=workspace.sync.mirror is not None)
    done: SimpleQueue[tuple[SourceSpec, SyncOutcome | BaseException]] = SimpleQueue()

    def work(group: list[SourceSpec]) -> None:
        for source in group:
            if workspace.network.stopping.is_set():
                return
            try:
                done.put((source, sync_now(workspace, source)))
            except BaseException as error:  # noqa: BLE001 - handed to the caller, who waits for every source
                done.put((source, error))

    try:
        with ThreadPoolExecutor(min(THREADS, len(groups)) or 1) as pool:
            try:
                for group in groups:
                    pool.submit(work, group)
                for number in range(1, len(sources) + 1):
                    source, outcome = done.get()
                    if isinstance(outcome, BaseException):
                        raise outcome
                    place = f"[{number}/{len(sources)}]"
                    workspace.progress(f"{place} {outcome.leaderboard}: {outcome.status}: {outcome.message}")
                    yield source, outcome
            except BaseException:
                workspace.network.stop()  # or leaving the block would wait for every source that is left
                raise
    finally:
        workspace.network.close()


def grouped(sources: Sequence[SourceSpec], *, local: bool) -> list[list[SourceSpec]]:
    """The sources by host, largest group first; files spread over a few groups.

    Args:
        local: whether every source is read from files, as from a mirror.
    """
    hosts: dict[str, list[SourceSpec]] = {}
    files: list[SourceSpec] = []
    for source in sources:
        host = None if local else host_of(source.url)
        (files if host is None else hosts.setdefault(host, [])).append(source)
    spread = [files[n::LOCAL_GROUPS] for n in range(LOCAL_GROUPS)]
    return sorted((group for group in (*hosts.values(), *spread) if group), key=len, reverse=True)
