"""One home opened with one catalog at one moment: what assets and commands read and write through.

Belongs here: tying the stores together, and what they need to know of each other (stamps, release id, baseline).
Does not belong here: file formats (each store's own) or rules about scores (`methods`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from methods.lineage.baseline import BaselineFigures
from methods.release.publication import expected_verdict_key
from resources.catalog_files import CatalogLoad
from resources.code_version import code_version
from resources.evidence_store import EvidenceStore
from resources.former_day import DayTable, FormerDay, former_day
from resources.memory import give_back
from resources.network import Network
from resources.received_rows import ReceivedRows
from resources.releases import ReleaseStore
from resources.retries import RetryPolicy
from resources.run_facts import PinnedRun, StepProblem, SyncOptions
from resources.settings import Settings
from resources.settled_catalog import settled_catalog
from resources.snapshots import SnapshotStore
from resources.study_evidence import StudyEvidence, gather_evidence
from resources.tables import TableStore
from resources.verdicts import VerdictStore
from warehouse.catalog_model import Catalog
from warehouse.identity import release_id
from warehouse.stamps import TableStamp
from warehouse.tables import INPUTS
from warehouse.verdicts import StoredVerdict
from warehouse.vocabulary import Exactness

if TYPE_CHECKING:
    from resources.side_by_side import BegunSync

__all__ = ["PinnedRun", "StepProblem", "SyncOptions", "Workspace"]


def _silent(_message: str) -> None:
    """Progress that nobody asked to see."""


@dataclass
class Workspace:
    """A home, a catalog, a moment, and the way sources are read. Open one with `Workspace.open`.

    `catalog_files` are the files that the catalog was read from: a release keeps these, whatever is saved meanwhile.
    """

    settings: Settings
    catalog_load: CatalogLoad
    catalog_files: Mapping[str, bytes]
    opened_at: datetime
    sync: SyncOptions = field(default_factory=SyncOptions)
    pinned: PinnedRun | None = None
    progress: Callable[[str], None] = _silent
    takes_over: bool = True
    problems: list[StepProblem] = field(default_factory=list)
    received: ReceivedRows = field(default_factory=ReceivedRows)
    begun_sync: BegunSync | None = None
    _frames: dict[tuple[str, date], pl.DataFrame] = field(default_factory=dict)
    _baselines: dict[str, BaselineFigures] = field(default_factory=dict)
    _evidence: dict[date, list[StudyEvidence]] = field(default_factory=dict)
    _former: dict[date, FormerDay | None] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        now: datetime | None = None,
        sync: SyncOptions | None = None,
        pinned: PinnedRun | None = None,
        progress: Callable[[str], None] | None = None,
        takes_over: bool = True,
    ) -> Workspace:
        """Reads the catalog and opens the home; `takes_over` as `former_day` says.

        Raises:
            CatalogError: if the catalog is broken beyond single entries.
        """
        catalog = settled_catalog(settings.catalog_dir, settings.sources_file)
        return cls(
            settings=settings,
            catalog_load=catalog.load,
            catalog_files=catalog.files,
            opened_at=now or datetime.now(UTC),
            sync=sync or SyncOptions(),
            pinned=pinned,
            progress=progress or _silent,
            takes_over=takes_over,
        )

    @property
    def home(self) -> Path:
        """The folder that holds everything produced."""
        return self.settings.home

    @property
    def catalog(self) -> Catalog:
        """The catalog, without its broken source entries."""
        return self.catalog_load.catalog

    @property
    def decided_at(self) -> datetime:
        """The moment at which waivers and freshness are judged."""
        return self.pinned.decided_at if self.pinned else self.opened_at

    @property
    def today(self) -> date:
        """The day (UTC) on which the workspace was opened."""
        return self.opened_at.astimezone(UTC).date()

    @cached_property
    def code_version(self) -> str:
        """The hash of the sources, or the one a pinned release states."""
        return self.pinned.code_version if self.pinned else code_version()

    @cached_property
    def snapshots(self) -> SnapshotStore:
        """The raw bytes."""
        return SnapshotStore(self.home)

    @cached_property
    def network(self) -> Network:
        """The network of this run: shared by its sources, so that each host is asked politely."""
        return Network(RetryPolicy(total_seconds=self.settings.retry_seconds))

    @cached_property
    def tables(self) -> TableStore:
        """The Parquet tables."""
        return TableStore(self.home)

    @cached_property
    def evidence_store(self) -> EvidenceStore:
        """The registered evidence."""
        return EvidenceStore(self.home)

    @cached_property
    def verdicts(self) -> VerdictStore:
        """The persisted verdicts."""
        return VerdictStore(self.home)

    @cached_property
    def releases(self) -> ReleaseStore:
        """The releases."""
        return ReleaseStore(self.home)

    def end_of(self, as_of: date) -> datetime:
        """The last moment of a day (UTC) at which something could be known for it."""
        return datetime.combine(as_of + timedelta(days=1), time.min, UTC) - timedelta(microseconds=1)

    def frame(self, table: str, as_of: date) -> pl.DataFrame:
        """A table of a day, under its contract; read once.

        Raises:
            TableError: if it is absent or breaks its contract.
        """
        key = (table, as_of)
        if key not in self._frames:
            self._frames[key] = self.tables.read(table, as_of)
        return self._frames[key]

    def forget_frames(self) -> None:
        """Lets go of the tables read so far: they lie on the disk, and what comes needs room of its own."""
        self._frames.clear()
        give_back(with_cycles=True)

    def save(
        self,
        table: str,
        as_of: date,
        frame: pl.DataFrame,
        exactness: Exactness = "hash",
        proved_hash: str | None = None,
    ) -> TableStamp:
        """Writes a table of a day with the hashes of the inputs it was computed from; `proved_hash` as `DayTable`."""
        self._frames.pop((table, as_of), None)
        inputs = {name: self.tables.stamp(name, as_of).table_hash for name in INPUTS.get(table, ())}
        snapshots = frame if table == "raw__snapshot" else self.frame("raw__snapshot", as_of)
        stamp = self.tables.write(
            table,
            as_of,
            frame,
            inputs=inputs,
            catalog_sha256=self.catalog.sha256,
            methodology_version=self.catalog.methodology.version,
            code_version=self.code_version,
            release_id=self._release_id(as_of, snapshots),
            exactness=exactness,
            proved_hash=proved_hash,
        )
        if proved_hash is not None:
            # Read under its contract a moment ago, and written as it is: whoever asks for it need not read it again.
            self._frames[table, as_of] = frame
        return stamp

    def former_day(self, as_of: date) -> FormerDay | None:
        """The release that a day may take unchanged pieces over from; None where there is none, or nothing may be."""
        if self.pinned is not None or not self.takes_over:
            return None
        if as_of not in self._former:
            baseline = self.baseline_release_id(as_of)
            self._former[as_of] = former_day(self.releases, self.tables, baseline, self.catalog, self.code_version)
        return self._former[as_of]

    def taken_over(self, table: str, as_of: date, unsaved: Mapping[str, str] | None = None) -> DayTable | None:
        """A table as the release before proves it to be still; None where it has to be computed.

        Args:
            table, as_of: which.
            unsaved: hash of each input that the day has made and not yet saved.
        """
        former = self.former_day(as_of)
        if former is None:
            return None
        made, release_id = unsaved or {}, self.release_id(as_of)
        inputs = {}
        for name in INPUTS.get(table, ()):
            found = made.get(name) or self.tables.stamp(name, as_of).table_hash
            if name not in made and former.may_differ_in_names(name, found):
                found = former.former_hash(name, self.frame(name, as_of), release_id, as_of) or found
            inputs[name] = found
        return former.table(table, inputs, release_id, as_of)

    def release_id(self, as_of: date) -> str:
        """The id of the release that the day's snapshots, this catalog and this code make."""
        return self._release_id(as_of, self.frame("raw__snapshot", as_of))

    def _release_id(self, as_of: date, snapshots: pl.DataFrame) -> str:
        if self.pinned:
            return self.pinned.release_id
        rows = snapshots.filter(pl.col("sha256").is_not_null()).select("leaderboard", "sha256").rows()
        return release_id(
            as_of=as_of,
            snapshots=rows,
            evidence=self.evidence_used(as_of),
            baseline=self.baseline_release_id(as_of),
            catalog_sha256=self.catalog.sha256,
            methodology_version=self.catalog.methodology.version,
            code_version=self.code_version,
        )

    def evidence(self, as_of: date) -> list[StudyEvidence]:
        """The evidence of the catalog's studies as a day may use it; proved once."""
        if as_of not in self._evidence:
            pinned = self.pinned.evidence if self.pinned else None
            self._evidence[as_of] = gather_evidence(self.catalog.studies, self.evidence_store, as_of, pinned)
        return self._evidence[as_of]

    def evidence_used(self, as_of: date) -> list[tuple[str, str, str]]:
        """(kind, name, SHA-256) of the evidence that a day's release rests on, each once."""
        return sorted({(*item.key, item.sha256) for item in self.evidence(as_of) if item.sha256 is not None})

    def baseline_release_id(self, as_of: date) -> str | None:
        """The release that the day's gates compare with; None for a first one."""
        return self.pinned.baseline_release_id if self.pinned else self.releases.baseline_for(as_of)

    def baseline(self, as_of: date) -> BaselineFigures | None:
        """The figures of the baseline release; None for a first one."""
        if self.pinned:
            return self.pinned.baseline
        found = self.releases.baseline_for(as_of)
        if found is None:
            return None
        if found not in self._baselines:
            # Read once for all gates: a release never changes.
            self._baselines[found] = self.releases.figures(found)
        return self._baselines[found]

    def standing_verdicts(self, as_of: date) -> list[StoredVerdict]:
        """The persisted verdicts of a day that still hold: their gate, tables, catalog and baseline are unchanged."""
        standing = []
        for gate, kept in self.verdicts.all(as_of).items():
            spec = self.catalog.gate_by_id.get(gate)
            if spec is None or not all(self.tables.exists(name, as_of) for name in kept.inputs):
                continue
            hashes = {name: self.tables.stamp(name, as_of).table_hash for name in kept.inputs}
            key = expected_verdict_key(spec, hashes, self.catalog.sha256, self.baseline_release_id(as_of))
            if key == kept.verdict_key:
                standing.append(kept)
        return standing

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Notes the exception a step ends with, and lets it pass."""
        try:
            yield
        except Exception as error:
            self.problems.append(StepProblem(name, error))
            raise
