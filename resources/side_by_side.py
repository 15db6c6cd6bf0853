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


class BegunSync:
    """A sync under way: every source is asked from now on, whether or not somebody waits for what comes of it.

    Args:
        workspace: what it reads and keeps; nobody else may sync into its home until `close`.
        sources: those to ask.
    """

    def __init__(self, workspace: Workspace, sources: Sequence[SourceSpec]) -> None:
        self.sources = tuple(sources)
        self._workspace = workspace
        self._done: SimpleQueue[tuple[SourceSpec, SyncOutcome | BaseException]] = SimpleQueue()
        groups = grouped(self.sources, local=workspace.sync.mirror is not None)
        self._pool = ThreadPoolExecutor(min(THREADS, len(groups)) or 1)
        for group in groups:
            self._pool.submit(self._work, group)

    def _work(self, group: list[SourceSpec]) -> None:
        for source in group:
            if self._workspace.network.stopping.is_set():
                return
            try:
                self._done.put((source, sync_now(self._workspace, source)))
            except BaseException as error:  # noqa: BLE001 - handed to whoever waits, who waits for every source
                self._done.put((source, error))

    def outcomes(self) -> Iterator[tuple[SourceSpec, SyncOutcome]]:
        """Each source as soon as it is done, with a line of progress; what broke one breaks this."""
        try:
            for number in range(1, len(self.sources) + 1):
                source, outcome = self._done.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                place = f"[{number}/{len(self.sources)}]"
                self._workspace.progress(f"{place} {outcome.leaderboard}: {outcome.status}: {outcome.message}")
                yield source, outcome
            self.finish()
        except BaseException:
            self.close()  # or every source that is left would be waited for
            raise
        finally:
            self._workspace.network.close()

    def finish(self) -> None:
        """Waits until every source has been asked."""
        self._pool.shutdown()

    def close(self) -> None:
        """Ends it: the sources under way at their next wait, and those that are left are not asked."""
        self._workspace.network.stop()
        self._pool.shutdown()
        self._workspace.network.close()


def begin_sync(workspace: Workspace) -> BegunSync:
    """Begins to sync every source of the catalog, for `sync_all` to take up.

    Hosts take their time to answer. A command that has more to load before it can use what they say loads it meanwhile.
    The caller closes it before the home is let go of.
    """
    workspace.begun_sync = BegunSync(workspace, sorted(workspace.catalog.sources, key=lambda source: source.id))
    return workspace.begun_sync


def sync_all(workspace: Workspace, sources: Sequence[SourceSpec]) -> Iterator[tuple[SourceSpec, SyncOutcome]]:
    """Syncs sources and gives each as soon as it is done, with a line of progress; takes up what `begin_sync` began.

    Whatever ends the caller, an interruption above all, ends the sources that are under way at their next wait: what
    they fetched of a tree is kept for the next sync, and how they stood stays what it was.
    """
    begun, workspace.begun_sync = workspace.begun_sync, None
    if begun is not None and {source.id for source in begun.sources} != {source.id for source in sources}:
        begun.finish()  # another choice: what was kept by then is found unchanged
        begun = None
    yield from (begun or BegunSync(workspace, sources)).outcomes()


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
